"""Two lists of scores of the same questions: their means, the difference, and whether it is chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..metrics import bootstrap_interval

__all__ = ["Paired", "paired"]


@dataclass(frozen=True, slots=True)
class Paired:
    """Percentages and points; ``p`` is None where it was not computed."""

    before: float
    after: float
    difference: float
    interval: tuple[float, float] | None
    p: float | None
    questions: int


def paired(values: Sequence[tuple[float, float]]) -> Paired:
    """Compare (before, after), 0 to 1, of each question; there is at least one."""
    before, after = (100 * sum(side) / len(values) for side in zip(*values, strict=True))
    found = bootstrap_interval([b - a for a, b in values], seed=0)
    interval = (100 * found[0], 100 * found[1]) if found else None
    return Paired(before, after, after - before, interval, None, len(values))
