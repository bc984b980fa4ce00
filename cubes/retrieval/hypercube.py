"""Retrieval from hypercubes: documents that share the labels asked for, cell by cell (Hypercube-RAG 3.3-3.4, C).

Labels say what a whole document mentions; so documents are ranked, and each is given by the section that has most of
what was asked. Components count alike, as printed (eq. 6 and 7), or by their rarity: what stands in most documents
("the agreement" among agreements) is no key component then, and of partial coverage the rarer labels count for more.
Where a query names several values of a dimension, it asks for several cells, the cross product of the values (appendix
C.2): the documents that cover everything come first, then the best of each cell in turn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product

import numpy as np
import numpy.typing as npt

from ..core.folding import fold
from ..core.lexical import Scores, top
from ..core.records import LabelRanking, Match, OpenedCell
from ..model.labels import Ordinals
from .matching import MatchedComponent
from .ranking import ComponentCover

__all__ = ["MOST_CELLS", "CoveredDocument", "QueryEntity", "asked_of", "cells", "joined", "search"]

MOST_CELLS = 24
"""Cells that one query opens; beyond them the values of a dimension are taken together."""
_LEAST = 0.01
"""The weight of what stands in every document."""
_KEY = math.log(2)
"""The weight over which a value is a key component: fewer than half of the documents hold it."""


Table = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class QueryEntity:
    """One thing that a query names, with what it met: a component on each dimension (and cube) where it is a label.

    ``axis`` is the dimension whose values it is one of.
    """

    entity: str
    axis: str
    matches: tuple[MatchedComponent, ...]
    cover: ComponentCover

    def explain(self, sections: Sequence[tuple[int, str]]) -> tuple[Match, ...]:
        """Say which labels tag one of the sections, equal before near ones; else that the entity stands there.

        Each label is explained by the first of the sections that has it.
        """
        found = tuple(why for matched in self.matches if (why := _first_why(matched, sections)) is not None)
        if found or not np.isin(self.cover.ordinals, [ordinal for ordinal, _ in sections]).any():
            return found
        asked = self.matches[0].component
        return (Match(asked.cube, asked.dimension, asked.entity, asked.entity, "exact"),)


def _first_why(matched: MatchedComponent, sections: Sequence[tuple[int, str]]) -> Match | None:
    return next((why for _, id in sections if (why := matched.explain(id)) is not None), None)


@dataclass(frozen=True, slots=True)
class CoveredDocument:
    """A document by its best section; ``covered`` of the key components, ``asked`` in all, stand in the document."""

    ordinal: int
    covered: int
    asked: int
    score: float
    lexical: float


def asked_of(found: Sequence[MatchedComponent], covers: Sequence[ComponentCover]) -> list[QueryEntity]:
    """Join the components of one entity: a label shared by dimensions, or by cubes, is one thing (appendix C.3)."""
    groups: dict[str, list[int]] = {}
    for number, matched in enumerate(found):
        groups.setdefault(fold(matched.component.entity), []).append(number)
    return [
        QueryEntity(
            found[numbers[0]].component.entity,
            found[next((n for n in numbers if len(covers[n].ordinals)), numbers[0])].component.dimension,
            tuple(found[n] for n in numbers),
            joined([covers[n] for n in numbers]),
        )
        for numbers in groups.values()
    ]


def cells(asked: Sequence[QueryEntity], weights: Sequence[float]) -> list[tuple[int, ...]]:
    """Return the cells that a query asks for, each by the numbers of what it names: one value per dimension.

    What most documents hold is in no cell. The cells of the rarest values come first.
    """
    by_axis: dict[str, list[int]] = {}
    for number, each in enumerate(asked):
        if weights[number] > _KEY:
            by_axis.setdefault(each.axis, []).append(number)
    crossed = list(islice(product(*by_axis.values()), MOST_CELLS + 1)) if by_axis else []
    if len(crossed) > MOST_CELLS:
        return [tuple(n for values in by_axis.values() for n in values)]
    return sorted(crossed, key=lambda cell: -sum(weights[n] for n in cell))


def search(
    asked: Sequence[QueryEntity], document_of: Ordinals, k: int, lexical: Callable[[Ordinals], Scores],
    ranking: LabelRanking = "rarity",
) -> tuple[list[CoveredDocument], tuple[OpenedCell, ...]]:
    """Return the ``k`` best documents and the cells opened for them.

    ``document_of`` tells each section's document, ``lexical`` scores sections.
    """
    met = [each for each in asked if len(each.cover.ordinals)]
    if not met or k < 1:
        return [], ()
    sections = np.unique(np.concatenate([each.cover.ordinals for each in met]))
    words = lexical(sections)
    documents, place = np.unique(document_of[sections], return_inverse=True)
    held = np.array([np.isin(documents, document_of[each.cover.ordinals]) for each in met])  # by document
    stands = np.array([np.isin(sections, each.cover.ordinals) for each in met])  # by section
    rarity = np.log((int(document_of.max()) + 1) / held.sum(axis=1)) + _LEAST
    weights = rarity if ranking == "rarity" else np.ones(len(met))
    best = _best_sections(place, weights @ stands, words, len(documents))
    likeness = np.zeros(len(documents))
    np.maximum.at(likeness, place, words)
    chosen = cells(met, weights.tolist())
    if ranking == "rarity" or (ranking == "coverage" and len(chosen) > 1):
        order = _in_turn(held, weights, likeness, chosen, k)
    else:
        first = _frequency(met, document_of, documents) if ranking == "frequency" else held.sum(axis=0)
        order = top([first.astype(np.float64), likeness], k).tolist()
    opened = tuple(
        OpenedCell(tuple((met[n].axis, met[n].entity) for n in cell), int(held[list(cell)].all(axis=0).sum()))
        for cell in chosen
    )
    keys = rarity > _KEY if ranking == "rarity" and (rarity > _KEY).any() else weights > 0
    count, whole = int(keys.sum()) + len(asked) - len(met), float(weights.sum())
    shares, rows = weights @ held / whole, [best[n] for n in order]
    return [
        CoveredDocument(int(sections[row]), int(held[keys, n].sum()), count, float(shares[n]), float(words[row]))
        for n, row in zip(order, rows, strict=True)
    ], opened


def _frequency(met: Sequence[QueryEntity], document_of: Ordinals, documents: Ordinals) -> Ordinals:
    """How often what was asked stands in each document (eq. 2)."""
    times = np.zeros(int(document_of.max()) + 1, dtype=np.int64)
    for each in met:
        np.add.at(times, document_of[each.cover.ordinals], each.cover.counts)
    return times[documents]


def _in_turn(held: Table, weights: Scores, likeness: Scores, chosen: Sequence[tuple[int, ...]], k: int) -> list[int]:
    """Documents that cover everything, then the best one of each cell that is not there yet, round after round."""
    covered = weights @ held
    ranked = top([covered, likeness], len(covered)).tolist()
    order: dict[int, None] = dict.fromkeys([n for n in ranked if held[:, n].all()][:k])
    parts = [weights[list(cell)] @ held[list(cell)] for cell in chosen]
    rankings = [iter(top([part, covered, likeness], len(covered)).tolist()) for part in parts] or [iter(ranked)]
    while len(order) < min(k, len(covered)):
        for ranking in rankings:
            new = next((n for n in ranking if n not in order), None)
            if new is not None and len(order) < k:
                order[new] = None
    return list(order)


def _best_sections(place: Ordinals, covered: Scores, words: Scores, count: int) -> Mapping[int, int]:
    """For each document the section that has most of what was asked."""
    best: dict[int, int] = {}
    for row in top([covered, words], len(place)):
        best.setdefault(int(place[row]), int(row))
        if len(best) == count:
            break
    return best


def joined(covers: Sequence[ComponentCover]) -> ComponentCover:
    """Merge covers; a section that several have keeps its largest count."""
    if len(covers) == 1:
        return covers[0]
    ordinals, where = np.unique(np.concatenate([cover.ordinals for cover in covers]), return_inverse=True)
    counts = np.zeros(len(ordinals), dtype=np.int64)
    np.maximum.at(counts, where, np.concatenate([cover.counts for cover in covers]))
    return ComponentCover(ordinals, counts)
