"""The form of a final answer: the shortest one that says what was asked for, in the text's own words."""

from __future__ import annotations

import re

from .....cubes.core.dates import parse_date
from .....cubes.core.folding import fold
from .....cubes.extraction.words.lexicon import country_of
from ..plan import OpenStep, Part, RelationStep
from ..vocabulary.places import PlaceHierarchy

__all__ = ["answer_form"]

_OTHER_STYLE = re.compile(r"\s?\[[^\]]*\]")  # "27 April [O.S. 15 April] 1891"
_ASKED = re.compile(r"\b(?:what|which) (year|century|decade|country|nation)\b", re.IGNORECASE)


def answer_form(value: str, term: Part, places: PlaceHierarchy) -> str:
    """Write a value as its question asks for it: "in what year" by the year alone, "which country" by its name."""
    noun = _noun(term)
    if noun in (["year"], ["century"], ["decade"]):
        return _part_of_date(value, noun[0])
    if noun in (["country"], ["nation"]) and country_of(value) is None:
        return places.country_named(value)  # a demonym that everybody knows stays as written
    if isinstance(term, RelationStep) and term.want.kind == "date":
        return _OTHER_STYLE.sub("", value)
    if isinstance(term, RelationStep) and term.want.kind == "person":
        return places.person_named(value)
    return value


def _noun(term: Part) -> list[str]:
    """The last word of the noun that names the answer."""
    if isinstance(term, OpenStep):
        return [found[1].lower() for found in _ASKED.finditer(term.template)][-1:]
    return fold(term.want.noun or "").split()[-1:] if isinstance(term, RelationStep) else []


def _part_of_date(value: str, noun: str) -> str:
    date = parse_date(value)
    if date is None or date.year <= 0 or value.rstrip().endswith(("century", "s")):
        return value
    if noun == "year":
        return str(date.year)
    return f"{date.decade}s" if noun == "decade" else _ordinal((date.year - 1) // 100 + 1) + " century"


def _ordinal(number: int) -> str:
    teen = 10 < number % 100 < 14
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"
