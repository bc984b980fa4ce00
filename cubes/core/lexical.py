"""BM25 over sections: an inverted index with exactly the scores of `rank_bm25.BM25Okapi`.

rank_bm25 is the reference, but it goes through every document for every word (10 ms at 6,000 sections). bm25s
is fast and yet cannot stand in: none of its variants has the reference's floor under negative inverse
document frequencies, and common words would weigh differently. So the postings lie here in three numpy
arrays, their weights computed beforehand, and a query adds up the slices of its words.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .columns import Array, Arrays, PackedStrings, packed
from .folding import words

__all__ = [
    "STOP_WORDS",
    "Bm25Index",
    "Integers",
    "Mask",
    "Postings",
    "Scores",
    "common",
    "posted",
    "tokens",
    "top",
    "weighed",
]

Scores = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.signedinteger[Any]]

_DOTTED = re.compile(r"\d+(?:\.\d+)+")
_TABLE_PAYS = 16  # documents to one that is looked at
_STRETCH = 64
_MANY = 4_000  # postings that are worth the trouble to leave out
_FEW = 2_000  # documents that are soon looked at one by one

STOP_WORDS = frozenset(
    {
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "but",
        "by",
        "for",
        "if",
        "in",
        "into",
        "is",
        "it",
        "no",
        "not",
        "of",
        "on",
        "or",
        "such",
        "that",
        "the",
        "their",
        "then",
        "there",
        "these",
        "they",
        "this",
        "to",
        "was",
        "will",
        "with",
    }
)
"""Lucene's English stop words."""


def tokens(text: str) -> list[str]:
    """Return the words that BM25 counts: folded (see `folding.words`), without stop words.

    A release ("2.10.1") counts as a word beside its numbers.
    """
    return [*(word for word in words(text) if word not in STOP_WORDS), *_DOTTED.findall(text)]


class Postings:
    """Which documents hold each word, and how much of a document a word makes up, as `posted` has laid it down."""

    def __init__(self, arrays: Arrays) -> None:
        self._terms = PackedStrings(arrays, "posted.words").numbers()
        self._starts = arrays["posted.starts"].data
        self.documents: Integers = arrays["posted.documents"]
        self.shares: npt.NDArray[Any] = arrays["posted.shares"]
        self.size = int(arrays["posted.size"][0])

    def of(self, word: str) -> slice:
        """Return where a word's postings lie in ``documents`` and ``shares``; an empty slice for an unknown word."""
        term = self._terms.get(word.encode("utf-8", "surrogatepass"))
        return slice(0, 0) if term is None else slice(self._starts[term], self._starts[term + 1])


def posted(
    documents: Iterable[Sequence[str]], *, k1: float = 1.5, b: float = 0.75, shares: Any = np.float64
) -> dict[str, Array]:
    """Lay down the words of documents for `Postings`: by word, and for each word by document.

    A share is BM25's count part (k1 = 1.5, b = 0.75): it grows from 0 towards 1 with the word's count, the slower
    the longer the document.
    """
    words, terms, lengths = _read(documents)
    size = max(len(lengths), 1)
    distinct, counts = np.unique(terms * size + np.repeat(np.arange(len(lengths)), lengths), return_counts=True)
    holding = (distinct % size).astype(np.int32)
    average = lengths.mean() if terms.size else 1.0
    norm = k1 * (1 - b + b * lengths[holding] / average)
    return {
        **packed("posted.words", words),
        "posted.starts": np.searchsorted(distinct, np.arange(len(words) + 1) * size).astype(np.int64),
        "posted.documents": holding,
        "posted.shares": (counts / (counts + norm)).astype(shares),
        "posted.size": np.array([len(lengths)], dtype=np.int64),
    }


def _read(documents: Iterable[Sequence[str]]) -> tuple[list[str], Integers, Integers]:
    """Number the words as they are ordered; return them, all documents' words end to end, and the lengths."""
    vocabulary, terms, lengths = dict[str, int](), array("i"), array("i")
    for document in documents:
        terms.extend([vocabulary.setdefault(word, len(vocabulary)) for word in document])
        lengths.append(len(document))
    words = sorted(vocabulary)
    places = np.empty(len(words), dtype=np.int64)
    places[[vocabulary[word] for word in words]] = np.arange(len(words))
    return words, places[np.array(terms, dtype=np.int64)], np.array(lengths, dtype=np.int64)


