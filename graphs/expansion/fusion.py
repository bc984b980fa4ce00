"""Fusing the lists of many statements so that no intent is drowned (MuISQA eq. 12)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...cubes.fusion import rrf

__all__ = ["Ranked", "fuse"]


@dataclass(frozen=True, slots=True)
class Ranked:
    """What one statement found, best first; ``intent`` is what it is about, "" for the question as a whole."""

    intent: str
    section_ids: tuple[str, ...]


def fuse(
    lists: Sequence[Ranked], limit: int, k: int = 60, on_topic: Callable[[str], bool] | None = None
) -> list[tuple[str, float]]:
    """Return the ``limit`` sections with the largest sum of 1 / (k + rank) over all lists (eq. 12), best first.

    Sections that many statements find a little would still crowd out what one finds first. So the best of each intent,
    fused from its lists alone, is kept, then the first of each list in turn, as long as there is room. What is left of
    it goes to sections that are ``on_topic`` first: a statement finds what else its thing is named for, too.
    """
    ranking = rrf([one.section_ids for one in lists], k)
    intents = dict.fromkeys(one.intent for one in lists if one.intent and one.section_ids)
    best = (rrf([one.section_ids for one in lists if one.intent == intent], k)[0][0] for intent in intents)
    firsts = (one.section_ids[0] for one in lists if one.intent and one.section_ids)
    others = sorted((i for i, _ in ranking), key=lambda i: on_topic is not None and not on_topic(i))
    order = dict.fromkeys((*best, *firsts, *others))
    kept = frozenset(list(order)[:limit])
    return [pair for pair in ranking if pair[0] in kept]
