"""Opening the cells that a request asks for: the facts that tie things to its targets, intersected and joined.

Each thing is found once, by whatever name it is told of. Which of them are meant, and what measures them, facts say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product

from .....cubes.core.dates import parse_date
from .....cubes.core.folding import base_key, fold, fold_words, split_qualifier
from .....cubes.core.quantities import parse_quantity
from .....cubes.core.records import Component, Fact
from .....cubes.model.rollup_fallback import broader, held_by
from .....graphs.records import CellRecord
from ..context import EngineContext
from ..plan import Period, Superlative, Target, Things, Tie
from ..vocabulary.lexicon import RelationPhrase, kinds_of
from ..vocabulary.words import period

__all__ = ["Opened", "Thing", "shown"]

_TYPES = ("type", "genre", "occupation", "position")
_DESCRIBING = (*_TYPES, "country of origin", "nationality", "language")
_ANY = frozenset({"person", "individual", "man", "woman", "place", "location", "organization", "work"})
"""Nouns that say no more of a thing than its cube does."""

Allows = Callable[[str], bool]


@dataclass(slots=True)
class Thing:
    """One thing: its label, and the facts that it rests on; ``homes`` says that the corpus has a section about it."""

    key: str
    label: str
    grounds: list[Fact]
    homes: bool = False

    def takes(self, facts: Iterable[Fact]) -> None:
        """Rest on further facts as well."""
        self.grounds += [fact for fact in facts if fact not in self.grounds]

    def is_part(self, other: Thing) -> bool:
        """Whether its name is the bare name of another, or part of another person's name."""
        persons = all("person" in (thing.grounds[0].kind, thing.grounds[0].cube) for thing in (self, other))
        part = persons and set(fold(self.label).split()) < set(fold(other.label).split())
        return part or base_key(self.label) == base_key(other.label)

    @property
    def facts(self) -> list[Fact]:
        """What it rests on, said in a section of its own before others."""
        return sorted(self.grounds, key=lambda fact: base_key(fact.subject) != base_key(self.label))


Found = dict[str, Thing]
"""Things by key, in the order in which they were found."""
Measured = tuple[float, Thing, Fact]
"""What measures a thing, as a number, the thing, and the fact that says so."""


def merged(things: Iterable[Thing]) -> Found:
    """Put the tellings of each thing together; those with a section of their own take in the others."""
    found: Found = {}
    by_word: defaultdict[str, list[Thing]] = defaultdict(list)
    for thing in sorted(things, key=lambda one: (not one.homes, -len(one.label))):
        words = fold(thing.label).split()
        near = by_word[words[0]] if words and not thing.homes else []
        same = found.get(thing.key) or next((kept for kept in near if thing.is_part(kept)), None)
        if same is not None:
            same.takes(thing.grounds)
            continue
        found[thing.key] = thing
        for word in words:
            by_word[word].append(thing)
    return found


def shared(left: Found, right: Found) -> Found:
    """What is in both, with what it rests on in either."""
    kept = {key: replace(left[key], grounds=[*left[key].grounds]) for key in left if key in right}
    for key, thing in kept.items():
        thing.takes(right[key].grounds)
    return kept


