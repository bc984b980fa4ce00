"""Opening the cells that a request asks for: the facts that tie things to its targets, intersected and joined."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import islice, product

from ....cubes.cells import CubeSet
from ....cubes.climbing import held_by
from ....cubes.dates import parse_date
from ....cubes.folding import base_key, fold, split_qualifier
from ....cubes.records import Fact
from ..lexicon import Lexicon
from ..linking import Linker
from ..places import Places
from .request import Request, Target, Tie
from .rolling import wider
from .sifting import Sifter
from .things import Thing, Things
from .words import RelationWords

__all__ = ["Allows", "Cell", "Opened", "Opener", "described"]

_MOST_CELLS = 48
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

    things: Things = field(default_factory=Things)
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
        self._words = RelationWords(lexicon)
        self.sifter = Sifter(cubes, lexicon, places, gender, text_of)

    def open(self, request: Request, allows: Allows | None = None) -> Opened:
        """Return what the cells hold, or a wider cell where they are empty; ``allows`` tells which sections count."""
        allows = allows or _all
        opened = self._open(request, allows)
        for broader, said in () if len(opened.things) else wider(request, self._cubes, self._lexicon):
            climbed = self._open(broader, allows)
            if len(climbed.things):
                climbed.cells = [*opened.cells, *climbed.cells]
                climbed.rolled = said
                return climbed
        return opened

    def told_by(self, request: Request) -> Iterator[tuple[str, str]]:
        """Yield the sections (id, text) about what a request is tied to by name."""
        subjects = (s for tie in request.ties for name in tie.names for s in self._linker.link_exactly(name))
        for fact in (fact for subject in subjects for fact in self._cubes.facts_about(subject.key)):
            if fact.relation == "is":
                yield fact.section_id, self._text_of(fact.section_id)

    def _open(self, request: Request, allows: Allows) -> Opened:
        opened = Opened()
        opened.things = self._things(request, allows, opened)
        opened.cells += self._cells(request, opened.things)
        return opened

    # -- the things ------------------------------------------------------------------------------------------

    def _things(self, request: Request, allows: Allows, opened: Opened) -> Things:
        groups = [self._tied(tie, request, allows, opened) for tie in request.ties]
        found = reduce(Things.both, groups) if groups else self._labelled(request, allows)
        return self.sifter.sift(found, request, allows, opened.notes)

    def _tied(self, tie: Tie, request: Request, allows: Allows, opened: Opened) -> Things:
        found = [
            self._joined(tie, target, request, allows, opened) if isinstance(target, Request)
            else self._towards(tie, self._keys(target.text, tie), target.text, allows)
            for target in tie.targets
        ]  # fmt: skip
        return reduce(Things.both, found) if tie.every else Things.united(found)

    def _joined(self, tie: Tie, target: Request, request: Request, allows: Allows, opened: Opened) -> Things:
        """Open the cells of the inner things, in whatever cube, and join on the labels that both share."""
        inner = self._things(target, allows, opened)
        opened.cells += self._cells(target, inner)
        found, met = list[Things](), list[str]()
        for thing in inner:
            each = self._towards(tie, self._keys(thing.label, tie), described(target), allows)
            for held in each:
                held.grounds += thing.grounds[:1]
            met += [thing.label] if len(each) else []
            found.append(each)
        cubes = f"{self._cube(target, None)} and {self._cube(request, tie)}"
        opened.joins.append(f"{cubes} joined on {_listed(met)}" if met else
                            f"{cubes} share no label among {len(inner)} ({described(target)})")
        return Things.united(found)

    def _towards(self, tie: Tie, keys: Iterable[str], label: str, allows: Allows) -> Things:
        """Everything that a relation ties to a thing called by one of the keys."""
        things = Things()
        inverse, named = self._inverse(tie.relations), frozenset(tie.relations)
        own, other = (inverse, named) if tie.side == "subject" else (named, inverse)
        for key in keys:
            told = [(fact.value, fact) for fact in self._cubes.facts_about(key) if fact.relation in own]
            told += [(fact.subject, fact) for fact in self._cubes.facts_valued(key) if fact.relation in other]
            for name, fact in told:
                if allows(fact.section_id):
                    things.put(self._called(name, fact, label))
        return things.settled()

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

    def _labelled(self, request: Request, allows: Allows) -> Things:
        """Things by their dates or adjectives alone, where the request ties them to nothing."""
        things = Things()
        for cube_id in self._words.cubes(request.noun):
            for dimension in self._cubes[cube_id].spec.attributes:
                for label in self._cubes[cube_id].labels(dimension.id):
                    if not self._meets(label.text, dimension.kind, request):
                        continue
                    for fact in self._cubes.facts_valued(label.key):
                        if fact.cube == cube_id and fact.dimension == dimension.id and allows(fact.section_id):
                            things.put(replace(self._called(fact.subject, fact, ""), homes=True))
        return things.settled()

    def _meets(self, text: str, kind: str, request: Request) -> bool:
        if request.periods:
            date = parse_date(text) if kind == "date" else None
            return date is not None and any(period.holds(date) for period in request.periods)
        if kind not in ("nationality", "text"):
            return False
        if not request.adjectives:
            return kind == "text" and self.sifter.is_kind(text, request.noun)
        return any(self.sifter.is_meant(adjective, text, kind) for adjective in request.adjectives)

    # -- keys of targets -------------------------------------------------------------------------------------

    def _keys(self, name: str, tie: Tie) -> list[str]:
        """The keys under which a target stands in facts: its names, and for places and lands what they hold."""
        keys = dict.fromkeys(self._names(name))
        relations = [r for n in tie.relations for r in self._lexicon.relations[n]]
        if tie.side == "subject" and any(r.kind == "nationality" for r in relations):
            keys |= dict.fromkeys(self._demonyms(name, {(r.cube, r.dimension) for r in relations}))
        if tie.side == "subject" and any(r.kind == "place" for r in relations):
            keys |= dict.fromkeys(held_by(self._cubes, list(keys)))
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
                if self.sifter.is_from(label.text, name):
                    yield label.key

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
        chosen = list(islice(product(*axes), _MOST_CELLS)) if axes else []
        cube = self._cube(request, request.ties[0] if request.ties else None)
        return [Cell(cube, cell, self.sifter.count(things, cell, request)) for cell in chosen]

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
