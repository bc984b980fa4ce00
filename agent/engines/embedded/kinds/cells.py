"""`CellQuestions`: a question over hypercubes that names several cells gets an answer for each (Hypercube-RAG, C.2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product

from .....cubes.core.folding import fold
from .....cubes.model.cells import Cube, CubeSet
from .....graphs.reasoner import FinalAnswer, SubAnswer
from .....graphs.reasoner import NextStep as NextStep
from .....graphs.records import Evidence, Hop
from ..vocabulary.wordlists import AUXILIARIES
from .kind import QuestionKind
from .named_values import labels_named

__all__ = ["MOST", "VALUED", "CellQuestions", "in_sentences"]

MOST = 6
"""Cells that are asked one by one at most: as many as the loop has hops. More are asked together."""
_KEPT = 1_000
VALUED = re.compile(
    r"\W*(?:(?:in|on|at|by|from|to|for|of|with)\s+)?(?:who|whom|whose|when|where|which"
    r"|how\s+(?:many|much|far|long|old|wide|deep|tall|high|large|big|small|fast|often|strong|heavy|close|near|soon)"
    r"|what\s+(?:(?:is|was|are|were)\s+(?:the\s+)?)?(?:\w+\s+){0,2}?(?:percent|percentage|proportion|portion|share"
    r"|likelihood|probability|chance|number|amount|size|age|height|width|length|depth|speed|distance|temperature|rate"
    r"|year|years|date|day|month|time|name|category|city|country|state|university|institution))\b",
    re.IGNORECASE,
)
"""Questions for a value of a few words."""
_CLAUSE = re.compile(
    r"(?:,\s*(?:and\s+)?|\s+and\s+|;\s*)(?P<such>such\s+as\s+|for\s+example\s+)?"
    r"(?=(?:how|what|which|who|when|where)\b)",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\s*(?:,|,?\s+and|,?\s+as\s+well\s+as)\s+(?:(?:in|at|on|from|the)\s+)*", re.IGNORECASE)
_ASKING = re.compile(r"^(?:how\s+(?:much|many)|how|what|which|who|when|where)\s+", re.IGNORECASE)
_TOGETHER = re.compile(r"\b(?:between|compared?|than|difference|total|combined|together|common)\b", re.IGNORECASE)
"""Words by which values are meant together."""


class CellQuestions(QuestionKind):
    """Questions that ask for a value in each of several cells: "how much rain did A and B get, and how many died?"

    A question of another kind has no cells, and each decision is None. A cell's subquery is of another kind, so it is
    routed and read as any question; ``decide`` composes the answer for a cell from its hop in the same way.
    """

    def __init__(self, cubes: CubeSet, decide: Callable[[str, Sequence[Hop]], FinalAnswer], *, alone: bool) -> None:
        self._cube = next(iter(cubes)) if alone and len(cubes) == 1 else None
        self._decide = decide
        self._cells = lru_cache(_KEPT)(self._read)

    def next_step(self, question: str, hops: Sequence[Hop]) -> NextStep | None:
        """Return the next cell's subquery, or that all were asked."""
        cells = self._cells(question)
        if not cells:
            return None
        asked = {fold(hop.subquery) for hop in hops}
        left = next((subquery for subquery in cells.values() if fold(subquery) not in asked), None)
        return NextStep(left, sufficient=left is None and any(hop.answers for hop in hops))

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer | None:
        """Say each cell with its answer; one that has none says so, as long as another has."""
        asked = {fold(hop.subquery): hop.model_copy(update={"number": 1}) for hop in hops}
        cells = {key: (query, asked.get(fold(query))) for key, query in self._cells(question).items()}
        if not any(hop for _, hop in cells.values()):
            return None
        told = {key: self._decide(query, [hop]) if hop else FinalAnswer("") for key, (query, hop) in cells.items()}
        sure = [final.confidence for final in told.values() if final.text]
        if not sure:
            return FinalAnswer("", note=next((final.note for final in told.values() if final.note), ""))
        text = "; ".join(f"{key}: {final.text or 'not stated'}" for key, final in told.items())
        return FinalAnswer(text, min(sure), form="short")

    def _read(self, question: str) -> dict[str, str]:
        """The subquery of each cell that a question asks for; none where there are fewer than two, or too many."""
        clauses = [clause for clause in _clauses(question) if VALUED.match(clause)]
        if self._cube is None or not clauses or _TOGETHER.search(question):
            return {}
        named = _named(question, self._cube)
        groups = _groups(question, named)
        shared = [name for name in named if not any(name in group for group in groups)]
        cells: dict[str, str] = {}
        for clause in clauses:
            theme = [_theme(clause)] if len(clauses) > 1 else []
            for chosen in product(*groups):
                cells[", ".join((*chosen, *theme))] = _subquery(clause, chosen, groups, shared)
        return cells if 1 < len(cells) <= MOST else {}


