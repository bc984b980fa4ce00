"""Opening the cells that a request asks for: the facts that tie things to its targets, intersected and joined."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from ....cubes.cells import CubeSet
from ....cubes.climbing import held_by
from ....cubes.dates import parse_date
from ....cubes.folding import base_key, fold, split_qualifier
from ....cubes.records import Fact
from ..levels import Levels
from ..lexicon import Lexicon, nouns_called
from ..linking import Linker
from ..places import Places
from .request import Name, Request, Target, Tie
from .rolling import wider
from .sifting import Sifter
from .things import Thing, Things
from .words import RelationWords

__all__ = ["Allows", "Cell", "Opened", "Opener", "described"]

MOST_CELLS = 48
"""Cells that one request names one by one; beyond them their values are named together."""
_SHOWN = 8  # names in a note

Allows = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a cube by its labels on dimensions, and how many of the things found are in it."""

    cube: str
    coordinates: tuple[tuple[str, str], ...]
    holds: int


@dataclass(slots=True)
class Opened:
    """The things found, which cells were opened and joined for them, and what is to be said of them besides.

    ``rolled`` says which value was rolled up because its cell is empty; the things are then those of the wider cell.
    """

    things: Things
    cells: list[Cell] = field(default_factory=list)
    joins: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    rolled: str = ""


