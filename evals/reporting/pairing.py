"""Two lists of scores of the same questions: their means, the difference, and whether it is chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..significance import compare

__all__ = ["Paired", "paired"]


@dataclass(frozen=True, slots=True)
class Paired:
    """Percentages and points; ``p`` is of the sign-flip test."""

    before: float
    after: float
    difference: float
    interval: tuple[float, float]
    p: float
    questions: int


def paired(values: Sequence[tuple[float, float]]) -> Paired:
    """Compare (before, after), 0 to 1, of each question; there is at least one."""
    before, after = (100 * sum(side) / len(values) for side in zip(*values, strict=True))
    found = compare([(b, a) for a, b in values])
    assert found is not None
    low, high = found.interval
    return Paired(before, after, 100 * found.difference, (100 * low, 100 * high), found.p, found.questions)
