"""Reading numbers with their units, and noun phrases in lower case, next to a phrase."""

from __future__ import annotations

import re

from .lexicon import group
from .values import ValueSpan
from .words import Sentence

__all__ = ["quantity_after", "quantity_before", "text_after"]

_QUANTITY = re.compile(
    r"(?:[$£€₹¥]\s?)?\d+(?:,\d{2,3})*(?:\.\d+)?(?:\s?[-–]\s?\d[\d,.]*\d)?(?:\s(?:million|billion|thousand|hundred|crore|lakh)s?)?"
    r"(?:\s?(?:%|°[CF]?)|\s(?:per\s?cent|percent|square\s(?:kilomet(?:re|er)s?|miles?|met(?:re|er)s?|feet)|kilomet(?:re|er)s?(?:\san\shour|\sper\shour)?|"
    r"met(?:re|er)s?|miles?(?:\sper\shour)?|feet|foot|inches|centimet(?:re|er)s?|millimet(?:re|er)s?|km2?|km/h|mph|knots|kg|tons?|tonnes|acres|hectares|"
    r"minutes?|hours?|days?|years?|seconds?|episodes|copies|records|pages|dollars|pounds|euros|degrees(?:\s(?:Fahrenheit|Celsius))?))?",
)
_SPELLED = re.compile(
    r"\b(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-(?:one|two|three|four|five|six|seven|eight|nine))?|"
    r"two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|hundreds|thousands|dozens)\b"
)


def quantity_after(sentence: Sentence, index: int) -> ValueSpan | None:
    """The number with its unit at word ``index``, behind hedges ("about"), or behind the next copula."""
    at = index
    while at < index + 5 and sentence.word(at) in group("hedges"):
        at += 1
    found = None if at in sentence.dates else _quantity_at(sentence, at)
    for later in range(index, index + 9) if found is None else ():  # "population at the 2011 census was 88,146"
        if sentence.word(later) in (".", ";", "and", "who", "which"):
            return None
        if sentence.word(later) in ("was", "is", "were"):
            return _quantity_at(sentence, later + 1)
    return found


def _quantity_at(sentence: Sentence, at: int) -> ValueSpan | None:
    if at >= len(sentence):
        return None
    span = sentence.starts[at], sentence.span.end
    match = _QUANTITY.match(sentence.text, *span) or _SPELLED.match(sentence.text, *span)
    return ValueSpan(match.start(), match.end(), at, sentence.index(match.end())) if match else None


def quantity_before(sentence: Sentence, index: int) -> ValueSpan | None:
    """The number that ends right in front of word ``index``."""
    start, limit = sentence.starts[max(0, index - 5)], sentence.starts[index]
    for pattern in (_SPELLED, _QUANTITY):
        for match in pattern.finditer(sentence.text, start, limit):
            if not sentence.text[match.end() : limit].strip():
                return ValueSpan(match.start(), match.end(), sentence.index(match.start()), index)
    return None


def text_after(sentence: Sentence, index: int, limit: int = 8) -> ValueSpan | None:
    """A noun phrase in lower case: up to ``limit`` words before punctuation, a preposition or a verb."""
    at = index
    while sentence.word(at) in ("a", "an", "the", "his", "her", "its", "their", "as"):
        at += 1
    last = at
    while last < min(len(sentence), at + limit) and sentence.words[last][0].isalnum() and not _ends(sentence, last, at):
        last += 1
    while last > at and sentence.lower[last - 1] in ("and", "of", "the", "a"):
        last -= 1
    return ValueSpan(sentence.starts[at], sentence.ends[last - 1], at, last) if last > at else None


def _ends(sentence: Sentence, last: int, first: int) -> bool:
    word = sentence.lower[last]
    if word == "of":
        return last == first
    participle = last > first and word.endswith("ed") and sentence.word(last + 1) in group("breaks")
    listed = word in group("breaks") or word in ("and", "who", "while", "aged", "age", "only")
    return participle or listed or last in sentence.dates
