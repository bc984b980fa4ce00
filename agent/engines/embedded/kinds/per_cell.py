"""`CellQuestions`: a question over hypercubes that names several cells gets an answer for each (Hypercube-RAG, C.2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from .....cubes.core.folding import fold
from .....cubes.model.cells import Cube, CubeSet
from .....graphs.reasoner import FinalAnswer, Routing, SubAnswer
from .....graphs.reasoner import NextStep as NextStep
from .....graphs.records import Evidence, Hop
from ..vocabulary.wordlists import AUXILIARIES
from .hypercubes import VALUED, named_labels

__all__ = ["MOST", "CellQuestions"]

MOST = 6
"""Cells that are asked one by one at most: as many as the loop has hops. More are asked together."""
_KEPT = 1_000
_CLAUSE = re.compile(
    r"(?:,\s*(?:and\s+)?|\s+and\s+|;\s*)(?P<such>such\s+as\s+|for\s+example\s+)?"
    r"(?=(?:how|what|which|who|when|where)\b)",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\s*(?:,|,?\s+and|,?\s+as\s+well\s+as)\s+(?:(?:in|at|on|from|the)\s+)*", re.IGNORECASE)
_ASKING = re.compile(r"^(?:how\s+(?:much|many)|how|what|which|who|when|where)\s+", re.IGNORECASE)
_LONGEST = 3  # words that stand for a clause
_TOGETHER = re.compile(r"\b(?:between|compared?|than|difference|total|combined|together|common)\b", re.IGNORECASE)
"""Words by which values are meant together."""


@dataclass(frozen=True, slots=True)
class _Named:
    """What a question names: its place, and the dimensions on which it is a label."""

    start: int
    end: int
    text: str
    dimensions: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Cell:
    """One cell: what tells it from the others, and the subquery for it."""

    key: str
    subquery: str


class CellQuestions:
    """Questions that ask for a value in each of several cells: "how much rain did A and B get, and how many died?"

    Each decision is None for a question of another kind; a cell's subquery is one. ``decide`` composes the answer for a
    cell from its hop, as for a question of its own.
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
        left = next((cell.subquery for cell in cells if fold(cell.subquery) not in asked), None)
        return NextStep(left, sufficient=left is None and any(hop.answers for hop in hops))

    def route(self, subquery: str) -> Routing | None:  # noqa: ARG002
        """Leave a cell's subquery to the hypercubes."""
        return None

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer | None:  # noqa: ARG002
        """Leave the reading of a cell to what reads any subquery."""
        return None

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer | None:
        """Say each cell with its answer; one that has none says so, as long as another has."""
        cells = self._cells(question)
        by_query = {fold(hop.subquery): hop for hop in hops}
        if not cells or not any(fold(cell.subquery) in by_query for cell in cells):
            return None
        told = [(cell.key, self._of_cell(cell, by_query)) for cell in cells]
        sure = [final.confidence for _, final in told if final.text]
        if not sure:
            return FinalAnswer("", note=next((final.note for _, final in told if final.note), ""))
        text = "; ".join(f"{key}: {final.text or 'not stated'}" for key, final in told)
        return FinalAnswer(text, min(sure), form="short")

    def _of_cell(self, cell: _Cell, by_query: dict[str, Hop]) -> FinalAnswer:
        hop = by_query.get(fold(cell.subquery))
        return self._decide(cell.subquery, [hop.model_copy(update={"number": 1})]) if hop else FinalAnswer("")

    def _read(self, question: str) -> tuple[_Cell, ...]:
        """The cells that a question asks for, clause by clause; none where it asks for fewer than two, or too many."""
        if self._cube is None or _TOGETHER.search(question):
            return ()
        named = list(_named(question, self._cube))
        groups = list(_groups(question, named))
        clauses = [clause for clause in _clauses(question) if VALUED.match(clause)]
        if not clauses or not (groups or len(clauses) > 1):
            return ()
        grouped = {one for group in groups for one in group}
        shared = [one.text for one in named if one not in grouped and not _any_theme(one, self._cube)]
        cells = [
            _cell(clause, chosen, groups, shared, _theme(clause, named, self._cube) if len(clauses) > 1 else "")
            for clause in clauses
            for chosen in product(*groups)
        ]
        return tuple(cells) if 1 < len(cells) <= MOST else ()


def _named(question: str, cube: Cube) -> Iterator[_Named]:
    """The labels that a question names, in its order."""
    dimensions: dict[str, set[str]] = {}
    for part in named_labels(question, cube):
        if cube.lookup(part.dimension, part.entity):
            dimensions.setdefault(part.entity, set()).add(part.dimension)
    at = 0
    for text, on in dimensions.items():
        start = question.find(text, at)
        if start >= 0:
            at = start + len(text)
            yield _Named(start, at, text, frozenset(on))


def _any_theme(one: _Named, cube: Cube) -> bool:
    """Whether what is named is a term and no name: terms are what is asked for, and stand in their clauses."""
    return any((axis := cube.axis(d)) is not None and axis.dimension.kind == "text" for d in one.dimensions)


def _groups(question: str, named: Sequence[_Named]) -> Iterator[tuple[_Named, ...]]:
    """Values of one dimension that "and" joins: "Melbourne Beach and Palm Bay"."""
    group: list[_Named] = []
    for one in named:
        if group and group[-1].dimensions & one.dimensions and _JOINED.fullmatch(question[group[-1].end : one.start]):
            group.append(one)
            continue
        if len(group) > 1:
            yield tuple(group)
        group = [one]
    if len(group) > 1:
        yield tuple(group)


def _clauses(question: str) -> list[str]:
    """The questions in a question; what "such as" leads in from is none of its own."""
    text, start, clauses = question.rstrip(" ?."), 0, list[str]()
    for found in _CLAUSE.finditer(text):
        clauses = [] if found["such"] else [*clauses, text[start : found.start()]]
        start = found.end()
    return [*clauses, text[start:]]


def _theme(clause: str, named: Sequence[_Named], cube: Cube) -> str:
    """What a clause asks for, by the terms in it, or by the words before its verb or a name."""
    terms = [one.text for one in named if _any_theme(one, cube) and one.text in clause]
    words = _ASKING.sub("", clause).split()
    ends = (n for n, word in enumerate(words) if word in AUXILIARIES or word[:1].isupper())
    return " ".join(terms) or " ".join(words[: next(ends, _LONGEST)]) or clause


def _cell(
    clause: str, chosen: Sequence[_Named], groups: Sequence[Sequence[_Named]], shared: Sequence[str], theme: str
) -> _Cell:
    """The subquery for one cell: the clause with one value of each group; what it leaves unsaid follows in brackets."""
    text = clause
    for one, group in zip(chosen, groups, strict=True):
        first, last = text.find(group[0].text), text.find(group[-1].text)
        if 0 <= first <= last:
            text = text[:first] + one.text + text[last + len(group[-1].text) :]
    unsaid = [value for value in (*shared, *(one.text for one in chosen)) if value not in text]
    subquery = text[:1].upper() + text[1:] + (f" ({', '.join(unsaid)})" if unsaid else "") + "?"
    return _Cell(", ".join(filter(None, (*(one.text for one in chosen), theme))), subquery)
