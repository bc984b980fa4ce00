"""The Log-Rank Index (HiQA equation 3): how high a ranking of all segments puts those that an answer needs.

    S(r) = 1 − log(1 + γ·(r − 1)) / log(1 + γ·(N − 1))

N is the number of all segments. A gold segment that is not ranked has rank N and so scores 0; where there is only one
segment, S is 1. A question's score is the mean over its gold segments. γ shapes the curve: the larger, the faster it
falls at the high ranks. The paper does not give its value.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import TypeVar

from .basic import mean

__all__ = ["GAMMA", "adequacy", "log_rank_index", "log_rank_score", "mean_adequacy"]

GAMMA = 1.0
"""The γ of all figures, unless another is stated."""


def log_rank_score(rank: int | None, segments: int, *, gamma: float = GAMMA) -> float:
    """Score a segment by its rank, from 1; None is one that was not ranked.

    Raises ValueError for a rank outside 1 to ``segments``, or a γ that is not positive.
    """
    if gamma <= 0:
        raise ValueError(f"γ must be above 0, not {gamma}.")
    place = segments if rank is None else rank
    if not 1 <= place <= segments:
        raise ValueError(f"There is no rank {place} among {segments} segments.")
    if segments == 1:
        return 1.0
    return 1 - math.log1p(gamma * (place - 1)) / math.log1p(gamma * (segments - 1))


def log_rank_index(
    ranked: Sequence[str], gold: Collection[str], segments: int, *, gamma: float = GAMMA
) -> float | None:
    """Score a question: the mean over its gold segments; None where none is known.

    ``ranked`` are distinct segments, best first; it may leave out those a method does not rank.
    """
    places = {segment: place for place, segment in enumerate(ranked, start=1)}
    return mean(log_rank_score(places.get(segment), segments, gamma=gamma) for segment in gold)


K = TypeVar("K", bound=Hashable)


def adequacy(qualities: Mapping[K, float]) -> dict[K, float]:
    """Rank systems by the quality of their answers to one question: (K + 1) − rank, 1 to K, the best first.

    Equal systems share the mean of their ranks.
    """
    ordered = sorted(qualities.values(), reverse=True)
    found = {}
    for system, quality in qualities.items():
        first = ordered.index(quality) + 1
        last = first + ordered.count(quality) - 1
        found[system] = len(qualities) + 1 - (first + last) / 2
    return found


def mean_adequacy(qualities: Mapping[K, Mapping[str, float]]) -> dict[K, float | None]:
    """Return each system's mean adequacy over the questions (ids) for which all systems' answers have a quality.

    None where there is no such question, and where there is one system alone: its rank says nothing.
    """
    shared = set.intersection(*map(set, qualities.values())) if len(qualities) > 1 else set()
    ranked = [adequacy({system: found[id] for system, found in qualities.items()}) for id in sorted(shared)]
    return {system: mean(one[system] for one in ranked) for system in qualities}
