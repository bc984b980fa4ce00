"""Rolling up where a cell is empty: from a day to its month and year, from a place to what holds it."""

from __future__ import annotations

from collections.abc import Iterator

from .cells import CubeSet
from .dates import PartialDate, parse_date
from .folding import fold
from .records import Component

__all__ = ["HELD", "broader"]

HELD = "located in"
"""The relation by which a thing lies in another."""
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
        if date is not None and date.day:
            yield PartialDate(date.year, date.month).key()
        if date is not None and date.month:
            yield PartialDate(date.year).key()
    elif axis.dimension.kind == "place":
        yield from _holders(cubes, component.entity)


def _holders(cubes: CubeSet, name: str) -> Iterator[str]:
    frontier, seen = [name], {fold(name)}
    for _ in range(_DEPTH):
        found = [holder for each in frontier for holder in _directly(cubes, each)]
        frontier = []
        for holder in found:
            if fold(holder) not in seen:
                seen.add(fold(holder))
                frontier.append(holder)
                yield holder


def _directly(cubes: CubeSet, name: str) -> list[str]:
    before, comma, after = name.partition(",")
    parts = [before.strip(), after.strip()] if comma else []
    return parts + [fact.value for fact in cubes.facts_about(fold(name)) if fact.relation == HELD]
