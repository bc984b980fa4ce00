"""Choosing among the spans that the reader found in a hop's sections (MultiCube-RAG eq. 12)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ...cubes.folding import fold
from ...cubes.sections import sentences
from ...graphs.records import Evidence
from .span import SpanFound, SpanReader

__all__ = ["Chosen", "asked_noun", "choose"]

_RANK = 2.5
"""Logits that a section loses for each doubling of its rank."""
_FIT = 4.0
"""Logits for a span that is what the question's noun says, as a share of `Fit`."""
_AGREED = 2.0
"""Logits that a span gains that the rules read as well."""
_PART = 1.0
"""Logits that a part of a span loses against the whole."""
_SHORT = 60  # characters
_WORDS = 5
_RUN = re.compile(r"[^\W\d_a-z][\w'’-]*(?: [^\W\d_a-z][\w'’-]*)+")
_MISFIT = 3.0
"""Logits that a span loses that cannot be what the question word asks for."""
_SLOPE, _MIDDLE = 0.35, 0.0
"""The logistic curve from a span's score to the probability that it is right; a monotone scale, not yet fitted."""


_ASKED = re.compile(r"\b(?:which|what)((?: [a-z-]+){1,4})", re.IGNORECASE)
_NUMBER = re.compile(r"\bhow (?:many|much)\b", re.IGNORECASE)
_SPELLED = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|hundred|once|twice)\b", re.I
)
_TIME = re.compile(r"^when\b|\bwhen\?$|\b(?:what|which) (?:year|date|day|month|century)\b", re.IGNORECASE)
_CALENDAR = re.compile(
    r"\b(?:century|spring|summer|autumn|fall|winter|January|February|March|April|May|June|July|August|September|October"
    r"|November|December)\b"
)
_NAMED = re.compile(r"^who\b|^where\b.*\b(?:born|buried|die|died)\W*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Chosen:
    """A span that answers a hop, with the sentence it stands in and the probability that it is right."""

    text: str
    section_id: str
    start: int
    end: int
    probability: float


Fit = Callable[[str], float | None]
"""How well a span may be called what the question calls it; None where it cannot."""


def choose(
    reader: SpanReader, subquery: str, evidence: Sequence[Evidence], fit: Fit | None = None, ruled: str = ""
) -> list[Chosen]:
    """Return the spans that may answer a subquery, the likeliest first, each text once.

    Every section is read alone; a span counts by its logit, by the rank of its section, by whether it can be what is
    asked for, and by whether the rules, which read the same sections, came to the same (``ruled``).
    """
    spans = reader.read(subquery, [(e.title, e.text) for e in evidence])
    asked = f" {fold(subquery)} "
    scored: dict[str, tuple[float, SpanFound]] = {}
    for span in [part for whole in spans for part in _parts(whole)]:
        key = fold(span.text)
        if not key or (f" {key} " in asked and " or " not in asked):
            continue
        score = span.margin - _RANK * math.log2(1 + span.section) + _suited(subquery, span.text, fit)
        score += _AGREED if key == fold(ruled) else 0.0
        if key not in scored or score > scored[key][0]:
            scored[key] = (score, span)
    ranked = sorted(scored.values(), key=lambda pair: (-pair[0], pair[1].section, pair[1].start))
    return [_chosen(span, score, evidence[span.section]) for score, span in ranked]


def _parts(span: SpanFound) -> Iterator[SpanFound]:
    """A span, the names in a long one, and what stands before and behind its last comma.

    "Dastra, Orvenna" is asked for as a town or as its country, "at a table on Pellam Bridge" as a bridge.
    """
    yield span
    if len(span.text.split()) > _WORDS:
        for name in _RUN.finditer(span.text):
            start = span.start + name.start()
            yield replace(span, start=start, end=start + len(name[0]), text=name[0], margin=span.margin - _PART)
    before, comma, after = span.text.rpartition(", ")
    if comma and after and before and len(span.text) < _SHORT:
        start = span.end - len(after)
        yield replace(span, start=start, text=after, margin=span.margin - _PART)
        yield replace(span, end=span.start + len(before), text=before, margin=span.margin - _PART)


def asked_noun(subquery: str, known: Callable[[str], bool]) -> str:
    """The noun behind "which" or "what", if it is a known one: "In which coastal state is ...": state."""
    for found in _ASKED.finditer(subquery):
        for word in found[1].lower().split():
            if known(word):
                return word
    return ""


def _suited(subquery: str, text: str, fit: Fit | None) -> float:
    digits = any(c.isdigit() for c in text)
    if _NUMBER.search(subquery) and not digits and not _SPELLED.search(text):
        return -_MISFIT
    if _TIME.search(subquery) and not digits and not _CALENDAR.search(text):
        return -_MISFIT
    if _NAMED.match(subquery) and not any(c.isupper() for c in text):
        return -_MISFIT
    if fit is None:
        return 0.0
    fitness = fit(text)
    return -_MISFIT if fitness is None else _FIT * fitness


def _chosen(span: SpanFound, score: float, evidence: Evidence) -> Chosen:
    start, end = span.start, span.end
    for sentence in sentences(evidence.text):
        if sentence.start <= span.start < sentence.end:
            start, end = sentence.start, sentence.end
            break
    return Chosen(span.text, evidence.section_id, start, end, 1 / (1 + math.exp(-_SLOPE * (score - _MIDDLE))))
