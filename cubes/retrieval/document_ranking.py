"""Documents from hypercubes: components matched with labels and with the text, ranked, each by its best section.

Hypercube-RAG 3.3 and 3.4; the ranking itself is in `hypercube`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache

import numpy as np

from ..core.folding import fold, fold_words
from ..core.lexical import Mask, Scores, tokens
from ..core.records import Component, Hit, LabelRanking, Retrieval, Section
from ..model.cells import CubeSet
from ..model.labels import Ordinals
from ..model.rollup_fallback import broader
from . import hypercube
from .initials import is_abbreviation, named_by
from .matching import NAME_KINDS, DenseIndex, MatchedComponent, match, near_labels
from .ranking import ComponentCover

__all__ = ["DocumentSearch"]

_WORDED = 20
"""Sections that are looked through for an entity: those that share most of its words."""
_FOLDED = 4_096
_COMMON = 0.05
"""The share of all tags that labels of most documents have at least where rarity decides."""

ByWords = Callable[[Sequence[str], int, Mask | None], Sequence[tuple[str, float]]]
Lexical = Callable[[Ordinals], Scores]


class DocumentSearch:
    """Finds documents by what they mention; ``by_words`` ranks sections for words, best first."""

    def __init__(
        self, cubes: CubeSet, sections: Sequence[Section], by_id: Mapping[str, Section], by_words: ByWords
    ) -> None:
        self._cubes, self._sections, self._by_id, self._by_words = cubes, sections, by_id, by_words
        self._named: dict[str, Sequence[tuple[str, Sequence[str]]]] = {}
        self._folded = lru_cache(_FOLDED)(self._fold)

    def search(
        self, asked: tuple[Component, ...], k: int, lexical: Lexical, *, tau: float, dense: DenseIndex | None = None,
        allowed: Mask | None = None, exact: bool = True, ranking: LabelRanking = "auto",
    ) -> Retrieval:
        """Return the ``k`` best documents for the components ``asked``.

        Labels that are near a term (``tau``) join those that it is; a name that is nowhere is looked up by meaning, and
        otherwise. ``exact`` False leaves only the dense route.
        """
        met = [each for part in asked for each in self._met(part, dense, tau, allowed, exact)]
        things = hypercube.asked_of([each for each, _, _ in met], [cover for _, cover, _ in met])
        chosen = self.ranking if ranking == "auto" else ranking
        ranked, opened = hypercube.search(things, self._document_of, k, lexical, chosen)
        return Retrieval(
            tuple(self._hit(each, position, things) for position, each in enumerate(ranked, start=1)),
            asked,
            notes=tuple(dict.fromkeys(note for _, _, note in met if note)),
            cells=opened,
        )

    def _met(
        self, part: Component, dense: DenseIndex | None, tau: float, allowed: Mask | None, exact: bool
    ) -> list[tuple[MatchedComponent, ComponentCover, str]]:
        """What a component met, with the sections and a note: labels it is, the text, labels near it."""
        matched = match(self._cubes, part, dense=None, tau=tau, allowed=allowed, exact=exact)
        cover = matched.cover(allowed)
        if exact:  # eq. 2 matches terms of documents: a city within a longer name is in another label, and yet named
            cover = hypercube.joined([cover, self._worded(part.entity, allowed)])
        near: list[MatchedComponent] = []
        if dense is not None and (self._is_rare_term(part, cover) or not len(cover.ordinals)):
            near = near_labels(self._cubes, part, dense, tau, allowed)
        if exact and not near and not len(cover.ordinals):
            return [self._otherwise(matched, cover, allowed)]
        return [(matched, cover, ""), *((each, each.cover(allowed), "") for each in near)]

    def _is_rare_term(self, part: Component, cover: ComponentCover) -> bool:
        """Whether a component is a term that at most half of the documents hold: others are no key to any."""
        axis = self._cubes[part.cube].axis(part.dimension)
        if axis is None or axis.dimension.kind != "text":
            return False
        return 2 * len(np.unique(self._document_of[cover.ordinals])) <= self._documents

    def _otherwise(
        self, matched: MatchedComponent, cover: ComponentCover, allowed: Mask | None
    ) -> tuple[MatchedComponent, ComponentCover, str]:
        """Roll an entity up that nothing was found of, or spell it out: the first that is a label.

        An abbreviation is spelt out by the names on the cube's dimensions; what is no label either way stays as it was.
        """
        asked = matched.component
        for name in broader(self._cubes, asked):
            held = match(self._cubes, replace(asked, entity=name), dense=None, tau=1.0, allowed=allowed)
            if held.labels:
                return held, held.cover(allowed), f"'{asked.entity}' is in no cell; rolled up to '{name}'"
        if is_abbreviation(asked.entity):
            for dimension, names in self._names(asked.cube):
                labels = [self._cubes[asked.cube].lookup(dimension, name) for name in named_by(asked.entity, names)]
                held = MatchedComponent(
                    replace(asked, dimension=dimension), tuple(label for each in labels for label in each)
                )
                found = held.cover(allowed)
                if len(found.ordinals):
                    return held, found, f"'{asked.entity}' is no label; read as '{held.labels[0].text}'"
        return matched, cover, ""

    def _names(self, cube: str) -> Sequence[tuple[str, Sequence[str]]]:
        """The labels of a cube's dimensions of names."""
        if cube not in self._named:
            held = self._cubes[cube]
            axes = [(d.id, held.axis(d.id)) for d in held.spec.attributes if d.kind in NAME_KINDS]
            self._named[cube] = [(id, [text for _, text in axis.named()]) for id, axis in axes if axis is not None]
        return self._named[cube]

    def _worded(self, entity: str, allowed: Mask | None) -> ComponentCover:
        """Find sections in which an entity stands."""
        key = f" {fold(entity)} "
        near = self._by_words(tokens(entity), _WORDED, allowed) if key.strip() else ()
        ordinals = self._cubes.texts.ordinals
        held = np.array(sorted(ordinals[id] for id, _ in near if key in self._folded(id)), dtype=np.int64)
        return ComponentCover(held, np.ones(len(held), dtype=np.int64))

    def _fold(self, section_id: str) -> str:
        return f" {' '.join(fold_words(self._by_id[section_id].text))} "

    def _hit(self, found: hypercube.CoveredDocument, position: int, things: Sequence[hypercube.QueryEntity]) -> Hit:
        ids, document = self._cubes.texts.ids, self._document_of[found.ordinal]
        siblings = [found.ordinal, *np.flatnonzero(self._document_of == document).tolist()]
        matches = tuple(why for thing in things for why in thing.explain([(n, ids[n]) for n in siblings]))
        return Hit(ids[found.ordinal], position, found.score, found.covered, found.asked, matches, found.lexical)

    @cached_property
    def ranking(self) -> LabelRanking:
        """How this collection's documents are ranked: by rarity where common labels are many, else by plain count.

        Common is a label that most documents hold: "the agreement", among agreements, tells none of them apart, though
        it counts as much as any. Where such labels make up `_COMMON` of all tags, rarity found much more than counting
        did (LegalBench-RAG: 13 to 15 %); where they hardly occur, counting, as printed, was better (SciDCC: 1 to 2 %).
        """
        tags = common = 0
        for cube in self._cubes:
            for dimension in cube.spec.attributes if cube.spec.is_hypercube else ():
                for label in cube.labels(dimension.id):
                    held = len(np.unique(self._document_of[label.sections.ordinals]))
                    tags += held
                    common += held if 2 * held > self._documents else 0
        return "rarity" if common >= _COMMON * tags else "coverage"

    @cached_property
    def _documents(self) -> int:
        return len(np.unique(self._document_of))

    @cached_property
    def _document_of(self) -> Ordinals:
        """The number of each section's document."""
        numbers: dict[str, int] = {}
        return np.array([numbers.setdefault(s.document_id, len(numbers)) for s in self._sections], dtype=np.int64)
