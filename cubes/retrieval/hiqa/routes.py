"""The multi-route retriever (HiQA): vectors, words and critical keywords over augmented sections (equation 2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from ...core.columns import Arrays
from ...core.lexical import Bm25Index, Integers, Mask, Postings, Scores, top, weighed
from ...core.records import MetadataValue, RouteScores, Section
from ..wording import counted_asked, counted_words
from .augment import HCA, NO_DESCRIPTIONS, Augmentation, augmented_text, is_structured
from .defaults import CorpusShape, default_weights, shape_of
from .experts import asked_keywords, expert_sections
from .keywords import Keyword, KeywordIndex, keyword_columns
from .scoring import DEPTH, fused, normalised, order

__all__ = ["MultiRoute", "NearestSections", "RoutedSection", "VectorRoute"]

Pages = Mapping[str, MetadataValue | None]
Kept = Callable[[str, Callable[[], Arrays]], Arrays]


@dataclass(frozen=True, slots=True)
class NearestSections:
    """The nearest sections by meaning: ``best`` is the greatest cosine, ``least`` that at the end of the ranking."""

    cosines: Mapping[int, float]
    best: float = 0.0
    least: float = 0.0


class VectorRoute(Protocol):
    """The vector route: what is near a query among the augmented sections."""

    def __call__(self, query: str, depth: int, allowed: Mask | None, others: Integers) -> NearestSections:
        """Return the cosines of the ``depth`` nearest sections and of ``others`` (ordinals)."""
        ...


@dataclass(frozen=True, slots=True)
class RoutedSection:
    """A section (its ordinal) with its score and the parts that make it."""

    ordinal: int
    score: float
    parts: RouteScores


def _made(_: str, make: Callable[[], Arrays]) -> Arrays:
    return make()


class MultiRoute:
    """Multi-route retrieval over sections, augmented under ``options``; all of it is built when it is first asked for.

    ``near`` is the vector route; without one words and keywords are left. ``pages`` gives the pages that documents (by
    id) say they have, ``descriptions`` what is known of figures (by id), ``columns`` keeps what is built.
    """

    def __init__(
        self, sections: Sequence[Section], near: VectorRoute | None = None, *, options: Augmentation = HCA,
        pages: Callable[[], Pages] = dict, descriptions: Mapping[str, str] = NO_DESCRIPTIONS,
        columns: Kept | None = None,
    ) -> None:  # fmt: skip
        self._sections, self._near, self._options = sections, near, options
        self._pages, self._descriptions, self._columns = pages, descriptions, columns or _made

    def text(self, ordinal: int) -> str:
        """Return a section's augmented text."""
        return augmented_text(self._sections[ordinal], self._options, self._descriptions)

    @cached_property
    def weights(self) -> tuple[float, float]:
        """The collection's default α and β (see `defaults`)."""
        structure, documents, pages = self._shape["shape"].tolist()
        return default_weights(CorpusShape(structure, int(documents), pages))

    @property
    def structured(self) -> bool:
        """Whether any section stands under a heading of its document."""
        return bool(self._shape["structured"].any())

    @cached_property
    def _shape(self) -> Arrays:
        return self._columns("hiqa-shape", self._measured)

    def _measured(self) -> Arrays:
        shape = shape_of(self._sections, self._pages())
        with_chapters = {s.document_id for s in self._sections if is_structured(s)}
        return {
            "shape": np.array([shape.structure, shape.documents, shape.pages], dtype=np.float64),
            "structured": np.array([s.document_id in with_chapters for s in self._sections], dtype=np.bool_),
        }

    def search(
        self, query: str, k: int, *, alpha: float | None = None, beta: float | None = None,
        allowed: Mask | None = None, experts: Sequence[str] = (), meaning: bool = True,
    ) -> list[RoutedSection]:  # fmt: skip
        """Return the best ``k`` sections by equation 2, of the union of the routes' rankings.

        ``alpha`` and ``beta`` None are the collection's defaults; without vectors, or with ``meaning`` False, α is 0.
        ``experts`` are the lines of a keyword list (see `experts`).
        """
        if k < 1 or not len(self._sections):
            return []
        depth = min(max(k, DEPTH), len(self._sections))
        critical = [*self._keys.keywords(query), *self._expert(query, experts)]
        counts = np.zeros(len(self._sections), dtype=np.int64)
        for keyword in critical:
            counts[keyword.sections] += 1
        words = self._words.scores(counted_asked(query))
        near = self._near if meaning else None
        candidates, vector, (best, least) = self._candidates(query, depth, words, counts, allowed, near)
        cosines = normalised(vector, best, least)
        alpha, beta = self._chosen(alpha, beta)
        alpha = alpha if near is not None else 0.0
        lexical = normalised(words[candidates], _best(words, allowed), 0.0)
        score = fused(cosines, lexical, counts[candidates], alpha=alpha, beta=beta)
        chosen = order(score, vector, words[candidates])[:k]
        return [
            RoutedSection(int(candidates[n]), float(score[n]), RouteScores(
                float(cosines[n]), float(lexical[n]), _held(critical, int(candidates[n])), alpha, beta
            ))
            for n in chosen
        ]  # fmt: skip

    def _chosen(self, alpha: float | None, beta: float | None) -> tuple[float, float]:
        default = self.weights if alpha is None or beta is None else (0.0, 0.0)
        return (default[0] if alpha is None else alpha), (default[1] if beta is None else beta)

    def _candidates(
        self, query: str, depth: int, words: Scores, counts: Integers, allowed: Mask | None,
        nearness: VectorRoute | None
    ) -> tuple[Integers, Scores, tuple[float, float]]:
        """The union of the routes' rankings, with the cosines and the ends of the vector route."""
        places = np.arange(len(self._sections)) if allowed is None else np.flatnonzero(allowed)
        leading = places[top([words[places]], depth)] if len(places) else places
        named = places[counts[places] > 0]
        named = named[top([counts[named], words[named]], depth)] if len(named) else named
        others = np.union1d(leading[words[leading] > 0], named)
        if depth >= len(places):
            others = places
        if nearness is None:
            return others, np.zeros(len(others)), (0.0, 0.0)
        found = nearness(query, depth, allowed, others)
        near = np.array(sorted(found.cosines), dtype=np.int64)
        near = near if allowed is None else near[allowed[near]]
        candidates = np.union1d(others, near).astype(np.int64)
        vector = np.array([found.cosines.get(int(n), found.least) for n in candidates], dtype=np.float64)
        return candidates, vector, (found.best, found.least)

    def _expert(self, query: str, experts: Sequence[str]) -> list[Keyword]:
        asked = asked_keywords(query, experts) if experts else []
        words = Postings(self._word_columns) if asked else None
        return [Keyword(name, expert_sections(wordings, words, self.text)) for name, wordings in asked if words]

    def named(self, query: str) -> bool:
        """Whether a query names a title or a product code of a document that has chapters."""
        return self.structured and self._keys.names_structure(query, self._shape["structured"])

    @cached_property
    def _word_columns(self) -> Arrays:
        def read() -> Arrays:
            return weighed(counted_words(self.text(n)) for n in range(len(self._sections)))

        return self._columns("hiqa-words", read)

    @cached_property
    def _words(self) -> Bm25Index:
        return Bm25Index(arrays=self._word_columns)

    @cached_property
    def _keys(self) -> KeywordIndex:
        def read() -> Arrays:
            return keyword_columns([self._seen(section) for section in self._sections])

        return KeywordIndex(self._columns("hiqa-keywords", read))

    def _seen(self, section: Section) -> Section:
        """A section with the headings that the augmentation leaves it: no route sees more."""
        if self._options.hierarchy and self._options.metadata:
            return section
        return replace(section, path=section.path[-1:] if self._options.metadata else ())


def _best(scores: Scores, allowed: Mask | None) -> float:
    """The best score of the word route; where no word is found nothing comes near it."""
    best = float((scores if allowed is None else scores[allowed]).max(initial=0.0))
    return best if best > 0 else np.inf


def _held(critical: Sequence[Keyword], ordinal: int) -> tuple[str, ...]:
    return tuple(keyword.text for keyword in critical if ordinal in keyword.sections)
