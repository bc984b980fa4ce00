"""The cells that a request over many of them asks for, opened.

They are the facts that tie things to its targets, intersected and joined. Each thing is found once, by whatever name it
is told of. Which of them are meant, and what measures them, facts say.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, reduce
from itertools import product

from .....cubes.core.dates import begins_with_day
from .....cubes.core.folding import base_key, fold, fold_words, split_qualifier
from .....cubes.core.records import Component, Fact
from .....cubes.model.cells import Cube
from .....cubes.model.rollup_fallback import broader, held_by
from .....cubes.model.table_ids import is_table
from .....graphs.records import CellRecord
from ..context import EngineContext
from ..plan import Absent, Bound, Range, Stated, Superlative, Target, Things, Tie, document_of
from ..vocabulary.lexicon import RelationPhrase, kinds_of
from ..vocabulary.words import period
from .amounts import holds, number

__all__ = ["Opened", "Thing", "shown"]

_TYPES = ("type", "genre", "occupation", "position")
_DESCRIBING = (*_TYPES, "country of origin", "nationality", "language")
_ANY = frozenset({"person", "individual", "man", "woman", "place", "location", "organization", "work"})
"""Nouns that say no more of a thing than its cube does."""


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing: its label, and the facts that it rests on; ``homes`` says that the corpus has a section about it."""

    key: str
    label: str
    facts: tuple[Fact, ...]
    homes: bool = False

    def on(self, facts: Iterable[Fact]) -> Thing:
        """Let it rest on further facts as well; those said in a section of its own come before others."""
        told = dict.fromkeys((*self.facts, *facts))
        return replace(self, facts=tuple(sorted(told, key=lambda f: base_key(f.subject) != base_key(self.label))))


Found = dict[str, Thing]  # by key, in the order in which they were found
Measured = tuple[float, Thing, Fact]  # what measures a thing, as a number, the thing, and the fact that says so


def merged(things: Iterable[Thing]) -> Found:
    """Put the tellings of each thing together; a person takes in who is told of by part of the name."""
    found: Found = {}
    for thing in things:
        found[thing.key] = found.get(thing.key, thing).on(thing.facts)
    people = (key for key, one in found.items() if "person" in (one.facts[0].kind, one.facts[0].cube))
    words, named = {key: set(key.split()) for key in people}, defaultdict[str, list[str]](list)
    for key, word in ((key, word) for key, held in words.items() for word in held):
        named[word].append(key)
    for part in [key for key in words if words[key] and not found[key].homes]:
        alike = (key for key in named[min(words[part])] if key in found and words[part] < words[key])
        if (whole := next(alike, None)) is not None:
            found[whole] = found[whole].on(found.pop(part).facts)
    return found


def shared(left: Found, right: Found) -> Found:
    """What is in both, with what it rests on in either."""
    return {key: thing.on(right[key].facts) for key, thing in left.items() if key in right}


