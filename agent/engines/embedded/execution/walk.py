"""Walking a plan: which values its parts have so far, and in which form the last of them is the answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice, product

from .....cubes.core.dates import parse_date
from .....cubes.core.folding import fold
from .....cubes.extraction.words.lexicon import country_of
from ..plan import OpenStep, Operation, Part, QuestionEntity, RelationStep
from ..vocabulary.places import PlaceHierarchy

__all__ = ["OPERATORS", "Ask", "Missing", "Operator", "PlanResult", "Walk", "answer_form", "describe", "name_of"]

Ask = Callable[[RelationStep | OpenStep, str, str | None], Sequence[str]]
"""Gives the values of a step for one base; it may raise to say that the hop is still to come. The last argument is
the name the base was itself found from, which tells homonyms apart. An open step comes with its whole subquery as
its base."""

_MAX_ALTERNATIVES = 3
_NATIONAL = frozenset({"nationality", "country of origin", "country", "nation"})
_OTHER_STYLE = re.compile(r"\s?\[[^\]]*\]")  # "27 April [O.S. 15 April] 1891"
_ASKED = re.compile(r"\b(?:what|which) (year|country|nation)\b", re.IGNORECASE)


class Missing(Exception):  # noqa: N818 - an operator has nothing to work with, which is no error
    """The values of this part, which an operator needs, were not found."""

    def __init__(self, part: str) -> None:
        super().__init__(part)
        self.part = part


@dataclass(frozen=True, slots=True)
class PlanResult:
    """What a plan came to; ``missing`` names the part that was not found. Another way to read it is no use where it is
    ``settled``."""

    text: str = ""
    missing: str = ""
    settled: bool = False


@dataclass(frozen=True, slots=True)
class Walk:
    """What operators work with: how a hop is asked, and which places hold others."""

    ask: Ask
    places: PlaceHierarchy

    def result(self, part: Part) -> PlanResult:
        """What a part comes to: what its operator makes of it, else its first value."""
        try:
            if isinstance(part, Operation):
                return OPERATORS[part.operator](part, self)
            return PlanResult(self.found(part)[0])
        except Missing as missing:
            return PlanResult(missing=missing.part)

    def values(self, part: Part) -> list[str]:
        """The values of a part, the best first. Of several bases, the first that leads on counts; what is not found
        stays in an open step as the question has it."""
        if isinstance(part, QuestionEntity):
            return [part.name]
        if isinstance(part, Operation):
            return [text] if (text := self.result(part).text) else []
        origin = None
        if isinstance(part, RelationStep):
            origin = name_of(part.base.base) if isinstance(part.base, RelationStep) else None
            asked = self._bases(part.base)
        else:
            filled = [self._bases(each) or [words] for each, words in zip(part.parts, part.words, strict=True)]
            asked = [*map(part.filled, islice(product(*filled), _MAX_ALTERNATIVES))]
        return next((list(found) for each in asked if (found := self.ask(part, each, origin))), [])

    def found(self, part: Part) -> list[str]:
        """The values of a part, of which there must be one."""
        values = self.values(part)
        if not values:
            raise Missing(describe(part))
        return values

    def _bases(self, part: Part) -> list[str]:
        """The values to go on from: the countries themselves, where the text says "Tarsennan" of what is from one."""
        values = self.values(part)
        if isinstance(part, RelationStep) and _NATIONAL & {*part.relations, part.want.noun}:
            values = [self.places.country_named(value) for value in values]
        return values[:_MAX_ALTERNATIVES]


Operator = Callable[[Operation, Walk], PlanResult]
OPERATORS: dict[str, Operator] = {}
"""What each operator makes of its parts; `operators.py` has them."""


def name_of(term: Part) -> str:
    """Return the name that a term starts from."""
    while isinstance(term, (RelationStep, Operation)):
        term = term.base if isinstance(term, RelationStep) else term.parts[0]
    return term.filled(term.words) if isinstance(term, OpenStep) else term.name


def describe(term: Part) -> str:
    """Say which hop failed; a base that is itself to be found is left open."""
    if isinstance(term, RelationStep):
        return term.template.replace("{}", name_of(term.base) if isinstance(term.base, QuestionEntity) else "...", 1)
    return describe(term.parts[0]) if isinstance(term, Operation) else name_of(term)


def answer_form(value: str, term: Part, places: PlaceHierarchy) -> str:
    """Write a value as its question asks for it: "in what year" by the year alone, "which country" by its name."""
    noun, date = _asked(term), parse_date(value)
    if noun == "year" and date is not None and date.year > 0 and not value.rstrip().endswith(("century", "s")):
        return str(date.year)
    if noun in ("country", "nation") and country_of(value) is None:
        return places.country_named(value)  # a demonym that everybody knows stays as written
    dated = isinstance(term, RelationStep) and term.want.kind == "date"
    return _OTHER_STYLE.sub("", value) if dated else value


def _asked(term: Part) -> str:
    """The last word of the noun that names the answer."""
    said = _ASKED.findall(term.template) if isinstance(term, OpenStep) else []
    noun = term.want.noun or "" if isinstance(term, RelationStep) else ""
    return next(iter([*said, *fold(noun).split()][-1:]), "").lower()
