"""Reading numbers with their units, and noun phrases in lower case, next to a phrase."""

from __future__ import annotations

import re

from .lexicon import lexicon
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
    """The number with its unit at word ``index``; hedges such as "about" may stand before it."""
    at = index
    while at < min(index + 5, len(sentence)) and sentence.lower[at] in lexicon().group("hedges"):
        at += 1
    if at >= len(sentence):
        return None
    if at in sentence.dates and sentence.word(at + 1) in (
        "census",
        "estimate",
        "estimates",
        "survey",
        "season",
    ):
        return _quantity_later(sentence, at)
    match = _QUANTITY.match(sentence.text, sentence.starts[at], sentence.span.end) or _SPELLED.match(
        sentence.text, sentence.starts[at], sentence.span.end
    )
    if match is None:
        return _quantity_later(sentence, index)
    return ValueSpan(match.start(), match.end(), at, sentence.index(match.end()))


def _quantity_later(sentence: Sentence, index: int) -> ValueSpan | None:
    """ "population at the 2011 census was 88,146": the number behind the next copula."""
    for at in range(index, min(index + 9, len(sentence))):
        if sentence.lower[at] in (".", ";", "and", "who", "which"):
            return None
        if sentence.lower[at] in ("was", "is", "were"):
            match = (
                _QUANTITY.match(sentence.text, sentence.starts[at + 1], sentence.span.end)
                if at + 1 < len(sentence)
                else None
            )
            return ValueSpan(match.start(), match.end(), at + 1, sentence.index(match.end())) if match else None
    return None


def quantity_before(sentence: Sentence, index: int) -> ValueSpan | None:
    """The number that ends right in front of word ``index``."""
    if not index:
        return None
    limit = sentence.starts[index]
    start = sentence.starts[max(0, index - 5)]
    best = None
    for pattern in (_QUANTITY, _SPELLED):
        for match in pattern.finditer(sentence.text, start, limit):
            if not sentence.text[match.end() : limit].strip():
                best = match
    if best is None:
        return None
    return ValueSpan(best.start(), best.end(), sentence.index(best.start()), index)


def text_after(sentence: Sentence, index: int, limit: int = 8) -> ValueSpan | None:
    """A noun phrase in lower case: up to ``limit`` words before punctuation, a preposition or a verb."""
    at = index
    while sentence.word(at) in ("a", "an", "the", "his", "her", "its", "their", "as"):
        at += 1
    last = at
    while (
        last < len(sentence)
        and last - at < limit
        and (sentence.words[last][0].isalnum())
        and not _ends_text(sentence, last, at)
    ):
        last += 1
    while last > at and sentence.lower[last - 1] in ("and", "of", "the", "a"):
        last -= 1
    if last <= at:
        return None
    return ValueSpan(sentence.starts[at], sentence.ends[last - 1], at, last)


def _ends_text(sentence: Sentence, last: int, first: int) -> bool:
    word = sentence.lower[last]
    if word == "of":
        return last == first
    if last > first and word.endswith("ed") and sentence.word(last + 1) in lexicon().breaks:
        return True
    return (
        word in lexicon().breaks or word in ("and", "who", "while") or last in sentence.dates or word in ("aged", "age")
    )
