"""Which of the things that cells hold are meant: by their class, by adjectives, by dates; and what measures them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from .....cubes.core.dates import parse_date
from .....cubes.core.folding import fold, fold_words, split_qualifier
from .....cubes.core.quantities import parse_quantity
from .....cubes.core.records import Fact
from .....cubes.extraction.words.lexicon import country_of
from ..context import EngineContext
from ..vocabulary.lexicon import kinds_of
from .request import Period, Superlative, Things
from .things import Found, Thing
from .words import RelationWords

__all__ = ["Allows", "Measured", "ThingJudge", "names"]

_TYPES = ("type", "genre", "occupation", "position")
_DESCRIBING = (*_TYPES, "country of origin", "nationality", "language")
_ANY_PERSON = frozenset({"person", "individual", "man", "woman"})

Allows = Callable[[str], bool]
Measured = tuple[float, Thing, Fact]
"""What measures a thing, as a number, the thing, and the fact that says so."""


class ThingJudge:
    """Judges things by their facts."""

    def __init__(self, context: EngineContext, words: RelationWords) -> None:
        self._cubes, self._lexicon, self._places, self._words = context.cubes, context.lexicon, context.places, words
        self._gender, self._text_of = context.facts.gender, context.text_of

    def is_meant(self, thing: Thing, things: Things, allows: Allows) -> bool:
        """Whether a thing is of the class and the adjectives asked for; an adjective that nothing says is not so."""
        told = [self._says(thing, adjective, allows) for adjective in things.adjectives]
        thing.takes(fact for fact in told if fact is not None)
        return None not in told and self._is_called(thing, things)

    def is_dated(self, thing: Thing, period: Period, relations: Sequence[str], allows: Allows) -> bool:
        """Whether a thing is of a period by one of its dates; by when it began, where none is named."""
        fact = self._surest(thing, relations or self._lexicon.comparatives["earliest"].relations, allows)
        date = parse_date(fact.value) if fact is not None and fact.kind == "date" else None
        thing.takes([fact] if fact is not None else [])
        return date is not None and period.holds(date)

    def ranked(self, found: Found, measure: Superlative, allows: Allows) -> tuple[list[Measured], list[Measured]]:
        """Return those at the place that a superlative names, none unless half can be compared; and all that have the
        measure, the least first, by the relation that most of them have."""
        tables = []
        for relation in measure.relations:
            told = ((thing, self._surest(thing, (relation,), allows)) for thing in found.values())
            tables.append([(_number(fact), thing, fact) for thing, fact in told if fact is not None])
        ranked = sorted(max(tables, key=len, default=[]), key=lambda one: (one[0], one[1].label))
        compared = 2 * len(ranked) >= len(found) and -len(ranked) <= measure.place < len(ranked)
        return [one for one in ranked if compared and one[0] == ranked[measure.place][0]], ranked

    def is_from(self, value: str, place: str) -> bool:
        """Whether a nationality is a country's: by what everybody knows, else by the corpus."""
        known = country_of(place)
        if known is not None or country_of(value) is not None:
            return known is not None and fold(known) == fold(country_of(value) or value)
        return fold(value) == fold(place) or self._places.same_stem([value], [place])

    def _is_called(self, thing: Thing, things: Things) -> bool:
        """Whether the corpus calls a thing so, or says nothing against it."""
        noun, gender = things.noun, self._lexicon.gender(things.noun)
        if gender is not None and self._gender(thing.label) not in (None, gender):
            return False
        facts = [f for f in self._cubes.facts_about(thing.key) if f.relation != "mentions"]
        cubes, classes = {f.cube for f in facts}, self._words.cubes(noun)
        if noun in _ANY_PERSON or noun in self._lexicon.kin:
            return not cubes or "person" in cubes
        if self._words.own(noun) in [((tie.relations,), tie.side) for tie in things.ties]:
            return True
        types = [f.value for f in facts if f.relation in _TYPES] + [split_qualifier(thing.label)[1]]
        if any(names(text, kinds_of(noun)) for text in types):
            return True
        if any(types) and ("person" in classes or self._is_else(types, classes)):
            return False
        if thing.homes and cubes and classes and not cubes & classes:
            return False
        said = (self._text_of(f.section_id)[f.sentence.start : f.sentence.end] for f in thing.grounds)
        return any(types) or "person" not in classes or any(names(text, kinds_of(noun)) for text in said)

    def _is_else(self, types: Sequence[str], classes: Collection[str]) -> bool:
        """Whether a thing is called by the noun of another kind of its class: a song is no film."""
        nouns = (self._lexicon.nouns.get(word, ()) for text in types for word in fold_words(text))
        return any(not set(classes).isdisjoint(cubes) for cubes in nouns)

    def _says(self, thing: Thing, adjective: str, allows: Allows) -> Fact | None:
        """The fact that says an adjective of a thing: a nationality, or a word of a type."""
        for fact in self._facts(thing, _DESCRIBING, allows):
            of_land = fact.kind == "nationality" and adjective[:1].isupper() and self.is_from(fact.value, adjective)
            if of_land or names(fact.value.replace("-", " "), {fold(adjective)}):
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
