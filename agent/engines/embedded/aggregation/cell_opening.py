"""Opening the cells that a request asks for: the facts that tie things to its targets, intersected and joined."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import islice, product
from typing import TypeVar

from .....cubes.core.dates import parse_date
from .....cubes.core.folding import base_key, fold
from .....cubes.core.records import Fact
from .....cubes.model.rollup_fallback import broader_dates, held_by, holders
from .....graphs.records import CellRecord
from ..context import EngineContext
from .entity_filter import EntityFilter
from .request import AggregationQuery, Constraint, DateRange, NamedTarget, Target
from .things import FoundEntities, FoundEntity
from .words import RelationWords

__all__ = ["Allows", "CellQueryExecutor", "CellQueryResult", "described", "shown"]

_MOST_CELLS = 48

Allows = Callable[[str], bool]
T = TypeVar("T")


@dataclass(slots=True)
class CellQueryResult:
    """The things found, which cells were opened and joined for them, and what is to be said of them besides.

    ``rolled`` says which value was rolled up because its cell is empty; the things are then those of the wider cell.
    """

    things: FoundEntities = field(default_factory=FoundEntities)
    cells: list[CellRecord] = field(default_factory=list)
    joins: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    rolled: str = ""


class CellQueryExecutor:
    """Opens cells over one generation of cubes."""

    def __init__(self, context: EngineContext) -> None:
        self._cubes, self._linker, self._lexicon = context.cubes, context.linker, context.lexicon
        self._words = RelationWords(context.lexicon)
        self.entity_filter = EntityFilter(context)

    def open(self, request: AggregationQuery, allows: Allows) -> CellQueryResult:
        """Return what the cells hold, or a wider cell where they are empty; ``allows`` tells which sections count."""
        opened = self._open(request, allows)
        for broader, said in () if opened.things else self._wider(request):
            rolled_up = self._open(broader, allows)
            if rolled_up.things:
                return replace(rolled_up, cells=[*opened.cells, *rolled_up.cells], rolled=said)
        return opened

    def _open(self, request: AggregationQuery, allows: Allows) -> CellQueryResult:
        opened = CellQueryResult()
        opened.things = self._things(request, allows, opened)
        opened.cells += self._cells(request, opened.things)
        return opened

    def _wider(self, request: AggregationQuery) -> Iterator[tuple[AggregationQuery, str]]:
        """The request with one value rolled up, the nearest first: a day to its month and year, a place to what
        holds it."""
        for number, period in enumerate(request.periods):
            date = parse_date(period.words)
            for broad in broader_dates(date) if date is not None else ():
                wide = DateRange(broad.first(), broad.last(), broad.key())
                yield replace(request, periods=_put(request.periods, number, wide)), _said(period.words, broad.key())
        for number, constraint in enumerate(request.constraints):
            if self._has(constraint, "place") and len(constraint.targets) == len(constraint.names) == 1:
                for holder in holders(self._cubes, constraint.names[0]):
                    wide_tie = replace(constraint, targets=(NamedTarget(holder),))
                    yield replace(
                        request, constraints=_put(request.constraints, number, wide_tie)
                    ), _said(constraint.names[0], holder)

    # -- the things ------------------------------------------------------------------------------------------

    def _things(self, request: AggregationQuery, allows: Allows, opened: CellQueryResult) -> FoundEntities:
        groups = [self._constrained(constraint, request, allows, opened) for constraint in request.constraints]
        found = reduce(FoundEntities.both, groups) if groups else FoundEntities.of(self._labelled(request, allows))
        return self.entity_filter.filtered(found, request, allows, opened.notes)

    def _constrained(
        self, constraint: Constraint, request: AggregationQuery, allows: Allows, opened: CellQueryResult
    ) -> FoundEntities:
        found = [
            self._joined(constraint, target, request, allows, opened) if isinstance(target, AggregationQuery)
            else FoundEntities.of(self._towards(constraint, target.text, target.text, allows))
            for target in constraint.targets
        ]  # fmt: skip
        return (
            reduce(FoundEntities.both, found)
            if constraint.every
            else FoundEntities.of(one for each in found for one in each.values())
        )

    def _joined(
        self, constraint: Constraint, target: AggregationQuery, request: AggregationQuery, allows: Allows,
        opened: CellQueryResult
    ) -> FoundEntities:
        """Open the cells of the inner things, in whatever cube, and join on the labels that both share."""
        inner = self._things(target, allows, opened)
        opened.cells += self._cells(target, inner)
        found, met = list[FoundEntity](), list[str]()
        for thing in inner.values():
            each = list(self._towards(constraint, thing.label, described(target), allows))
            for held in each:
                held.grounds += thing.grounds[:1]
            met += [thing.label] if each else []
            found += each
        cubes = f"{self._cube(target, None)} and {self._cube(request, constraint)}"
        opened.joins.append(f"{cubes} joined on {shown(met)}" if met else
                            f"{cubes} share no label among {len(inner)} ({described(target)})")  # fmt: skip
        return FoundEntities.of(found)

    def _towards(self, constraint: Constraint, name: str, label: str, allows: Allows) -> Iterator[FoundEntity]:
        """Everything that a relation ties to a thing of a name."""
        inverse, named = self._inverse(constraint.relations), frozenset(constraint.relations)
        own, other = (inverse, named) if constraint.side == "subject" else (named, inverse)
        for key in self._keys(name, constraint):
            told = [(fact.value, fact) for fact in self._cubes.facts_about(key) if fact.relation in own]
            told += [(fact.subject, fact) for fact in self._cubes.facts_valued(key) if fact.relation in other]
            yield from (self._called(found, fact, label) for found, fact in told if allows(fact.section_id))

    def _called(self, name: str, fact: Fact, found_by: str) -> FoundEntity:
        """The subject that a name in a section means: the section's own first, then one with a section of its own."""
        told = [s for s in self._linker.link_exactly(name) if self._is_told(s.cube, s.key)]
        told = [s for s in told if fact.section_id in s.sections] or told
        if told and (len({s.key for s in told}) == 1 or fact.section_id in told[0].sections):
            return FoundEntity(told[0].key, told[0].label, [fact], {found_by}, homes=True)
        label = name if told else self._linker.article(name)
        return FoundEntity(fold(label), label, [fact], {found_by}, homes=fold(label) != fold(name))

    def _is_told(self, cube: str, key: str) -> bool:
        return any(f.relation == "is" for f in self._cubes[cube].about(key))

    def _labelled(self, request: AggregationQuery, allows: Allows) -> Iterator[FoundEntity]:
        """Things by their dates or adjectives alone, where the request ties them to nothing."""
        for cube in map(self._cubes.__getitem__, self._words.cubes(request.noun)):
            for dimension in cube.spec.attributes:
                met = (
                    x for x in cube.labels(dimension.id) if self.entity_filter.meets(x.text, dimension.kind, request)
                )
                for fact in (fact for label in met for fact in self._cubes.facts_valued(label.key)):
                    if (fact.cube, fact.dimension) == (cube.spec.id, dimension.id) and allows(fact.section_id):
                        yield replace(self._called(fact.subject, fact, ""), homes=True)

    # -- keys of targets -------------------------------------------------------------------------------------

    def _keys(self, name: str, constraint: Constraint) -> list[str]:
        """The keys under which a target stands in facts: its names, and for places and lands what they hold."""
        keys = dict.fromkeys((fold(name), base_key(name), *map(fold, self._cubes.other_names(name))))
        keys |= dict.fromkeys(subject.key for subject in self._linker.link_exactly(name))
        if self._has(constraint, "nationality"):
            dimensions = {(r.cube, r.dimension) for n in constraint.relations for r in self._lexicon.relations[n]}
            labels = (x for c, d in dimensions if c in self._cubes for x in self._cubes[c].labels(d))
            keys |= dict.fromkeys(label.key for label in labels if self.entity_filter.is_from(label.text, name))
        if self._has(constraint, "place"):
            keys |= dict.fromkeys(held_by(self._cubes, list(keys)))
        return list(keys)

    def _has(self, constraint: Constraint, kind: str) -> bool:
        """Whether the things asked for are the subjects of a relation whose values are of a kind."""
        return (
            constraint.side == "subject"
            and any(r.kind == kind for n in constraint.relations for r in self._lexicon.relations[n])
        )

    def _inverse(self, relations: Sequence[str]) -> frozenset[str]:
        forward = {r.inverse for name in relations for r in self._lexicon.relations[name] if r.inverse}
        back = {name for name, held in self._lexicon.relations.items() if any(r.inverse in relations for r in held)}
        return frozenset(forward | back)

    # -- what the trace says ---------------------------------------------------------------------------------

    def _cells(self, request: AggregationQuery, things: FoundEntities) -> list[CellRecord]:
        """The cross product of the request's values, each with how many of the things it holds (appendix C.2)."""
        axes: list[list[tuple[str, str]]] = []
        for constraint in request.constraints:
            labels = [(self._dimension(request, constraint), _text(target)) for target in constraint.targets]
            axes += [[label] for label in labels] if constraint.every else [labels]
        axes += [[("date", period.words) for period in request.periods]] if request.periods else []
        axes += [[("is", adjective)] for adjective in request.adjectives]
        cube = self._cube(request, request.constraints[0] if request.constraints else None)
        tied = {period.words for period in request.periods}
        made = list[CellRecord]()
        for cell in islice(product(*axes), _MOST_CELLS) if axes else ():
            labels_of = {label for dimension, label in cell if dimension != "is"}
            free = set() if tied & labels_of else tied
            holds = sum(1 for thing in things.values() if labels_of <= thing.found_by | free)
            made.append(CellRecord(cube=cube, labels=cell, holds=holds))
        return made

    def _cube(self, request: AggregationQuery, constraint: Constraint | None) -> str:
        cubes = self._words.cubes(request.noun)
        held = {r.cube for name in (constraint.relations if constraint else ()) for r in self._lexicon.relations[name]}
        return min(cubes & held or cubes or held or {""})

    def _dimension(self, request: AggregationQuery, constraint: Constraint) -> str:
        cubes = self._words.cubes(request.noun)
        held = [r for name in constraint.relations for r in self._lexicon.relations[name]]
        return next((r.dimension for r in held if r.cube in cubes), held[0].dimension)


def _put(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    return (*values[:at], value, *values[at + 1 :])


def _said(narrow: str, broad: str) -> str:
    return f"'{narrow}' is in no cell; rolled up to '{broad}'"


def _text(target: Target) -> str:
    return described(target) if isinstance(target, AggregationQuery) else target.text


def described(request: AggregationQuery) -> str:
    """A request in few words: "people born in Dastra"."""
    when = " or ".join(period.words for period in request.periods)
    return " ".join(filter(None, (*request.adjectives, request.plural, *map(_tie_in_words, request.constraints), when)))


def _tie_in_words(constraint: Constraint) -> str:
    joined = (" and " if constraint.every else " or ").join(map(_text, constraint.targets))
    return f"that {constraint.words.format(joined)}" if "{}" in constraint.words else f"{constraint.words} {joined}"


def shown(names: Sequence[str], most: int = 8) -> str:
    """Names in a note, no more than ``most``."""
    told = ", ".join(names[:most])
    return f"{told} and {len(names) - most} more" if len(names) > most else told
