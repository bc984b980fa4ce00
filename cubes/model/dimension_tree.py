"""A dimension as a tree to roll up and drill down: days in years in decades, places in what holds them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from ..core.dates import PartialDate, parse_date
from ..core.folding import fold
from .cells import Cube, CubeSet
from .rollup import Members, members
from .rollup_fallback import CONTAINMENT

__all__ = ["LabelSubtree", "nested"]

_DEPTH = 8
"""How far up a place is followed; facts may hold each other in a circle."""


@dataclass(frozen=True, slots=True)
class LabelSubtree:
    """A label with all below it: how many distinct subjects and sections they have together.

    ``own`` says whether the label stands in the cube itself, so that there is a cell to open; one that only holds
    others does not.
    """

    label: str
    subjects: int
    sections: int
    own: bool
    children: tuple[LabelSubtree, ...] = ()


@dataclass(slots=True)
class _Node:
    label: str
    order: tuple[float, str] = (0.0, "")
    own: bool = False
    subjects: set[str] = field(default_factory=set)
    sections: set[str] = field(default_factory=set)
    children: dict[str, _Node] = field(default_factory=dict)


def nested(
    cubes: CubeSet,
    cube: Cube,
    dimension: str,
    *,
    relation: str | None = None,
    within: Collection[str] | None = None,
) -> tuple[LabelSubtree, ...]:
    """Return the tree of a dimension's labels: dates in their order, all else by how many subjects it has.

    Dates lie in their year and decade, places in what the corpus says, or their own commas say, that they lie in;
    labels of other kinds lie side by side. ``relation`` takes only the values that stand in one relation, ``within``
    only what some sections say. Raises UsageError for an unknown dimension.
    """
    found = _members(cube, dimension, relation)
    spec = cube.spec.dimension(dimension)
    root = _Node("")
    inside = None if within is None else frozenset(within)  # of two sets the smaller one is gone through
    for label, held in sorted(found.items()):
        said = {subject: sections if inside is None else sections.intersection(inside)
                for subject, sections in held.items()}  # fmt: skip
        subjects = {subject for subject, sections in said.items() if sections}
        if not subjects:
            continue
        if spec.kind == "date" and spec.role != "relation":
            chain = _dated(label)
        elif spec.role != "relation" and (spec.kind == "place" or spec.role == "subject"):
            chain = _held(cubes, cube, label, everywhere=spec.kind == "place")
        else:
            chain = [(label, (0.0, ""))]
        _enter(root, chain, subjects, set().union(*said.values()))
    return _frozen(root)


def _members(cube: Cube, dimension: str, relation: str | None) -> Members:
    """Return the subjects and sections of each label, reading no more facts than lie on the dimension."""
    spec = cube.spec
    if dimension == spec.subject.id:
        return {label.text: {label.key: set(label.sections)} for label in cube.labels(dimension)}
    leading = [each.id for each in spec.dimensions if dimension in (each.id, each.target)]
    return members(spec, (f for name in leading for f in cube.facts(dimension=name)), dimension, relation=relation)


def _enter(
    root: _Node, chain: Sequence[tuple[str, tuple[float, str]]], subjects: set[str], sections: set[str]
) -> None:
    """Count a label at each node of its chain, the widest first."""
    node = root
    for name, order in chain:
        node = node.children.setdefault(fold(name) or name, _Node(name, order))
        node.subjects |= subjects
        node.sections |= sections
    node.own = True


def _dated(label: str) -> list[tuple[str, tuple[float, str]]]:
    """Return decade, year and day of a date, as far as it is known; one that cannot be read comes last."""
    date = parse_date(label)
    if date is None:
        return [(label, (float("inf"), ""))]
    year = PartialDate(date.year)
    chain = [(f"{PartialDate(date.decade).key()}s", (float(date.decade), "")), (year.key(), (float(date.year), ""))]
    return chain if date == year else [*chain, (label, (date.day_number(), ""))]


def _held(cubes: CubeSet, cube: Cube, label: str, *, everywhere: bool) -> list[tuple[str, tuple[float, str]]]:
    """Return what holds a place, the widest first, and the place."""
    chain, seen = [label], {fold(label)}
    while len(chain) < _DEPTH and (holder := _holder(cubes, cube, chain[-1], everywhere)) and fold(holder) not in seen:
        seen.add(fold(holder))
        chain.append(holder)
    return [(name, (0.0, "")) for name in reversed(chain)]


def _holder(cubes: CubeSet, cube: Cube, name: str, everywhere: bool) -> str | None:
    """Return what holds a thing most closely: by its own comma, else by the first fact that says so."""
    _, comma, after = name.partition(",")
    if comma and everywhere and after.strip():
        return after.strip()
    facts = cubes.facts_about(fold(name)) if everywhere else cube.about(fold(name))
    return next((fact.value for fact in facts if fact.relation in CONTAINMENT), None)


def _frozen(node: _Node) -> tuple[LabelSubtree, ...]:
    ordered = sorted(node.children.values(), key=lambda each: (each.order, -len(each.subjects), each.label))
    return tuple(
        LabelSubtree(each.label, len(each.subjects), len(each.sections), each.own, _frozen(each)) for each in ordered
    )
