"""Fitting the answer scorer: what each feature of a candidate weighs, by the likelihood of the right texts.

``record`` asks each question as one hop, and keeps the candidates' features and which of them are right; ``fit`` finds
the weights under which the right texts, or "not here" where there are none, are likeliest.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...agent.embedded.candidates import FEATURES, Candidate
from ...agent.embedded.scorer import Scorer
from ..metrics import best_over, exact_match

__all__ = ["Asking", "cross_fitted", "fit", "labelled"]

Floats = npt.NDArray[np.float64]
_RIDGE = 0.05
"""How much weights are held back; the same for all, as features are of like size."""


@dataclass(frozen=True, slots=True)
class Asking:
    """One hop that was asked: its candidates' features (a row each), and which of them are right."""

    source: str
    features: Floats
    right: npt.NDArray[np.bool_]
    weight: float = 1.0


def labelled(source: str, found: Sequence[Candidate], answers: Sequence[str], weight: float = 1.0) -> Asking:
    """Mark the candidates whose words are a gold answer's."""
    right = [bool(answers) and best_over(exact_match, one.span.text, answers) == 1.0 for one in found]
    rows = np.array([one.features for one in found], dtype=np.float64).reshape(len(found), len(FEATURES))
    return Asking(source, rows, np.array(right, dtype=bool), weight)


def fit(asked: Sequence[Asking], ridge: float = _RIDGE) -> Scorer:
    """Return the weights that make what is right likeliest."""
    from scipy.optimize import minimize

    loss = _loss(asked, ridge)
    found = minimize(loss, np.zeros(len(FEATURES) + 1), jac=True, method="L-BFGS-B", options={"maxiter": 500})
    return Scorer(tuple(float(w) for w in found.x[:-1]), float(found.x[-1]))


def cross_fitted(asked: Sequence[Asking], parts: int = 5, seed: int = 20) -> list[tuple[Asking, Scorer]]:
    """Pair each hop with a scorer that was fitted without it."""
    order = list(range(len(asked)))
    random.Random(seed).shuffle(order)
    paired = []
    for part in range(parts):
        without = fit([asked[i] for n, i in enumerate(order) if n % parts != part])
        paired += [(asked[i], without) for n, i in enumerate(order) if n % parts == part]
    return paired


def _loss(asked: Sequence[Asking], ridge: float) -> Callable[[Floats], tuple[float, Floats]]:
    total = sum(one.weight for one in asked)

    def loss(weights: Floats) -> tuple[float, Floats]:
        value, slope = ridge * float(weights[:-1] @ weights[:-1]) / 2, np.append(ridge * weights[:-1], 0.0)
        for one in asked:
            scores = np.append(one.features @ weights[:-1], weights[-1])
            right = np.append(one.right, not one.right.any())
            shares = np.exp(scores - scores.max())
            shares /= shares.sum()
            mass = float(shares[right].sum())
            pull = shares - np.where(right, shares / mass, 0.0)
            value -= one.weight / total * float(np.log(mass))
            slope[:-1] += one.weight / total * (pull[:-1] @ one.features)
            slope[-1] += one.weight / total * float(pull[-1])
        return value, slope

    return loss
