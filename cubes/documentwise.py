"""Documents from hypercubes: components matched with labels and with the text, ranked, each by its best section.

Hypercube-RAG 3.3 and 3.4; the ranking itself is in `hypercube`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache

import numpy as np

from . import hypercube
from .cells import CubeSet
from .climbing import broader
from .folding import fold, fold_words
from .initials import is_abbreviation, named_by
from .labels import Ordinals
from .lexical import Mask, Scores, tokens
from .matching import NAME_KINDS, Matched, match
from .ranking import Cover
from .records import Component, Hit, Retrieval, Section

__all__ = ["DocumentSearch"]

_WORDED = 20
"""Sections that are looked through for an entity: those that share most of its words."""
_FOLDED = 4_096

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
        self, found: Sequence[Matched], asked: tuple[Component, ...], k: int, lexical: Lexical, *,
        allowed: Mask | None = None, ranking: hypercube.LabelRanking = "rarity",
    ) -> Retrieval:
        """Return the ``k`` best documents for the components ``asked``, which ``found`` labels or none."""
        met = [(each, self._cover(each, allowed)) for each in found]
        tried = [(*pair, "") if len(pair[1].ordinals) else self._otherwise(*pair, allowed) for pair in met]
        things = hypercube.asked_of([each for each, _, _ in tried], [cover for _, cover, _ in tried])
        ranked = hypercube.search(things, self._document_of, k, lexical, ranking)
        return Retrieval(
            tuple(self._hit(each, position, things) for position, each in enumerate(ranked, start=1)),
            asked,
            notes=tuple(dict.fromkeys(note for _, _, note in tried if note)),
        )

    def _cover(self, matched: Matched, allowed: Mask | None) -> Cover:
        """Return the sections of the labels met by name and those in which the entity stands.

        Equation 2 matches terms of documents: one that names a city within a longer name has another label, and yet it
        names the city. So a phrase is no rarer than it is in the texts.
        """
        labelled = matched.cover(allowed)
        if matched.route == "dense":
            return labelled
        return hypercube.joined([labelled, self._worded(matched.component.entity, allowed)])

    def _otherwise(self, matched: Matched, cover: Cover, allowed: Mask | None) -> tuple[Matched, Cover, str]:
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
                held = Matched(replace(asked, dimension=dimension), tuple(label for each in labels for label in each))
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

    def _worded(self, entity: str, allowed: Mask | None) -> Cover:
        """Find sections in which an entity stands."""
        key = f" {fold(entity)} "
        near = self._by_words(tokens(entity), _WORDED, allowed) if key.strip() else ()
        ordinals = self._cubes.texts.ordinals
        held = np.array(sorted(ordinals[id] for id, _ in near if key in self._folded(id)), dtype=np.int64)
        return Cover(held, np.ones(len(held), dtype=np.int64))

    def _fold(self, section_id: str) -> str:
        return f" {' '.join(fold_words(self._by_id[section_id].text))} "

    def _hit(self, found: hypercube.Found, position: int, things: Sequence[hypercube.Asked]) -> Hit:
        ids, document = self._cubes.texts.ids, self._document_of[found.ordinal]
        siblings = [found.ordinal, *np.flatnonzero(self._document_of == document).tolist()]
        matches = tuple(why for thing in things if (why := thing.explain([(n, ids[n]) for n in siblings])) is not None)
        return Hit(ids[found.ordinal], position, found.score, found.covered, found.asked, matches, found.lexical)

    @cached_property
    def _document_of(self) -> Ordinals:
        """The number of each section's document."""
        numbers: dict[str, int] = {}
        return np.array([numbers.setdefault(s.document_id, len(numbers)) for s in self._sections], dtype=np.int64)