class Bm25Index:
    """BM25 (Okapi, k1 = 1.5, b = 0.75, epsilon = 0.25 as in rank_bm25) over tokenised documents.

    ``arrays`` are those of `weighed`, where they are there already.
    """

    def __init__(self, documents: Iterable[Sequence[str]] = (), *, arrays: Arrays | None = None) -> None:
        self._postings = Postings(arrays if arrays is not None else weighed(documents))
        self._weights: Scores = self._postings.shares

    def __len__(self) -> int:
        return self._postings.size

    def scores(self, query: Sequence[str]) -> Scores:
        """Return every document's score; a word that the query repeats counts again, as in the reference."""
        total = np.zeros(len(self))
        for word in query:
            held = self._postings.of(word)
            total[self._postings.documents[held]] += self._weights[held]
        return total

    def scores_of(self, query: Sequence[str], documents: Integers) -> Scores:
        """Return the scores of some documents (ascending), as `scores` gives them."""
        total, some = np.zeros(len(documents)), documents.astype(np.int32)
        for word in query:
            held = self._postings.of(word)
            found, places = common(some, self._postings.documents[held])
            total[found] += self._weights[held][places]
        return total

    def holding(self, words: Sequence[str]) -> Integers:
        """Return the documents that hold all of some words, ascending; none for no word."""
        held = sorted((self._postings.documents[self._postings.of(word)] for word in words), key=len)
        found = held[0] if held else np.empty(0, dtype=np.int32)
        for other in held[1:]:
            found = found[common(found, other)[0]]
        return found

    def search(self, query: Sequence[str], k: int, allowed: Mask | None = None) -> list[tuple[int, float]]:
        """Return the best ``k`` (document, score) of those that hold a word of the query, ties in order."""
        if k < 1:
            return []
        found = self._candidates(query, k, allowed)
        many = len(found) * _TABLE_PAYS > len(self)
        scores = self.scores(query)[found] if many else self.scores_of(query, found)
        best = top([scores], k)
        return list(zip(found[best].tolist(), scores[best].tolist(), strict=True))

    def _candidates(self, query: Sequence[str], k: int, allowed: Mask | None) -> Integers:
        """Return the documents that may be among the best ``k``, ascending.

        Word by word, the rare ones first: once ``k`` documents score more by these than any other could by all the
        words that are left, which are common and weigh little, the many documents of those need not be looked at.
        """
        held = {word: self._postings.of(word) for word in query}
        rare_first = sorted(query, key=lambda word: held[word].stop - held[word].start)
        many = sum(places.stop - places.start for places in held.values()) > _MANY
        adding = many and all(self._weights[places].min(initial=0.0) >= 0 for places in held.values())
        bounds = [float(self._weights[held[word]].max(initial=0.0)) for word in rare_first] if adding else []
        holds, found = np.zeros(len(self), dtype=np.bool_), np.empty(0, dtype=np.int64)
        for n, word in enumerate(rare_first):
            if adding and k <= len(found) < _FEW:
                reached = _greatest(self.scores_of(rare_first[:n], found), k)
                if reached > sum(bounds[n:]):
                    break
            holds[self._postings.documents[held[word]]] = True
            found = np.flatnonzero(holds if allowed is None else holds & allowed)
        return found


def common(some: Integers, among: Integers) -> tuple[Integers, Integers]:
    """Return where the numbers that both have stand in each; both ascend."""
    if not len(among):
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    places = np.minimum(among.searchsorted(some), len(among) - 1)
    found = (among[places] == some).nonzero()[0]
    return found, places[found]


def top(keys: Sequence[npt.NDArray[Any]], k: int) -> Integers:
    """Return the positions of the ``k`` greatest, best first, by the first key, ties by the next, then by
    position.

    A partial sort: only what a key leaves undecided is looked at under the next one.
    """
    undecided = _worth_a_look(keys[0], k)
    chosen: list[Integers] = []
    room = k
    for key in keys:
        if len(undecided) <= room:
            break
        values = key[undecided]
        bound = _greatest(values, room)
        chosen.append(undecided[values > bound])
        undecided = undecided[values == bound]
        room -= len(chosen[-1])
    picked = np.concatenate([*chosen, undecided[:room]])
    return picked[np.lexsort([picked, *(-key[picked] for key in reversed(keys))])]


def _worth_a_look(values: npt.NDArray[Any], k: int) -> Integers:
    """Return positions that hold the ``k`` greatest: those of many are soon narrowed down to what is at least as great
    as the greatest of ``k`` stretches.
    """
    stretches = len(values) // _STRETCH
    if stretches <= max(k, 1) * _TABLE_PAYS:
        return np.arange(len(values))
    greatest = values[: stretches * _STRETCH].reshape(stretches, _STRETCH).max(axis=1)
    return np.flatnonzero(values >= np.partition(greatest, stretches - k)[stretches - k])


def _greatest(values: npt.NDArray[Any], n: int) -> Any:
    """Return the ``n``-th greatest value. Small whole numbers repeat a lot, which slows partitioning down."""
    if values.dtype.kind == "i" and values.min() >= 0:
        at_least = np.bincount(values)[::-1].cumsum()
        return len(at_least) - 1 - int(np.searchsorted(at_least, n))
    return np.partition(values, len(values) - n)[len(values) - n]


def weighed(
    documents: Iterable[Sequence[str]], *, k1: float = 1.5, b: float = 0.75, epsilon: float = 0.25
) -> dict[str, Array]:
    """Lay down the words of documents for `Bm25Index`: their shares weighed by how rare each word is."""
    arrays = posted(documents, k1=k1, b=b)
    frequency = np.diff(arrays["posted.starts"])
    idf = _inverse_frequencies(frequency, int(arrays["posted.size"][0]), epsilon)
    return {**arrays, "posted.shares": np.repeat(idf, frequency) * (k1 + 1) * arrays["posted.shares"]}


def _inverse_frequencies(frequency: Integers, size: int, epsilon: float) -> Scores:
    """Okapi's inverse document frequencies; negative ones become epsilon times the average."""
    idf = np.log(size - frequency + 0.5) - np.log(frequency + 0.5)
    if idf.size:
        idf[idf < 0] = epsilon * idf.mean()
    return np.asarray(idf, dtype=np.float64)
