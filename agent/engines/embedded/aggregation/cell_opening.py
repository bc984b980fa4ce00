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
from ..basis import Basis
from .entity_filter import Sifter
from .request import Name, Period, Request, Target, Tie
from .things import Thing, Things
from .words import RelationWords

__all__ = ["Allows", "Opened", "Opener", "described", "shown"]

_MOST_CELLS = 48

Allows = Callable[[str], bool]
T = TypeVar("T")


@dataclass(slots=True)
class Opened:
    """The things found, which cells were opened and joined for them, and what is to be said of them besides.

    ``rolled`` says which value was rolled up because its cell is empty; the things are then those of the wider cell.
    """

    things: Things = field(default_factory=Things)
    cells: list[CellRecord] = field(default_factory=list)
    joins: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    rolled: str = ""


class Opener:
    """Opens cells over one generation of cubes."""

    def __init__(self, basis: Basis) -> None:
        self._cubes, self._linker, self._lexicon = basis.cubes, basis.linker, basis.lexicon
        self._words = RelationWords(basis.lexicon)
        self.sifter = Sifter(basis)

    def open(self, request: Request, allows: Allows) -> Opened:
        """Return what the cells hold, or a wider cell where they are empty; ``allows`` tells which sections count."""
        opened = self._open(request, allows)
        for broader, said in () if opened.things else self._wider(request):
            climbed = self._open(broader, allows)
            if climbed.things:
                return replace(climbed, cells=[*opened.cells, *climbed.cells], rolled=said)
        return opened

    def _open(self, request: Request, allows: Allows) -> Opened:
        opened = Opened()
        opened.things = self._things(request, allows, opened)
        opened.cells += self._cells(request, opened.things)
        return opened

    def _wider(self, request: Request) -> Iterator[tuple[Request, str]]:
        """The request with one value rolled up, the nearest first: a day to its month and year, a place to what
        holds it."""
        for number, period in enumerate(request.periods):
            date = parse_date(period.words)
            for broad in broader_dates(date) if date is not None else ():
                wide = Period(broad.first(), broad.last(), broad.key())
                yield replace(request, periods=_put(request.periods, number, wide)), _said(period.words, broad.key())
        for number, tie in enumerate(request.ties):
            if self._has(tie, "place") and len(tie.targets) == len(tie.names) == 1:
                for holder in holders(self._cubes, tie.names[0]):
                    wide_tie = replace(tie, targets=(Name(holder),))
                    yield replace(request, ties=_put(request.ties, number, wide_tie)), _said(tie.names[0], holder)

    # -- the things ------------------------------------------------------------------------------------------

    def _things(self, request: Request, allows: Allows, opened: Opened) -> Things:
        groups = [self._tied(tie, request, allows, opened) for tie in request.ties]
        found = reduce(Things.both, groups) if groups else Things.of(self._labelled(request, allows))
        return self.sifter.sift(found, request, allows, opened.notes)

    def _tied(self, tie: Tie, request: Request, allows: Allows, opened: Opened) -> Things:
        found = [
            self._joined(tie, target, request, allows, opened) if isinstance(target, Request)
            else Things.of(self._towards(tie, target.text, target.text, allows))
            for target in tie.targets
        ]  # fmt: skip
        return reduce(Things.both, found) if tie.every else Things.of(one for each in found for one in each.values())

    def _joined(self, tie: Tie, target: Request, request: Request, allows: Allows, opened: Opened) -> Things:
        """Open the cells of the inner things, in whatever cube, and join on the labels that both share."""
        inner = self._things(target, allows, opened)
        opened.cells += self._cells(target, inner)
        found, met = list[Thing](), list[str]()
        for thing in inner.values():
            each = list(self._towards(tie, thing.label, described(target), allows))
            for held in each:
                held.grounds += thing.grounds[:1]
            met += [thing.label] if each else []
            found += each
        cubes = f"{self._cube(target, None)} and {self._cube(request, tie)}"
        opened.joins.append(f"{cubes} joined on {shown(met)}" if met else
                            f"{cubes} share no label among {len(inner)} ({described(target)})")  # fmt: skip
        return Things.of(found)

    def _towards(self, tie: Tie, name: str, label: str, allows: Allows) -> Iterator[Thing]:
        """Everything that a relation ties to a thing of a name."""
        inverse, named = self._inverse(tie.relations), frozenset(tie.relations)
        own, other = (inverse, named) if tie.side == "subject" else (named, inverse)
        for key in self._keys(name, tie):
            told = [(fact.value, fact) for fact in self._cubes.facts_about(key) if fact.relation in own]
            told += [(fact.subject, fact) for fact in self._cubes.facts_valued(key) if fact.relation in other]
            yield from (self._called(found, fact, label) for found, fact in told if allows(fact.section_id))

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

    def _labelled(self, request: Request, allows: Allows) -> Iterator[Thing]:
        """Things by their dates or adjectives alone, where the request ties them to nothing."""
        for cube in map(self._cubes.__getitem__, self._words.cubes(request.noun)):
            for dimension in cube.spec.attributes:
                met = (x for x in cube.labels(dimension.id) if self.sifter.meets(x.text, dimension.kind, request))
                for fact in (fact for label in met for fact in self._cubes.facts_valued(label.key)):
                    if (fact.cube, fact.dimension) == (cube.spec.id, dimension.id) and allows(fact.section_id):
                        yield replace(self._called(fact.subject, fact, ""), homes=True)

    # -- keys of targets -------------------------------------------------------------------------------------

    def _keys(self, name: str, tie: Tie) -> list[str]:
        """The keys under which a target stands in facts: its names, and for places and lands what they hold."""
        keys = dict.fromkeys((fold(name), base_key(name), *map(fold, self._cubes.other_names(name))))
        keys |= dict.fromkeys(subject.key for subject in self._linker.link_exactly(name))
        if self._has(tie, "nationality"):
            dimensions = {(r.cube, r.dimension) for n in tie.relations for r in self._lexicon.relations[n]}
            labels = (x for c, d in dimensions if c in self._cubes for x in self._cubes[c].labels(d))
            keys |= dict.fromkeys(label.key for label in labels if self.sifter.is_from(label.text, name))
        if self._has(tie, "place"):
            keys |= dict.fromkeys(held_by(self._cubes, list(keys)))
        return list(keys)

    def _has(self, tie: Tie, kind: str) -> bool:
        """Whether the things asked for are the subjects of a relation whose values are of a kind."""
        return tie.side == "subject" and any(r.kind == kind for n in tie.relations for r in self._lexicon.relations[n])

    def _inverse(self, relations: Sequence[str]) -> frozenset[str]:
        forward = {r.inverse for name in relations for r in self._lexicon.relations[name] if r.inverse}
        back = {name for name, held in self._lexicon.relations.items() if any(r.inverse in relations for r in held)}
        return frozenset(forward | back)

    # -- what the trace says ---------------------------------------------------------------------------------

    def _cells(self, request: Request, things: Things) -> list[CellRecord]:
        """The cross product of the request's values, each with how many of the things it holds (appendix C.2)."""
        axes: list[list[tuple[str, str]]] = []
        for tie in request.ties:
            labels = [(self._dimension(request, tie), _text(target)) for target in tie.targets]
            axes += [[label] for label in labels] if tie.every else [labels]
        axes += [[("date", period.words) for period in request.periods]] if request.periods else []
        axes += [[("is", adjective)] for adjective in request.adjectives]
        cube = self._cube(request, request.ties[0] if request.ties else None)
        tied = {period.words for period in request.periods}
        made = list[CellRecord]()
        for cell in islice(product(*axes), _MOST_CELLS) if axes else ():
            labels_of = {label for dimension, label in cell if dimension != "is"}
            free = set() if tied & labels_of else tied
            holds = sum(1 for thing in things.values() if labels_of <= thing.found_by | free)
            made.append(CellRecord(cube=cube, labels=cell, holds=holds))
        return made

    def _cube(self, request: Request, tie: Tie | None) -> str:
        cubes = self._words.cubes(request.noun)
        held = {r.cube for name in (tie.relations if tie else ()) for r in self._lexicon.relations[name]}
        return min(cubes & held or cubes or held or {""})

    def _dimension(self, request: Request, tie: Tie) -> str:
        cubes = self._words.cubes(request.noun)
        held = [r for name in tie.relations for r in self._lexicon.relations[name]]
        return next((r.dimension for r in held if r.cube in cubes), held[0].dimension)


def _put(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    return (*values[:at], value, *values[at + 1 :])


def _said(narrow: str, broad: str) -> str:
    return f"'{narrow}' is in no cell; rolled up to '{broad}'"


def _text(target: Target) -> str:
    return described(target) if isinstance(target, Request) else target.text


def described(request: Request) -> str:
    """A request in few words: "people born in Dastra"."""
    when = " or ".join(period.words for period in request.periods)
    return " ".join(filter(None, (*request.adjectives, request.plural, *map(_tie_in_words, request.ties), when)))


def _tie_in_words(tie: Tie) -> str:
    joined = (" and " if tie.every else " or ").join(map(_text, tie.targets))
    return f"that {tie.words.format(joined)}" if "{}" in tie.words else f"{tie.words} {joined}"


def shown(names: Sequence[str], most: int = 8) -> str:
    """Names in a note, no more than ``most``."""
    told = ", ".join(names[:most])
    return f"{told} and {len(names) - most} more" if len(names) > most else told
