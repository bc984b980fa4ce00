"""Reading a sentence where no fact was extracted: the best sentence about the base, and the span of the wanted kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ...cubes.dates import find_dates
from ...cubes.folding import base_key, fold
from ...cubes.records import Span
from ...cubes.sections import sentences
from ...graphs.records import Evidence
from .plan import Want
from .wordlists import OPENING

__all__ = ["Reading", "akin", "read_cued", "read_sentence"]

_NAME = re.compile(
    r"(?:[A-ZÀ-Þ][\w'’.&-]*|\d{4})(?:\s+(?:of|the|de|von|van|la|du|del|al|bin|for|&)\s+(?=[A-ZÀ-Þ])|\s+(?=[A-ZÀ-Þ]))?"
    r"(?:[A-ZÀ-Þ][\w'’.&-]*(?:\s+(?:of|the|de|von|van|la|du|del|al|bin|for|&)\s+(?=[A-ZÀ-Þ])|\s+(?=[A-ZÀ-Þ]))?)*"
)
_NUMBER = re.compile(r"(?:[$£€]\s?)?\d[\d,.]*(?:\s+(?:million|billion|thousand|percent|per cent|%|[a-z]+))?")
_MODIFIER = re.compile(r"[A-ZÀ-Þ][\w'’-]+ of (?:the )?$")
_ITS_OWN = re.compile(r"(?:He|She|It|They) ")
"""A sentence of a section about the base that speaks of the base itself."""

_STEM = 4
_ENOUGH = 0.6


Fit = Callable[[str, Want, str], float | None]
Names = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True)
class Reading:
    """A span read from a sentence; ``score`` is the share of the question's words that the sentence holds."""

    value: str
    section_id: str
    sentence: Span
    score: float


def read_sentence(
    base: str, words: Sequence[str], want: Want, evidence: Sequence[Evidence], fit: Fit, names: Names
) -> Reading | None:
    """Return the best span, or None where no sentence says enough of what is asked.

    A sentence counts if it stands in a section about the base or names it, and holds most of the asked words.
    ``fit`` judges a span (None: it cannot be meant), ``names`` finds the names the corpus knows in a text.
    """
    asked = {w for phrase in words for w in fold(phrase).split() if len(w) > 2} or set(fold(want.noun or "").split())
    best: Reading | None = None
    for found in evidence:
        about = base_key(base) == base_key(found.title) or _named(base, found.text)
        if not about:
            continue
        for span in sentences(found.text):
            text = found.text[span.start : span.end]
            score = _overlap(asked, text)
            if score < _ENOUGH or (best is not None and score <= best.score):
                continue
            judged = [
                (merit, v)
                for v in _values(text, want, names)
                if _fresh(v, base, found.title, words) and (merit := fit(v, want, text)) is not None
            ]
            if judged:
                best = Reading(max(judged, key=lambda pair: pair[0])[1], found.section_id, span, score)
    return best


def read_cued(
    base: str, cues: Sequence[str], want: Want, evidence: Sequence[Evidence], fit: Fit, *, own: bool = False
) -> Reading | None:
    """Return the span nearest to a cue phrase of the relation, in a sentence about the base.

    This reads facts whose wording the extractor did not follow. ``fit`` judges a span (None: it cannot be meant).
    With ``own`` only "his", "her" or "their" cue counts, in the base's own section: between two persons a bare
    cue ("sister") does not say whose it is.
    """
    best: tuple[float, Reading] | None = None
    whose = r"(?:his|her|their) (?:[\w-]+ ){0,2}" if own else ""
    phrases = [re.compile(rf"\b{whose}{re.escape(p)}\b") for p in sorted(set(cues), key=len, reverse=True)]
    for found in evidence:
        titled = base_key(base) == base_key(found.title)
        for span in sentences(found.text):
            text = found.text[span.start : span.end]
            if not (titled or (not own and _named(base, text))):
                continue
            cue = next((m for p in phrases if (m := p.search(text.lower()))), None)
            if cue is None:
                continue
            for start, end, value in _spans(text, want):
                merit = fit(value, want, text) if _fresh(value, base, found.title, ()) else None
                if merit is None:
                    continue
                away = start - cue.end() if start >= cue.end() else 30 + cue.start() - end
                # "A of the B party": the name before the "of" is the one that acts.
                opening = 0.4 if _ITS_OWN.match(text) or (titled and _named(base, text[: len(base) + 5])) else 0.0
                score = merit + opening - abs(away) / 200 - (0.3 if _MODIFIER.search(text[:start]) else 0.0)
                if best is None or score > best[0]:
                    best = (score, Reading(value, found.section_id, span, 1.0))
    return best[1] if best is not None else None


def _spans(text: str, want: Want) -> Iterator[tuple[int, int, str]]:
    """The spans of the wanted kind in reading order: start, end, and the value without marks around it."""
    if want.kind == "date":
        found = ((span.start, span.end) for span, _ in find_dates(text))
    else:
        found = (m.span() for m in (_NUMBER if want.kind == "quantity" else _NAME).finditer(text))
    for start, end in found:
        yield start, end, text[start:end].strip(" .,'’")


def _named(base: str, text: str) -> bool:
    return f" {base_key(base)} " in f" {fold(text)} "


def akin(one: str, other: str) -> bool:
    """Whether two words are forms of one: "flavour" and "flavoured"."""
    shared = max(_STEM, min(len(one), len(other)) - 2)
    return one == other or one[:shared] == other[:shared]


def _overlap(asked: set[str], text: str) -> float:
    """The share of the asked words that a sentence holds in some form."""
    held = set(fold(text).split())
    return sum(any(akin(a, h) for h in held) for a in asked) / len(asked) if asked else 0.0


def _values(text: str, want: Want, names: Names) -> list[str]:
    """The values of a sentence that may be meant: names the corpus knows first, numbers only beside their noun."""
    known = names(text) if want.kind not in ("date", "quantity") else []
    counted = want.noun if want.kind == "quantity" else None
    return [*known, *(v for start, end, v in _spans(text, want) if _counts(counted, text[start : end + 30]))]


def _counts(noun: str | None, text: str) -> bool:
    """Whether a number counts what is asked for: "how many films" wants the noun beside it."""
    return noun is None or any(akin(noun, word) for word in fold(text).split())


def _fresh(value: str, base: str, title: str, words: Sequence[str]) -> bool:
    """Not the base, nor part of its name, nor a word of the question or a pronoun at a sentence's start."""
    key = fold(value)
    own = set(fold(base).split()) | set(base_key(title).split())
    if f" {base_key(base)} " in f" {key} ":
        return False
    return bool(key) and not set(key.split()) <= own | OPENING | set(words)
