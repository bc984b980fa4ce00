"""Questions over hypercubes: the labels that they name, a question for each cell, and answers in sentences.

Hypercubes have no subjects, so labels open the cells (Hypercube-RAG 3.3; several cells are its appendix C.2).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product

from .....cubes.core.folding import fold
from .....cubes.core.lexical import STOP_WORDS
from .....cubes.core.records import Component
from .....cubes.model.cells import Cube, CubeSet
from .....cubes.model.ontology import Dimension
from .....cubes.retrieval.wording import names_asked
from .....graphs.reasoner import SubAnswer
from .....graphs.records import Evidence
from ..vocabulary.wording import longest_runs
from ..vocabulary.wordlists import ARTICLES, AUXILIARIES, QUESTIONING

__all__ = ["cells_asked", "in_sentences", "labels_named"]

_MOST = 6  # cells that are asked one by one, as many as the loop has hops; more are asked together
_KEPT = 1_000
_VALUED = re.compile(
    r"\W*(?:(?:in|on|at|by|from|to|for|of|with)\s+)?(?:who|whom|whose|when|where|which"
    r"|how\s+(?:many|much|far|long|old|wide|deep|tall|high|large|big|small|fast|often|strong|heavy|close|near|soon)"
    r"|what\s+(?:(?:is|was|are|were)\s+(?:the\s+)?)?(?:\w+\s+){0,2}?(?:percent|percentage|proportion|portion|share"
    r"|likelihood|probability|chance|number|amount|size|age|height|width|length|depth|speed|distance|temperature|rate"
    r"|year|years|date|day|month|time|name|category|city|country|state|university|institution))\b",
    re.IGNORECASE,
)
"""Questions for a value of a few words."""
_CLAUSE = re.compile(
    r"(?:,\s*(?:and\s+)?|\s+and\s+|;\s*)(?:such\s+as\s+|for\s+example\s+)?(?=(?:how|what|which|who|when|where)\b)",
    re.IGNORECASE,
)
_JOINED = r"\s*(?:,|,?\s+and|,?\s+as\s+well\s+as)\s+(?:(?:in|at|on|from|the)\s+)*"
_ASKING = re.compile(r"^(?:how\s+(?:much|many)|how|what|which|who|when|where)\s+", re.IGNORECASE)
_TOGETHER = re.compile(r"\b(?:between|compared?|than|difference|total|combined|together|common)\b", re.IGNORECASE)
"""Words by which values are meant together."""
_WORD = re.compile(r"[^\W_](?:[\w&.'’-]*\w)?")
_POSSESSIVE = re.compile(r"['’]s$")
_STOP = re.compile(r"[;:?!]\s")
_NAMES = ("organization", "person", "place", "event", "name")
_SERVING = STOP_WORDS | AUXILIARIES | QUESTIONING | {"does"}
"""Words that only serve a question: no value begins or ends with one."""


def cells_asked(cubes: CubeSet) -> Callable[[str], Sequence[tuple[str, str]]]:
    """Return what reads a question that asks for a value in each of several cells of the only cube there is.

    "How much rain did A and B get, and how many died?" is a question for each cell, with what its answer is called;
    nothing is read of a question for fewer than two, or for too many.
    """
    cube = next(iter(cubes)) if len(cubes) == 1 else None

    @lru_cache(_KEPT)
    def read(question: str) -> Sequence[tuple[str, str]]:
        clauses = [clause for clause in _CLAUSE.split(question.rstrip(" ?.")) if _VALUED.match(clause)]
        if cube is None or not clauses or _TOGETHER.search(question):
            return ()
        named = _named(question, cube)
        runs = _runs(question, named)
        shared = [name for name in named if not any(name in names for _, names in runs)]
        cells: dict[str, str] = {}
        for clause, chosen in product(clauses, product(*(names for _, names in runs))):
            text = clause
            for (run, _), name in zip(runs, chosen, strict=True):
                text = text.replace(run, name)
            unsaid = ", ".join(name for name in (*shared, *chosen) if name not in text)
            theme = [_theme(clause)] if len(clauses) > 1 else []
            asked = f"{text} ({unsaid})" if unsaid else text
            cells[", ".join((*chosen, *theme))] = f"{asked[:1].upper()}{asked[1:]}?"
        return tuple(cells.items()) if 1 < len(cells) <= _MOST else ()

    return read


def _named(question: str, cube: Cube) -> dict[str, str]:
    """The labels in a question, in its order, each with its dimension.

    Terms are left out: they are what is asked for, and stand in their clauses.
    """
    on = {dimension.id for dimension in cube.spec.attributes if dimension.kind != "text"}
    found = (part for part in labels_named(question, cube) if part.dimension in on)
    return {part.entity: part.dimension for part in found if cube.lookup(part.dimension, part.entity)}


def _runs(question: str, named: Mapping[str, str]) -> list[tuple[str, list[str]]]:
    """What "and" joins of one dimension, "A and B", with the names."""
    runs = list[tuple[str, list[str]]]()
    for dimension in dict.fromkeys(named.values()):
        one = "|".join(re.escape(name) for name, on in named.items() if on == dimension)
        joined = re.finditer(rf"(?:{one})(?:{_JOINED}(?:{one}))+", question)
        runs += [(found[0], re.findall(one, found[0])) for found in joined]
    return runs


def _theme(clause: str) -> str:
    """What a clause asks for: the words before its verb or a name."""
    words = _ASKING.sub("", clause).split()
    ends = (n for n, word in enumerate(words) if word in AUXILIARIES or word[:1].isupper())
    return " ".join(words[: next(ends, None)]) or clause


def in_sentences(subquery: str, found: SubAnswer, evidence: Sequence[Evidence]) -> SubAnswer:
    """Return an answer as its sentence where a question asks for no value.

    "How many", "who" or "what percentage" ask for a few words, "how does" and "why" for more (Hypercube-RAG,
    appendix B).
    """
    text = next((e.text for e in evidence if e.section_id == found.section_id), "")
    sentence = text[found.start : found.end].strip()
    if not sentence or not found.answers or found.form == "verdict" or _VALUED.match(subquery):
        return found
    return replace(found, answers=(sentence,), form="passage")


def labels_named(question: str, cube: Cube) -> Sequence[Component]:
    """Return what a question names of a hypercube, in the order of the question.

    A phrase that is a label on several dimensions is a component of each of them. A name or term that is no label is a
    component of the dimension where it would be, for the dense route.
    """
    dimensions, tokens = cube.spec.attributes, list(_WORD.finditer(question))
    cased = any(c.isupper() for c in question[1:])

    def on(start: int, end: int) -> list[tuple[str, Dimension]]:
        run = _POSSESSIVE.sub("", question[start:end])
        fits = (d for d in dimensions if _is_whole(run) and _may_be(run, d, cased))
        return [(run, dimension) for dimension in fits if cube.lookup(dimension.id, run)]

    found = [part for *_, parts in longest_runs(tokens, on) for part in parts]
    labelled = f" {fold(' | '.join(name for name, _ in found))} "
    names = next((d for kind in _NAMES for d in dimensions if d.kind == kind), None)
    heads = {word.lower(): d for d in reversed(dimensions) for word in d.heads}
    others = [*((name, names) for name in names_asked(question)), *((w[0], heads.get(w[0].lower())) for w in tokens)]
    found += [(_POSSESSIVE.sub("", t), d) for t, d in others if d is not None and f" {fold(t)} " not in labelled]
    found.sort(key=lambda part: question.find(part[0]))
    return [Component(cube.spec.id, dimension.id, name) for name, dimension in found]


def _may_be(text: str, dimension: Dimension, cased: bool) -> bool:
    """Whether words can be a value: names have capitals where the question has any, dates and quantities a digit."""
    if dimension.kind in _NAMES:
        return not cased or text.lower() != text
    return dimension.kind not in ("date", "quantity") or any(map(str.isdigit, text))


def _is_whole(run: str) -> bool:
    """Whether words can be a value by themselves: behind an article, they neither begin nor end with a serving word."""
    words = run.lower().split()
    words = words[1:] if words[0] in ARTICLES else words
    return bool(words) and _SERVING.isdisjoint((words[0], words[-1])) and not _STOP.search(run)
