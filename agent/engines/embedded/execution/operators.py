"""Walking a plan: which values its parts have so far, what operators make of them, and the form of the answer.

A new kind of question is a new function among the operators.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import dropwhile, islice, product

from .....cubes.core.dates import PartialDate, compare, parse_date
from .....cubes.core.folding import base_key, fold, split_qualifier
from .....cubes.core.quantities import parse_quantity
from .....cubes.extraction.words.lexicon import country_of
from .....graphs.records import Hop
from ..answers.candidates import bare, named_by
from ..plan import AlternativePlans, OpenStep, Operation, Part, Plan, QuestionEntity, RelationStep
from ..vocabulary.lexicon import kinds_of
from ..vocabulary.places import PlaceHierarchy
from ..vocabulary.wordlists import ARTICLES, PREPOSITIONS

__all__ = ["Ask", "PlanResult", "answer_form", "describe", "evaluate"]

Ask = Callable[[RelationStep | OpenStep, str, str | None], Sequence[str]]
"""Gives the values of a step for one base, which of an open step is its whole subquery. It may raise to say that the
hop is still to come. The last argument is the name the base was itself found from, which tells homonyms apart."""

_MAX_ALTERNATIVES = 3
_NAME = 24  # words of a name at most; a passage is none
_NATIONAL = frozenset({"nationality", "country of origin", "country", "nation"})
_ASKED = re.compile(r"\b(?:what|which) (year|country|nation)\b")
_SMALL = PREPOSITIONS | ARTICLES | {"and", "or"}
_PARTED = re.compile(r",? and |, | or ")
_NUMBER = re.compile(r"v?\d+(?:\.\d+)+\w*")
_RELEASE = re.compile(r"(?:the )?((?:\S+ ){0,3}?(?:version|release))\b", re.IGNORECASE)


class Missing(Exception):  # noqa: N818 - an operator has nothing to work with, which is no error
    """The values of this part, which an operator needs, were not found."""


@dataclass(frozen=True, slots=True)
class PlanResult:
    """What a plan came to, by which ``hops``; ``missing`` names the part that was not found. Another way to read it is
    no use where it is ``settled``."""

    text: str = ""
    missing: str = ""
    settled: bool = False
    hops: Sequence[Hop] = ()


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
            return PlanResult(missing=str(missing))

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
            filled = [
                [_called(value, words) for value in self._bases(each)] or [words]
                for each, words in zip(part.parts, part.words, strict=True)
            ]
            asked = [*map(part.filled, islice(product(*filled), _MAX_ALTERNATIVES))]
        return next((list(found) for each in asked if (found := self.ask(part, each, origin))), [])

    def found(self, part: Part) -> list[str]:
        """The values of a part, of which there must be one."""
        values = self.values(part)
        if not values:
            raise Missing(describe(part))
        return values

    def date(self, part: Part) -> PartialDate:
        """The first value of a part that is a date."""
        for date in filter(None, map(parse_date, self.values(part))):
            return date
        raise Missing(describe(part))

    def _bases(self, part: Part) -> list[str]:
        """The values to go on from: the countries themselves, where the text says "Tarsennan" of what is from one."""
        values = self.values(part)
        if isinstance(part, RelationStep) and _NATIONAL & {*part.relations, part.want.noun}:
            values = [self.places.country_named(value) for value in values]
        return [value for value in values if len(value.split()) <= _NAME and "\n" not in value][:_MAX_ALTERNATIVES]


def _called(value: str, words: str) -> str:
    """A value as the next hop asks of it: the bare number of a release says nothing without what it is a release of."""
    of = _RELEASE.match(words) if _NUMBER.fullmatch(value) else None
    return f"{of[1]} {value}" if of is not None else value


def evaluate(plan: Plan, ask: Ask, places: PlaceHierarchy) -> PlanResult:
    """Evaluate a plan to its answer."""
    if isinstance(plan, AlternativePlans):
        tried = PlanResult()
        for each in plan:
            found = evaluate(each, ask, places)
            if found.text or found.settled:
                return found
            tried = tried if tried.missing else found
        return tried
    walk = Walk(ask, places)
    if isinstance(plan, Operation):
        return walk.result(plan)
    values = walk.values(plan)
    told = values if isinstance(plan, RelationStep) and plan.want.plural else values[:1]
    text = ", ".join(answer_form(value, plan, places) for value in told)
    return PlanResult(text, missing="" if values else describe(plan))


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
    said = fold(term.want.noun or "").split() if isinstance(term, RelationStep) else []
    said += _ASKED.findall(term.template.lower()) if isinstance(term, OpenStep) else []
    noun, date = said[-1] if said else "", parse_date(value)
    if noun == "year" and date is not None and date.year > 0 and not value.rstrip().endswith(("century", "s")):
        return str(date.year)
    if noun in ("country", "nation") and country_of(value) is None:
        return places.country_named(value)  # a demonym that everybody knows stays as written
    return split_qualifier(value)[0] if isinstance(term, RelationStep) else value


def _extreme(plan: Operation, walk: Walk) -> PlanResult:
    """The item whose part is the least or the greatest."""
    values = [_measure(part, walk) for part in plan.parts]
    names = [QuestionEntity(next(iter(walk.values(item)), name_of(item))) for item in plan.items]
    if len(set(values)) == 1:
        equal = " and ".join(name.name for name in names)
        # Of two that are dated to a year alone, another sentence may say which came first.
        dated = (part for part in plan.parts if not (isinstance(part, RelationStep) and part.want.kind == "quantity"))
        dates = (next(filter(None, map(parse_date, walk.values(part))), None) for part in dated)
        exact = all(date is None or date.day is not None for date in dates)
        return PlanResult(missing=f"which comes first, as {equal} are equal in this", settled=exact)
    best = values.index(min(values) if plan.operator == "least" else max(values))
    return PlanResult(bare(names[best].name, names))


def _measure(part: Part, walk: Walk) -> float:
    """The first value of a part that can be ordered: a date or a quantity, and no number where a date is asked for."""
    if isinstance(part, Operation):
        return float(walk.found(part)[0])
    kind = part.want.kind if isinstance(part, RelationStep) else None
    for value in walk.values(part):
        if kind != "quantity" and (date := parse_date(value)) is not None:  # "640" employees are no year
            return date.day_number()
        if kind != "date" and (quantity := parse_quantity(value)) is not None:
            return quantity.value
    raise Missing(describe(part))


def _one_of(plan: Operation, walk: Walk) -> PlanResult:
    """The item that the answer of a whole question names, as the question writes it; without items, that answer."""
    names = [item for item in plan.items if isinstance(item, QuestionEntity)]
    result = walk.result(plan.parts[0])
    named = named_by(names, result.text)
    if not names or not result.text:
        return result
    return PlanResult(bare(named.name, names) if named else "", missing=describe(plan))


def _is(plan: Operation, walk: Walk) -> PlanResult:
    """Whether a comparison picks the thing that is claimed."""
    result = walk.result(plan.parts[0])
    named = base_key(result.text) == base_key(plan.value)
    return PlanResult("yes" if named else "no") if result.text or result.settled else result


def _all(plan: Operation, walk: Walk) -> PlanResult:
    """Whether every part is "yes": one "no" decides, otherwise one that is open leaves it open."""
    missing = ""
    for part in plan.parts:
        result = walk.result(part)
        if result.text == "no":
            return result
        missing = missing or result.missing
    return PlanResult("" if missing else "yes", missing)


def _same(plan: Operation, walk: Walk) -> PlanResult:
    """Whether all parts have a value in common; a country is climbed to, two cities of one are not one province."""
    groups = [walk.found(part) for part in plan.parts]
    if plan.level == "place":
        groups = [[value for value in values if not walk.places.is_country(value)] or values for values in groups]
    shared = set.intersection(*({k for v in values for k in _keys(v, plan.level, walk)} for values in groups))
    return PlanResult("yes" if shared else "no")


def _keys(value: str, level: str, walk: Walk) -> set[str]:
    """What a value goes by: a date by its year, a place in another by its first part, or by its country."""
    date = parse_date(value)
    if date is not None:
        return {str(date.year)}
    own = {fold(value), fold(value.split(",", 1)[0])} if level != "country" else set()
    return own | ({fold(walk.places.country(value) or value)} if level in ("country", "any") else set())


def _common(plan: Operation, walk: Walk) -> PlanResult:
    """The value that all parts have, as the first one writes it."""
    groups = [walk.found(part) for part in plan.parts]
    kinds = {part.want.kind for part in plan.parts if isinstance(part, RelationStep)}
    for value in groups[0] if kinds != {"class"} else ():
        held = _keys(value, "any", walk)
        if all(any(held & _keys(other, "any", walk) for other in group) for group in groups[1:]):
            return PlanResult(answer_form(value, plan.parts[0], walk.places))
    shared = _common_phrase(groups) if kinds <= {"class", "text"} else ""
    return PlanResult(shared, missing=f"what {' and '.join(map(name_of, plan.parts))} have in common")


def _common_phrase(groups: Sequence[Sequence[str]]) -> str:
    """What descriptions of each thing have in common: the same noun, with the words before it that they share."""
    shared, *others = ([part.split() for value in group for part in _PARTED.split(value) if part] for group in groups)
    for group in others:
        alike = (pair for pair in product(shared, group) if kinds_of(fold(pair[0][-1])) & kinds_of(fold(pair[1][-1])))
        shared = [_shared_words(*pair) for pair in alike]
    return max(map(" ".join, shared), key=lambda phrase: (len(phrase.split()), len(phrase)), default="")


def _shared_words(one: Sequence[str], other: Sequence[str]) -> list[str]:
    """The words of one phrase that the other has too, in its order, without small ones in front; and its noun."""
    same = SequenceMatcher(None, [*map(fold, one[:-1])], [*map(fold, other[:-1])], autojunk=False)
    kept = (word for block in same.get_matching_blocks() for word in one[block.a : block.a + block.size])
    return [*dropwhile(lambda word: word.lower() in _SMALL, kept), one[-1]]


def _between(plan: Operation, walk: Walk) -> PlanResult:
    """The whole years between two dates ("How old was A when ...?"), or the days ("Who lived longer?")."""
    start, end = map(walk.date, plan.parts[:2])
    if compare(end, start) == -1:
        raise Missing(describe(plan.parts[1]))
    if plan.operator == "days":
        return PlanResult(str(max(0.0, end.day_number() - start.day_number())))
    stated = walk.result(plan.parts[2]) if start.day is None or end.day is None else PlanResult()
    age = parse_quantity(stated.text)
    if age is not None and age.value in (end.year - start.year, end.year - start.year - 1):
        return stated  # years alone may be off by one
    before_birthday = (end.month or 12, end.day or 31) < (start.month or 1, start.day or 1)
    return PlanResult(str(end.year - start.year - before_birthday))


OPERATORS: dict[str, Callable[[Operation, Walk], PlanResult]] = {
    "least": _extreme, "greatest": _extreme, "one of": _one_of, "is": _is, "all": _all, "same": _same,
    "common": _common, "years": _between, "days": _between,
}  # fmt: skip
"""What each operator makes of its parts."""
