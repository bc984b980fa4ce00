"""What a question asks for, as terms to be met by labels and sentences."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from .amounts import measure_of
from .forms import BLANK
from .wording import lexicon, stem_of, terms

__all__ = ["LabelQuery", "read_label_query"]

_NOUN = re.compile(
    r"\b(?:which|what)(?: (?:type|kind|sort)s? of)? (?P<noun>(?:[a-z][a-z/-]+ ){1,3}?)"
    r"(?:of (?:the )?\s*)?"
    r"(?:is|are|was|were|has|have|had|does|do|did|can|must|should|connects?|serves?|causes?|carries|carry|\w+s)\b",
    re.IGNORECASE,
)
_HOW = re.compile(rf"(?:\bhow |(?:{BLANK}|\d)\s?[°A-Za-zµμΩ%]{{0,6}} )(?P<adjective>[a-z]+)\b", re.IGNORECASE)
_MANY = re.compile(r"\bhow (?:many|much) (?P<noun>[a-z]+)\b", re.IGNORECASE)
_UNIT_BEHIND = re.compile(rf"{BLANK}\s?(?P<unit>[°A-Za-zµμΩ%][\w/°%]*)")


@dataclass(frozen=True, slots=True)
class LabelQuery:
    """``terms`` are the words that a label should hold, ``any_of`` those of which one is enough ("how long": duration,
    time); ``noun`` are the terms of the noun behind "which" or "what", which names the column; ``units`` the base units
    that the answer should have, where known; ``gap`` the unit that the question writes behind its blank;
    ``counts`` says that only a number can answer."""

    terms: tuple[str, ...]
    any_of: tuple[str, ...] = ()
    noun: tuple[str, ...] = ()
    units: frozenset[str] = frozenset()
    gap: str = ""
    counts: bool = False

    def __bool__(self) -> bool:
        return bool(self.terms or self.any_of)


def read_label_query(text: str, leave_out: Collection[str] = ()) -> LabelQuery:
    """Read what a text asks for; ``leave_out`` are texts in it that name the document, not what is asked of it."""
    known, bare = lexicon(), text
    for name in leave_out:
        bare = bare.replace(name, " ")
    gap = _UNIT_BEHIND.search(bare)
    how = _HOW.search(bare)
    adjective = known.adjectives.get(how["adjective"].lower()) if how is not None else None
    if how is not None and adjective is not None:
        bare = f"{bare[: how.start('adjective')]} {bare[how.end() :]}"
    said = terms(bare.replace(BLANK, " "))
    wanted = tuple(t for t in said if t not in known.idle) or tuple(t for t in said if t not in known.describing)
    any_of = tuple(stem_of(noun) for noun in adjective.nouns) if adjective is not None else ()
    noun = _NOUN.search(bare)
    nouns = tuple(t for t in terms(noun["noun"]) if t in wanted) if noun is not None else ()
    counted = _MANY.search(bare)
    measure = measure_of(counted["noun"]) if counted is not None else ""
    units = frozenset({measure}) if measure else known.units_of((*wanted, *any_of))
    if counted is not None and measure:
        wanted = tuple(term for term in wanted if term != stem_of(counted["noun"]))
    unit = gap["unit"] if gap is not None and measure_of(gap["unit"]) else ""
    return LabelQuery(wanted, any_of, nouns, units, unit, counted is not None)
