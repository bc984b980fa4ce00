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
from functools import cache, lru_cache
from math import log

import numpy as np
import numpy.typing as npt

from ..core.folding import split_qualifier
from ..core.lexical import Mask, Scores, common, top
from ..core.records import Section
from .link_tables import LONGEST, LinkTables, key_of, link_columns
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

Vector = npt.NDArray[np.float32]
Ordinals = npt.NDArray[np.int32]
Sections = npt.NDArray[np.int64]


class LinkIndex:
    """Words, titles and names of all sections, by the ordinal of the section."""

    def __init__(self, sections: Sequence[Section], tables: LinkTables | None = None) -> None:
        self._tables = tables or LinkTables(link_columns(sections))
        self._sections = sections
        self._postings = self._tables.postings
        self._names = lru_cache(_NAMES_KEPT)(self._read_names)
        self._holding = lru_cache(_NAMES_KEPT)(self._read_holding)

    def lexical(self, query: str, ordinals: npt.NDArray[np.int64]) -> Scores:
        """Return the scores of some sections (ascending) by the words of a query: BM25 over stems, titles twice."""
        asked = asked_words(query)
        found, some = np.zeros(len(ordinals)), ordinals.astype(np.int32)  # as postings are, or all of those are copied
        for word, rarity in zip(asked, self._rarities(asked).tolist(), strict=True):
            held = self._postings.of(word)
            documents = self._postings.documents[held]
            if len(documents):
                places = np.minimum(np.searchsorted(documents, some), len(documents) - 1)
                shares = self._postings.shares[held][places]
                found += np.where(documents[places] == some, rarity * shares, 0.0)
        return found

    def best(
        self, query: str, near: Mapping[int, float], k: int, *, follow: bool = True, allowed: Mask | None = None
    ) -> list[tuple[int, float]]:
        """Return the best ``k`` (section, score) for a question, of those that anything speaks for, ties in order.

        ``near`` are the sections nearest in meaning with their cosines. ``follow`` False is one look only.
        """
        asked = asked_words(query)
        first = _FirstLook(self._by_words(asked, self._rarities(asked)), near, self._asked_titles(query))
        ordinals = first.leading(max(k, _SEEDS), allowed)
        scores = first.scores(ordinals)
        if follow and scores.any():
            gains = self._linked(ordinals, scores, asked)
            if allowed is not None:
                gains[~allowed] = 0.0
            ordinals = np.union1d(ordinals, np.flatnonzero(gains))
            scores = first.scores(ordinals) + gains[ordinals]
        chosen = top([scores], k)
        found = zip(ordinals[chosen].tolist(), scores[chosen].tolist(), strict=True)
        return [(ordinal, score) for ordinal, score in found if score > 0]

    def _by_words(self, words: Sequence[str], weights: Vector) -> Vector:
        """Every section's share of some words, each weighed."""
        found = np.zeros(len(self._sections), dtype=np.float32)
        for word, weight in zip(words, weights, strict=True):
            held = self._postings.of(word)
            found[self._postings.documents[held]] += weight * self._postings.shares[held]
        return found

    def _asked_titles(self, query: str) -> dict[int, float]:
        """The sections whose title stands in a question, and what that counts; less where others have it too."""
        found: dict[int, float] = {}
        for title in self._titles_in(stems(query)):
            titled = self._tables.titled(title)
            for ordinal in titled:
                found[ordinal] = found.get(ordinal, 0.0) + _TITLE_ASKED / len(titled) ** 0.5
        return found

    def _linked(self, ordinals: Sections, first: Scores, asked: Sequence[str]) -> Scores:
        """What the best sections of the first look say for all others; of several links the strongest counts."""
        gains = np.zeros(len(self._sections))
        rarities = self._rarities(asked)
        weights = rarities / max(float(rarities.sum()), 1e-9)
        open_shares = cache(lambda words: self._by_words(words, weights[[asked.index(word) for word in words]]))
        for place in top([first], _SEEDS).tolist():
            seed, trust = int(ordinals[place]), float(first[place]) ** 2
            if not trust:
                break
            still_open = open_shares(tuple(word for word in asked if not self._holds(seed, word)))
            own = gains[seed]
            for linked, strength in self._links(seed, set(asked), still_open):
                gains[linked] = np.maximum(gains[linked], trust * strength)
            gains[seed] = own  # nothing is linked to itself
        return gains

    def _holds(self, ordinal: int, word: str) -> bool:
        held = self._postings.documents[self._postings.of(word)]
        place = int(np.searchsorted(held, np.int32(ordinal)))
        return place < len(held) and int(held[place]) == ordinal

    def _links(self, seed: int, asked: set[str], still_open: Vector) -> Iterator[tuple[Ordinals, Vector]]:
        """Where a section's names lead: the sections, and how strongly each is linked."""
        own = key_of(split_qualifier(self._sections[seed].title)[0])
        for name in self._names(seed):
            words = name.split()
            if name != own and asked.issuperset(words):
                continue  # the question says so itself
            holding = self._holding(name)
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
            begins = self._tables.begins(words[start])
            ends = range(min(len(words), start + LONGEST), start, -1) if begins else ()
            end = next((end for end in ends if self._tables.titled(" ".join(words[start:end]))), start)
            if end > start:
                yield " ".join(words[start:end])
            start = max(end, start + 1)

    def _read_holding(self, name: str) -> Ordinals:
        """The sections in which all words of a name stand, ascending."""
        held = sorted((self._postings.documents[self._postings.of(word)] for word in name.split()), key=len)
        found = held[0]
        for other in held[1:]:
            if len(found) < _LEAST:
                break
            found = found[common(found, other)[0]]
        return found

    def _rarities(self, words: Sequence[str]) -> Vector:
        """Inverse document frequencies, never below 0."""
        held = (self._postings.of(word) for word in words)
        counts = np.array([places.stop - places.start for places in held], dtype=np.float32)
        size = len(self._sections)
        return np.log1p((size - counts + 0.5) / (counts + 0.5)).astype(np.float32)

    def _rarity(self, count: int) -> float:
        """How much a name tells that stands in so many sections: from 1 for one of them to 0 for all."""
        return 1.0 - log(count) / log(len(self._sections) + 1)