class Opened:
    """What cells hold for a request in the sections that count (``allows``), or a wider cell where they are empty:
    the ``things`` found, and the ``best`` of them, picked by a superlative.

    ``ranked`` has what measures the things; ``undated`` are keys of those left out because nothing tells their date.
    ``rolled`` says which value was rolled up because its cell is empty; the things are then those of the wider cell.
    """

    def __init__(self, context: EngineContext, request: Things, allows: Allows) -> None:
        self._cubes, self._linker, self._lexicon = context.cubes, context.linker, context.lexicon
        self._places, self._gender, self._cues = context.places, context.facts.gender, context.questions.terms.cues
        self._allows = allows
        self.cells, self.undated, self._joins = list[CellRecord](), set[str](), list[str]()
        for wide, said in ((request, ""), *self._wider(request)):
            self.things, self.rolled = self._find(wide), said
            if self.things:
                break
        self.cells[-1] = self.cells[-1].model_copy(update={"joined": "; ".join(self._joins)})
        measure = request.measure
        self.best, self.ranked = self._ranked(self.things, measure) if measure is not None else ([], [])

    def _wider(self, things: Things) -> Iterator[tuple[Things, str]]:
        """The things with one value rolled up, the nearest first: a day to its month and year, a place to what
        holds it."""
        for tie in things.ties:
            value = str(tie.targets[0])
            for broad in broader(self._cubes, Component(self._cube(things), self._dimension(things, tie), value)):
                wide = replace(tie, targets=(period("in", broad) or broad,))
                ties = tuple(wide if each is tie else each for each in things.ties)
                yield replace(things, ties=ties), f"'{value}' is in no cell; rolled up to '{broad}'"

    def _find(self, things: Things) -> Found:
        """Open the cross product of the ties' targets (appendix C.2), each cell being what its targets share."""
        axes: list[list[tuple[Tie, Target, Found]]] = []
        for tie in things.ties:
            held = [(tie, target, self._group(tie, target, things)) for target in tie.targets]
            axes += [[each] for each in held] if tie.every else [held]
        tied = [tie for tie in things.ties if not isinstance(tie.targets[0], Period)]
        everything = merged(self._all(things)) if not tied else {}
        found, described = list[Thing](), tuple(("is", adjective) for adjective in things.adjectives)
        for cell in product(*axes):
            groups = [group for _, target, group in cell if not isinstance(target, Period)] or [everything]
            kept = [t for t in reduce(shared, groups).values() if self._is_meant(t, things)]
            for tie, time in ((tie, target) for tie, target, _ in cell if isinstance(target, Period)):
                dated = {t.key: self._is_of(t, time, tie.relations) for t in kept}
                self.undated |= {key for key, told in dated.items() if told is None}
                kept = [t for t in kept if dated[t.key]]
            labels = (*((self._dimension(things, tie), str(target)) for tie, target, _ in cell), *described)
            self.cells.append(CellRecord(cube=self._cube(things), labels=labels, holds=len(kept)))
            found += kept
        return merged(found)

    def _group(self, tie: Tie, target: Target, things: Things) -> Found:
        """What a tie leads to from a name; or from other things, joined on the labels that both cubes share."""
        if not isinstance(target, Things):
            return merged(self._towards(tie, target)) if isinstance(target, str) else {}
        inner, joined = self._find(target), dict[str, list[Thing]]()
        if target.measure is not None:
            best, _ = self._ranked(inner, target.measure)
            inner = {thing.key: thing for _, thing, _ in best}
        for thing in inner.values():
            held = [*self._towards(tie, thing.label)]
            for each in held:
                each.takes(thing.grounds[:1])
            joined |= {thing.label: held} if held else {}
        said = f"joined on {shown([*joined])}" if joined else f"share no label among {len(inner)}"
        self._joins.append(f"{self._cube(target)} and {self._cube(things)} {said}")
        return merged(thing for held in joined.values() for thing in held)

    def _towards(self, tie: Tie, name: str) -> Iterator[Thing]:
        """Everything that a relation, or its inverse read backwards, ties to a thing of a name."""
        inverse = {phrase.inverse for phrase in self._phrases(tie) if phrase.inverse}
        inverse |= {n for n, held in self._lexicon.relations.items() if any(r.inverse in tie.relations for r in held)}
        own, other = (inverse, tie.relations) if tie.side == "subject" else (tie.relations, inverse)
        for key in self._keys(name, tie):
            told = [(fact.value, fact) for fact in self._cubes.facts_about(key) if fact.relation in own]
            told += [(fact.subject, fact) for fact in self._cubes.facts_valued(key) if fact.relation in other]
            yield from (self._called(found, fact) for found, fact in told if self._allows(fact.section_id))

    def _called(self, name: str, fact: Fact) -> Thing:
        """The one subject with a section of its own that a name means; of several the one that tells the fact."""
        subjects = self._linker.link_exactly(name)
        told = [s for s in subjects if any(f.relation == "is" for f in self._cubes[s.cube].about(s.key))]
        told = [s for s in told if fact.section_id in s.sections] or told
        if told and (len({s.key for s in told}) == 1 or fact.section_id in told[0].sections):
            return Thing(told[0].key, told[0].label, [fact], homes=True)
        return Thing(fold(name), name, [fact])

    def _all(self, things: Things) -> Iterator[Thing]:
        """All things that the cubes call so, where the request ties them to nothing."""
        for cube in map(self._cubes.__getitem__, self._cues.cubes(things.noun)):
            for dimension in (each.id for each in cube.spec.attributes if each.kind == "text"):
                called = (x for x in cube.labels(dimension) if names(x.text, kinds_of(things.noun)))
                facts = (f for label in called for f in self._cubes.facts_valued(label.key))
                held = (f for f in facts if (f.cube, f.dimension) == (cube.spec.id, dimension))
                yield from (self._called(f.subject, f) for f in held if self._allows(f.section_id))

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

    def _cube(self, things: Things) -> str:
        """The cube whose cells are opened: of the things' class, else of what they are tied by."""
        cubes = self._cues.cubes(things.noun)
        held = {phrase.cube for tie in things.ties[:1] for phrase in self._phrases(tie)}
        return min(cubes & held or cubes or held or {""})

    def _dimension(self, things: Things, tie: Tie) -> str:
        held = self._phrases(tie)
        return next((r.dimension for r in held if r.cube in self._cues.cubes(things.noun)), held[0].dimension)

    # Which things are meant, and what measures them -----------------------------------------------------------

    def _is_meant(self, thing: Thing, things: Things) -> bool:
        """Whether a thing is of the class and the adjectives asked for; an adjective that nothing says is not so."""
        told = [self._says(thing, adjective) for adjective in things.adjectives]
        thing.takes(fact for fact in told if fact is not None)
        return None not in told and self._is_called(thing, things)

    def _is_of(self, thing: Thing, period: Period, relations: Sequence[str]) -> bool | None:
        """Whether a thing is of a period by the first of its dates; None where nothing tells a date."""
        fact = self._surest(thing, relations)
        date = parse_date(fact.value) if fact is not None and fact.kind == "date" else None
        thing.takes([fact] if fact is not None else [])
        return period.holds(date) if date is not None else None

    def _ranked(self, found: Found, measure: Superlative) -> tuple[list[Measured], list[Measured]]:
        """Return those at the place that a superlative names, none unless half can be compared; and all that have the
        measure, the least first, by the relation that most of them have."""
        ranked = list[Measured]()
        for relation in measure.relations:
            told = ((thing, self._surest(thing, (relation,))) for thing in found.values())
            measured = [(_number(fact) or 0.0, thing, fact) for thing, fact in told if fact is not None]
            ranked = measured if len(measured) > len(ranked) else ranked
        ranked.sort(key=lambda one: (one[0], one[1].label))
        compared = 2 * len(ranked) >= len(found) and -len(ranked) <= measure.place < len(ranked)
        return [one for one in ranked if compared and one[0] == ranked[measure.place][0]], ranked

    def _is_called(self, thing: Thing, things: Things) -> bool:
        """Whether the corpus calls a thing so, or says nothing against it."""
        noun, gender = things.noun, self._lexicon.gender(things.noun)
        if gender is not None and self._gender(thing.label) not in (None, gender):
            return False
        facts = [f for f in self._cubes.facts_about(thing.key) if f.relation != "mentions"]
        cubes, classes = {f.cube for f in facts}, self._cues.cubes(noun)
        if noun in _ANY or noun in self._lexicon.kin:
            return not cubes or not cubes.isdisjoint(classes)
        if self._cues.own(noun) in [(tie.relations, tie.side) for tie in things.ties]:
            return True
        types = [f.value for f in facts if f.relation in _TYPES] + [split_qualifier(thing.label)[1]]
        if any(names(text, kinds_of(noun)) for text in types):
            return True
        if any(types) and ("person" in classes or self._is_else(types, classes)):
            return False
        if thing.homes and cubes and classes and not cubes & classes:
            return False
        return any(types) or "person" not in classes

    def _is_else(self, types: Sequence[str], classes: Collection[str]) -> bool:
        """Whether a thing is called by the noun of another kind of its class: a song is no film."""
        nouns = (self._lexicon.nouns.get(word, ()) for text in types for word in fold_words(text))
        return any(not set(classes).isdisjoint(cubes) for cubes in nouns)

    def _says(self, thing: Thing, adjective: str) -> Fact | None:
        """The fact that says an adjective of a thing: a nationality, or a word of a type."""
        for fact in self._facts(thing, _DESCRIBING):
            national = fact.kind == "nationality" and adjective[:1].isupper()
            told = names(fact.value.replace("-", " "), {fold(adjective)})
            if told or (national and self._places.same_land(fact.value, adjective)):
                return fact
        return None

    def _surest(self, thing: Thing, relations: Sequence[str]) -> Fact | None:
        """The surest date or amount of the first relation that has one."""
        for relation in relations:
            told = [fact for fact in self._facts(thing, (relation,)) if _number(fact) is not None]
            if told:
                return max(told, key=lambda fact: fact.confidence)
        return None

    def _facts(self, thing: Thing, relations: Collection[str]) -> list[Fact]:
        return [f for f in self._cubes.facts_about(thing.key) if f.relation in relations and self._allows(f.section_id)]


def _number(fact: Fact) -> float | None:
    """A date or an amount on a scale."""
    date, amount = parse_date(fact.value) if fact.kind == "date" else None, parse_quantity(fact.value)
    return date.day_number() if date is not None else amount.value if amount is not None else None


def names(text: str, words: Collection[str]) -> bool:
    """Whether a text has one of some folded words."""
    folded = f" {' '.join(fold_words(text))} "
    return any(f" {word} " in folded for word in words)


def shown(labels: Sequence[str], most: int = 12) -> str:
    """Names in a note, no more than ``most``."""
    told = ", ".join(labels[:most])
    return f"{told} and {len(labels) - most} more" if len(labels) > most else told
