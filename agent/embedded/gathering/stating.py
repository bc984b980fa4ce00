"""How many there are by the text itself: "wrote three novels", where a thing's own sections say so in as many words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ....cubes.dates import find_dates
from ....cubes.folding import fold, fold_words
from ....cubes.sections import sentences
from .request import Request
from .words import PAST, PLURALS

__all__ = ["Stated", "stated"]

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBER = re.compile(
    r"(?P<vague>\b(?:over|than|about|around|some|nearly|almost|least|most|first|other|another|last|next|of|these|those"
    rf"|only|his|her)\s+)?\b(?P<number>{'|'.join(_NUMBERS[1:])}|\d{{1,3}})\s+(?:[a-z-]+\s+){{0,2}}?(?P<noun>[a-z-]+)\b",
    re.I,
)  # fmt: skip
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
    tie = request.ties[0]
    verbs = {word for phrase in (tie.words.removeprefix("{} "), *tie.relations) for word in phrase.split()}
    heads = {word for word in verbs if len(word) > 2} | {PAST[word] for word in verbs if word in PAST} | _HAVING
    for section_id, text in sections:
        for span in sentences(text):
            said = text[span.start : span.end]
            told = tie.words in _HELD or heads & set(fold_words(said))
            for found in _NUMBER.finditer(said) if told else ():
                clause = said[: found.end()] + said[found.end() :].partition(",")[0]
                noun, number = fold(found["noun"]), found["number"].lower()
                if PLURALS.get(noun, noun) == request.noun and not found["vague"] and not find_dates(clause):
                    value = int(number) if number.isdigit() else _NUMBERS.index(number)
                    return Stated(value, said[found.start("number") : found.end()], section_id, span.start, span.end)
    return None
