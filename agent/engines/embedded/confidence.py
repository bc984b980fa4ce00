"""From signals to probabilities: that the documents hold an answer, and that the one found is right.

Two small logistic models over the same few signals, monotone: more of a signal never means less probability. Their
weights are data (`confidence.yaml`), fitted by `multicube.evals.experiments.calibration.command`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import yaml

from .signals import AnswerSignals

__all__ = ["Calibration", "Logistic", "calibration", "refusal"]


@dataclass(frozen=True, slots=True)
class Logistic:
    """A logistic model: a bias and a weight for each signal, by its name."""

    bias: float
    weights: Mapping[str, float]

    def probability(self, signals: Mapping[str, float]) -> float:
        """Return what the model makes of the signals."""
        score = self.bias + sum(weight * signals[name] for name, weight in self.weights.items())
        return 1 / (1 + math.exp(-score))


@dataclass(frozen=True, slots=True)
class Calibration:
    """What an evaluation has fitted: the two models, and the least ``answerable`` of what is answered."""

    answerable: Logistic
    right: Logistic
    least: float


@cache
def calibration() -> Calibration:
    """Return the weights committed beside this module."""
    read = yaml.safe_load(files(__package__).joinpath("confidence.yaml").read_text(encoding="utf-8"))
    answerable, right = (Logistic(read[name]["bias"], read[name]["weights"]) for name in ("answerable", "right"))
    return Calibration(answerable, right, read["least"])


def refusal(signals: AnswerSignals, least: float | None = None) -> str:
    """Say why an answer with these signals is held back; "" where it is given.

    ``least`` is the least probability that the documents hold an answer at all, by default what the evaluation chose;
    0 holds nothing back.
    """
    fitted = calibration()
    bound = fitted.least if least is None else least
    if bound <= 0 or fitted.answerable.probability(signals.shares()) >= bound:
        return ""
    if not signals.unknown:
        return "What was found has too little to do with the question."
    return f"What was found does not speak of {' or '.join(map(repr, signals.unknown))}."
