"""The spans that may answer a hop, each with what speaks for and against it.

A candidate's features are numbers that know neither a data set nor a phrasing: how sure the reader is, where the span
stands, and whether it is what the question's noun says. What each of them weighs is learnt (see `scorer`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from .....cubes.core.folding import fold
from .....cubes.documents.sections import sentences
from .....cubes.retrieval.wording import asked_words, stems
from .....graphs.records import Evidence
from .span import PredictedSpan

__all__ = ["FEATURES", "Fit", "SpanCandidate", "asked_noun", "candidates", "coverage"]

FEATURES = ("margin", "sure", "rank", "cell", "sentence_told", "title_told", "words", "part", "ruled", "fit", "unnoun")
"""The features, in the order in which a candidate has them: the reader's margin and how far it is above the others',
the section's rank, whether a cell led to it, which shares of the asked words its sentence and its title have, how many
words it has, whether it is part of a span, whether the rules read it too, whether it is what the noun says or not."""

Fit = Callable[[str], float | None]
"""How well a text may be called what the question's noun says; None where it cannot."""

_SHORT = 60  # characters of a span that is taken apart at its comma
_WORDS = 5
_RUN = re.compile(r"[^\W\d_a-z][\w'’-]*(?: [^\W\d_a-z][\w'’-]*)+")
_ASKED = re.compile(r"\b(?:which|what)((?: [a-z-]+){1,4})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SpanCandidate:
    """A span of a section with its features, in the order of `FEATURES`."""

    span: PredictedSpan
    features: tuple[float, ...]

    @property
    def key(self) -> str:
        """What spans with the same words have in common."""
        return fold(self.span.text)


def coverage(question: str, held: set[str]) -> float:
    """Return the share of what a question asks about that is among these stems."""
    asked = asked_words(question)
    return sum(word in held for word in asked) / len(asked) if asked else 1.0


def asked_noun(subquery: str, known: Callable[[str], bool]) -> str:
    """The noun behind "which" or "what", if it is a known one: "In which coastal state is ...": state."""
    words = (word for found in _ASKED.finditer(subquery) for word in found[1].lower().split())
    return next((word for word in words if known(word)), "")


def candidates(
    subquery: str, spans: Sequence[PredictedSpan], evidence: Sequence[Evidence], fit: Fit | None = None,
    ruled: str = "", *, one_of: bool = False
) -> list[SpanCandidate]:
    """Return the spans, and parts of them, with their features; none that only repeats the question.

    ``ruled`` is what rules read of the same sections. The answer is ``one_of`` the names in the question where it says
    so: then a span may repeat one of them.
    """
    asking, repeats = f" {fold(subquery)} ", one_of or " or " in subquery.lower()
    # Which share of the asked words each sentence has, with the place where it ends.
    told = [
        [(s.end, coverage(subquery, set(stems(e.text[s.start : s.end])))) for s in sentences(e.text)] for e in evidence
    ]
    titles = [coverage(subquery, set(stems(e.title))) for e in evidence]
    spread = math.log(sum(math.exp(min(span.margin, 50.0)) for span in spans) + 1.0)

    def features(span: PredictedSpan, is_part: bool) -> tuple[float, ...]:
        section, fitness = evidence[span.section], fit(span.text) if fit is not None else 0.0
        return (
            span.margin / 10,
            max(span.margin - spread, -20.0) / 10,
            math.log2(1 + span.section),
            float(section.retriever.startswith("cube")),
            next((share for end, share in told[span.section] if span.start < end), 0.0),
            titles[span.section],
            math.log(1 + len(span.text.split())),
            float(is_part),
            float(bool(ruled) and fold(span.text) == fold(ruled)),
            fitness or 0.0,
            float(fitness is not None and fitness < 0),
        )

    parts = (one for span in spans for one in _parts(span))
    return [
        SpanCandidate(span, features(span, is_part)) for span, is_part in parts
        if (key := fold(span.text)) and (repeats or f" {key} " not in asking)
    ]  # fmt: skip


def _parts(span: PredictedSpan) -> Iterator[tuple[PredictedSpan, bool]]:
    """A span, the names in a long one, and what stands before and behind its last comma.

    "Dastra, Orvenna" is asked for as a town or as its country, "at a table on Pellam Bridge" as a bridge.
    """
    yield span, False
    if len(span.text.split()) > _WORDS:
        for name in _RUN.finditer(span.text):
            start = span.start + name.start()
            yield replace(span, start=start, end=start + len(name[0]), text=name[0]), True
    before, comma, after = span.text.rpartition(", ")
    if comma and after and before and len(span.text) < _SHORT:
        start = span.end - len(after)
        yield replace(span, start=start, text=after), True
        yield replace(span, end=span.start + len(before), text=before), True
