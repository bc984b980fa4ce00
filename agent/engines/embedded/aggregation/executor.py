"""Opening the cells that a request asks for: the facts that tie things to its targets, intersected and joined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import islice, product

from .....cubes.core.dates import parse_date
from .....cubes.core.folding import base_key, fold
from .....cubes.core.records import Fact
from .....cubes.model.rollup_fallback import broader_dates, held_by, holders
from .....graphs.records import CellRecord
from ..context import EngineContext
from ..vocabulary.lexicon import kinds_of
from .judging import Allows, ThingJudge, names
from .request import Period, Things, Tie
from .things import Found, Thing, merged, shared
from .words import RelationWords

__all__ = ["Opened", "RequestExecutor", "shown"]

_MOST_CELLS = 48


@dataclass(slots=True)
class Opened:
    """The things found, which cells were opened for them, and what is to be said of them besides.

    ``rolled`` says which value was rolled up because its cell is empty; the things are then those of the wider cell.
    """

    things: Found = field(default_factory=dict)
    cells: list[CellRecord] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    rolled: str = ""


class RequestExecutor:
    """Opens cells over one generation of cubes."""

    def __init__(self, context: EngineContext) -> None:
        self._cubes, self._linker, self._lexicon = context.cubes, context.linker, context.lexicon
        self._words = RelationWords(context.lexicon)
        self.judge = ThingJudge(context, self._words)

    def open(self, things: Things, allows: Allows) -> Opened:
        """Return what the cells hold, or a wider cell where they are empty; ``allows`` tells which sections count."""
        opened = Opened()
        opened.things = self._found(things, allows, opened)
        for wider, said in () if opened.things else self._wider(things):
            found = self._found(wider, allows, opened)
            if found:
                return replace(opened, things=found, rolled=said)
        return opened

    def _wider(self, things: Things) -> Iterator[tuple[Things, str]]:
        """The things with one value rolled up, the nearest first: a day to its month and year, a place to what
        holds it."""
        for dates in things.dates:
            date = parse_date(dates.periods[0].words)
            for broad in broader_dates(date) if date is not None else ():
                wide = replace(dates, periods=(Period(broad.first(), broad.last(), broad.key()),))
                rolled = tuple(wide if each is dates else each for each in things.dates)
                yield replace(things, dates=rolled), f"'{dates}' is in no cell; rolled up to '{broad.key()}'"
        for tie in (tie for tie in things.ties if self._leads_to(tie, "place") and isinstance(tie.targets[0], str)):
            for holder in holders(self._cubes, str(tie.targets[0])):
                ties = tuple(replace(each, targets=(holder,)) if each is tie else each for each in things.ties)
                yield replace(things, ties=ties), f"'{tie.targets[0]}' is in no cell; rolled up to '{holder}'"

    def _found(self, things: Things, allows: Allows, opened: Opened) -> Found:
        """Open the cells of each tie, and keep what is in all of them."""
        groups = [self._tied(tie, things, allows, opened) for tie in things.ties]
        found = reduce(shared, groups) if groups else merged(self._all(things, allows))
        found = self.judge.meant(found, things, allows, opened.notes)
        opened.cells += self._cells(things, found)
        return found

    def _tied(self, tie: Tie, things: Things, allows: Allows, opened: Opened) -> Found:
        groups = [
            [*self._towards(tie, target, target, allows)] if isinstance(target, str)
            else [*self._joined(tie, target, things, allows, opened)] for target in tie.targets
        ]  # fmt: skip
        return reduce(shared, map(merged, groups)) if tie.every else merged(one for group in groups for one in group)

    def _joined(self, tie: Tie, inner: Things, things: Things, allows: Allows, opened: Opened) -> Iterator[Thing]:
        """Open the cells of the inner things, in whatever cube, and join on the labels that both share."""
        found, met = self._found(inner, allows, opened), list[str]()
        if inner.measure is not None:
            found = {thing.key: thing for _, thing, _ in self.judge.picked(found, inner.measure, allows)}
        for thing in found.values():
            held = [*self._towards(tie, thing.label, str(inner), allows)]
            met += [thing.label] if held else []
            for each in held:
                each.grounds += thing.grounds[:1]
            yield from held
        cubes = f"{self._cube(inner)} and {self._cube(things, tie)}"
        opened.cells[-1] = opened.cells[-1].model_copy(update={
            "joined": f"{cubes} joined on {shown(met)}" if met else f"{cubes} share no label among {len(found)}"
        })  # fmt: skip

    def _towards(self, tie: Tie, name: str, label: str, allows: Allows) -> Iterator[Thing]:
        """Everything that a relation ties to a thing of a name."""
        inverse, named = self._inverse(tie.relations), frozenset(tie.relations)
        own, other = (inverse, named) if tie.side == "subject" else (named, inverse)
        for key in self._keys(name, tie):
            told = [(fact.value, fact) for fact in self._cubes.facts_about(key) if fact.relation in own]
            told += [(fact.subject, fact) for fact in self._cubes.facts_valued(key) if fact.relation in other]
            yield from (self._called(found, fact, label) for found, fact in told if allows(fact.section_id))

    def _inverse(self, relations: Sequence[str]) -> frozenset[str]:
        forward = {r.inverse for name in relations for r in self._lexicon.relations[name] if r.inverse}
        back = {name for name, held in self._lexicon.relations.items() if any(r.inverse in relations for r in held)}
        return frozenset(forward | back)

    def _called(self, name: str, fact: Fact, found_by: str) -> Thing:
        """The subject that a name in a section means: the section's own first, then one with a section of its own."""
        told = [s for s in self._linker.link_exactly(name) if self._is_told(s.cube, s.key)]
        told = [s for s in told if fact.section_id in s.sections] or told
        if told and (len({s.key for s in told}) == 1 or fact.section_id in told[0].sections):
            return Thing(told[0].key, told[0].label, [fact], {found_by}, homes=True)
        label = name if told else self._linker.article(name)
        return Thing(fold(label), label, [fact], {found_by}, homes=fold(label) != fold(name))

    def _is_told(self, cube: str, key: str) -> bool:
        return any(f.relation == "is" for f in self._cubes[cube].about(key))

    def _all(self, things: Things, allows: Allows) -> Iterator[Thing]:
        """All things that the cubes call so, where the request ties them to nothing."""
        for cube in map(self._cubes.__getitem__, self._words.cubes(things.noun)):
            for dimension in cube.spec.attributes:
                texts = cube.labels(dimension.id) if dimension.kind == "text" else ()
                for label in (label for label in texts if names(label.text, kinds_of(things.noun))):
                    for fact in self._cubes.facts_valued(label.key):
                        if (fact.cube, fact.dimension) == (cube.spec.id, dimension.id) and allows(fact.section_id):
                            yield replace(self._called(fact.subject, fact, ""), homes=True)

    # -- keys of targets -------------------------------------------------------------------------------------

    def _keys(self, name: str, tie: Tie) -> list[str]:
        """The keys under which a target stands in facts: its names, and for places and lands what they hold."""
        keys = dict.fromkeys((fold(name), base_key(name), *map(fold, self._cubes.other_names(name))))
        keys |= dict.fromkeys(subject.key for subject in self._linker.link_exactly(name))
        if self._leads_to(tie, "nationality"):
            dimensions = {(r.cube, r.dimension) for n in tie.relations for r in self._lexicon.relations[n]}
            labels = (label for cube, dimension in dimensions for label in self._cubes[cube].labels(dimension))
            keys |= dict.fromkeys(label.key for label in labels if self.judge.is_from(label.text, name))
        if self._leads_to(tie, "place"):
            keys |= dict.fromkeys(held_by(self._cubes, list(keys)))
        return list(keys)

    def _leads_to(self, tie: Tie, kind: str) -> bool:
        """Whether the things asked for are the subjects of a relation whose values are of a kind."""
        held = (r for name in tie.relations for r in self._lexicon.relations[name])
        return tie.side == "subject" and any(r.kind == kind for r in held)

    # -- what the trace says ---------------------------------------------------------------------------------

    def _cells(self, things: Things, found: Found) -> Iterator[CellRecord]:
        """The cross product of the values, each with how many of the things it holds (appendix C.2)."""
        axes: list[list[tuple[str, str]]] = []
        for tie in things.ties:
            labels = [(self._dimension(things, tie), str(target)) for target in tie.targets]
            axes += [[label] for label in labels] if tie.every else [labels]
        axes += [[("date", period.words) for period in dates.periods] for dates in things.dates]
        axes += [[("is", adjective)] for adjective in things.adjectives]
        cube = self._cube(things, *things.ties[:1])
        for cell in islice(product(*axes), _MOST_CELLS):
            holds = sum({label for _, label in cell} <= thing.found_by for thing in found.values())
            yield CellRecord(cube=cube, labels=cell, holds=holds)

    def _cube(self, things: Things, tie: Tie | None = None) -> str:
        cubes = self._words.cubes(things.noun)
        held = {r.cube for name in (tie.relations if tie is not None else ()) for r in self._lexicon.relations[name]}
        return min(cubes & held or cubes or held or {""})

    def _dimension(self, things: Things, tie: Tie) -> str:
        held = [r for name in tie.relations for r in self._lexicon.relations[name]]
        return next((r.dimension for r in held if r.cube in self._words.cubes(things.noun)), held[0].dimension)


def shown(labels: Sequence[str], most: int = 12) -> str:
    """Names in a note, no more than ``most``."""
    told = ", ".join(labels[:most])
    return f"{told} and {len(labels) - most} more" if len(labels) > most else told
