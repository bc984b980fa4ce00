"""Fusing the lists of many statements so that no intent is drowned (MuISQA eq. 12)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...cubes.retrieval.fusion import rrf

__all__ = ["StatementRanking", "fuse"]


@dataclass(frozen=True, slots=True)
class StatementRanking:
    """What one statement found, best first; ``intent`` is what it is about, "" for the question as a whole."""

    intent: str
    section_ids: tuple[str, ...]


def fuse(
    lists: Sequence[StatementRanking], limit: int, k: int = 60, on_topic: Callable[[str], bool] | None = None
) -> list[tuple[str, float]]:
    """Return the ``limit`` sections with the largest sum of 1 / (k + rank) over all lists (eq. 12), best first.

    Sections that many statements find a little would still crowd out what one finds first. So the best of each intent,
    fused from its lists alone, is kept as long as there is room. Then come the sections ``on_topic`` that statements
    found, the first of each list before the others: a statement also finds what else its thing is named for. Then the
    first of the other lists, in turn, and what is left, both on the topic first.
    """
    ranking = rrf([one.section_ids for one in lists], k)
    intents = dict.fromkeys(one.intent for one in lists if one.intent and one.section_ids)
    best = (rrf([one.section_ids for one in lists if one.intent == intent], k)[0][0] for intent in intents)
    stated = [one.section_ids for one in lists if one.intent and one.section_ids]
    firsts, said = [ids[0] for ids in stated], frozenset(i for ids in stated for i in ids)
    others = [i for i, _ in ranking]
    tied = frozenset(i for i in others if on_topic is not None and on_topic(i))
    told = (i for i in (*firsts, *others) if i in said and i in tied)
    order = dict.fromkeys((*best, *told, *firsts, *sorted(others, key=lambda i: i not in tied)))
    kept = frozenset(list(order)[:limit])
    return [pair for pair in ranking if pair[0] in kept]