class _FirstLook:
    """Scores of the first look, of the sections asked for: words and meaning alike, each as a share of its best, and a
    little for a title that is asked for.
    """

    def __init__(self, by_words: Vector, near: Mapping[int, float], titles: Mapping[int, float]) -> None:
        self._words = by_words
        self._most = float(by_words.max(initial=0.0))
        self._near, self._titles = near, titles
        self._named = np.array(sorted({*near, *titles}), dtype=np.int64)
        self._best = 1.0
        self._best = float(self.scores(self.leading(1, None)).max(initial=0.0)) or 1.0

    def leading(self, k: int, allowed: Mask | None) -> Sections:
        """Return the sections among which the best ``k`` are, ascending: by words, and all that anything else names."""
        held, named = self._words > 0, self._named
        if allowed is not None:
            held, named = held & allowed, named[allowed[named]]
        found = np.flatnonzero(held)
        return np.union1d(found[top([self._words[found]], k)], named)

    def scores(self, ordinals: Sections) -> Scores:
        """Return the scores of some sections, ascending; 0 where nothing speaks for one."""
        words = self._words[ordinals].astype(np.float64)
        scores, found = _share(words, self._most), words > 0
        where, named = common(self._named, ordinals)
        found[named] = True
        names = self._named[where].tolist()
        if self._near:
            floor, most = min(self._near.values()), max(self._near.values())
            cosines = np.full(len(ordinals), floor)
            cosines[named] = [self._near.get(n, floor) for n in names]
            scores = (scores + _share(cosines, most)) / 2
        scores[named] += [self._titles.get(n, 0.0) for n in names]
        return np.where(found, scores, 0.0) / self._best


def _share(scores: Scores, best: float) -> Scores:
    return scores / best if best > 0 else np.maximum(scores, 0.0)
