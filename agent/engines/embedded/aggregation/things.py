"""Things found in cells: each once, by whatever name it is told of; which of them are meant; and what measures them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from .....cubes.core.dates import parse_date
from .....cubes.core.folding import base_key, fold, fold_words, split_qualifier
from .....cubes.core.quantities import parse_quantity
from .....cubes.core.records import Fact
from ..context import EngineContext
from ..plan import Period, Superlative, Things
from ..vocabulary.lexicon import kinds_of

__all__ = ["Allows", "Found", "Measured", "Thing", "ThingJudge", "merged", "names", "shared"]

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


class ThingJudge:
    """Judges things by their facts."""

    def __init__(self, context: EngineContext) -> None:
        self._cubes, self._lexicon, self._places = context.cubes, context.lexicon, context.places
        self._cues = context.questions.terms.cues
        self._gender = context.facts.gender

    def is_meant(self, thing: Thing, things: Things, allows: Allows) -> bool:
        """Whether a thing is of the class and the adjectives asked for; an adjective that nothing says is not so."""
        told = [self._says(thing, adjective, allows) for adjective in things.adjectives]
        thing.takes(fact for fact in told if fact is not None)
        return None not in told and self._is_called(thing, things)

    def is_of(self, thing: Thing, period: Period, relations: Sequence[str], allows: Allows) -> bool | None:
        """Whether a thing is of a period by the first of its dates; None where nothing tells a date."""
        fact = self._surest(thing, relations, allows)
        date = parse_date(fact.value) if fact is not None and fact.kind == "date" else None
        thing.takes([fact] if fact is not None else [])
        return period.holds(date) if date is not None else None

    def ranked(self, found: Found, measure: Superlative, allows: Allows) -> tuple[list[Measured], list[Measured]]:
        """Return those at the place that a superlative names, none unless half can be compared; and all that have the
        measure, the least first, by the relation that most of them have."""
        ranked = list[Measured]()
        for relation in measure.relations:
            told = ((thing, self._surest(thing, (relation,), allows)) for thing in found.values())
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

    def _says(self, thing: Thing, adjective: str, allows: Allows) -> Fact | None:
        """The fact that says an adjective of a thing: a nationality, or a word of a type."""
        for fact in self._facts(thing, _DESCRIBING, allows):
            national = fact.kind == "nationality" and adjective[:1].isupper()
            told = names(fact.value.replace("-", " "), {fold(adjective)})
            if told or (national and self._places.same_land(fact.value, adjective)):
                return fact
        return None

    def _surest(self, thing: Thing, relations: Sequence[str], allows: Allows) -> Fact | None:
        """The surest date or amount of the first relation that has one."""
        for relation in relations:
            told = [fact for fact in self._facts(thing, (relation,), allows) if _number(fact) is not None]
            if told:
                return max(told, key=lambda fact: fact.confidence)
        return None

    def _facts(self, thing: Thing, relations: Collection[str], allows: Allows) -> list[Fact]:
        return [f for f in self._cubes.facts_about(thing.key) if f.relation in relations and allows(f.section_id)]


def _number(fact: Fact) -> float | None:
    """A date or an amount on a scale."""
    date, amount = parse_date(fact.value) if fact.kind == "date" else None, parse_quantity(fact.value)
    return date.day_number() if date is not None else amount.value if amount is not None else None


def names(text: str, words: Collection[str]) -> bool:
    """Whether a text has one of some folded words."""
    folded = f" {' '.join(fold_words(text))} "
    return any(f" {word} " in folded for word in words)
