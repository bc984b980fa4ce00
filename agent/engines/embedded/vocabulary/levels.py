"""Which level a place is of: a country, a part of one, a county, a town; and which place of a level holds another."""

from __future__ import annotations

from .....cubes.core.folding import fold
from .....cubes.extraction.words.lexicon import land_of, lexicon
from .....cubes.model.cells import CubeSet
from .lexicon import continent_of, nouns_called
from .linker import EntityLinker
from .places import PlaceHierarchy

__all__ = ["PlaceLevels"]

_FITS, _MISFITS = 0.6, -0.5


class PlaceLevels:
    """Tells levels apart by word lists, by a place's own name ("Ford County") and by what the corpus says it is."""

    def __init__(self, cubes: CubeSet, linker: EntityLinker, places: PlaceHierarchy) -> None:
        self._cubes = cubes
        self._linker = linker
        self._places = places

    def fit(self, value: str, noun: str) -> float | None:
        """How well a place may be called by a noun of level ("state", "county"); None for any other noun."""
        if noun not in nouns_called("levels"):
            return None
        known = self._known(value)
        if known is not None:
            return _FITS if noun in nouns_called(known) else _MISFITS
        return _FITS if noun in self._named(value) else 0.0

    def roll_up(self, value: str, noun: str) -> str | None:
        """Return the first place of a level that holds a place, or None where nothing says so."""
        above = [*self._places.upwards(value)]
        found = next((name for name in above if (self.fit(name, noun) or 0.0) > 0), None)
        if found is None and noun == "continent":
            return next((name for place in above if (name := continent_of(land_of(place) or place))), None)
        return found

    def _known(self, value: str) -> str | None:
        """The list of nouns that a value's level goes by, where word lists know the value."""
        key, words = fold(value), lexicon()
        if key in nouns_called("continents"):
            return "continent_nouns"
        if key in words.region_of:
            return "region_nouns"
        if words.place_of.get(key) is not None:
            return "country_nouns"
        return None

    def _named(self, value: str) -> set[str]:
        """The words that say what a place is: the end of its name, and its type."""
        found = {word for word in fold(value).split() if word in nouns_called("levels")}
        for subject in self._linker.link_exactly(value)[:1]:
            for fact in self._cubes.facts_about(subject.key):
                if fact.relation == "type":
                    found.update(fold(fact.value).split())
        return found
