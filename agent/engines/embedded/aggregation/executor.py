"""Opening the cells that a request asks for: the facts that tie things to its targets, intersected and joined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import product

from .....cubes.core.dates import parse_date
from .....cubes.core.folding import base_key, fold
from .....cubes.core.records import Fact
from .....cubes.model.rollup_fallback import broader_dates, held_by, holders
from .....graphs.records import CellRecord
from ..context import EngineContext
from ..vocabulary.lexicon import RelationPhrase, kinds_of
from .judging import Allows, Measured, ThingJudge, names
from .request import Period, Target, Things, Tie
from .things import Found, Thing, merged, shared
from .words import RelationWords

__all__ = ["Opened", "RequestExecutor", "shown"]


@dataclass(slots=True)
class Opened:
    """What cells hold in the sections that count (``allows``): the things found, and those picked by a superlative.

    ``ranked`` has what measures the things. ``rolled`` says which value was rolled up because its cell is empty; the
    things are then those of the wider cell.
    """

    allows: Allows
    things: Found = field(default_factory=dict)
    best: list[Measured] = field(default_factory=list)
    ranked: list[Measured] = field(default_factory=list)
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
        for wide, said in ((things, ""), *self._wider(things)):
            opened.things, opened.rolled = self._find(wide, opened), said
            if opened.things:
                break
        if things.measure is not None:
            opened.best, opened.ranked = self._judge.ranked(opened.things, things.measure, allows)
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
        if isinstance(tie.targets[0], Period):
            date = parse_date(name)
            yield from (Period(b.first(), b.last(), b.key()) for b in (broader_dates(date) if date else ()))
        elif isinstance(tie.targets[0], str) and self._leads_to(tie, "place"):
            yield from holders(self._cubes, name)

    def _find(self, things: Things, opened: Opened) -> Found:
        """Open the cross product of the ties' targets (appendix C.2), each cell being what its targets share."""
        axes: list[list[tuple[Tie, Target, Found]]] = []
        for tie in things.ties:
            held = [(tie, target, self._group(tie, target, things, opened)) for target in tie.targets]
            axes += [[each] for each in held] if tie.every else [held]
        tied = [tie for tie in things.ties if not isinstance(tie.targets[0], Period)]
        everything = merged(self._all(things, opened)) if not tied else {}
        found, described = list[Thing](), tuple(("is", adjective) for adjective in things.adjectives)
        for cell in product(*axes):
            groups = [group for _, target, group in cell if not isinstance(target, Period)] or [everything]
            held_by_all = [t for t in reduce(shared, groups).values() if self._judge.is_meant(t, things, opened.allows)]
            for tie, period in ((tie, target) for tie, target, _ in cell if isinstance(target, Period)):
                held_by_all = [t for t in held_by_all if self._judge.is_dated(t, period, tie.relations, opened.allows)]
            labels = (*((self._dimension(things, tie), str(target)) for tie, target, _ in cell), *described)
            opened.cells.append(CellRecord(cube=self._cube(things), labels=labels, holds=len(held_by_all)))
            found += held_by_all
        return merged(found)

    def _group(self, tie: Tie, target: Target, things: Things, opened: Opened) -> Found:
        """What a tie leads to from a name; or from other things, joined on the labels that both cubes share."""
        if not isinstance(target, Things):
            return merged(self._towards(tie, target, opened)) if isinstance(target, str) else {}
        inner, found, met = [*self._find(target, opened).values()], list[Thing](), list[str]()
        if target.measure is not None:
            best, _ = self._judge.ranked(merged(inner), target.measure, opened.allows)
            inner = [thing for _, thing, _ in best]
        for thing in inner:
            held = [*self._towards(tie, thing.label, opened)]
            met += [thing.label] if held else []
            for each in held:
                each.takes(thing.grounds[:1])
            found += held
        said = f"joined on {shown(met)}" if met else f"share no label among {len(inner)}"
        cubes = f"{self._cube(target)} and {self._cube(things)}"
        opened.cells[-1] = opened.cells[-1].model_copy(update={"joined": f"{cubes} {said}"})
        return merged(found)

    def _towards(self, tie: Tie, name: str, opened: Opened) -> Iterator[Thing]:
        """Everything that a relation ties to a thing of a name."""
        inverse, named = self._inverse(tie.relations), frozenset(tie.relations)
        own, other = (inverse, named) if tie.side == "subject" else (named, inverse)
        for key in self._keys(name, tie):
            told = [(fact.value, fact) for fact in self._cubes.facts_about(key) if fact.relation in own]
            told += [(fact.subject, fact) for fact in self._cubes.facts_valued(key) if fact.relation in other]
            yield from (self._called(found, fact) for found, fact in told if opened.allows(fact.section_id))

    def _inverse(self, relations: Sequence[str]) -> frozenset[str]:
        forward = {r.inverse for name in relations for r in self._lexicon.relations[name] if r.inverse}
        back = {name for name, held in self._lexicon.relations.items() if any(r.inverse in relations for r in held)}
        return frozenset(forward | back)

    def _called(self, name: str, fact: Fact) -> Thing:
        """The subject that a name in a section means: the section's own first, then one with a section of its own."""
        told = [s for s in self._linker.link_exactly(name) if self._is_told(s.cube, s.key)]
        told = [s for s in told if fact.section_id in s.sections] or told
        if told and (len({s.key for s in told}) == 1 or fact.section_id in told[0].sections):
            return Thing(told[0].key, told[0].label, [fact], homes=True)
        label = name if told else self._linker.article(name)
        return Thing(fold(label), label, [fact], homes=fold(label) != fold(name))

    def _is_told(self, cube: str, key: str) -> bool:
        return any(f.relation == "is" for f in self._cubes[cube].about(key))

    def _all(self, things: Things, opened: Opened) -> Iterator[Thing]:
        """All things that the cubes call so, where the request ties them to nothing."""
        for cube in map(self._cubes.__getitem__, self._words.cubes(things.noun)):
            for dimension in (each.id for each in cube.spec.attributes if each.kind == "text"):
                called = (x for x in cube.labels(dimension) if names(x.text, kinds_of(things.noun)))
                facts = (f for label in called for f in self._cubes.facts_valued(label.key))
                held = (f for f in facts if (f.cube, f.dimension) == (cube.spec.id, dimension))
                yield from (replace(self._called(f.subject, f), homes=True) for f in held if opened.allows(f.section_id))

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

    def _cube(self, things: Things) -> str:
        """The cube whose cells are opened: of the things' class, else of what they are tied by."""
        cubes = self._words.cubes(things.noun)
        held = {phrase.cube for tie in things.ties[:1] for phrase in self._phrases(tie)}
        return min(cubes & held or cubes or held or {""})

    def _dimension(self, things: Things, tie: Tie) -> str:
        if isinstance(tie.targets[0], Period):
            return "date"
        held = self._phrases(tie)
        return next((r.dimension for r in held if r.cube in self._words.cubes(things.noun)), held[0].dimension)


def shown(labels: Sequence[str], most: int = 12) -> str:
    """Names in a note, no more than ``most``."""
    told = ", ".join(labels[:most])
    return f"{told} and {len(labels) - most} more" if len(labels) > most else told
