"""Coverage ranking (Hypercube-RAG 3.4, eq. 6-7): sections that cover all components of a subquery come first.

The tiers follow each other until ``k`` is filled: all components covered, then all but one, and so on. A
component counts once per section however many of its labels are there. Within a tier the frequency decides
(how often the matched entities occur in the section), then the lexical score, then the order of the sections.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..core.lexical import Scores, top
from ..model.labels import Ordinals

__all__ = ["ComponentCover", "RankedSection", "rank"]


_TABLE_PAYS = 16  # sections to a covered one


@dataclass(frozen=True, slots=True)
class ComponentCover:
    """The sections that one component matched, ascending and distinct, with the count of its best label in
    each.
    """

    ordinals: Ordinals
    counts: Ordinals


@dataclass(frozen=True, slots=True)
class RankedSection:
    """A ranked section: how many components it covers, how often their entities occur, its lexical score."""

    ordinal: int
    covered: int
    frequency: int
    lexical: float


def rank(
    covers: Sequence[ComponentCover], k: int, lexical: Callable[[Ordinals], Scores], *, top_tier_only: bool = False,
) -> list[RankedSection]:
    """Return the best ``k`` sections. ``top_tier_only`` stops after the best covered tier, as eq. 7 read
    narrowly does.

    ``lexical`` gives the scores of the sections asked for; it is called once, with every covered section.
    """
    if not covers or k < 1:
        return []
    ordinals, covered, frequency = _gather(covers)
    if top_tier_only and len(ordinals):
        best = covered == covered.max()
        ordinals, covered, frequency = ordinals[best], covered[best], frequency[best]
    scores = lexical(ordinals) if len(ordinals) else np.empty(0)
    return [
        RankedSection(int(ordinals[n]), int(covered[n]), int(frequency[n]), float(scores[n]))
        for n in top([covered, frequency, scores], k)
    ]


def _gather(covers: Sequence[ComponentCover]) -> tuple[Ordinals, Ordinals, Ordinals]:
    """Return the covered sections, how many components each covers, and their summed counts.

    Where many sections are covered, tables over all sections are faster than sorting; they do not pay for a few.
    """
    if len(covers) == 1:
        return covers[0].ordinals, np.ones_like(covers[0].ordinals), covers[0].counts
    size = max((int(cover.ordinals[-1]) + 1 for cover in covers if len(cover.ordinals)), default=0)
    if size > _TABLE_PAYS * sum(len(cover.ordinals) for cover in covers):
        found = np.unique(np.concatenate([cover.ordinals for cover in covers]))
        places = [np.searchsorted(found, cover.ordinals) for cover in covers]
        return found, *_added(len(found), places, covers)
    covered, frequency = _added(size, [cover.ordinals for cover in covers], covers)
    ordinals = np.flatnonzero(covered)
    return ordinals, covered[ordinals], frequency[ordinals]


def _added(size: int, places: Sequence[Ordinals], covers: Sequence[ComponentCover]) -> tuple[Ordinals, Ordinals]:
    covered, frequency = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    for at, cover in zip(places, covers, strict=True):
        covered[at] += 1
        frequency[at] += cover.counts
    return covered, frequency
