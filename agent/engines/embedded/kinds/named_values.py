"""Labels of hypercubes that a question names: these have no subjects, so labels open the cells (Hypercube-RAG 3.3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from .....cubes.core.folding import fold
from .....cubes.core.lexical import STOP_WORDS
from .....cubes.core.records import Component
from .....cubes.model.cells import Cube, CubeSet
from .....cubes.model.ontology import Dimension
from .....cubes.retrieval.wording import names_asked
from .....graphs.reasoner import Routing
from ..vocabulary.wordlists import ARTICLES, AUXILIARIES, QUESTIONING

__all__ = ["labels_named", "routed"]

_WORD = re.compile(r"[^\W_](?:[\w&.'’-]*\w)?")
_POSSESSIVE = re.compile(r"['’]s$")
_CLAUSE = re.compile(r"[;:?!]\s")
_LONGEST = 8
"""Words of a value at most, as a question writes it."""
_NUMBERED = frozenset({"date", "quantity"})
_NAMES = ("organization", "person", "place", "event", "name")
_SERVING = STOP_WORDS | AUXILIARIES | QUESTIONING | {"does"}
"""Words that only serve a question: no value begins or ends with one."""


def labels_named(question: str, cube: Cube) -> Sequence[Component]:
    """Return what a question names of a hypercube, in the order of the question.

    A phrase that is a label on several dimensions is a component of each of them. A name or term that is no label is a
    component of the dimension where it would be, for the dense route.
    """
    found = list(_labels(question, cube))
    labelled = f" {fold(' | '.join(part.entity for part in found))} "
    names = next((d for kind in _NAMES for d in cube.spec.attributes if d.kind == kind), None)
    heads = {word.lower(): d for d in reversed(cube.spec.attributes) for word in d.heads}
    others = [(name, names) for name in names_asked(question)]
    others += [(word, heads.get(word.lower())) for word in _WORD.findall(question)]
    for text, dimension in others:
        if dimension is not None and f" {fold(text)} " not in labelled:
            found.append(Component(cube.spec.id, dimension.id, _POSSESSIVE.sub("", text)))
    return sorted(found, key=lambda part: question.find(part.entity))


def routed(routing: Routing, cubes: CubeSet, named: Callable[[str], Sequence[Component]]) -> Routing:
    """Add the hypercubes of which labels are ``named``, by the cube's id, to those chosen by relation."""
    hypercubes = [cube for cube in cubes if cube.spec.is_hypercube]
    across = [c.spec.id for c in hypercubes if any(c.lookup(one.dimension, one.entity) for one in named(c.spec.id))]
    reason = f"{routing.reason}; its labels are named" if routing.cubes else "labels of it are named"
    return replace(routing, cubes=(*routing.cubes, *across), reason=reason) if across else routing


def _labels(text: str, cube: Cube) -> Iterator[Component]:
    """What the longest runs of words are labels of; each word counts once."""
    cased = any(c.isupper() for c in text[1:])
    spans = [(found.start(), found.end()) for found in _WORD.finditer(text)]
    taken: set[int] = set()
    for length in range(min(_LONGEST, len(spans)), 0, -1):
        for first in range(len(spans) - length + 1):
            run = _POSSESSIVE.sub("", text[spans[first][0] : spans[first + length - 1][1]])
            if not _is_whole(run) or not taken.isdisjoint(range(first, first + length)):
                continue
            on = [d for d in cube.spec.attributes if _may_be(run, d, cased) and cube.lookup(d.id, run)]
            yield from (Component(cube.spec.id, dimension.id, run) for dimension in on)
            taken.update(range(first, first + length) if on else ())


def _may_be(text: str, dimension: Dimension, cased: bool) -> bool:
    """Whether words can be a value: names have capitals where the question has any, dates and quantities a digit."""
    if dimension.kind in _NAMES and cased:
        return any(c.isupper() for c in text)
    return dimension.kind not in _NUMBERED or any(c.isdigit() for c in text)


def _is_whole(run: str) -> bool:
    """Whether words can be a value by themselves: behind an article, they neither begin nor end with a serving word."""
    words = run.lower().split()
    words = words[1:] if words[0] in ARTICLES else words
    return bool(words) and _SERVING.isdisjoint((words[0], words[-1])) and not _CLAUSE.search(run)
