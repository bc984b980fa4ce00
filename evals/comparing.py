"""Systems compared on the same questions: the lines of ``comparisons`` in ``results.json``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .ablations import WHOLE
from .predictions import Prediction
from .significance import compare

__all__ = ["comparisons"]

Score = Callable[[Prediction], float | None]


def comparisons(
    answered: Mapping[str, Sequence[Prediction]], metrics: Mapping[str, Score], *, seed: int = 0
) -> list[dict[str, Any]]:
    """Compare the whole system (or the first one, where it was not asked) with every other, on each metric.

    ``difference`` is in points of 100, ours less theirs, with its 95 % interval; ``p`` is not corrected for the number
    of comparisons. A metric that has no score for any question of both is left out.
    """
    first = WHOLE if WHOLE in answered else next(iter(answered), "")
    scores = {
        name: {metric: {row.id: score(row) for row in rows} for metric, score in metrics.items()}
        for name, rows in answered.items()
    }
    return [
        line
        for other in answered
        if other != first
        for metric in metrics
        if (line := _line(first, other, metric, scores[first][metric], scores[other][metric], seed)) is not None
    ]


def _line(
    first: str, other: str, metric: str, ours: Mapping[str, float | None], theirs: Mapping[str, float | None], seed: int
) -> dict[str, Any] | None:
    found = compare([(score, theirs[id]) for id, score in ours.items() if id in theirs], seed=seed)
    if found is None:
        return None
    return {
        "a": first, "b": other, "metric": metric, "difference": round(100 * found.difference, 4),
        "ci95": [round(100 * bound, 4) for bound in found.interval], "p": float(f"{found.p:.4g}"),
        "questions": found.questions, "discordant": found.discordant,
    }  # fmt: skip
