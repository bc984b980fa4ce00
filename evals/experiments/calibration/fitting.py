"""Monotone logistic models of an engine's answers, and how they do on a corpus that they were fitted without."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict

from ....agent.engines.embedded.confidence import (
    ANSWERABLE,
    ANSWERABLE_ODDS,
    RIGHT,
    RIGHT_ODDS,
    Calibration,
    Logistic,
)
from ...metrics.confidence import calibration_error

__all__ = ["LOST", "Record", "Tested", "calibrated", "cross_fitted", "fit_logistic"]

LOST = 0.015
"""The share of the right answers that the threshold holds back where it is chosen."""
_NEAR = 0.2
"""What a corpus's own questions without an answer, near misses, weigh among all that have none; the rest is foreign."""
_COSTLY = 1.25
"""What a wrong answer weighs against a right one where it is told how likely answers are right: one that is sure and
wrong costs more trust than one that is right and unsure."""
_PENALTY = 0.003

Vector = npt.NDArray[np.float64]


class Record(BaseModel):
    """An answer's signals, with nothing held back: whether the corpus holds an answer, and whether it was this one."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    corpus: str
    asked: str
    id: str
    answerable: bool
    answered: bool
    right: float
    signals: dict[str, float]


@dataclass(frozen=True, slots=True)
class Tested:
    """What a calibration does on one corpus: the shares refused of its own questions and of other data sets', and how
    far its probabilities are off on what it answers."""

    corpus: str
    own: float
    foreign: Mapping[str, float] = field(default_factory=dict)
    error: float | None = None
    brier: float | None = None


def calibrated(
    rows: Sequence[Record], at_home: Collection[str] = (), refusing: Calibration | None = None
) -> Calibration:
    """Fit both models and choose the threshold; every set of questions of a kind weighs alike.

    With ``refusing`` what it says of whether there is an answer stays as it is. In corpora where the rules are
    ``at_home``, because they were written with them, answers are righter than elsewhere: these say whether there is an
    answer, and not how likely it is right.
    """
    answered = [row for row in rows if row.answered]
    if refusing is not None:
        answerable, least = refusing.answerable, refusing.least
    else:
        weights = _weights(answered)
        answerable = fit_logistic(answered, ANSWERABLE, lambda row: float(row.answerable), weights, ANSWERABLE_ODDS)
        least = _threshold([row for row in answered if row.right == 1], answerable)
    given = [row for row in answered if row.corpus not in at_home and not _refused(row, answerable, least)]
    # A set of which little was answered weighs little: most of what is answered in earnest has an answer.
    costs = np.array([1.0 if row.right == 1 else _COSTLY for row in given])
    right = fit_logistic(given, RIGHT, lambda row: row.right, _by_set(given, rows) * costs, RIGHT_ODDS)
    return Calibration(answerable, right, least)


def cross_fitted(rows: Sequence[Record]) -> list[Tested]:
    """Test each corpus with what was fitted on the others."""
    found = []
    for corpus in sorted({row.corpus for row in rows}):
        others = [row for row in rows if row.corpus != corpus]
        if any(row.answerable for row in others) and not all(row.answerable for row in others):
            found.append(_tested(corpus, [row for row in rows if row.corpus == corpus], calibrated(others)))
    return found


def fit_logistic(
    rows: Sequence[Record], names: Sequence[str], target: Callable[[Record], float], weights: Vector,
    odds: Sequence[str] = (),
) -> Logistic:
    """Fit a logistic model whose weights are not negative, with a small penalty on them."""
    from scipy.optimize import minimize

    start = Logistic(0.0, dict.fromkeys(names, 0.0), odds)
    signals = np.array([start.entering(row.signals) for row in rows]).reshape(len(rows), len(names))
    targets = np.array([target(row) for row in rows])
    share = weights / weights.sum()

    def loss(found: Vector) -> tuple[float, Vector]:
        scores = signals @ found[1:] + found[0]
        off = share * (1 / (1 + np.exp(-scores)) - targets)
        value = float(share @ (np.logaddexp(0, scores) - targets * scores)) + _PENALTY * float(found[1:] @ found[1:])
        return value, np.append(off.sum(), signals.T @ off + 2 * _PENALTY * found[1:])

    bounds = [(None, None), *((0, None) for _ in names)]
    found = minimize(loss, np.zeros(len(names) + 1), jac=True, method="L-BFGS-B", bounds=bounds)
    return replace(start, bias=float(found.x[0]), weights=dict(zip(names, found.x[1:].tolist(), strict=True)))


def _weights(rows: Sequence[Record]) -> Vector:
    """Sets of questions of a kind weigh alike; those with an answer 1 in all, the others, near and foreign, 1 too."""
    weights = _by_set(rows, rows)
    own = np.array([row.corpus == row.asked for row in rows], dtype=np.bool_)
    held = np.array([row.answerable for row in rows], dtype=np.bool_)
    for kind, share in ((held, 1.0), (~held & own, _NEAR), (~held & ~own, 1 - _NEAR)):
        if kind.any():
            weights[kind] *= share / weights[kind].sum()
    return weights


def _by_set(rows: Sequence[Record], among: Sequence[Record]) -> Vector:
    """What rows weigh where each set of questions ``among`` which they are weighs 1."""
    sizes = Counter((row.corpus, row.asked) for row in among)
    return np.array([1 / sizes[row.corpus, row.asked] for row in rows])


def _threshold(right: Sequence[Record], model: Logistic) -> float:
    """The probability below which `LOST` of the right answers lie, each set of questions weighing alike."""
    weights = _by_set(right, right)
    scores = np.array([model.probability(row.signals) for row in right])
    order = np.argsort(scores)
    place = int(np.searchsorted(np.cumsum(weights[order]), LOST * weights.sum()))
    return float(scores[order[place]]) if right else 0.0


def _refused(row: Record, model: Logistic, least: float) -> bool:
    return not row.answered or model.probability(row.signals) < least


def _tested(corpus: str, rows: Sequence[Record], fitted: Calibration) -> Tested:
    refused = {row.asked: list[bool]() for row in rows if not row.answerable}
    own: list[bool] = []
    judged: list[tuple[float, float]] = []
    for row in rows:
        held = _refused(row, fitted.answerable, fitted.least)
        (own if row.answerable else refused[row.asked]).append(held)
        if row.answerable and not held:
            judged.append((fitted.right.probability(row.signals), row.right))
    return Tested(
        corpus,
        _share(own),
        {name: _share(marks) for name, marks in refused.items()},
        calibration_error(judged),
        sum((sure - right) ** 2 for sure, right in judged) / len(judged) if judged else None,
    )


def _share(marks: Iterable[bool]) -> float:
    found = list(marks)
    return sum(found) / len(found) if found else 0.0
