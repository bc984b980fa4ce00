"""Choosing among the spans that the reader found in a hop's sections (MultiCube-RAG eq. 12)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .....cubes.documents.sections import sentences
from .....graphs.records import Evidence
from .candidates import SpanCandidate
from .scorer import ScoredSpan, SoftmaxScorer, packaged_scorer

__all__ = ["ChosenSpan", "choose"]


@dataclass(frozen=True, slots=True)
class ChosenSpan:
    """A span that answers a hop, with the sentence it stands in, the probability that it is right, and that the
    evidence holds an answer at all."""

    text: str
    section_id: str
    start: int
    end: int
    probability: float
    held: float = 1.0


def choose(
    found: Sequence[SpanCandidate], evidence: Sequence[Evidence], scorer: SoftmaxScorer | None = None
) -> list[ChosenSpan]:
    """Return the texts that may answer a hop, the likeliest first, each once.

    The candidates of all sections are scored on one scale (see `scorer`).
    """
    return [_chosen(one, evidence) for one in (scorer or packaged_scorer()).ranked(found)]


def _chosen(scored: ScoredSpan, evidence: Sequence[Evidence]) -> ChosenSpan:
    span = scored.candidate.span
    section = evidence[span.section]
    start, end = span.start, span.end
    for sentence in sentences(section.text):
        if sentence.start <= span.start < sentence.end:
            start, end = sentence.start, sentence.end
            break
    return ChosenSpan(span.text, section.section_id, start, end, scored.probability, scored.held)
