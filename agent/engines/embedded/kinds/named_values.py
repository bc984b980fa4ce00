"""Values of cubes that a subquery names: they open cubes where no subject does (eq. 7; Hypercube-RAG 3.3).

"Which disease has the symptom polyuria?" names no subject, but a class, an attribute of it, and a value of that. A
hypercube has no subjects: whatever a question names of it opens its cells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial

from .....cubes.core.folding import fold
from .....cubes.core.lexical import STOP_WORDS
from .....cubes.core.records import Component
from .....cubes.model.cells import Cube, CubeSet
from .....cubes.model.ontology import Dimension
from .....cubes.retrieval.wording import names_asked, stems
from .....graphs.reasoner import Routing
from .....graphs.tools import PASSAGES
from ..vocabulary.wordlists import ARTICLES, AUXILIARIES

__all__ = ["NamedValues", "labels_named"]

_WORD = re.compile(r"[^\W_](?:[\w&.'’-]*\w)?")
_POSSESSIVE = re.compile(r"['’]s$")
_CLAUSE = re.compile(r"[;:?!]\s")
_LONGEST = 8
"""Words of a value at most, as a question writes it."""
_KEPT = 1_000
_WEAK = frozenset({"date", "quantity"})
"""Kinds whose values say too little by themselves: a year is of thousands of things."""
_NAMES = ("organization", "person", "place", "event", "name")
_SERVING = STOP_WORDS | AUXILIARIES | {"who", "whom", "whose", "what", "which", "when", "where", "why", "how", "does"}
"""Words that only serve a question: no value begins or ends with one."""


class NamedValues:
    """Finds the values that subqueries name, in cubes of relations and in hypercubes."""

    def __init__(self, cubes: CubeSet) -> None:
        self._cubes = cubes
        hypercubes = sum(cube.spec.is_hypercube for cube in cubes)
        self.alone = 0 < hypercubes == len(cubes)
        """Whether there are hypercubes and no other cubes."""
        self._found = lru_cache(_KEPT)(self._find)

    def components(self, subquery: str, cube: str) -> tuple[Component, ...]:
        """Return the values named as {dimension: entity} pairs of one cube."""
        return self._found(subquery, cube)

    def routed(self, subquery: str, routing: Routing) -> Routing:
        """Add the cubes of which values are named to those chosen by relation.

        A cube of relations is opened so only where no relation is at hand, and passages are read beside it.
        """
        named = [cube for cube in self._cubes if self._opens(subquery, cube)]
        across = tuple(cube.spec.id for cube in named if cube.spec.is_hypercube)
        valued = tuple(cube.spec.id for cube in named if not cube.spec.is_hypercube)
        if valued and not routing.cubes:
            routing = Routing(valued, f"{routing.reason}; a value of an attribute is named", (PASSAGES,))
        if not across:
            return routing
        reason = f"{routing.reason}; its labels are named" if routing.cubes else "labels of it are named"
        return replace(routing, cubes=(*routing.cubes, *across), reason=reason)

    def _opens(self, subquery: str, cube: Cube) -> bool:
        return any(cube.lookup(part.dimension, part.entity) for part in self._found(subquery, cube.spec.id))

    def _find(self, subquery: str, id: str) -> tuple[Component, ...]:
        cube = self._cubes[id]
        return tuple(labels_named(subquery, cube) if cube.spec.is_hypercube else _attributes_named(subquery, cube))


def _attributes_named(subquery: str, cube: Cube) -> Sequence[Component]:
    """The values of attributes that a subquery names together with the class and with what says the attribute."""
    said = f" {' '.join(stems(subquery))} "
    nouns = {" ".join(stems(noun)) for noun in cube.spec.nouns} - {""}
    if not any(f" {noun} " in said for noun in nouns):
        return ()
    own = [d for d in cube.spec.attributes if d.kind not in _WEAK and len(cube.axis(d.id) or ()) and _is_said(d, said)]
    found = _longest(subquery, partial(_on, cube, own))
    return [part for part in found if " ".join(stems(part.entity)) not in nouns]


def _is_said(dimension: Dimension, said: str) -> bool:
    """Whether a subquery says the attribute: its name, a word that asks for it, or a phrase that its values follow."""
    words = [dimension.id.replace("_", " "), dimension.name]
    words += [word for cue in dimension.cues for word in (*cue.asks, *cue.after, *cue.before)]
    return any(f" {stemmed} " in said for word in words if (stemmed := " ".join(stems(word))))


def labels_named(question: str, cube: Cube) -> Sequence[Component]:
    """Return what a question names of a hypercube, in the order of the question.

    A phrase that is a label on several dimensions is a component of each of them. A name or term that is no label is a
    component of the dimension where it would be, for the dense route.
    """
    cased = any(c.isupper() for c in question[1:])

    def named(text: str) -> Sequence[Component]:
        return _on(cube, [d for d in cube.spec.attributes if _may_be(text, d, cased)], text)

    found = list(_longest(question, named))
    labelled = f" {fold(' | '.join(part.entity for part in found))} "
    names = next((d for kind in _NAMES for d in cube.spec.attributes if d.kind == kind), None)
    heads = {word.lower(): d for d in reversed(cube.spec.attributes) for word in d.heads}
    others = [(name, names) for name in names_asked(question)]
    others += [(word, heads.get(word.lower())) for word in _WORD.findall(question)]
    for text, dimension in others:
        if dimension is not None and f" {fold(text)} " not in labelled:
            found.append(Component(cube.spec.id, dimension.id, _POSSESSIVE.sub("", text)))
    return sorted(found, key=lambda part: question.find(part.entity))


def _on(cube: Cube, dimensions: Sequence[Dimension], text: str) -> list[Component]:
    return [Component(cube.spec.id, d.id, text) for d in dimensions if cube.lookup(d.id, text)]


def _may_be(text: str, dimension: Dimension, cased: bool) -> bool:
    """Whether words can be a value: names have capitals where the question has any, dates and quantities a digit."""
    if dimension.kind in _NAMES and cased:
        return any(c.isupper() for c in text)
    return dimension.kind not in _WEAK or any(c.isdigit() for c in text)


def _longest(text: str, named: Callable[[str], Sequence[Component]]) -> Iterator[Component]:
    """What the longest runs of words name; each word counts once."""
    spans = [(found.start(), found.end()) for found in _WORD.finditer(text)]
    taken: set[int] = set()
    for length in range(min(_LONGEST, len(spans)), 0, -1):
        for first in range(len(spans) - length + 1):
            run = _POSSESSIVE.sub("", text[spans[first][0] : spans[first + length - 1][1]])
            if _is_whole(run) and taken.isdisjoint(range(first, first + length)) and (parts := named(run)):
                taken.update(range(first, first + length))
                yield from parts


def _is_whole(run: str) -> bool:
    """Whether words can be a value by themselves: behind an article, they neither begin nor end with a serving word."""
    words = run.lower().split()
    words = words[1:] if words[0] in ARTICLES else words
    return bool(words) and _SERVING.isdisjoint((words[0], words[-1])) and not _CLAUSE.search(run)
