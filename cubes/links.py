"""Following links between sections, for a question whose steps are not known.

One look-up finds the sections that share words and meaning with a question, but what a question leaves unnamed
("the city where ... was born") stands in sections that share little with it. They are reached from the first ones: by
a name that stands in a section found and is another section's title, or that another section mentions together with
words of the question still open. It is the idea of HippoRAG's walk over passages and entities, cut down to one step,
without a graph: names are read from a few sections when a question asks for them, and the inverted index says where
else they stand. So nothing is computed when sections are added, and nothing is kept for those never asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from .folding import split_qualifier
from .lexical import Mask, Scores, top
from .linktables import LONGEST, LinkTables, key_of, link_columns
from .records import Section
from .wording import asked_words, names_in, stems

__all__ = ["LinkIndex"]

# How a section is scored; the best first look scores 1. Measured on four data sets, halving or doubling any of these
# changes recall@5 by less than two points.
_TITLE_ASKED = 0.4  # its title stands in the question
_TITLE_MET = 0.5  # its title stands in a section found
_MENTION = 0.2  # it mentions the title of a section found
_OPEN = 2.5  # it shares a name with a section found and holds every word of the question that is open there
_SEEDS = 5  # the sections from which links are followed: as many as a hop reads
_LEAST = 2  # sections that a name must stand in to be a link between them
_NAMES_KEPT = 4096  # sections whose names are remembered
_STEMS_KEPT = 32_768

Vector = npt.NDArray[np.float32]
Ordinals = npt.NDArray[np.int32]


class LinkIndex:
    """Words, titles and names of all sections, by the ordinal of the section."""

    def __init__(self, sections: Sequence[Section], tables: LinkTables | None = None) -> None:
        self._tables = tables or LinkTables(link_columns(sections))
        self._sections = sections
        self._postings = self._tables.postings
        self._begins = lru_cache(_STEMS_KEPT)(self._tables.begins)
        self._names = lru_cache(_NAMES_KEPT)(self._read_names)

    def lexical(self, query: str, ordinals: npt.NDArray[np.int64]) -> Scores:
        """Return the scores of some sections (ascending) by the words of a query: BM25 over stems, titles twice."""
        asked = asked_words(query)
        found = np.zeros(len(ordinals))
        for word, rarity in zip(asked, self._rarities(asked).tolist(), strict=True):
            held = self._postings.of(word)
            documents = self._postings.documents[held]
            if len(documents):
                places = np.minimum(np.searchsorted(documents, ordinals), len(documents) - 1)
                shares = self._postings.shares[held][places]
                found += np.where(documents[places] == ordinals, rarity * shares, 0.0)
        return found

    def scores(
        self, query: str, near: Mapping[int, float], *, follow: bool = True, allowed: Mask | None = None
    ) -> Scores:
        """Return every section's score for a question; 0 for those that nothing speaks for.

        ``near`` are the sections nearest in meaning with their cosines. ``follow`` False is one look only.
        """
        asked = asked_words(query)
        shares, rarities = self._shares(asked), self._rarities(asked)
        first = self._first_look(query, rarities @ shares, near)
        if allowed is not None:
            first[~allowed] = 0.0
        if not follow or not first.any():
            return first
        linked = self._linked(first, asked, shares, rarities / max(float(rarities.sum()), 1e-9))
        if allowed is not None:
            linked[~allowed] = 0.0
        return first + linked

    def _first_look(self, query: str, lexical: Vector, near: Mapping[int, float]) -> Scores:
        """Words and meaning alike, each as a share of its best, and a little for a title that is asked for."""
        scores = _share_of_best(lexical.astype(np.float64))
        found = scores > 0
        if near:
            cosines = np.full(len(self._sections), min(near.values()))
            cosines[list(near)] = list(near.values())
            found[list(near)] = True
            scores = (scores + _share_of_best(cosines)) / 2
        for title in self._titles_in(stems(query)):
            titled = self._tables.titled(title)
            scores[titled] += _TITLE_ASKED / len(titled) ** 0.5
            found[titled] = True
        return _share_of_best(np.where(found, scores, 0.0))

    def _linked(self, first: Scores, asked: Sequence[str], shares: Vector, weights: Vector) -> Scores:
        """What the best sections of the first look say for others; of several links the strongest counts."""
        gains = np.zeros(len(first))
        for seed in top([first], _SEEDS).tolist():
            trust = first[seed] ** 2
            if not trust:
                break
            still_open = np.where(shares[:, seed] > 0, 0.0, weights).astype(np.float32) @ shares
            own = gains[seed]
            for ordinals, strength in self._links(seed, set(asked), still_open):
                gains[ordinals] = np.maximum(gains[ordinals], trust * strength)
            gains[seed] = own  # nothing is linked to itself
        return gains

    def _links(self, seed: int, asked: set[str], still_open: Vector) -> Iterator[tuple[Ordinals, Vector]]:
        """Where a section's names lead: the sections, and how strongly each is linked."""
        own = key_of(split_qualifier(self._sections[seed].title)[0])
        for name in self._names(seed):
            words = name.split()
            if name != own and asked.issuperset(words):
                continue  # the question says so itself
            holding = self._holding(words)
            if len(holding) < _LEAST:
                continue
            strength = _OPEN * self._rarity(len(holding)) * still_open[holding]
            if name == own:
                strength += _MENTION / len(holding) ** 0.5
            elif len(titled := self._tables.titled(name)):
                strength[np.searchsorted(holding, titled)] += _TITLE_MET / len(titled) ** 0.5
            yield holding, strength

    def _read_names(self, ordinal: int) -> tuple[str, ...]:
        """The names that stand in a section, as stems, and the titles that are parts of them; its own title too."""
        section = self._sections[ordinal]
        found = dict.fromkeys([key_of(split_qualifier(section.title)[0])])
        for name in names_in(f"{section.title}\n{section.text}"):
            words = stems(name)[:LONGEST]
            found[" ".join(words)] = None
            found.update(dict.fromkeys(self._titles_in(words)))
        return tuple(name for name in found if any(not word.isdigit() for word in name.split()))

    def _titles_in(self, words: Sequence[str]) -> Iterator[str]:
        """The titles that stand in a row of stems, the longest at each place."""
        start = 0
        while start < len(words):
            begins = self._begins(words[start])
            ends = range(min(len(words), start + LONGEST), start, -1) if begins else ()
            end = next((end for end in ends if self._tables.titled(" ".join(words[start:end]))), start)
            if end > start:
                yield " ".join(words[start:end])
            start = max(end, start + 1)

    def _holding(self, words: Sequence[str]) -> Ordinals:
        """The sections in which all these words stand, ascending."""
        held = sorted((self._postings.documents[self._postings.of(word)] for word in words), key=len)
        found = held[0]
        for other in held[1:]:
            if len(found) < _LEAST:
                break
            places = np.searchsorted(other, found)
            found = found[other[np.minimum(places, len(other) - 1)] == found]
        return found

    def _shares(self, words: Sequence[str]) -> Vector:
        """One row for each word: how much of every section it makes up."""
        rows = np.zeros((len(words), len(self._sections)), dtype=np.float32)
        for row, word in zip(rows, words, strict=True):
            held = self._postings.of(word)
            row[self._postings.documents[held]] = self._postings.shares[held]
        return rows

    def _rarities(self, words: Sequence[str]) -> Vector:
        """Inverse document frequencies, never below 0."""
        held = (self._postings.of(word) for word in words)
        counts = np.array([places.stop - places.start for places in held], dtype=np.float32)
        size = len(self._sections)
        return np.log1p((size - counts + 0.5) / (counts + 0.5)).astype(np.float32)

    def _rarity(self, count: int) -> float:
        """How much a name tells that stands in so many sections: from 1 for one of them to 0 for all."""
        return 1.0 - float(np.log(count) / np.log(len(self._sections) + 1))


def _share_of_best(scores: Scores) -> Scores:
    best = float(scores.max(initial=0.0))
    return scores / best if best > 0 else np.maximum(scores, 0.0)
