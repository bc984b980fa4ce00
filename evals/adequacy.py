"""Adequacy (HiQA B.2): answers to one question ranked against each other, (K + 1) − rank for each of K systems.

The paper's annotators rank by clarity and information. Here whoever calls says how good each answer is: the judge's
verdict in an evaluation, accuracy and word F1 among look-alike documents.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

from .metrics import mean

__all__ = ["adequacy", "mean_adequacy"]

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
