"""Rolling up where a cell is empty: from a day to its month and year, from a place to what holds it; and back down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..core.dates import PartialDate, parse_date
from ..core.folding import fold
from ..core.records import Component
from .cells import CubeSet

__all__ = ["CONTAINMENT", "broader", "broader_dates", "held_by", "holders"]

CONTAINMENT = frozenset({"located in"})
"""The relations by which a corpus says that one place holds another."""
_DEPTH = 5


def broader(cubes: CubeSet, component: Component) -> Iterator[str]:
    """Yield what holds the entity of an attribute component, the nearest first; nothing for other kinds of values.

    Places climb by their own commas ("Palm Bay, Florida") and by the facts of the corpus.
    """
    axis = cubes[component.cube].axis(component.dimension) if component.cube in cubes else None
    if axis is None or axis.dimension.role != "attribute":
        return
    if axis.dimension.kind == "date":
        date = parse_date(component.entity)
        yield from (each.key() for each in broader_dates(date)) if date is not None else ()
    elif axis.dimension.kind == "place":
        yield from holders(cubes, component.entity)


def broader_dates(date: PartialDate) -> Iterator[PartialDate]:
    """Yield the month of a day, and the year of a month."""
    if date.day:
        yield PartialDate(date.year, date.month)
    if date.month:
        yield PartialDate(date.year)


def holders(cubes: CubeSet, name: str) -> Iterator[str]:
    """Yield the places that hold a place, the nearest first."""
    frontier, seen = [name], {fold(name)}
    for _ in range(_DEPTH):
        found = [holder for each in frontier for holder in _directly(cubes, each)]
        frontier = []
        for holder in found:
            if fold(holder) not in seen:
                seen.add(fold(holder))
                frontier.append(holder)
                yield holder


def held_by(cubes: CubeSet, keys: Iterable[str]) -> Iterator[str]:
    """Yield the keys of the places that those with the keys given hold, near ones first."""
    frontier = list(keys)
    seen = set(frontier)
    for _ in range(_DEPTH):
        facts = (fact for key in frontier for fact in cubes.facts_valued(key) if fact.relation in CONTAINMENT)
        frontier = []
        for fact in facts:
            key = fold(fact.subject)
            if key not in seen and fact.cube == "location":
                seen.add(key)
                frontier.append(key)
                yield key


def _directly(cubes: CubeSet, name: str) -> list[str]:
    before, comma, after = name.partition(",")
    parts = [before.strip(), after.strip()] if comma else []
    return parts + [fact.value for fact in cubes.facts_about(fold(name)) if fact.relation in CONTAINMENT]
