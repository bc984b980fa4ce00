"""The learned answer scorer: one scale for the spans of all sections of a hop, and for "not here".

Each candidate has a score, a weighted sum of its features; so has the statement that none of them answers the hop. A
softmax over all of them gives the probability that a text is the answer: spans with the same words add up, wherever
they stand. The weights are data (`scorer.yaml`), fitted by `multicube.evals.training.scoring`; none is set by hand.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import yaml

from .candidates import FEATURES, Candidate

__all__ = ["Scored", "Scorer", "shipped_scorer"]


@dataclass(frozen=True, slots=True)
class Scored:
    """A text's best span, the probability that the text answers the hop, and that any of the texts does."""

    candidate: Candidate
    probability: float
    held: float


@dataclass(frozen=True, slots=True)
class Scorer:
    """The weight of each feature, and the score of "not here"."""

    weights: tuple[float, ...]
    nothing: float

    def score(self, candidate: Candidate) -> float:
        """Return a candidate's score, in logits."""
        return sum(weight * value for weight, value in zip(self.weights, candidate.features, strict=True))

    def ranked(self, found: Sequence[Candidate]) -> list[Scored]:
        """Return each text once, by its best span, the likeliest first."""
        scores = [self.score(one) for one in found]
        top = max([*scores, self.nothing])
        total = math.exp(self.nothing - top) + sum(math.exp(score - top) for score in scores)
        shares: dict[str, float] = {}
        best: dict[str, tuple[float, Candidate]] = {}
        for one, score in zip(found, scores, strict=True):
            shares[one.key] = shares.get(one.key, 0.0) + math.exp(score - top) / total
            if one.key not in best or score > best[one.key][0]:
                best[one.key] = (score, one)
        order = sorted(best, key=lambda key: (-shares[key], best[key][1].span.section, best[key][1].span.start))
        held = 1 - math.exp(self.nothing - top) / total
        return [Scored(best[key][1], shares[key], held) for key in order]


@cache
def shipped_scorer() -> Scorer:
    """Return the weights committed beside this module."""
    read = yaml.safe_load(files(__package__).joinpath("scorer.yaml").read_text(encoding="utf-8"))
    weights: Mapping[str, float] = read["weights"]
    return Scorer(tuple(float(weights[name]) for name in FEATURES), float(read["nothing"]))
