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
from typing import Any

import yaml

from .....cubes.core.records import Span
from .....cubes.core.sentences import sentence_around
from .....graphs.records import Evidence
from .candidates import FEATURES, SpanCandidate

__all__ = ["ScoredSpan", "SoftmaxScorer", "packaged_scorer", "packaged_weights"]


@dataclass(frozen=True, slots=True)
class ScoredSpan:
    """A text's best span, the probability that the text answers the hop, and that any of the texts does."""

    candidate: SpanCandidate
    probability: float
    held: float

    @property
    def text(self) -> str:
        """Its words."""
        return self.candidate.span.text

    @property
    def section(self) -> int:
        """The number of the section that it stands in."""
        return self.candidate.span.section

    def sentence(self, evidence: Sequence[Evidence]) -> Span:
        """Return the sentence that it stands in."""
        span = self.candidate.span
        return sentence_around(evidence[self.section].text, Span(span.start, span.end))


@dataclass(frozen=True, slots=True)
class SoftmaxScorer:
    """The weight of each feature, and the score of "not here"."""

    weights: tuple[float, ...]
    nothing: float

    def scores(self, rows: Sequence[Sequence[float]]) -> list[float]:
        """Return the score of each row of features, in logits."""
        return [sum(weight * value for weight, value in zip(self.weights, row, strict=True)) for row in rows]

    def shares(self, scores: Sequence[float]) -> tuple[list[float], float]:
        """Return the probability of each score, and that any of them is right and not "not here"."""
        top = max([*scores, self.nothing])
        raised = [math.exp(score - top) for score in scores]
        nothing = math.exp(self.nothing - top)
        total = nothing + sum(raised)
        return [one / total for one in raised], 1 - nothing / total

    def ranked(self, found: Sequence[SpanCandidate]) -> list[ScoredSpan]:
        """Return each text once, by its best span, the likeliest first."""
        scores = self.scores([one.features for one in found])
        likely, held = self.shares(scores)
        shares: dict[str, float] = {}
        best: dict[str, tuple[float, SpanCandidate]] = {}
        for one, score, share in zip(found, scores, likely, strict=True):
            shares[one.key] = shares.get(one.key, 0.0) + share
            if one.key not in best or score > best[one.key][0]:
                best[one.key] = (score, one)
        order = sorted(best, key=lambda key: (-shares[key], best[key][1].span.section, best[key][1].span.start))
        return [ScoredSpan(best[key][1], shares[key], held) for key in order]


def packaged_weights(file: str, features: Sequence[str]) -> tuple[SoftmaxScorer, Mapping[str, Any]]:
    """Return the weights of a file committed beside this module, and all else that it says."""
    read = yaml.safe_load(files(__package__).joinpath(file).read_text(encoding="utf-8"))
    return SoftmaxScorer(tuple(float(read["weights"][name]) for name in features), float(read["nothing"])), read


@cache
def packaged_scorer() -> SoftmaxScorer:
    """Return the weights of a hop's spans."""
    return packaged_weights("scorer.yaml", FEATURES)[0]