def _named(question: str, cube: Cube) -> dict[str, frozenset[str]]:
    """The names in a question, in its order, with the dimensions on which they are labels.

    Terms are left out: they are what is asked for, and stand in their clauses.
    """
    on: dict[str, frozenset[str]] = {}
    for part in labels_named(question, cube):
        axis = cube.axis(part.dimension)
        if axis is not None and axis.dimension.kind != "text" and cube.lookup(part.dimension, part.entity):
            on[part.entity] = on.get(part.entity, frozenset()) | {part.dimension}
    return on


def _groups(question: str, named: dict[str, frozenset[str]]) -> list[list[str]]:
    """Names of one dimension that "and" joins: "Melbourne Beach and Palm Bay"."""
    groups: list[list[str]] = []
    for name, on in named.items():
        last = groups[-1][-1] if groups else name
        between = question[question.find(last) + len(last) : question.find(name)]
        if groups and named[last] & on and _JOINED.fullmatch(between):
            groups[-1].append(name)
        else:
            groups.append([name])
    return [group for group in groups if len(group) > 1]


def _clauses(question: str) -> list[str]:
    """The questions in a question; what "such as" leads in from is none of its own."""
    text, start, clauses = question.rstrip(" ?."), 0, list[str]()
    for found in _CLAUSE.finditer(text):
        clauses = [] if found["such"] else [*clauses, text[start : found.start()]]
        start = found.end()
    return [*clauses, text[start:]]


def _theme(clause: str) -> str:
    """What a clause asks for: the words before its verb or a name."""
    words = _ASKING.sub("", clause).split()
    ends = (n for n, word in enumerate(words) if word in AUXILIARIES or word[:1].isupper())
    return " ".join(words[: next(ends, None)]) or clause


def _subquery(clause: str, chosen: Sequence[str], groups: Sequence[Sequence[str]], shared: Sequence[str]) -> str:
    """The clause with one name of each group; names that it leaves unsaid follow in brackets."""
    text = clause
    for name, group in zip(chosen, groups, strict=True):
        first, last = text.find(group[0]), text.find(group[-1])
        if 0 <= first <= last:
            text = text[:first] + name + text[last + len(group[-1]) :]
    unsaid = [name for name in (*shared, *chosen) if name not in text]
    return text[:1].upper() + text[1:] + (f" ({', '.join(unsaid)})" if unsaid else "") + "?"


def in_sentences(subquery: str, found: SubAnswer, evidence: Sequence[Evidence]) -> SubAnswer:
    """Return an answer as its sentence where a question asks for no value.

    "How many", "who" or "what percentage" ask for a few words, "how does" and "why" for more (Hypercube-RAG,
    appendix B).
    """
    section = next((e for e in evidence if e.section_id == found.section_id), None)
    if section is None or not found.answers or found.form == "verdict" or VALUED.match(subquery):
        return found
    sentence = section.text[found.start : found.end].strip()
    return replace(found, answers=(sentence,), form="passage") if sentence else found