class Opener:
    """Opens cells over one generation of cubes."""

    def __init__(
        self, cubes: CubeSet, linker: Linker, lexicon: Lexicon, places: Places, gender: Callable[[str], str | None],
        text_of: Callable[[str], str],
    ) -> None:
        self._cubes = cubes
        self._linker = linker
        self._lexicon = lexicon
        self._text_of = text_of
        self._levels = Levels(cubes, linker, places)
        self._words = RelationWords(lexicon)
        self._sifter = Sifter(cubes, lexicon, places, gender, text_of)

    def open(self, request: Request, allows: Allows | None = None) -> Opened:
        """Return what the cells hold, or a wider cell where they are empty; ``allows`` tells which sections count."""
        opened = self._open(request, allows or _all)
        if len(opened.things):
            return opened
        for broader, said in wider(request, self._cubes, self._lexicon):
            climbed = self._open(broader, allows or _all)
            if len(climbed.things):
                climbed.cells = [*opened.cells, *climbed.cells]
                climbed.rolled = said
                return climbed
        return opened

    def told_by(self, request: Request) -> Iterator[tuple[str, str]]:
        """Yield the sections (id, text) about what a request is tied to by name."""
        names = (t.text for tie in request.ties for t in tie.targets if isinstance(t, Name))
        for subject in (s for name in names for s in self._linker.link_exactly(name)):
            for fact in self._cubes.facts_about(subject.key):
                if fact.relation == "is":
                    yield fact.section_id, self._text_of(fact.section_id)

    def _open(self, request: Request, allows: Allows) -> Opened:
        opened = Opened(Things())
        opened.things = self._things(request, allows, opened)
        opened.cells = [*opened.cells, *self._cells(request, opened.things)]
        return opened

    def measured(
        self, opened: Opened, request: Request, allows: Allows
    ) -> tuple[list[tuple[float, Thing, Fact, str]], str]:
        """Return the things that have what a superlative goes by, the least first, and the relation of it."""
        assert request.measure is not None
        return self._sifter.measured(opened.things, request.measure, allows)

    # -- the things ------------------------------------------------------------------------------------------

    def _things(self, request: Request, allows: Allows, opened: Opened) -> Things:
        groups = [self._tied(tie, request, allows, opened) for tie in request.ties]
        if not groups:
            groups = [self._labelled(request, allows)]
        found = groups[0]
        for other in groups[1:]:
            found = found.both(other)
        return self._sifter.sift(found, request, allows, opened.notes)

    def _tied(self, tie: Tie, request: Request, allows: Allows, opened: Opened) -> Things:
        found: Things | None = None
        for target in tie.targets:
            if isinstance(target, Request):
                each = self._joined(tie, target, request, allows, opened)
            else:
                each = self._towards(tie, self._keys(target.text, tie), target.text, request, allows)
            found = each if found is None else found.both(each) if tie.every else found.either(each)
        return found or Things()

    def _joined(self, tie: Tie, target: Request, request: Request, allows: Allows, opened: Opened) -> Things:
        """Open the cells of the inner things, in whatever cube, and join on the labels that both share."""
        inner = self._things(target, allows, opened)
        opened.cells += self._cells(target, inner)
        found, met = list[Things](), list[str]()
        for thing in inner:
            each = self._towards(tie, self._keys(thing.label, tie), described(target), request, allows)
            for held in each:
                held.grounds += thing.grounds[:1]
            if len(each):
                met.append(thing.label)
            found.append(each)
        cube, other = self._cube(request, tie), self._cube(target, None)
        opened.joins.append(f"{other} and {cube} joined on {_listed(met)}" if met else
                            f"{other} and {cube} share no label among {len(inner)} ({described(target)})")
        return Things.united(found)

    def _towards(
        self, tie: Tie, keys: Iterable[str], label: str, request: Request, allows: Allows
    ) -> Things:
        """Everything that a relation ties to a thing called by one of the keys."""
        things = Things()
        inverse, named = self._inverse(tie.relations), frozenset(tie.relations)
        own, other = (inverse, named) if tie.side == "subject" else (named, inverse)
        for key in keys:
            for fact in self._cubes.facts_about(key):
                if fact.relation in own and allows(fact.section_id):
                    self._add(things, fact.value, fact, label, tie, request)
            for fact in self._cubes.facts_valued(key):
                if fact.relation in other and allows(fact.section_id):
                    self._add(things, fact.subject, fact, label, tie, request)
        return things.settled()

    def _add(self, things: Things, name: str, fact: Fact, label: str, tie: Tie, request: Request) -> None:
        if request.noun in nouns_called("levels") and tie.side == "value":
            climbed = self._levels.climb(name, request.noun)
            if climbed is None:
                return
            name = climbed
        key, called, homes = self._called(name, fact)
        things.add(key, called, fact, label, homes)

    def _called(self, name: str, fact: Fact) -> tuple[str, str, bool]:
        """The subject that a name in a section means: the section's own first, then one with a section of its own."""
        subjects = self._linker.link_exactly(name)
        here = [s for s in subjects if fact.section_id in s.sections and self._is_told(s.cube, s.key)]
        told = here or [s for s in subjects if self._is_told(s.cube, s.key)]
        if here or len({s.key for s in told}) == 1:
            return told[0].key, told[0].label, True
        if told:
            return base_key(name), name, False
        label = self._linker.article(name)
        return fold(label), label, fold(label) != fold(name)

    def _is_told(self, cube: str, key: str) -> bool:
        return any(f.relation == "is" for f in self._cubes[cube].about(key))

    def _labelled(self, request: Request, allows: Allows) -> Things:
        """Things by their dates or adjectives alone, where the request ties them to nothing."""
        things = Things()
        for cube_id in self._words.cubes(request.noun):
            cube = self._cubes[cube_id]
            for dimension in cube.spec.attributes:
                for label in cube.labels(dimension.id) if self._is_asked(dimension.kind, request) else ():
                    if not self._meets(label.text, dimension.kind, request):
                        continue
                    for fact in self._cubes.facts_valued(label.key):
                        if fact.cube == cube_id and fact.dimension == dimension.id and allows(fact.section_id):
                            things.add(*self._called(fact.subject, fact)[:2], fact, "", homes=True)
        return things.settled()

    @staticmethod
    def _is_asked(kind: str, request: Request) -> bool:
        return kind == "date" if request.periods else kind in ("nationality", "text")

    def _meets(self, text: str, kind: str, request: Request) -> bool:
        if kind == "date":
            date = parse_date(text)
            return date is not None and any(period.holds(date) for period in request.periods)
        if not request.adjectives:
            return kind == "text" and self._sifter.is_kind(text, request.noun)
        return any(self._sifter.is_meant(adjective, text, kind) for adjective in request.adjectives)

    # -- keys of targets -------------------------------------------------------------------------------------

    def _keys(self, name: str, tie: Tie) -> list[str]:
        """The keys under which a target stands in facts: its names, and for places and lands what they hold."""
        keys = dict.fromkeys(self._names(name))
        relations = [r for n in tie.relations for r in self._lexicon.relations[n]]
        if tie.side == "subject" and any(r.kind == "nationality" for r in relations):
            keys |= dict.fromkeys(self._demonyms(name, {(r.cube, r.dimension) for r in relations}))
        if tie.side == "subject" and any(r.kind == "place" for r in relations):
            keys |= dict.fromkeys(held_by(self._cubes, list(keys)))
            keys |= dict.fromkeys(self._commas(set(keys), tie.relations))
        return list(keys)

    def _names(self, name: str) -> Iterator[str]:
        yield fold(name)
        subjects = self._linker.link_exactly(name) or self._linker.link_closely(name)
        homonyms = len({s.key for s in subjects if s.how in ("full", "exact", "base")}) > 1
        if not (split_qualifier(name)[1] and homonyms):
            yield base_key(name)
        label = self._linker.article(name)
        for called in (name, label, *(s.label for s in subjects)):
            yield fold(called)
            yield from map(fold, self._cubes.other_names(called))
        yield from (s.key for s in subjects)

    def _demonyms(self, name: str, dimensions: set[tuple[str, str]]) -> Iterator[str]:
        for cube, dimension in dimensions:
            for label in self._cubes[cube].labels(dimension) if cube in self._cubes else ():
                if self._sifter.is_from(label.text, name):
                    yield label.key

    def _commas(self, keys: set[str], relations: Sequence[str]) -> Iterator[str]:
        """Places named with what holds them: "Palm Bay, Florida"."""
        held = (r for name in relations for r in self._lexicon.relations[name])
        dimensions = {(r.cube, self._target_of(r.cube, r.dimension)) for r in held}
        for cube, dimension in dimensions:
            for label in self._cubes[cube].labels(dimension) if dimension else ():
                if "," in label.text and {fold(part) for part in label.text.split(",")[1:]} & keys:
                    yield label.key

    def _target_of(self, cube: str, dimension: str) -> str | None:
        return self._cubes[cube].spec.dimension(dimension).target or None

    def _inverse(self, relations: Sequence[str]) -> frozenset[str]:
        forward = {r.inverse for name in relations for r in self._lexicon.relations[name] if r.inverse}
        back = {name for name, held in self._lexicon.relations.items() if any(r.inverse in relations for r in held)}
        return frozenset(forward | back)

    # -- what the trace says ---------------------------------------------------------------------------------

    def _cells(self, request: Request, things: Things) -> list[Cell]:
        """The cross product of the request's values, each with how many of the things it holds (appendix C.2)."""
        axes: list[list[tuple[str, str]]] = []
        for tie in request.ties:
            labels = [(self._dimension(request, tie), _text(target)) for target in tie.targets]
            axes += [[label] for label in labels] if tie.every else [labels]
        axes += [[("date", period.words) for period in request.periods]] if request.periods else []
        axes += [[("is", adjective)] for adjective in request.adjectives]
        chosen = list(product(*axes)) if axes else []
        if len(chosen) > MOST_CELLS:
            chosen = [tuple((axis[0][0], " or ".join(label for _, label in axis)) for axis in axes)]
            return [Cell(self._cube(request, None), chosen[0], len(things))]
        cube = self._cube(request, request.ties[0] if request.ties else None)
        return [Cell(cube, cell, self._sifter.count(things, cell, request)) for cell in chosen]

    def _cube(self, request: Request, tie: Tie | None) -> str:
        cubes = self._words.cubes(request.noun)
        held = {r.cube for name in (tie.relations if tie else ()) for r in self._lexicon.relations[name]}
        return min(cubes & held or cubes or held or {""})

    def _dimension(self, request: Request, tie: Tie) -> str:
        cubes = self._words.cubes(request.noun)
        held = [r for name in tie.relations for r in self._lexicon.relations[name]]
        return next((r.dimension for r in held if r.cube in cubes), held[0].dimension)


def _all(_: str) -> bool:
    return True


def _text(target: Target) -> str:
    return described(target) if isinstance(target, Request) else target.text


def described(request: Request) -> str:
    """A request in few words: "people born in Dastra"."""
    when = " or ".join(period.words for period in request.periods)
    return " ".join(filter(None, (*request.adjectives, request.plural, *map(_tie_in_words, request.ties), when)))


def _tie_in_words(tie: Tie) -> str:
    joined = (" and " if tie.every else " or ").join(map(_text, tie.targets))
    return f"that {tie.words.format(joined)}" if "{}" in tie.words else f"{tie.words} {joined}"


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_SHOWN])
    return f"{shown} and {len(names) - _SHOWN} more" if len(names) > _SHOWN else shown
