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
from ..vocabulary.lexicon import RelationPhrase, kinds_of
from .judging import Allows, Measured, ThingJudge, is_dated, names
from .request import Period, Target, Things, Tie
from .things import Found, Thing, merged, shared
from .words import RelationWords

__all__ = ["Opened", "RequestExecutor", "shown"]

_MOST_CELLS = 48


@dataclass(slots=True)
class Opened:
    """What cells hold in the sections that count (``allows``): the things found, and those picked by a superlative.

    ``ranked`` has what measures the things. ``rolled`` says which value was rolled up because its cell is empty; the
    things are then those of the wider cell.
    """

    allows: Allows
    things: Found = field(default_factory=dict)
    ranked: list[Measured] = field(default_factory=list)
    best: list[Measured] = field(default_factory=list)
    cells: list[CellRecord] = field(default_factory=list)
    rolled: str = ""


class RequestExecutor:
    """Opens cells over one generation of cubes."""

    def __init__(self, context: EngineContext) -> None:
        self._cubes, self._linker, self._lexicon = context.cubes, context.linker, context.lexicon
        self._words = RelationWords(context.lexicon)
        self._judge = ThingJudge(context, self._words)

    def open(self, things: Things, allows: Allows) -> Opened:
        """Return what the cells hold, or a wider cell where they are empty."""
        opened = Opened(allows)
        self._find(things, opened)
        for wider, said in () if opened.things else self._wider(things):
            self._find(wider, opened)
            if opened.things:
                return replace(opened, rolled=said)
        return opened

    def _wider(self, things: Things) -> Iterator[tuple[Things, str]]:
        """The things with one value rolled up, the nearest first."""
        for tie in things.ties:
            for broad in self._broader(tie):
                wide = replace(tie, targets=(broad,))
                ties = tuple(wide if each is tie else each for each in things.ties)
                yield replace(things, ties=ties), f"'{tie.targets[0]}' is in no cell; rolled up to '{broad}'"

    def _broader(self, tie: Tie) -> Iterator[Target]:
        """A day rolled up to its month and year, a place to what holds it."""
        name = str(tie.targets[0])
        if is_dated(tie):
            date = parse_date(name)
            yield from (Period(b.first(), b.last(), b.key()) for b in (broader_dates(date) if date else ()))
        elif isinstance(tie.targets[0], str) and self._leads_to(tie, "place"):
            yield from holders(self._cubes, name)

    def _find(self, things: Things, opened: Opened) -> None:
        """Open the cells of each tie, keep what is in all of them, and pick of it what is at an end."""
        groups = [self._tied(tie, things, opened) for tie in things.ties if not is_dated(tie)]
        found = reduce(shared, groups) if groups else merged(self._all(things, opened))
        opened.things = found = self._judge.meant(found, things, opened.allows)
        opened.cells += self._cells(things, found)
        if things.measure is not None:
            opened.ranked, place = self._judge.ranked(found, things.measure, opened.allows), things.measure.place
            compared = 2 * len(opened.ranked) >= len(found) and -len(opened.ranked) <= place < len(opened.ranked)
            opened.best = [one for one in opened.ranked if compared and one[0] == opened.ranked[place][0]]

    def _tied(self, tie: Tie, things: Things, opened: Opened) -> Found:
        groups = [
            [*self._joined(tie, target, things, opened)] if isinstance(target, Things)
            else [*self._towards(tie, str(target), str(target), opened)] for target in tie.targets
        ]  # fmt: skip
        return reduce(shared, map(merged, groups)) if tie.every else merged(one for group in groups for one in group)

    def _joined(self, tie: Tie, inner: Things, things: Things, opened: Opened) -> Iterator[Thing]:
        """Open the cells of the inner things, in whatever cube, and join on the labels that both share."""
        self._find(inner, opened)
        found, met = [*opened.things.values()], list[str]()
        for thing in found if inner.measure is None else [thing for _, thing, _ in opened.best]:
            held = [*self._towards(tie, thing.label, str(inner), opened)]
            met += [thing.label] if held else []
            for each in held:
                each.grounds += thing.grounds[:1]
            yield from held
        said = f"joined on {shown(met)}" if met else f"share no label among {len(found)}"
        cubes = f"{self._cube(inner)} and {self._cube(things, tie)}"
        opened.cells[-1] = opened.cells[-1].model_copy(update={"joined": f"{cubes} {said}"})

    def _towards(self, tie: Tie, name: str, label: str, opened: Opened) -> Iterator[Thing]:
        """Everything that a relation ties to a thing of a name."""
        inverse, named = self._inverse(tie.relations), frozenset(tie.relations)
        own, other = (inverse, named) if tie.side == "subject" else (named, inverse)
        for key in self._keys(name, tie):
            told = [(fact.value, fact) for fact in self._cubes.facts_about(key) if fact.relation in own]
            told += [(fact.subject, fact) for fact in self._cubes.facts_valued(key) if fact.relation in other]
            yield from (self._called(found, fact, label) for found, fact in told if opened.allows(fact.section_id))

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

    def _all(self, things: Things, opened: Opened) -> Iterator[Thing]:
        """All things that the cubes call so, where the request ties them to nothing."""
        for cube in map(self._cubes.__getitem__, self._words.cubes(things.noun)):
            for dimension in (each.id for each in cube.spec.attributes if each.kind == "text"):
                called = (x for x in cube.labels(dimension) if names(x.text, kinds_of(things.noun)))
                facts = (f for label in called for f in self._cubes.facts_valued(label.key))
                held = (f for f in facts if (f.cube, f.dimension) == (cube.spec.id, dimension))
                yield from (replace(self._called(f.subject, f, ""), homes=True) for f in held if opened.allows(f.section_id))

    def _keys(self, name: str, tie: Tie) -> list[str]:
        """The keys under which a target stands in facts: its names, and for places and lands what they hold."""
        keys = dict.fromkeys((fold(name), base_key(name), *map(fold, self._cubes.other_names(name))))
        keys |= dict.fromkeys(subject.key for subject in self._linker.link_exactly(name))
        if self._leads_to(tie, "nationality"):
            dimensions = {(phrase.cube, phrase.dimension) for phrase in self._phrases(tie)}
            labels = (label for cube, dimension in dimensions for label in self._cubes[cube].labels(dimension))
            keys |= dict.fromkeys(label.key for label in labels if self._judge.is_from(label.text, name))
        if self._leads_to(tie, "place"):
            keys |= dict.fromkeys(held_by(self._cubes, list(keys)))
        return list(keys)

    def _leads_to(self, tie: Tie, kind: str) -> bool:
        """Whether the things asked for are the subjects of a relation whose values are of a kind."""
        return tie.side == "subject" and any(phrase.kind == kind for phrase in self._phrases(tie))

    def _phrases(self, tie: Tie) -> list[RelationPhrase]:
        return [phrase for name in tie.relations for phrase in self._lexicon.relations[name]]

    # -- what the trace says ---------------------------------------------------------------------------------

    def _cells(self, things: Things, found: Found) -> Iterator[CellRecord]:
        """The cross product of the values, each with how many of the things it holds (appendix C.2)."""
        axes: list[list[tuple[str, str]]] = []
        for tie in things.ties:
            labels = [(self._dimension(things, tie), str(target)) for target in tie.targets]
            axes += [[label] for label in labels] if tie.every else [labels]
        axes += [[("is", adjective)] for adjective in things.adjectives]
        cube = self._cube(things, *things.ties[:1])
        for cell in islice(product(*axes), _MOST_CELLS):
            holds = sum({label for _, label in cell} <= thing.found_by for thing in found.values())
            yield CellRecord(cube=cube, labels=cell, holds=holds)

    def _cube(self, things: Things, tie: Tie | None = None) -> str:
        cubes, held = self._words.cubes(things.noun), {each.cube for each in (self._phrases(tie) if tie else ())}
        return min(cubes & held or cubes or held or {""})

    def _dimension(self, things: Things, tie: Tie) -> str:
        if is_dated(tie):
            return "date"
        held = self._phrases(tie)
        return next((r.dimension for r in held if r.cube in self._words.cubes(things.noun)), held[0].dimension)


def shown(labels: Sequence[str], most: int = 12) -> str:
    """Names in a note, no more than ``most``."""
    told = ", ".join(labels[:most])
    return f"{told} and {len(labels) - most} more" if len(labels) > most else told
