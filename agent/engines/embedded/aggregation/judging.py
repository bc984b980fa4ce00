"""Which of the things that cells hold are meant: by their class, by adjectives, by dates; and what measures them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from .....cubes.core.dates import PartialDate, parse_date
from .....cubes.core.folding import fold, fold_words, split_qualifier
from .....cubes.core.quantities import parse_quantity
from .....cubes.core.records import Fact
from .....cubes.extraction.words.lexicon import country_of
from ..context import EngineContext
from ..vocabulary.lexicon import kinds_of
from .request import Period, Superlative, Things, Tie
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

    def meant(self, found: Found, things: Things, allows: Allows) -> Found:
        """Return the things that are of the class, the adjectives and the times; what nothing says is not so."""
        kept = [thing for thing in found.values() if self._is_called(thing, things)]
        for adjective in things.adjectives:
            kept = [thing for thing in kept if self._is(thing, adjective, allows)]
        for tie in things.ties:
            kept = [thing for thing in kept if not is_dated(tie) or self._is_of(thing, tie, allows)]
        return {thing.key: thing for thing in kept}

    def ranked(self, found: Found, measure: Superlative, allows: Allows) -> list[Measured]:
        """Return the things that have a measure, the least first, by the relation that most of them have."""
        tables = [[*self._measures(found, relation, allows)] for relation in measure.relations]
        return sorted(max(tables, key=len, default=[]), key=lambda one: (one[0], one[1].label))

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

    def _is(self, thing: Thing, adjective: str, allows: Allows) -> bool:
        """Whether the corpus says an adjective of a thing: a nationality, or a word of a type."""
        for fact in self._facts(thing, _DESCRIBING, allows):
            of_land = fact.kind == "nationality" and adjective[:1].isupper() and self.is_from(fact.value, adjective)
            if of_land or names(fact.value.replace("-", " "), {fold(adjective)}):
                return thing.is_told(adjective, fact)
        return False

    def _is_of(self, thing: Thing, tie: Tie, allows: Allows) -> bool:
        """Whether a thing is of one of the periods; without a word for what happened by when it began."""
        dated = self._date(thing, tie.relations or self._lexicon.comparatives["earliest"].relations, allows)
        within = [target for target in tie.targets if dated and isinstance(target, Period) and target.holds(dated[0])]
        return dated is not None and any([thing.is_told(str(period), dated[1]) for period in within])

    def _measures(self, found: Found, relation: str, allows: Allows) -> Iterator[Measured]:
        for thing in found.values():
            dated = self._date(thing, (relation,), allows)
            told = sorted(self._facts(thing, (relation,), allows), key=lambda fact: -fact.confidence)
            amounts = ((amount.value, f) for f in told if (amount := parse_quantity(f.value)) is not None)
            best = (dated[0].day_number(), dated[1]) if dated is not None else next(amounts, None)
            if best is not None:
                yield best[0], thing, best[1]

    def _date(self, thing: Thing, relations: Sequence[str], allows: Allows) -> tuple[PartialDate, Fact] | None:
        """The surest date of the first relation that has one."""
        for relation in relations:
            facts = (f for f in self._facts(thing, (relation,), allows) if f.kind == "date")
            found = [(date, f) for f in facts if (date := parse_date(f.value)) is not None]
            if found:
                return max(found, key=lambda one: one[1].confidence)
        return None

    def _facts(self, thing: Thing, relations: Collection[str], allows: Allows) -> list[Fact]:
        return [f for f in self._cubes.facts_about(thing.key) if f.relation in relations and allows(f.section_id)]


def is_dated(tie: Tie) -> bool:
    """Whether a tie is to a time."""
    return isinstance(tie.targets[0], Period)


def names(text: str, words: Collection[str]) -> bool:
    """Whether a text has one of some folded words."""
    folded = f" {' '.join(fold_words(text))} "
    return any(f" {word} " in folded for word in words)
