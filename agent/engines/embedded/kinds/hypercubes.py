"""Questions over hypercubes: the labels that they name, a question for each cell, and answers in sentences.

Hypercubes have no subjects, so labels open the cells (Hypercube-RAG 3.3; several cells are its appendix C.2).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby, product

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
_JOINED = re.compile(r"\s*(?:,|,?\s+and|,?\s+as\s+well\s+as)\s+(?:(?:in|at|on|from|the)\s+)*", re.IGNORECASE)
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
        runs = _runs(question, cube)
        groups = [run for run in runs if len(run) > 1]
        shared = [name for run in runs for name in run if len(run) == 1]
        cells: dict[str, str] = {}
        for clause, chosen in product(clauses, product(*groups)):
            theme = [_theme(clause)] if len(clauses) > 1 else []
            cells[", ".join((*chosen, *theme))] = _subquery(clause, chosen, groups, shared)
        return tuple(cells.items()) if 1 < len(cells) <= _MOST else ()

    return read


def _runs(question: str, cube: Cube) -> list[list[str]]:
    """The labels in a question, in its order; those of one dimension that "and" joins are one run: "A and B".

    Terms are left out: they are what is asked for, and stand in their clauses.
    """
    named = {dimension.id for dimension in cube.spec.attributes if dimension.kind != "text"}
    runs, on, end = list[list[str]](), set[str](), 0
    for name, parts in groupby(labels_named(question, cube), key=lambda part: part.entity):
        held = {part.dimension for part in parts if part.dimension in named and cube.lookup(part.dimension, name)}
        if held:
            start = question.find(name)
            if held & on and _JOINED.fullmatch(question[end:start]):
                runs[-1].append(name)
            else:
                runs.append([name])
            on, end = held, start + len(name)
    return runs


def _theme(clause: str) -> str:
    """What a clause asks for: the words before its verb or a name."""
    words = _ASKING.sub("", clause).split()
    ends = (n for n, word in enumerate(words) if word in AUXILIARIES or word[:1].isupper())
    return " ".join(words[: next(ends, None)]) or clause


def _subquery(clause: str, chosen: Sequence[str], groups: Sequence[Sequence[str]], shared: Sequence[str]) -> str:
    """The clause with one name of each group; names that it leaves unsaid follow in brackets."""
    text = clause
    for name, group in zip(chosen, groups, strict=True):
        before, first, rest = text.partition(group[0])
        _, last, behind = f"{first}{rest}".rpartition(group[-1])
        text = f"{before}{name}{behind}" if first and last else text
    unsaid = ", ".join(name for name in (*shared, *chosen) if name not in text)
    return text[:1].upper() + text[1:] + (f" ({unsaid})" if unsaid else "") + "?"


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