class Opened:
    """What cells hold for a request in the sections that count (``allows``): the ``things`` found, what measures them
    (``ranked``), and the ``best`` of them, picked by a superlative.

    ``untold`` are keys of those left out because nothing tells their date or amount. ``rolled`` says which value was
    rolled up because its cell is empty; the things are then those of the wider cell.
    """

    def __init__(self, context: EngineContext, request: Things, allows: Callable[[str], bool]) -> None:
        self._cubes, self._linker, self._lexicon = context.cubes, context.linker, context.lexicon
        self._places, self._reader = context.places, context.facts
        self._cues, self._allows, self._documents = context.questions.terms.cues, allows, request.within
        self.cells, self.untold, self._joins = list[CellRecord](), set[str](), list[str]()
        self.things, self.rolled = Found(), ""
        self._ordered = cache(lambda cube, column: begins_with_day(x.text for x in self._cubes[cube].labels(column)))
        self.best, self.ranked = list[Measured](), list[Measured]()
        for wide, said in ((request, ""), *self._wider(request)):
            self.things, self.rolled = self._find(wide), said
            if self.things:
                break
        self.cells[-1] = self.cells[-1].model_copy(update={"joined": "; ".join(self._joins)})
        if request.measure is not None:
            self.best, self.ranked = self._ranked(self.things, request.measure)

    def _wider(self, things: Things) -> Iterator[tuple[Things, str]]:
        """The things with one value rolled up, the nearest first: a day to its month and year, a place to what
        holds it."""
        for at, tie in enumerate(things.ties):
            value, (cube, dimension) = str(tie.targets[0]), self._axis(things, tie)
            for broad in broader(self._cubes, Component(cube, dimension, value)):
                wide = replace(tie, targets=(period("in", broad) or broad,))
                ties = (*things.ties[:at], wide, *things.ties[at + 1 :])
                yield replace(things, ties=ties), f"'{value}' is in no cell; rolled up to '{broad}'"

    def _find(self, things: Things) -> Found:
        """Open the cross product of the ties' targets (appendix C.2), each cell being what its targets share."""
        axes: list[list[tuple[Tie, Target, Found]]] = []
        for tie in things.ties:
            held = [(tie, target, self._group(tie, target, things)) for target in tie.targets]
            axes += [[each] for each in held] if tie.every else [held]
        tied = any(not isinstance(tie.targets[0], Bound) for tie in things.ties)
        everything = {} if tied else merged(self._all(things))
        found, described = list[Thing](), tuple(("is", adjective) for adjective in things.adjectives)
        for cell in product(*axes):
            groups = [group for _, target, group in cell if not isinstance(target, Bound)] or [everything]
            kept = [*filter(None, (self._meant(thing, things) for thing in reduce(shared, groups).values()))]
            for tie, bound in ((tie, target) for tie, target, _ in cell if isinstance(target, Bound)):
                kept = [*filter(None, (self._within(each, bound, tie) for each in kept))]
            labels = tuple((self._axis(things, tie)[1], str(target)) for tie, target, _ in cell)
            cube = self._axis(things, things.ties[0])[0] if things.ties else min(self._cues.cubes(things.noun) or {""})
            self.cells.append(CellRecord(cube=cube, labels=(*labels, *described), holds=len(kept)))
            found += kept
        return merged(found)

    def _group(self, tie: Tie, target: Target, things: Things) -> Found:
        """What a tie leads to from a name; or from other things, joined on the labels that both cubes share."""
        if not isinstance(target, Things):
            return merged(self._towards(tie, target)) if isinstance(target, str) else {}
        inner, joined = self._find(target), dict[str, list[Thing]]()
        if target.measure is not None:
            inner = {thing.key: thing for _, thing, _ in self._ranked(inner, target.measure)[0]}
        source = self.cells[-1].cube
        for thing in inner.values():
            held = [each.on(thing.facts[:1]) for each in self._towards(tie, thing.label)]
            joined |= {thing.label: held} if held else {}
        said = f"joined on {shown([*joined])}" if joined else f"share no label among {len(inner)}"
        self._joins.append(f"{source} and {self._axis(things, tie)[0]} {said}")
        return merged(thing for held in joined.values() for thing in held)

    def _towards(self, tie: Tie, name: str) -> Iterator[Thing]:
        """Everything that a relation, or its inverse read backwards, ties to a thing of a name."""
        inverse = self._reader.inverses(tie.relations)
        own, other = (inverse, tie.relations) if tie.side == "subject" else (tie.relations, inverse)
        for key in self._keys(name, tie):
            yield from (self._called(*told) for told in self._reader.tied(key, own, other, self._counts))

    def _called(self, name: str, fact: Fact) -> Thing:
        """The one subject with a section of its own that a name means; of several the one that tells the fact."""
        subjects = self._linker.link_exactly(name)
        told = [s for s in subjects if any(f.relation == "is" for f in self._cubes[s.cube].about(s.key))]
        here = [s for s in told if fact.section_id in s.sections]
        if here or len({s.key for s in told}) == 1:
            return Thing((here or told)[0].key, (here or told)[0].label, (fact,), homes=True)
        return Thing(fold(name), name, (fact,))

    def _all(self, things: Things) -> Iterator[Thing]:
        """All things that the cubes call so, where the request ties them to nothing."""
        for cube in map(self._cubes.__getitem__, sorted(self._cues.cubes(things.noun))):
            if not _classed(cube):  # all its subjects are, where it does not tell kinds of them apart
                for key in cube.subject_keys():
                    yield from (self._called(f.subject, f) for f in cube.about(key)[:1] if self._counts(f.section_id))
            for dimension in (each.id for each in cube.spec.attributes if each.kind == "text"):
                called = (x for x in cube.labels(dimension) if names(x.text, kinds_of(things.noun)))
                facts = (f for label in called for f in self._cubes.facts_valued(label.key))
                held = (f for f in facts if (f.cube, f.dimension) == (cube.spec.id, dimension))
                yield from (self._called(f.subject, f) for f in held if self._counts(f.section_id))

    def _keys(self, name: str, tie: Tie) -> list[str]:
        """The keys under which a target stands in facts: its names, and for places and lands what they hold."""
        keys = dict.fromkeys((fold(name), base_key(name), *map(fold, self._cubes.other_names(name))))
        phrases = self._phrases(tie) if tie.side == "subject" else []
        for cube, dimension in {(each.cube, each.dimension) for each in phrases if each.kind == "nationality"}:
            labels = self._cubes[cube].labels(dimension)
            keys |= dict.fromkeys(label.key for label in labels if self._places.same_land(label.text, name))
        if any(each.kind == "place" for each in phrases):
            keys |= dict.fromkeys(held_by(self._cubes, list(keys)))
        return list(keys)

    def _phrases(self, tie: Tie) -> list[RelationPhrase]:
        return [phrase for name in tie.relations for phrase in self._lexicon.relations[name]]

    def _axis(self, things: Things, tie: Tie) -> tuple[str, str]:
        """The cube and the dimension of a tie: of the things' own class where that has it."""
        cubes = self._cues.cubes(things.noun)
        phrase = min(self._phrases(tie), key=lambda each: each.cube not in cubes)
        return min(cubes & {phrase.cube} or cubes or {phrase.cube}), phrase.dimension

    # Which things are meant, and what measures them -----------------------------------------------------------

    def _meant(self, thing: Thing, things: Things) -> Thing | None:
        """A thing of the class and the adjectives asked for, with what says so; what nothing says is not so."""
        told = (*_DESCRIBING, *self._cues.columns(things.noun))
        said = [*filter(None, (self._says(thing, adjective, told) for adjective in things.adjectives))]
        return thing.on(said) if len(said) == len(things.adjectives) and self._is_called(thing, things) else None

    def _is_called(self, thing: Thing, things: Things) -> bool:
        """Whether the corpus calls a thing so, or says nothing against it."""
        noun, classes, gender = things.noun, self._cues.cubes(things.noun), self._lexicon.gender(things.noun)
        if gender is not None and self._reader.gender(thing.label) not in (None, gender):
            return False
        facts = [f for f in self._cubes.facts_about(thing.key) if f.relation != "mentions"]
        elsewhere = classes.isdisjoint(f.cube for f in facts) and bool(facts)
        if noun in _ANY or noun in self._lexicon.kin:
            return not elsewhere
        if self._cues.own(noun) in [(tie.relations, tie.side) for tie in things.ties]:
            return True
        if any(f.cube in classes and not _classed(self._cubes[f.cube]) for f in facts):
            return True
        types = [*(f.value for f in facts if f.relation in _TYPES), split_qualifier(thing.label)[1]]
        called = any(names(text, kinds_of(noun)) for text in types)
        if called or "person" in classes:
            return called
        # A song is no film: it is called by the noun of another kind of the class.
        others = (self._lexicon.nouns.get(word, ()) for text in types for word in fold_words(text))
        return classes.isdisjoint(cube for cubes in others for cube in cubes) and not (thing.homes and elsewhere)

    def _says(self, thing: Thing, adjective: str, relations: Collection[str]) -> Fact | None:
        """The fact that says an adjective of a thing: a nationality, a word of a type, or a cell of its row."""
        for fact in self.told(thing, relations):
            national = fact.kind == "nationality" and adjective[:1].isupper()
            told = names(fact.value, {fold(adjective)})
            if told or (national and self._places.same_land(fact.value, adjective)):
                return fact
        return None

    def _within(self, thing: Thing, bound: Bound, tie: Tie) -> Thing | None:
        """A thing of a period by the first of its dates, or of a range by its amount, with what says so; what nothing
        tells of is ``untold``."""
        if isinstance(bound, Stated):
            told = self.told(thing, tie.relations)
            return thing.on(told) if told else None
        if isinstance(bound, Absent):
            told = [f for f in self.told(thing, tie.relations) if f.kind != "quantity" or self._number(f) != 0.0]
            return None if any(fold(fact.value) == fold(bound.value or fact.value) for fact in told) else thing
        facts = (fact for relation in tie.relations for fact in self._measured(thing, relation))
        kind = "quantity" if isinstance(bound, Range) else "date"
        fact = next((fact for fact in facts if fact.kind == kind), None)
        held = holds(bound, fact, self._day_first(fact)) if fact is not None else None
        if fact is None or held is None:
            self.untold.add(thing.key)
            return None
        return thing.on([fact]) if held else None

    def _ranked(self, found: Found, measure: Superlative) -> tuple[list[Measured], list[Measured]]:
        """Return those at the place that a superlative names, none unless half can be compared; and all that have the
        measure, the least first, by the relation that most of them have."""
        ranked = list[Measured]()
        for relation in measure.relations:
            held = [(thing, fact) for thing in found.values() for fact in self._measured(thing, relation)[:1]]
            kinds = Counter(fact.kind == "date" for _, fact in held)  # a date has no place among amounts
            told = [(thing, fact) for thing, fact in held if kinds[fact.kind == "date"] == max(kinds.values())]
            ranked = max(ranked, [(self._number(fact) or 0.0, thing, fact) for thing, fact in told], key=len)
        ranked.sort(key=lambda one: (one[0], one[1].label))
        compared = (measure.figure or 2 * len(ranked) >= len(found)) and -len(ranked) <= measure.place < len(ranked)
        return [one for one in ranked if compared and one[0] == ranked[measure.place][0]], ranked

    def _measured(self, thing: Thing, relation: str) -> list[Fact]:
        """The dates or amounts of a relation, the surest first."""
        told = (fact for fact in self.told(thing, (relation,)) if self._number(fact) is not None)
        return sorted(told, key=lambda fact: -fact.confidence)

    def _number(self, fact: Fact) -> float | None:
        return number(fact, self._day_first(fact))

    def _day_first(self, fact: Fact) -> bool | None:
        """Whether the dates of a table's column begin with the day."""
        return self._ordered(fact.cube, fact.dimension) if fact.kind == "date" and is_table(fact.cube) else None

    def told(self, thing: Thing, relations: Collection[str]) -> list[Fact]:
        """Return the facts of a thing, of some relations, that are allowed."""
        facts = self._cubes.facts_about(thing.key)
        return [f for f in facts if f.relation in relations and self._counts(f.section_id)]

    def _counts(self, section_id: str) -> bool:
        within = not self._documents or document_of(section_id) in self._documents
        return within and self._allows(section_id)


def _classed(cube: Cube) -> bool:
    """Whether a cube tells what kind of thing its subjects are."""
    return any(cue.relation in _TYPES for dimension in cube.spec.attributes for cue in dimension.cues)


def names(text: str, words: Collection[str]) -> bool:
    """Whether a text has one of some folded words."""
    folded = f" {' '.join(fold_words(text))} "
    return any(f" {word} " in folded for word in words)


def shown(labels: Sequence[str]) -> str:
    """Names in a note, no more than a dozen."""
    return ", ".join(labels[:12]) + (f" and {len(labels) - 12} more" if len(labels) > 12 else "")
