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

__all__ = ["Reading", "read_sentence"]

_NAME = re.compile(
    r"(?:[A-ZÀ-Þ][\w'’.&-]*|\d{4})(?:\s+(?:of|the|and|de|von|van|la|du|del|al|bin|for|&)\s+(?=[A-ZÀ-Þ])|\s+(?=[A-ZÀ-Þ]))?"
    r"(?:[A-ZÀ-Þ][\w'’.&-]*(?:\s+(?:of|the|and|de|von|van|la|du|del|al|bin|for|&)\s+(?=[A-ZÀ-Þ])|\s+(?=[A-ZÀ-Þ]))?)*"
)
_NUMBER = re.compile(r"(?:[$£€]\s?)?\d[\d,.]*(?:\s+(?:million|billion|thousand|percent|per cent|%|[a-z]+))?")
_STEM = 4
_ENOUGH = 0.6


@dataclass(frozen=True, slots=True)
class Reading:
    """A span read from a sentence; ``score`` is the share of the question's words that the sentence holds."""

    value: str
    section_id: str
    sentence: Span
    score: float


def read_sentence(
    base: str, words: Sequence[str], want: Want, evidence: Sequence[Evidence], fits: Callable[[str, Want], bool]
) -> Reading | None:
    """Return the best span, or None where no sentence says enough of what is asked.

    A sentence counts if it stands in a section about the base or names it, and holds most of the asked words.
    ``fits`` says whether a name can be of the wanted kind.
    """
    asked = {_stem(w) for phrase in (*words, want.noun or "") for w in fold(phrase).split() if len(w) > 2} - {""}
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
            value = next((v for v in _spans(text, want) if _fresh(v, base, found.title, words) and fits(v, want)), None)
            if value is not None:
                best = Reading(value, found.section_id, span, score)
    return best


def _named(base: str, text: str) -> bool:
    return f" {base_key(base)} " in f" {fold(text)} "


def _stem(word: str) -> str:
    return word[: max(_STEM, len(word) - 3)]


def _overlap(asked: set[str], text: str) -> float:
    held = {_stem(w) for w in fold(text).split()}
    return len(asked & held) / len(asked) if asked else 0.0


def _spans(text: str, want: Want) -> Iterator[str]:
    """The spans of the wanted kind in reading order."""
    if want.kind == "date":
        yield from (text[s.start : s.end] for s, _ in find_dates(text))
    elif want.kind == "quantity":
        yield from (m.group().strip() for m in _NUMBER.finditer(text))
    else:
        yield from (m.group().strip(" .,'’") for m in _NAME.finditer(text))


def _fresh(value: str, base: str, title: str, words: Sequence[str]) -> bool:
    """Not the base, nor part of its name, nor a word of the question or a pronoun at a sentence's start."""
    key = fold(value)
    own = set(fold(base).split()) | set(base_key(title).split())
    common = {"he", "she", "it", "the", "in", "his", "her", "they", "at", "on", "this", "its", "after", "a", "an"}
    return bool(key) and not set(key.split()) <= own | common | set(words)
