"""Walking a plan: which values its terms have so far, and what the values decide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...cubes.dates import parse_date
from ...cubes.folding import fold
from ...cubes.quantities import parse_quantity
from .places import Places
from .plan import Claim, Comparison, Direct, Entity, Plan, Sameness, Step, Term

__all__ = ["Ask", "Decision", "evaluate", "values_of"]

Ask = Callable[[Step, str, str | None], Sequence[str]]
"""Gives the values of a step for one base; it may raise to say that the hop is still to come. The last argument is
the name the base was itself found from, which tells homonyms apart."""

_MAX_ALTERNATIVES = 3


@dataclass(frozen=True, slots=True)
class Decision:
    """What a plan came to; ``missing`` names the part that was not found."""

    text: str = ""
    missing: str = ""


def values_of(term: Term, ask: Ask) -> list[str]:
    """Return the values of a term; of several bases, the first that leads on counts."""
    if isinstance(term, Entity):
        return [term.name]
    bases = values_of(term.base, ask)
    origin = _name(term.base.base) if isinstance(term.base, Step) else None
    for base in bases[:_MAX_ALTERNATIVES]:
        found = list(ask(term, base, origin))
        if found:
            return found
    return []


def evaluate(plan: Plan, ask: Ask, places: Places) -> Decision:
    """Evaluate a plan to its answer."""
    if isinstance(plan, Direct):
        found = values_of(plan.term, ask)
        text = (
            ", ".join(_distinct(found)) if isinstance(plan.term, Step) and plan.term.want.plural else "".join(found[:1])
        )
        return Decision(text) if found else Decision(missing=_describe(plan.term))
    if isinstance(plan, Claim):
        return _claim(plan, ask, places)
    if isinstance(plan, Comparison):
        return _compare(plan, ask)
    return _same(plan, ask, places)


def _compare(plan: Comparison, ask: Ask) -> Decision:
    measured: list[tuple[float, str]] = []
    for position, (item, path) in enumerate(zip(plan.items, plan.paths, strict=True)):
        value = _measure(path, ask)
        if value is not None and plan.starts:
            start = _measure(plan.starts[position], ask)
            value = None if start is None else value - start
        if value is None:
            return Decision(missing=_describe(path))
        measured.append((value, _name(item)))
    values = [value for value, _ in measured]
    best = min(values) if plan.order == "least" else max(values)
    if len(set(values)) == 1 and not plan.claimed:
        return Decision(missing=f"which comes first, as {' and '.join(name for _, name in measured)} are equal in this")
    if plan.claimed:
        return Decision("yes" if measured[0][0] == best and len(set(values)) > 1 else "no")
    return Decision(next(name for value, name in measured if value == best))


def _distinct(values: Sequence[str]) -> list[str]:
    """Each thing once, by its fullest name: "Princess Clothild of Tarsenne" stands for "Clothild" too."""
    keys = {value: set(fold(value).split()) for value in values}
    return [v for v in values if not any(keys[v] < keys[other] for other in values)]


def _claim(plan: Claim, ask: Ask, places: Places) -> Decision:
    """Compare what is found with what is claimed; a place is also in the places that contain it."""
    values = values_of(plan.term, ask)
    if not values:
        return Decision(missing=_describe(plan.term))
    claimed = _keys(plan.value) | places.place_keys(plan.value)
    held = {key for value in values for key in _keys(value) | places.place_keys(value) | places.country_keys(value)}
    return Decision("yes" if claimed & held or places.akin(values, [plan.value]) else "no")


def _measure(path: Term, ask: Ask) -> float | None:
    """The first value of a path that can be ordered: a date or a quantity."""
    for value in values_of(path, ask):
        date = parse_date(value)
        if date is not None:
            return date.day_number()
        quantity = parse_quantity(value)
        if quantity is not None:
            return quantity.value
    return None


def _same(plan: Sameness, ask: Ask, places: Places) -> Decision:
    groups = []
    for term in plan.terms:
        values = values_of(term, ask)
        if not values:
            return Decision(missing=_describe(term))
        groups.append(values)
    climb = places.country_keys if plan.level == "country" else places.place_keys if plan.level == "place" else _keys
    shared = set.intersection(*({key for value in values for key in climb(value)} for values in groups))
    alike = bool(shared) or (plan.level == "country" and places.akin(groups[0], groups[1]))
    return Decision("yes" if alike else "no")


def _keys(value: str) -> set[str]:
    date = parse_date(value)
    return {str(date.year)} if date is not None else {fold(value)}


def _name(term: Term) -> str:
    while isinstance(term, Step):
        term = term.base
    return term.name


def _describe(term: Term) -> str:
    """Say which hop failed; a base that is itself to be found is left open."""
    if isinstance(term, Entity):
        return term.name
    return term.template.replace("{}", _name(term.base) if isinstance(term.base, Entity) else "...", 1)
