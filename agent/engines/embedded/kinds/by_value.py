"""Values of attributes that a subquery names: they open a cube of relations where no subject does (eq. 7).

"Which disease has the symptom polyuria?" names no subject, but a class, an attribute of it, and a value of that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from .....cubes.core.records import Component
from .....cubes.model.cells import Cube, CubeSet
from .....cubes.model.ontology import Dimension
from .....cubes.retrieval.wording import stems

__all__ = ["ValueRouter"]

_WORD = re.compile(r"[^\W_](?:[\w&.'’-]*\w)?")
_LONGEST = 6
"""Words of a value at most, as a question writes it."""
_KEPT = 1_000
_WEAK = frozenset({"date", "quantity"})
"""Kinds whose values say too little by themselves: a year is of thousands of things."""


class ValueRouter:
    """Which cubes of relations a subquery opens by the values of attributes that it names.

    The subquery must name the class ("disease") and say of what attribute the value is, by its name ("symptom") or by
    what documents say it with ("shows by").
    """

    def __init__(self, cubes: CubeSet) -> None:
        self._cubes = cubes
        self._nouns = {
            cube.spec.id: frozenset(" ".join(stems(noun)) for noun in cube.spec.nouns)
            for cube in cubes
            if not cube.spec.is_hypercube
        }
        self._found = lru_cache(_KEPT)(self._find)

    def cubes(self, subquery: str) -> tuple[str, ...]:
        """Return the cubes whose class is named together with a value of an attribute."""
        return tuple(dict.fromkeys(part.cube for part in self._found(subquery)))

    def components(self, subquery: str, cube: str) -> tuple[Component, ...]:
        """Return the values named as {dimension: entity} pairs of one cube."""
        return tuple(part for part in self._found(subquery) if part.cube == cube)

    def _find(self, subquery: str) -> tuple[Component, ...]:
        said = f" {' '.join(stems(subquery))} "
        named = [id for id, nouns in self._nouns.items() if any(noun and f" {noun} " in said for noun in nouns)]
        spans = [(m.start(), m.end()) for m in _WORD.finditer(subquery)]
        return tuple(part for id in named for part in _values(subquery, said, spans, self._cubes[id], self._nouns[id]))


def _values(
    subquery: str, said: str, spans: Sequence[tuple[int, int]], cube: Cube, nouns: frozenset[str]
) -> Iterator[Component]:
    """The values of a cube's attributes that a subquery names, longest first, each word once."""
    own = [d for d in cube.spec.attributes if d.kind not in _WEAK and len(cube.axis(d.id) or ())]
    axes = [d for d in own if _is_named(d, said)]
    taken: set[int] = set()
    for length in range(min(_LONGEST, len(spans)), 0, -1):
        for first in range(len(spans) - length + 1):
            words = range(first, first + length)
            text = subquery[spans[first][0] : spans[first + length - 1][1]]
            if not taken.isdisjoint(words) or not stems(text) or " ".join(stems(text)) in nouns:
                continue
            on = [d for d in axes if cube.lookup(d.id, text)]
            if on:
                taken.update(words)
                yield from (Component(cube.spec.id, d.id, text) for d in on)


def _is_named(dimension: Dimension, said: str) -> bool:
    """Whether a subquery says the attribute: its name, a word that asks for it, or a phrase that its values follow."""
    words = [dimension.id.replace("_", " "), dimension.name]
    words += [word for cue in dimension.cues for word in (*cue.asks, *cue.after, *cue.before)]
    return any(f" {stemmed} " in said for word in words if (stemmed := " ".join(stems(word))))
