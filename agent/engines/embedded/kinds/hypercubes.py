"""Questions over hypercubes: which labels a question names, whatever it asks of them (Hypercube-RAG 3.3)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from .....cubes.core.lexical import STOP_WORDS
from .....cubes.core.records import Component
from .....cubes.model.cells import Cube, CubeSet
from .....cubes.model.ontology import Dimension
from .....graphs.reasoner import Decomposition, Routing, SubAnswer
from .....graphs.records import Evidence
from ..vocabulary.wordlists import ARTICLES, AUXILIARIES

__all__ = ["VALUED", "HypercubeRouter", "named_labels"]

_WORD = re.compile(r"[^\W_](?:[\w&.'’-]*\w)?")
_POSSESSIVE = re.compile(r"['’]s$")
_CLAUSE = re.compile(r"[;:?!]\s")
VALUED = re.compile(
    r"\W*(?:(?:in|on|at|by|from|to|for|of|with)\s+)?(?:who|whom|whose|when|where|which"
    r"|how\s+(?:many|much|far|long|old|wide|deep|tall|high|large|big|small|fast|often|strong|heavy|close|near|soon)"
    r"|what\s+(?:(?:is|was|are|were)\s+(?:the\s+)?)?(?:\w+\s+){0,2}?(?:percent|percentage|proportion|portion|share|likelihood"
    r"|probability|chance|number|amount|size|age|height|width|length|depth|speed|distance|temperature|rate|year|years|date"
    r"|day|month|time|name|category|city|country|state|university|institution))\b",
    re.IGNORECASE,
)
"""Questions for a value of a few words."""
_VALUE_WORDS = 4
_LONGEST = 8
"""Words of a label at most, as a question writes it."""
_SERVING = frozenset({"who", "whom", "whose", "what", "which", "when", "where", "why", "how", "does", "document"})
_NAMES = ("organization", "person", "place", "event", "name")


class HypercubeRouter:
    """The hypercubes of a knowledge base; without any, nothing is changed."""

    def __init__(self, cubes: CubeSet) -> None:
        self._cubes = [cube for cube in cubes if cube.spec.is_hypercube]
        self.alone = bool(self._cubes) and len(self._cubes) == len(cubes)
        """Whether there are hypercubes and no other cubes."""

    def routed(self, subquery: str, routing: Routing) -> Routing:
        """Add the hypercubes that hold what a subquery names to the cubes chosen by relation; the tools stay."""
        if not self._cubes:
            return routing
        named = [cube.spec.id for cube in self._cubes if _meets(list(named_labels(subquery, cube)), cube)]
        others = [cube for cube in routing.cubes if cube not in {each.spec.id for each in self._cubes}]
        if not named:
            reason = routing.reason if others else "the subquery names no label of a cube"
            return replace(routing, cubes=tuple(others), reason=reason)
        reason = f"{routing.reason}; its labels are named" if others else "labels of it are named"
        return replace(routing, cubes=(*others, *named), reason=reason)

    def decomposed(self, subquery: str, cube: str) -> Decomposition | None:
        """Turn a subquery into {dimension: entity} pairs (eq. 7): all that it names; None for a cube of relations."""
        found = next((each for each in self._cubes if each.spec.id == cube), None)
        return Decomposition(tuple(named_labels(subquery, found))) if found is not None else None

    def in_sentences(self, subquery: str, found: SubAnswer, evidence: Sequence[Evidence]) -> SubAnswer:
        """Give an answer as its sentence where there are hypercubes alone and the question asks for no value.

        "How many", "who" or "what percentage" ask for a few words, "how does" and "why" for more (Hypercube-RAG,
        appendix B).
        """
        if not self.alone or not found.answers or found.section_id is None or VALUED.match(subquery):
            return found
        if found.form == "verdict":
            return found
        text = next((e.text for e in evidence if e.section_id == found.section_id), "")
        sentence = text[found.start : found.end].strip()
        return replace(found, answers=(sentence,), form="passage") if sentence else found


def _meets(components: Sequence[Component], cube: Cube) -> bool:
    return any(cube.lookup(component.dimension, component.entity) for component in components)


def named_labels(question: str, cube: Cube) -> Iterator[Component]:
    """Yield what a question names of a hypercube, in the order of the question: longest labels first, each word once.

    A phrase that is a label on several dimensions is a component of each of them. A name or term that is no label is a
    component of the dimension where it would be, for the dense route.
    """
    spans = [(m.start(), m.end()) for m in _WORD.finditer(question)]
    cased = any(question[start].isupper() for start, _ in spans[1:])
    taken: set[int] = set()
    found: list[tuple[int, list[Component]]] = []
    for length in range(min(_LONGEST, len(spans)), 0, -1):
        for first in range(len(spans) - length + 1):
            words = range(first, first + length)
            if not taken.isdisjoint(words):
                continue
            text = _POSSESSIVE.sub("", question[spans[first][0] : spans[first + length - 1][1]])
            if _CLAUSE.search(text) or not _is_whole(text):
                continue
            on = [d for d in cube.spec.attributes if _may_name(text, d, cased) and cube.lookup(d.id, text)]
            if on:
                taken.update(words)
                found.append((first, [Component(cube.spec.id, d.id, text) for d in on]))
    found += _unlabelled(question, spans, taken, cube)
    for _, components in sorted(found, key=lambda one: one[0]):
        yield from components


def _may_name(text: str, dimension: Dimension, cased: bool) -> bool:
    """Whether words of a question can be a value of a dimension.

    Names have capitals where the question has any at all. Dates and quantities match by value: what reads as one must
    be written with a number and little else.
    """
    if dimension.kind in _NAMES and cased:
        return any(c.isupper() for c in text)
    if dimension.kind not in ("date", "quantity"):
        return True
    return any(c.isdigit() for c in text) and len(text.split()) <= _VALUE_WORDS


def _unlabelled(
    question: str, spans: Sequence[tuple[int, int]], taken: Collection[int], cube: Cube
) -> Iterator[tuple[int, list[Component]]]:
    """Names and terms that are no labels: names go where names go, terms where their last word is a head."""
    heads = {word.lower(): d for d in reversed(cube.spec.attributes) for word in d.heads}
    names = next((d for kind in _NAMES for d in cube.spec.attributes if d.kind == kind), None)
    first = 0
    while first < len(spans):
        last = first
        while last < len(spans) and last not in taken and _is_name(question, spans, first, last):
            last += 1
        if last > first:
            yield first, _component(cube, names, question[spans[first][0] : spans[last - 1][1]])
        elif first not in taken:
            word = question[spans[first][0] : spans[first][1]]
            yield first, _component(cube, heads.get(word.lower()), word)
        first = max(last, first + 1)


def _is_name(question: str, spans: Sequence[tuple[int, int]], first: int, at: int) -> bool:
    """Whether a capitalised word goes on with a name; the question's first word is none for its capital alone."""
    start, end = spans[at]
    word = question[start:end]
    begun = at == first or question[spans[at - 1][1] : start] == " "
    opens = at == 0 or question[spans[at - 1][1] : start].strip() in (".", ";", ":", "?", "!")
    return begun and word[0].isupper() and not (opens or _is_plain(word))


def _is_plain(word: str) -> bool:
    """Whether a word only serves the question: articles, auxiliaries, question words."""
    word = word.lower()
    return word in STOP_WORDS or word in AUXILIARIES or word in _SERVING


def _is_whole(text: str) -> bool:
    """Whether words can be a label by themselves: behind an article, they neither begin nor end with a serving word."""
    listed = text.split()
    listed = listed[1:] if listed[0].lower() in ARTICLES else listed
    return bool(listed) and not (_is_plain(listed[0]) or _is_plain(listed[-1]))


def _component(cube: Cube, dimension: Dimension | None, text: str) -> list[Component]:
    return [Component(cube.spec.id, dimension.id, _POSSESSIVE.sub("", text))] if dimension is not None else []
