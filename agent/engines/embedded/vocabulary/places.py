"""Places and nationalities: which country something belongs to, of which level a place is, and what holds it."""

from __future__ import annotations

from collections.abc import Iterator

from .....cubes.core.folding import fold
from .....cubes.extraction.words.lexicon import country_of, land_of, lexicon
from .....cubes.model.cells import CubeSet
from .....cubes.model.rollup_fallback import CONTAINMENT
from .lexicon import listed
from .linker import EntityLinker

__all__ = ["PlaceHierarchy"]

_COUNTRIES = frozenset({"country", "nation", "kingdom", "republic", "state"})
_FITS, _MISFITS = 0.6, -0.5
_MOST = 32  # places that a place may lie in
_STEM = 5


class PlaceHierarchy:
    """Climbs from a place, nationality or demonym to countries; data for real ones, the corpus for the others."""

    def __init__(self, cubes: CubeSet, linker: EntityLinker) -> None:
        self._cubes, self._linker = cubes, linker

    def is_country(self, name: str) -> bool:
        """Whether the lexicon or the corpus says that this is a country."""
        if fold(country_of(name) or "") == fold(name):
            return True
        types = (fold(kind).split() for s in self._linker.link(name) for kind in self._types(s.key))
        return not all(map(_COUNTRIES.isdisjoint, types))

    def country(self, value: str) -> str | None:
        """Return the name of the country that a place or a demonym belongs to, or None where nothing says so."""
        lands = (land_of(name) or (name if self.is_country(name) else None) for name in self.upwards(value))
        return next(filter(None, lands), None)

    def upwards(self, value: str) -> Iterator[str]:
        """Yield a place and what holds it, nearest first: by its own commas and by the corpus's containment."""
        names = [value]
        for name in names:  # grows while it is gone through
            yield name
            facts = (f for s in self._linker.link(name) for f in self._cubes.facts_about(s.key))
            holding = [*name.split(",")[1:], *(fact.value for fact in facts if fact.relation in CONTAINMENT)]
            known = {*map(fold, names)}
            names += [each.strip() for each in holding if fold(each) not in known][: _MOST - len(names)]

    def same_land(self, value: str, place: str) -> bool:
        """Whether a nationality is a country's: by what everybody knows, else by the stem that both words share."""
        one, other = country_of(value), country_of(place)
        return one == other if one or other else fold(value)[:_STEM] == fold(place)[:_STEM]

    def country_named(self, value: str) -> str:
        """The country's own name for a demonym ("Orvennan" -> "Orvenna"), or the value as it is."""
        known = country_of(value)
        if known is not None or self._linker.link_exactly(value):
            return known or value
        return next((label for label in self._linker.labels_like(value) if self.is_country(label)), value)

    def fit(self, value: str, noun: str) -> float | None:
        """How well a place may be called by a noun of level ("state", "county"); None for any other noun.

        Word lists tell, a place's own name ("Ford County"), and the type that the corpus gives it.
        """
        if noun not in listed("levels"):
            return None
        key, words = fold(value), lexicon()
        levels = {
            "continent_nouns": key in listed("continents"),
            "region_nouns": key in words.region_of,
            "country_nouns": words.place_of.get(key) is not None,
        }
        if any(levels.values()):  # Australia is a country and a continent
            return _FITS if any(held and noun in listed(level) for level, held in levels.items()) else _MISFITS
        types = (kind for s in self._linker.link_exactly(value)[:1] for kind in self._types(s.key))
        return _FITS if noun in f"{key} {' '.join(map(fold, types))}".split() else 0.0

    def rolled_up(self, value: str, noun: str) -> str:
        """The place of the level asked for that holds a place, or the place itself where nothing says so."""
        if noun in listed("country_nouns"):
            return self.country(value) or value
        return next((name for name in self.upwards(value) if (self.fit(name, noun) or 0.0) > 0), value)

    def _types(self, key: str) -> list[str]:
        return [fact.value for fact in self._cubes.facts_about(key) if fact.relation == "type"]
