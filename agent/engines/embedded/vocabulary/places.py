"""Comparing places and nationalities: which country something belongs to, by the corpus's own containment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .....cubes.core.folding import fold
from .....cubes.extraction.words.lexicon import country_of, land_of
from .....cubes.model.cells import CubeSet
from .....cubes.model.rollup_fallback import CONTAINMENT
from .linker import EntityLinker

__all__ = ["PlaceHierarchy"]

_DEPTH = 5
_STEM = 5


class PlaceHierarchy:
    """Climbs from a place, nationality or demonym to countries; data for real ones, the corpus for the others."""

    def __init__(self, cubes: CubeSet, linker: EntityLinker) -> None:
        self._cubes = cubes
        self._linker = linker

    def is_country(self, name: str) -> bool:
        """Whether the lexicon or the corpus says that this is a country."""
        if fold(country_of(name) or "") == fold(name):
            return True
        kinds = [
            f.value for s in self._linker.link(name) for f in self._cubes.facts_about(s.key) if f.relation == "type"
        ]
        return any(
            w in fold(kind).split() for kind in kinds for w in ("country", "nation", "kingdom", "republic", "state")
        )

    def country_keys(self, value: str) -> set[str]:
        """The countries a value belongs to, as comparable keys."""
        country = self.country(value)
        return {fold(country if country is not None else value)}

    def country(self, value: str) -> str | None:
        """Return the name of the country that a place or a demonym belongs to, or None where nothing says so."""
        for name in self.upwards(value):
            known = land_of(name) or (name if self.is_country(name) else None)
            if known is not None:
                return known
        return None

    def upwards(self, value: str) -> Iterator[str]:
        """Yield a place and what holds it, nearest first: by its own commas and by the corpus's containment."""
        frontier, seen = [value], set()
        for _ in range(_DEPTH):
            following: list[str] = []
            for name in frontier:
                if fold(name) not in seen:
                    seen.add(fold(name))
                    yield name
                    following += self._containers(name)
            frontier = following

    def same_stem(self, left: Sequence[str], right: Sequence[str]) -> bool:
        """Whether unknown values of both sides share a stem, as a country and its demonym do (Orvenna, Orvennan)."""
        sides = [{k for v in values for k in self.country_keys(v) if country_of(k) is None} for values in (left, right)]
        return bool({_stem(k) for k in sides[0]} & {_stem(k) for k in sides[1]})

    def country_named(self, value: str) -> str:
        """The country's own name for a demonym ("Orvennan" -> "Orvenna"), or the value as it is."""
        known = country_of(value)
        if known is not None:
            return known
        if self._linker.link_exactly(value):
            return value
        return next((label for label in self._linker.labels_like(value) if self.is_country(label)), value)

    def person_named(self, value: str) -> str:
        """The person's own name without a title before it, unless the title is part of the name."""
        return self._linker.plain(value)

    def _containers(self, name: str) -> list[str]:
        parts = [part.strip() for part in name.split(",")[1:]]
        facts = (f for s in self._linker.link(name) for f in self._cubes.facts_about(s.key))
        return parts + [fact.value for fact in facts if fact.relation in CONTAINMENT]


def _stem(key: str) -> str:
    return key[:_STEM] if len(key) > _STEM else key
