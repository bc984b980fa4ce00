"""Which of the things that cells hold are meant: by their class, by adjectives, by dates; and what measures them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from .....cubes.core.dates import PartialDate, parse_date
from .....cubes.core.folding import fold, fold_words, split_qualifier
from .....cubes.core.quantities import parse_quantity
from .....cubes.core.records import Fact
from .....cubes.extraction.words.lexicon import country_of
from ..context import EngineContext
from ..vocabulary.cues import KIND_CUBES
from ..vocabulary.lexicon import kinds_of
from .limits import ORIGINS
from .request import AggregationQuery, Superlative
from .things import FoundEntities, FoundEntity

__all__ = ["EntityFilter", "Measured"]

_TYPES = ("type", "genre", "occupation", "position")
_DESCRIBING = (*_TYPES, "country of origin", "nationality", "language")
_ANY_PERSON = frozenset({"person", "individual", "man", "woman"})

Allows = Callable[[str], bool]
Measured = tuple[float, FoundEntity, Fact, str]
"""A thing with what measures it: as a number, the fact, and in words."""


class EntityFilter:
    """Judges things by their facts."""

    def __init__(self, context: EngineContext) -> None:
        self._cubes, self._lexicon, self._places = context.cubes, context.lexicon, context.places
        self._gender, self._text_of = context.facts.gender, context.text_of

    def filtered(
        self, things: FoundEntities, request: AggregationQuery, allows: Allows, notes: list[str]
    ) -> FoundEntities:
        """Return the things that are meant; what is left out only because the documents do not say is noted."""
        kept, undated = FoundEntities(), 0
        for thing in things.values():
            if not self._is_called(thing, request.noun) or not self._is(thing, request.adjectives, allows):
                continue
            dated = self._date(thing, request.dated or ORIGINS, allows) if request.periods else None
            if dated is not None:
                thing.found_by.update(p.words for p in request.periods if p.holds(dated[0]))
                thing.grounds.append(dated[1])
            undated += bool(request.periods) and dated is None
            if thing.found_by & {p.words for p in request.periods} or not request.periods:
                kept[thing.key] = thing
        if undated:
            notes.append(f"of {undated} more {request.plural} no date is stated")
        return kept

    def meets(self, text: str, kind: str, request: AggregationQuery) -> bool:
        """Whether a label is of a request's time or adjectives, or of its noun where it has neither."""
        if request.periods:
            date = parse_date(text) if kind == "date" else None
            return date is not None and any(period.holds(date) for period in request.periods)
        if request.adjectives:
            return kind in ("nationality", "text") and any(self._says(a, text, kind) for a in request.adjectives)
        return kind == "text" and _names(text, kinds_of(request.noun))

    # -- class -----------------------------------------------------------------------------------------------

    def _is_called(self, thing: FoundEntity, noun: str) -> bool:
        """Whether the corpus calls a thing so, or says nothing against it."""
        gender = self._lexicon.gender(noun)
        if gender is not None and self._gender(thing.label) not in (None, gender):
            return False
        facts = [f for f in self._cubes.facts_about(thing.key) if f.relation != "mentions"]
        cubes = {f.cube for f in facts}
        if noun in _ANY_PERSON or noun in self._lexicon.kin:
            return not cubes or "person" in cubes
        accepted = kinds_of(noun)
        words = [f.value for f in facts if f.relation in _TYPES] + [q for q in (split_qualifier(thing.label)[1],) if q]
        if any(_names(text, accepted) for text in words):
            return True
        classes = set(self._lexicon.nouns.get(noun, ())) or {KIND_CUBES.get(self._lexicon.kinds.get(noun, ""), "")}
        if words and ("person" in classes or self._is_else(words, classes)):
            return False
        if thing.homes and cubes and classes - {""} and not cubes & classes:
            return False
        said = (self._text_of(f.section_id)[f.sentence.start : f.sentence.end] for f in thing.grounds)
        return bool(words) or "person" not in classes or any(_names(text, accepted) for text in said)

    def _is_else(self, words: Sequence[str], classes: set[str]) -> bool:
        """Whether a thing is called by the noun of another kind of its class: a song is no film."""
        return any(classes & set(self._lexicon.nouns.get(word, ())) for text in words for word in fold_words(text))

    # -- adjectives ------------------------------------------------------------------------------------------

    def _is(self, thing: FoundEntity, adjectives: Sequence[str], allows: Allows) -> bool:
        """Whether the corpus says all the adjectives of a thing; what it does not say is not so."""
        facts = [f for f in self._facts(thing) if f.relation in _DESCRIBING and allows(f.section_id)]
        met = [[f for f in facts if self._says(adjective, f.value, f.kind)] for adjective in adjectives]
        thing.grounds += [found[0] for found in met if found and found[0] not in thing.grounds] if all(met) else []
        return all(met)

    def _says(self, adjective: str, value: str, kind: str) -> bool:
        """Whether a value is what an adjective says: a nationality, or a word of a type."""
        if kind == "nationality":
            return adjective[:1].isupper() and self.is_from(value, adjective)
        return _names(value.replace("-", " "), {fold(adjective)})

    def is_from(self, value: str, place: str) -> bool:
        """Whether a nationality is a country's: by what everybody knows, else by the corpus."""
        known = country_of(place)
        if known is not None or country_of(value) is not None:
            return known is not None and fold(known) == fold(country_of(value) or value)
        return fold(value) == fold(place) or self._places.same_stem([value], [place])

    # -- dates and measures ----------------------------------------------------------------------------------

    def measured(self, things: FoundEntities, measure: Superlative, allows: Allows) -> tuple[list[Measured], str]:
        """Return the things that have a measure, the least first, by the relation that most of them have."""
        best, used = list[Measured](), ""
        for relation in measure.relations:
            found = [x for x in (self._measure(t, relation, allows) for t in things.values()) if x is not None]
            best, used = (found, relation) if len(found) > len(best) else (best, used)
        return sorted(best, key=lambda one: (one[0], one[1].label)), used

    def _measure(self, thing: FoundEntity, relation: str, allows: Allows) -> Measured | None:
        dated = self._date(thing, (relation,), allows)
        if dated is not None:
            return dated[0].day_number(), thing, dated[1], dated[1].value
        told = sorted((f for f in self._facts(thing, relation) if allows(f.section_id)), key=lambda f: -f.confidence)
        found = ((quantity.value, thing, f, f.value) for f in told if (quantity := parse_quantity(f.value)) is not None)
        return next(found, None)

    def _date(self, thing: FoundEntity, relations: Sequence[str], allows: Allows) -> tuple[PartialDate, Fact] | None:
        """The surest date of the first relation that has one."""
        for relation in relations:
            facts = [f for f in self._facts(thing, relation) if allows(f.section_id) and f.kind == "date"]
            found = [(date, f) for f in facts if (date := parse_date(f.value)) is not None]
            if found:
                return max(found, key=lambda one: one[1].confidence)
        return None

    def _facts(self, thing: FoundEntity, relation: str | None = None) -> list[Fact]:
        return [f for f in self._cubes.facts_about(thing.key) if relation in (None, f.relation)]


def _names(text: str, words: Collection[str]) -> bool:
    """Whether a text has one of some folded words."""
    folded = f" {' '.join(fold_words(text))} "
    return any(f" {word} " in folded for word in words)
