"""The spans that may answer a hop, each with what speaks for and against it.

A candidate's features are numbers that know neither a data set nor a phrasing: how sure the reader is, where the span
stands, and whether it is the kind of thing asked for. What each of them weighs is learnt (see `scorer`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from .....cubes.core.dates import parse_date
from .....cubes.core.folding import base_key, fold
from .....cubes.documents.sections import sentences
from .....cubes.extraction.words.lexicon import lexicon
from .....cubes.retrieval.wording import stems
from .....graphs.records import Evidence
from .grounding import coverage
from .span import PredictedSpan

__all__ = ["FEATURES", "Fit", "HopQuestion", "Kinds", "SpanCandidate", "asked_noun", "candidates"]

FEATURES = (
    "margin", "sure", "rank", "cell", "titled", "section_told", "sentence_told", "title_told", "words", "part",
    "ruled", "fit", "misfit", "unnoun", "date", "undated", "number", "unnumbered", "name", "unnamed", "known",
    "unknown",
)  # fmt: skip
"""The features, in the order in which a candidate has them."""

Kinds = Callable[[str], frozenset[str]]
"""The kinds of thing that the corpus knows a text as: "person", "place", "date" ..."""
Fit = Callable[[str], float | None]
"""How well a text may be called what the question's noun says; None where it cannot."""

_SHORT = 60  # characters of a span that is taken apart at its comma
_WORDS = 5
_RUN = re.compile(r"[^\W\d_a-z][\w'’-]*(?: [^\W\d_a-z][\w'’-]*)+")
_SPELLED = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|hundred|once|twice|no|none)\b", re.I
)
_CALENDAR = re.compile(
    r"\b(?:century|spring|summer|autumn|fall|winter|January|February|March|April|May|June|July|August|September|October"
    r"|November|December|today|day|week|weeks|month|months|year|years|morning|night)\b"
)
_WHERE = re.compile(r"^where\b(?!.* from\b)|^what is the place\b", re.IGNORECASE)
_ASKED = re.compile(r"\b(?:which|what)((?: [a-z-]+){1,4})", re.IGNORECASE)
_KINDS_ASKED = (
    ("number", re.compile(r"\bhow (?:many|much|old|long|far|tall|high|large|big|deep|often)\b", re.IGNORECASE)),
    ("date", re.compile(r"^when\b|\bwhen\?*$|\b(?:what|which) (?:year|date|day|month|century|decade)\b"
                        r"|\b(?:date|year) of \w+", re.IGNORECASE)),
    ("person", re.compile(r"^who(?:m|se)?\b|\b(?:by|with|to|for|of|from) whom?\b|\bwho\?*$", re.IGNORECASE)),
    ("place", re.compile(r"^where\b|\bwhere\?*$|\b(?:place|city|town|country) (?:of|where|in which)\b", re.IGNORECASE)),
)  # fmt: skip
_KNOWN_AS = {
    "person": frozenset({"person"}),
    "place": frozenset({"place", "nationality", "location"}),
    "date": frozenset({"date"}),
    "number": frozenset({"quantity"}),
}


@dataclass(frozen=True, slots=True)
class HopQuestion:
    """What a hop asks: its subquery, the kind of thing it asks for ("" where its words do not say), what rules read.

    The answer is ``one_of`` the names in the question where it says so: then a span may repeat one of them.
    """

    subquery: str
    kind: str
    ruled: str = ""
    one_of: bool = False

    @classmethod
    def of(cls, subquery: str, ruled: str = "", *, one_of: bool = False) -> HopQuestion:
        """Read the kind off the question's own words."""
        kind = next((kind for kind, words in _KINDS_ASKED if words.search(subquery)), "")
        return cls(subquery, kind, ruled, one_of)


@dataclass(frozen=True, slots=True)
class SpanCandidate:
    """A span of a section with its features, in the order of `FEATURES`."""

    span: PredictedSpan
    features: tuple[float, ...]

    @property
    def key(self) -> str:
        """What spans with the same words have in common."""
        return fold(self.span.text)


def asked_noun(subquery: str, known: Callable[[str], bool]) -> str:
    """The noun behind "which" or "what", if it is a known one: "In which coastal state is ...": state."""
    for found in _ASKED.finditer(subquery):
        for word in found[1].lower().split():
            if known(word):
                return word
    return ""


