"""The operators of plans: what each makes of the values of its parts. A new kind of question is a new function here."""

from __future__ import annotations

from collections.abc import Callable

from .....cubes.core.dates import PartialDate, parse_date
from .....cubes.core.folding import base_key
from .....cubes.core.quantities import parse_quantity
from ..answers.alternatives import bare, named_by
from ..plan import Operation, Part, QuestionEntity, RelationStep
from .comparing import common_phrase, keys
from .forms import answer_form
from .values import OPERATORS, Operator, PlanResult, Walk, describe, name_of

__all__: list[str] = []


def _operator(*names: str) -> Callable[[Operator], Operator]:
    def register(function: Operator) -> Operator:
        OPERATORS.update(dict.fromkeys(names, function))
        return function

    return register


# One of several things --------------------------------------------------------------------------------------------


@_operator("least", "greatest")
def _extreme(plan: Operation, walk: Walk) -> PlanResult:
    """The item whose part is the least or the greatest."""
    measured: list[tuple[float, str]] = []
    for item, part in zip(plan.items, plan.parts, strict=True):
        value = _measure(part, walk)
        if value is None:
            return PlanResult(missing=walk.result(part).missing or describe(part))
        measured.append((value, next(iter(walk.values(item)), name_of(item))))
    values, names = [value for value, _ in measured], [QuestionEntity(name) for _, name in measured]
    if len(set(values)) == 1:
        equal = " and ".join(name.name for name in names)
        return PlanResult(missing=f"which comes first, as {equal} are equal in this", settled=True)
    best = values.index(min(values) if plan.operator == "least" else max(values))
    return PlanResult(bare(names[best].name, names))


def _measure(part: Part, walk: Walk) -> float | None:
    """The first value of a part that can be ordered: a date or a quantity, and no number where a date is asked for."""
    if isinstance(part, Operation):
        return float(text) if (text := walk.result(part).text) else None
    kind = part.want.kind if isinstance(part, RelationStep) else None
    for value in walk.values(part):
        date = None if kind == "quantity" else parse_date(value)  # "640" employees are no year
        if date is not None:
            return date.day_number()
        quantity = None if kind == "date" else parse_quantity(value)
        if quantity is not None:
            return quantity.value
    return None


@_operator("one of")
def _one_of(plan: Operation, walk: Walk) -> PlanResult:
    """The item that the answer of a whole question names, as the question writes it; without items, that answer."""
    result = walk.result(plan.parts[0])
    named = named_by(_entities(plan), result.text)
    if not plan.items or not result.text:
        return result
    return PlanResult(bare(named.name, _entities(plan)) if named else "", missing=describe(plan))


def _entities(plan: Operation) -> list[QuestionEntity]:
    return [item for item in plan.items if isinstance(item, QuestionEntity)]


# Yes or no --------------------------------------------------------------------------------------------------------


@_operator("is")
def _is(plan: Operation, walk: Walk) -> PlanResult:
    """Whether a comparison picks the thing that is claimed."""
    result = walk.result(plan.parts[0])
    named = base_key(result.text) == base_key(plan.value)
    return PlanResult("yes" if named else "no") if result.text or result.settled else result


@_operator("all")
def _all(plan: Operation, walk: Walk) -> PlanResult:
    """Whether every part is "yes": a single one that is not decides, otherwise one that is open leaves it open."""
    missing = ""
    for part in plan.parts:
        result = walk.result(part)
        if result.text == "no":
            return result
        missing = missing or result.missing
    return PlanResult(missing=missing) if missing else PlanResult("yes")


@_operator("same")
def _same(plan: Operation, walk: Walk) -> PlanResult:
    """Whether all parts have a value in common; a country is climbed to, two cities of one are not one province."""
    groups = walk.groups(plan.parts)
    if isinstance(groups, PlanResult):
        return groups
    if plan.level == "place":
        groups = [[value for value in values if not walk.places.is_country(value)] or values for values in groups]
    shared = set.intersection(*({k for v in values for k in keys(v, plan.level, walk.places)} for values in groups))
    return PlanResult("yes" if shared else "no")


# Values -----------------------------------------------------------------------------------------------------------


@_operator("common")
def _common(plan: Operation, walk: Walk) -> PlanResult:
    """The value that all parts have, as the first one writes it."""
    groups = walk.groups(plan.parts)
    if isinstance(groups, PlanResult):
        return groups
    kinds = {part.want.kind for part in plan.parts if isinstance(part, RelationStep)}
    for value in groups[0] if kinds != {"class"} else ():
        held = keys(value, "any", walk.places)
        if all(any(held & keys(other, "any", walk.places) for other in group) for group in groups[1:]):
            return PlanResult(answer_form(value, plan.parts[0], walk.places))
    shared = common_phrase(groups) if kinds <= {"class", "text"} else ""
    return PlanResult(shared, missing=f"what {' and '.join(map(name_of, plan.parts))} have in common")


@_operator("years", "days")
def _between(plan: Operation, walk: Walk) -> PlanResult:
    """The whole years between two dates ("How old was A when ...?"), or the days ("Who lived longer?")."""
    dates: list[PartialDate] = []
    for part in plan.parts:
        date = next((d for value in walk.values(part) if (d := parse_date(value)) is not None), None)
        if date is None:
            return PlanResult(missing=describe(part))
        dates.append(date)
    start, end = dates
    if plan.operator == "days":
        return PlanResult(str(end.day_number() - start.day_number()))
    before_birthday = (end.month or 12, end.day or 31) < (start.month or 1, start.day or 1)
    return PlanResult(str(end.year - start.year - before_birthday))
