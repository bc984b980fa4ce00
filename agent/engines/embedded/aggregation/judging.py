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
from .request import Superlative, Things
from .things import Found, Thing
from .words import RelationWords, begun

__all__ = ["Allows", "Measured", "ThingJudge"]

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

    def meant(self, found: Found, things: Things, allows: Allows, notes: list[str]) -> Found:
        """Return the things that are meant; what is left out only because the documents do not say is noted."""
        called = [thing for thing in found.values() if self._is_called(thing, things)]
        for adjective in things.adjectives:
            called = [thing for thing in called if self._is(thing, adjective, allows)]
        for dates in things.dates:
            dated = [(thing, self._date(thing, dates.relations or begun(self._lexicon), allows)) for thing in called]
            called, undated = [], sum(told is None for _, told in dated)
            for thing, (date, fact) in ((thing, told) for thing, told in dated if told is not None):
                within = {period.words for period in dates.periods if period.holds(date)}
                thing.found_by |= within
                thing.grounds.append(fact)
                called += [thing] if within else []
            notes += [f"Of {undated} more {things.plural} no date is stated."] if undated else []
        return {thing.key: thing for thing in called}

    def ranked(self, found: Found, measure: Superlative, allows: Allows) -> list[Measured]:
        """Return the things that have a measure, the least first, by the relation that most of them have."""
        tables = [[*self._measures(found, relation, allows)] for relation in measure.relations]
        return sorted(max(tables, key=len, default=[]), key=lambda one: (one[0], one[1].label))

    def picked(self, found: Found, measure: Superlative, allows: Allows) -> list[Measured]:
        """Return the thing at the place that a superlative names, or equal ones; none unless half can be compared."""
        ranked, place = self.ranked(found, measure, allows), measure.place
        if 2 * len(ranked) < len(found) or not -len(ranked) <= place < len(ranked):
            return []
        return [one for one in ranked if one[0] == ranked[place][0]]

    # -- class -----------------------------------------------------------------------------------------------

    def _is_called(self, thing: Thing, things: Things) -> bool:
        """Whether the corpus calls a thing so, or says nothing against it."""
        noun, gender = things.noun, self._lexicon.gender(things.noun)
        if gender is not None and self._gender(thing.label) not in (None, gender):
            return False
        facts = [f for f in self._cubes.facts_about(thing.key) if f.relation != "mentions"]
        cubes, classes = {f.cube for f in facts}, self._words.cubes(noun)
        if noun in _ANY_PERSON or noun in self._lexicon.kin:
            return not cubes or "person" in cubes
        if any(tie.is_own for tie in things.ties):
            return True
        types = [f.value for f in facts if f.relation in _TYPES] + [split_qualifier(thing.label)[1]]
        said = [self._text_of(f.section_id)[f.sentence.start : f.sentence.end] for f in thing.grounds]
        if any(names(text, kinds_of(noun)) for text in types):
            return True
        if any(types) and ("person" in classes or self._is_else(types, classes)):
            return False
        if thing.homes and cubes and classes and not cubes & classes:
            return False
        return any(types) or "person" not in classes or any(names(text, kinds_of(noun)) for text in said)

    def _is_else(self, types: Sequence[str], classes: Collection[str]) -> bool:
        """Whether a thing is called by the noun of another kind of its class: a song is no film."""
        nouns = (self._lexicon.nouns.get(word, ()) for text in types for word in fold_words(text))
        return any(not set(classes).isdisjoint(cubes) for cubes in nouns)

    # -- adjectives ------------------------------------------------------------------------------------------

    def _is(self, thing: Thing, adjective: str, allows: Allows) -> bool:
        """Whether the corpus says an adjective of a thing; what it does not say is not so."""
        facts = (f for f in self._facts(thing, _DESCRIBING, allows) if self.says(adjective, f.value, f.kind))
        fact = next(facts, None)
        if fact is not None:
            thing.found_by.add(adjective)
            thing.grounds += [fact] if fact not in thing.grounds else []
        return fact is not None

    def says(self, adjective: str, value: str, kind: str) -> bool:
        """Whether a value is what an adjective says: a nationality, or a word of a type."""
        if kind == "nationality":
            return adjective[:1].isupper() and self.is_from(value, adjective)
        return names(value.replace("-", " "), {fold(adjective)})

    def is_from(self, value: str, place: str) -> bool:
        """Whether a nationality is a country's: by what everybody knows, else by the corpus."""
        known = country_of(place)
        if known is not None or country_of(value) is not None:
            return known is not None and fold(known) == fold(country_of(value) or value)
        return fold(value) == fold(place) or self._places.same_stem([value], [place])

    # -- dates and measures ----------------------------------------------------------------------------------

    def _measures(self, found: Found, relation: str, allows: Allows) -> Iterator[Measured]:
        for thing in found.values():
            dated = self._date(thing, (relation,), allows)
            if dated is not None:
                yield dated[0].day_number(), thing, dated[1]
                continue
            told = sorted(self._facts(thing, (relation,), allows), key=lambda fact: -fact.confidence)
            amounts = ((amount, fact) for fact in told if (amount := parse_quantity(fact.value)) is not None)
            yield from ((amount.value, thing, fact) for amount, fact in [*amounts][:1])

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


def names(text: str, words: Collection[str]) -> bool:
    """Whether a text has one of some folded words."""
    folded = f" {' '.join(fold_words(text))} "
    return any(f" {word} " in folded for word in words)