def candidates(
    asked: HopQuestion, spans: Sequence[PredictedSpan], evidence: Sequence[Evidence], fit: Fit | None,
    kinds: Kinds | None
) -> list[SpanCandidate]:
    """Return the spans, and parts of them, with their features; none that only repeats the question or is no answer."""
    if not spans:
        return []
    asking = f" {fold(asked.subquery)} "
    sections = [_Section.of(asked.subquery, asking, rank, found) for rank, found in enumerate(evidence)]
    spread = math.log(sum(math.exp(min(span.margin, 50.0)) for span in spans) + 1.0)
    found = []
    for span, is_part in [one for whole in spans for one in _parts(whole)]:
        key = fold(span.text)
        if key and not _is_else(asked, span.text) and (f" {key} " not in asking or asked.one_of or " or " in asking):
            section = sections[span.section]
            found.append(
                SpanCandidate(span, (*_read(span, spread, section), *_judged(asked, span, is_part, fit, kinds)))
            )
    return found


@dataclass(frozen=True, slots=True)
class _Section:
    rank: float
    cell: float
    titled: float
    told: float
    title_told: float
    ends: tuple[int, ...]
    sentence_told: tuple[float, ...]

    @classmethod
    def of(cls, subquery: str, asking: str, rank: int, found: Evidence) -> _Section:
        title = base_key(found.title)
        own = set(stems(found.title))
        spans = list(sentences(found.text))
        held = [set(stems(found.text[s.start : s.end])) for s in spans]
        return cls(
            math.log2(1 + rank),
            float(found.retriever.startswith("cube")),
            float(bool(title) and f" {title} " in asking),
            coverage(subquery, own.union(*held)),
            coverage(subquery, own),
            tuple(s.end for s in spans),
            tuple(coverage(subquery, one) for one in held),
        )

    def sentence(self, start: int) -> float:
        """How much of the question the sentence at a place tells."""
        at = next((n for n, end in enumerate(self.ends) if start < end), -1)
        return self.sentence_told[at] if self.sentence_told else 0.0


def _read(span: PredictedSpan, spread: float, section: _Section) -> tuple[float, ...]:
    """What the reader and the span's place say: margins in tens of logits, shares, and yes or no."""
    return (
        span.margin / 10,
        max(span.margin - spread, -20.0) / 10,
        section.rank,
        section.cell,
        section.titled,
        section.told,
        section.sentence(span.start),
        section.title_told,
    )


def _is_else(asked: HopQuestion, text: str) -> bool:
    """Whether words cannot be what is asked for: a date is no person and no place, a nationality is not where."""
    if asked.kind not in ("person", "place"):
        return False
    if parse_date(text) is not None or (_CALENDAR.search(text) and any(c.isdigit() for c in text)):
        return True
    return bool(_WHERE.match(asked.subquery)) and text.lower() in lexicon().people_of


def _judged(
    asked: HopQuestion, span: PredictedSpan, is_part: bool, fit: Fit | None, kinds: Kinds | None
) -> tuple[float, ...]:
    """What the span's words say: whether they are what is asked for."""
    text = span.text
    fitness = fit(text) if fit is not None else 0.0
    dated = parse_date(text) is not None or bool(_CALENDAR.search(text)) or any(c.isdigit() for c in text)
    counted = any(c.isdigit() for c in text) or bool(_SPELLED.search(text))
    named = any(c.isupper() for c in text)
    known = kinds(text) if kinds is not None else frozenset()
    wanted = _KNOWN_AS.get(asked.kind, frozenset())
    return (
        math.log(1 + len(text.split())),
        float(is_part),
        float(bool(asked.ruled) and fold(text) == fold(asked.ruled)),
        fitness or 0.0,
        float(fitness is None),
        float(fitness is not None and fitness < 0),
        float(asked.kind == "date" and dated),
        float(asked.kind == "date" and not dated),
        float(asked.kind == "number" and counted),
        float(asked.kind == "number" and not counted),
        float(asked.kind in ("person", "place") and named and not (asked.kind == "person" and counted)),
        float(asked.kind in ("person", "place") and not named),
        float(bool(wanted & known)),
        float(bool(wanted and known) and not wanted & known),
    )


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
