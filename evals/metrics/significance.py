"""Whether two systems differ on the same questions, or might by chance: a paired interval and a sign-flip test.

If it does not matter which of the two systems gave which score, every difference might as well have the other sign. The
p-value is the share of all such signs under which the mean difference is at least as large, either way, as the one
observed. It is exact where all differences are equally large (EM: McNemar's exact test) or few; else signs are drawn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..ablations import WHOLE
from .basic import bootstrap_interval, mean
from .predictions import Prediction

__all__ = ["Comparison", "compare", "comparisons", "sign_flip_p"]

_EXACT = 16
"""Up to so many differences all signs are tried."""
_DRAWS = 20_000
_AT_ONCE = 2_000_000  # signs held in memory
_CLOSE = 1e-9

Pair = tuple[float | None, float | None]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What one system is ahead of another: the mean difference with its interval, the p-value, the questions.

    ``discordant`` is the number of questions on which the two differ.
    """

    difference: float
    interval: tuple[float, float]
    p: float
    questions: int
    discordant: int


def compare(pairs: Iterable[Pair], *, seed: int = 0) -> Comparison | None:
    """Compare the scores (ours, theirs) of the same questions; None where no question has both.

    The interval is the 95 % percentile bootstrap of the mean difference over the questions.
    """
    differences = [ours - theirs for ours, theirs in pairs if ours is not None and theirs is not None]
    ahead, interval = mean(differences), bootstrap_interval(differences, seed=seed)
    if ahead is None or interval is None:
        return None
    p = sign_flip_p(differences, seed=seed)
    return Comparison(ahead, interval, p, len(differences), sum(abs(each) > _CLOSE for each in differences))


def sign_flip_p(differences: Sequence[float], *, seed: int = 0, draws: int = _DRAWS) -> float:
    """Return the two-sided p-value that the mean difference is 0; 1 where there is no difference at all.

    Drawn signs give (hits + 1) / (draws + 1), which is never 0 (Phipson and Smyth 2010). Neither the order of the
    questions nor which system is named first matters.
    """
    sizes = np.sort(np.abs(np.array(differences, dtype=np.float64)))
    sizes = sizes[sizes > _CLOSE]
    if not sizes.size:
        return 1.0
    observed = abs(math.fsum(differences))
    if sizes[-1] - sizes[0] < _CLOSE:
        return _binomial(sizes.size, round(observed / float(sizes[0])))
    if sizes.size <= _EXACT:
        codes = np.arange(2**sizes.size, dtype=np.int64)[:, None] >> np.arange(sizes.size)
        return float(np.mean(_reaching(codes & 1, sizes, observed)))
    rng, left, hits = np.random.default_rng(seed), draws, 0
    while left:
        now = min(left, max(1, _AT_ONCE // sizes.size))
        hits += int(_reaching(rng.integers(0, 2, (now, sizes.size), dtype=np.int8), sizes, observed).sum())
        left -= now
    return (hits + 1) / (draws + 1)


def _reaching(flips: npt.NDArray[np.integer], sizes: npt.NDArray[np.float64], observed: float) -> npt.NDArray[np.bool_]:
    """Whether the sum under each row of signs (0: minus, 1: plus) is as far from 0 as the observed one."""
    reached: npt.NDArray[np.bool_] = np.abs((2.0 * flips - 1.0) @ sizes) >= observed - _CLOSE
    return reached


def _binomial(number: int, surplus: int) -> float:
    """Return how often ``number`` fair coins show a surplus of one side at least as large: McNemar's exact p."""
    fewer = (number - surplus) // 2
    return min(1.0, 2 * sum(math.comb(number, k) for k in range(fewer + 1)) / (1 << number))


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
