"""From a score to a probability: how often answers with such a score are right."""

from __future__ import annotations

from bisect import bisect_left
from functools import cache
from importlib.resources import files

import yaml

__all__ = ["Knots", "interpolate", "probability"]

Knots = tuple[tuple[float, float], ...]
"""Points of a rising line, (score, probability), by score."""


def probability(score: float) -> float:
    """Return the probability that an answer is right, from the score of its weakest hop.

    The line is fitted on development questions (`multicube.evals.calibrate`) and committed beside this module.
    """
    return interpolate(_knots(), score)


def interpolate(knots: Knots, score: float) -> float:
    """Read the line at a score; beyond its ends it stays level."""
    place = bisect_left(knots, (score, 0.0))
    if place == 0:
        return knots[0][1]
    if place == len(knots):
        return knots[-1][1]
    (left, low), (right, high) = knots[place - 1], knots[place]
    return low + (high - low) * (score - left) / (right - left)


@cache
def _knots() -> Knots:
    text = files(__package__).joinpath("confidence.yaml").read_text(encoding="utf-8")
    return tuple((float(score), float(share)) for score, share in yaml.safe_load(text)["knots"])
