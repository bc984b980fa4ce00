"""How many there are by the text itself: "wrote three novels", where a thing's own sections say so in as many words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ....cubes.dates import find_dates
from ....cubes.folding import fold, fold_words
from ....cubes.sections import sentences
from .request import Request
from .tying import PLURALS
from .words import PAST

__all__ = ["Stated", "stated"]

_NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_NUMBER = re.compile(rf"\b(?P<number>{'|'.join(_NUMBERS[1:])}|\d{{1,3}})\s+(?:[a-z-]+\s+){{0,2}}?(?P<noun>[a-z-]+)\b")
_VAGUE = re.compile(
    r"\b(?:over|than|about|around|some|nearly|almost|least|most|first|other|another|last|next|of|these|those|only|his|her)"
    r"\s+$", re.IGNORECASE)
_HELD = ("of", "in")  # what a thing has, whatever the verb: "is divided into six provinces"
_HAVING = frozenset({"has", "have", "had", "ha"})


@dataclass(frozen=True, slots=True)
class Stated:
    """A number that a sentence gives, with the words that say so and where the sentence stands."""

    number: int
    words: str
    section_id: str
    start: int
    end: int


def stated(request: Request, sections: Iterable[tuple[str, str]]) -> Stated | None:
    """Return how many of what a request counts a sentence says there are, in sections of what it is tied to.

    Only a plain count of one tie is looked for; numbers that are about, of a part, or of a certain time do not count.
    """
    if len(request.ties) != 1 or request.periods or request.adjectives:
        return None
    return next(_found(request, sections), None)


def _found(request: Request, sections: Iterable[tuple[str, str]]) -> Iterator[Stated]:
    tie = request.ties[0]
    verbs = {word for phrase in (tie.words.removeprefix("{} "), *tie.relations) for word in phrase.split()}
    heads = {word for word in verbs if len(word) > 2} | {PAST[word] for word in verbs if word in PAST} | _HAVING
    for section_id, text in sections:
        for span in sentences(text):
            sentence = text[span.start:span.end]
            if not (tie.words in _HELD or heads & set(fold_words(sentence))):
                continue
            for found in _NUMBER.finditer(sentence):
                noun, clause = fold(found["noun"]), sentence[: found.end()] + sentence[found.end() :].split(",")[0]
                if find_dates(clause):
                    continue
                if PLURALS.get(noun, noun) == request.noun and not _VAGUE.search(sentence[:found.start()]):
                    yield Stated(_value(found["number"]), found[0], section_id, span.start, span.end)


def _value(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS.index(word)
