"""Which of the things that cells hold are meant: by their class, by adjectives, by dates; and what measures them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....cubes.cells import CubeSet
from ....cubes.dates import PartialDate, parse_date
from ....cubes.extraction.lexicon import country_of
from ....cubes.folding import base_key, fold, fold_words, split_qualifier
from ....cubes.quantities import parse_quantity
from ....cubes.records import Fact
from ..lexicon import Lexicon, kinds_of
from ..places import Places
from ..relations import KIND_CUBES
from .request import Measure, Request
from .things import Thing, Things

__all__ = ["Sifter"]

_TYPES = ("type", "genre", "occupation", "position")
_ORIGINS = ("released on", "founded on", "opened on", "launched on", "built on", "took place on", "happened on",
            "introduced on", "described on", "born on")
_NATIONAL = ("country of origin", "nationality")
_DESCRIBING = (*_TYPES, *_NATIONAL, "language")
_ANY_PERSON = frozenset({"person", "individual", "man", "woman"})

Allows = Callable[[str], bool]


class Sifter:
    """Judges things by their facts."""

    def __init__(
        self, cubes: CubeSet, lexicon: Lexicon, places: Places, gender: Callable[[str], str | None],
        text_of: Callable[[str], str],
    ) -> None:
        self._cubes = cubes
        self._lexicon = lexicon
        self._places = places
        self._gender = gender
        self._text_of = text_of

    def sift(self, things: Things, request: Request, allows: Allows, notes: list[str]) -> Things:
        """Return the things that are meant; what is left out only because the documents do not say is noted."""
        kept, undated = Things(), 0
        for thing in things:
            if not self._is_called(thing, request.noun) or not self._is(thing, request.adjectives, allows):
                continue
            dated = self._date(thing, request.dated or _ORIGINS, allows) if request.periods else None
            if dated is not None:
                thing.found_by.update(p.words for p in request.periods if p.holds(dated[0]))
                thing.grounds.append(dated[1])
            undated += bool(request.periods) and dated is None
            if thing.found_by & {p.words for p in request.periods} or not request.periods:
                kept.put(thing)
        if undated:
            notes.append(f"of {undated} more {request.plural} no date is stated")
        return kept

    def count(self, things: Things, cell: Sequence[tuple[str, str]], request: Request) -> int:
        """How many things are in a cell."""
        labels = {label for dimension, label in cell if dimension != "is"}
        tied = {p.words for p in request.periods}
        return sum(1 for thing in things if labels <= thing.found_by | (set() if tied & labels else tied))

    # -- class -----------------------------------------------------------------------------------------------

    def _is_called(self, thing: Thing, noun: str) -> bool:
        """Whether the corpus calls a thing so, or says nothing against it."""
        gender = self._lexicon.gender(noun)
        if gender is not None and self._gender(thing.label) not in (None, gender):
            return False
        cubes = {f.cube for f in self._cubes.facts_about(thing.key) if f.relation != "mentions"}
        if noun in _ANY_PERSON or noun in self._lexicon.kin:
            return not cubes or "person" in cubes
        accepted = self._accepted(noun)
        words = self._type_words(thing)
        if any(f" {each} " in f" {text} " for each in accepted for text in words):
            return True
        classes = set(self._lexicon.nouns.get(noun, ())) or {KIND_CUBES.get(self._lexicon.kinds.get(noun, ""), "")}
        if words and ("person" in classes or self._is_else(words, accepted, classes)):
            return False
        if thing.homes and cubes and classes - {""} and not cubes & classes:
            return False
        return bool(words) or "person" not in classes or self._said(thing, accepted)

    def _accepted(self, noun: str) -> set[str]:
        """A noun, what is a kind of it, and what says the same of a thing ("movie", "film")."""
        same = {each for each in kinds_of(noun) if noun in kinds_of(each)}
        return set(kinds_of(noun)).union(*(kinds_of(each) for each in same))

    def _is_else(self, words: Sequence[str], accepted: set[str], classes: set[str]) -> bool:
        """Whether a thing is called by the noun of another kind of its class: a song is no film."""
        own = {word for text in words for word in text.split() if word in self._lexicon.nouns}
        return any(classes & set(self._lexicon.nouns[word]) for word in own - accepted) and not own & accepted

    def _type_words(self, thing: Thing) -> list[str]:
        told = [" ".join(fold_words(f.value)) for f in self._cubes.facts_about(thing.key) if f.relation in _TYPES]
        qualifier = split_qualifier(thing.label)[1]
        return [*told, *([" ".join(fold_words(qualifier))] if qualifier else [])]

    def _said(self, thing: Thing, accepted: set[str]) -> bool:
        """Whether a sentence that tells of a thing calls it so."""
        return any(accepted & set(fold_words(self._sentence(fact))) for fact in thing.grounds)

    def _sentence(self, fact: Fact) -> str:
        return self._text_of(fact.section_id)[fact.sentence.start:fact.sentence.end]

    # -- adjectives ------------------------------------------------------------------------------------------

    def _is(self, thing: Thing, adjectives: Sequence[str], allows: Allows) -> bool:
        """Whether the corpus says all the adjectives of a thing; what it does not say is not so."""
        facts = [f for f in self._facts(thing) if f.relation in _DESCRIBING and allows(f.section_id)]
        for adjective in adjectives:
            met = [f for f in facts if self.is_meant(adjective, f.value, f.kind)]
            if not met:
                return False
            thing.grounds += [f for f in met[:1] if f not in thing.grounds]
        return True

    def is_kind(self, value: str, noun: str) -> bool:
        """Whether a type names what a noun does, or a kind of it."""
        text = f" {' '.join(fold_words(value))} "
        return any(f" {each} " in text for each in self._accepted(noun))

    def is_meant(self, adjective: str, value: str, kind: str) -> bool:
        """Whether a value is what an adjective says: a nationality, or a word of a type."""
        if kind == "nationality":
            return adjective[:1].isupper() and self.is_from(value, adjective)
        return f" {fold(adjective)} " in f" {' '.join(fold_words(value.replace('-', ' ')))} "

    def is_from(self, value: str, place: str) -> bool:
        """Whether a nationality is a country's: by what everybody knows, else by the corpus."""
        known = country_of(place)
        if known is not None or country_of(value) is not None:
            return known is not None and fold(known) == fold(country_of(value) or value)
        return fold(value) == fold(place) or self._places.akin([value], [place])

    # -- dates and measures ----------------------------------------------------------------------------------

    def _date(self, thing: Thing, relations: Sequence[str], allows: Allows) -> tuple[PartialDate, Fact] | None:
        """The date of the first relation that has one: what its own section says, the most exact, the surest."""
        for relation in relations:
            facts = [f for f in self._facts(thing, relation) if allows(f.section_id) and f.kind == "date"]
            found = [(date, f) for f in facts if (date := parse_date(f.value)) is not None]
            if found:
                return min(found, key=lambda one: (not self._own(thing, one[1]), -_exact(one[0]), -one[1].confidence))
        return None

    def measured(
        self, things: Things, measure: Measure, allows: Allows
    ) -> tuple[list[tuple[float, Thing, Fact, str]], str]:
        """Return the things that have a measure, the least first, by the relation that most of them have."""
        best: list[tuple[float, Thing, Fact, str]] = []
        used = ""
        for relation in measure.relations:
            found = [one for thing in things if (one := self._measure(thing, relation, allows)) is not None]
            if len(found) > len(best):
                best, used = found, relation
        return sorted(best, key=lambda one: (one[0], one[1].label)), used

    def _measure(self, thing: Thing, relation: str, allows: Allows) -> tuple[float, Thing, Fact, str] | None:
        dated = self._date(thing, (relation,), allows)
        if dated is not None:
            return dated[0].day_number(), thing, dated[1], dated[1].value
        facts = [f for f in self._facts(thing, relation) if allows(f.section_id)]
        for fact in sorted(facts, key=lambda f: (not self._own(thing, f), -f.confidence)):
            quantity = parse_quantity(fact.value)
            if quantity is not None:
                return quantity.value, thing, fact, fact.value
        return None

    def _own(self, thing: Thing, fact: Fact) -> bool:
        return any(f.relation == "is" and f.section_id == fact.section_id for f in self._cubes.facts_about(thing.key))

    def _facts(self, thing: Thing, relation: str | None = None) -> list[Fact]:
        """A thing's facts; of one without a section of its own those under its bare name as well."""
        keys = dict.fromkeys((thing.key, base_key(thing.label))) if not thing.homes else (thing.key,)
        return [f for key in keys for f in self._cubes.facts_about(key) if relation in (None, f.relation)]


def _exact(date: PartialDate) -> int:
    return (date.month is not None) + (date.day is not None)
