"""Walking the parts of a plan: which values they have so far, and what an operator makes of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice, product

from ..plan import OpenStep, Operation, Part, QuestionEntity, RelationStep
from ..vocabulary.places import PlaceHierarchy

__all__ = ["OPERATORS", "Ask", "Operator", "PlanResult", "Walk", "describe", "name_of"]

Ask = Callable[[RelationStep | OpenStep, str, str | None], Sequence[str]]
"""Gives the values of a step for one base; it may raise to say that the hop is still to come. The last argument is
the name the base was itself found from, which tells homonyms apart. An open step comes with its whole subquery as
its base."""

_MAX_ALTERNATIVES = 3
_NATIONAL = frozenset({"nationality", "country of origin", "country", "nation"})


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
        if isinstance(part, Operation):
            return OPERATORS[part.operator](part, self)
        found = self.values(part)
        return PlanResult(found[0]) if found else PlanResult(missing=describe(part))

    def values(self, part: Part) -> list[str]:
        """The values of a part, the best first. Of several bases, the first that leads on counts; what is not found
        stays in an open step as the question has it."""
        if isinstance(part, QuestionEntity):
            return [part.name]
        if isinstance(part, Operation):
            return [text] if (text := self.result(part).text) else []
        if isinstance(part, RelationStep):
            origin = name_of(part.base.base) if isinstance(part.base, RelationStep) else None
            bases = self._bases(part.base)
            return next((list(found) for base in bases if (found := self.ask(part, base, origin))), [])
        filled = [self._bases(each) or [words] for each, words in zip(part.parts, part.words, strict=True)]
        subqueries = map(part.filled, islice(product(*filled), _MAX_ALTERNATIVES))
        return next((list(found) for subquery in subqueries if (found := self.ask(part, subquery, None))), [])

    def groups(self, parts: Sequence[Part]) -> list[list[str]] | PlanResult:
        """The values of each part, or which one has none."""
        found: list[list[str]] = []
        for part in parts:
            values = self.values(part)
            if not values:
                return PlanResult(missing=describe(part))
            found.append(values)
        return found

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
