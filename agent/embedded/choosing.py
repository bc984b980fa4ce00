"""Choosing among the spans that the reader found in a hop's sections (MultiCube-RAG eq. 12)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...cubes.sections import sentences
from ...graphs.records import Evidence
from .candidates import Asked, Fit, Kinds, asked_noun, candidates
from .scorer import Scored, Scorer, shipped_scorer
from .span import SpanReader

__all__ = ["Chosen", "asked_noun", "choose"]


@dataclass(frozen=True, slots=True)
class Chosen:
    """A span that answers a hop, with the sentence it stands in and the probability that it is right."""

    text: str
    section_id: str
    start: int
    end: int
    probability: float


def choose(
    reader: SpanReader,
    subquery: str,
    evidence: Sequence[Evidence],
    fit: Fit | None = None,
    ruled: str = "",
    kinds: Kinds | None = None,
    scorer: Scorer | None = None,
) -> list[Chosen]:
    """Return the spans that may answer a subquery, the likeliest first, each text once.

    Every section is read alone; all their spans are scored on one scale (see `scorer`). ``fit`` says how well a text
    may be called what the question calls it, ``kinds`` what the corpus knows a text as, ``ruled`` what the rules read
    in the same sections.
    """
    spans = reader.read(subquery, [(e.title, e.text) for e in evidence])
    found = candidates(Asked.of(subquery, ruled), spans, evidence, fit, kinds)
    return [_chosen(one, evidence) for one in (scorer or shipped_scorer()).ranked(found)]


def _chosen(scored: Scored, evidence: Sequence[Evidence]) -> Chosen:
    span = scored.candidate.span
    section = evidence[span.section]
    start, end = span.start, span.end
    for sentence in sentences(section.text):
        if sentence.start <= span.start < sentence.end:
            start, end = sentence.start, sentence.end
            break
    return Chosen(span.text, section.section_id, start, end, scored.probability)
