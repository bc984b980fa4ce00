"""Plans for questions whose wording the ontology does not foresee: taken apart by syntax, read in their own words."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Collection

from ..plan import OpenStep, Part, Plan, QuestionEntity, RelationStep, Term, TermValue
from ..syntax.decompose import read_tree
from ..syntax.pattern import SubqueryTemplate
from ..syntax.tree import Parser

__all__ = ["OpenPlanner", "over_cubes"]

_RELATIVE = re.compile(r"\bthe (?:[\w-]+ ){1,3}(?:that|which|who|whose|where)\b")
_KEPT = 10_000  # plans; a server sees questions without end

Grammar = Callable[[str], Plan | None]


class OpenPlanner:
    """Makes plans of open steps; a part that the grammar reads as steps over the cubes is walked over the cubes.

    ``grammar`` reads a question by the ontology's relations, ``knows`` says which names the corpus has,
    ``relational`` are the nouns that name a thing by its relation to another.
    """

    def __init__(self, grammar: Grammar, knows: Callable[[str], bool], relational: Collection[str]) -> None:
        self._grammar = grammar
        self._parser = Parser(knows)
        self._relational = frozenset(relational)
        self._plans: dict[str, OpenStep | None] = {}
        self._lock = threading.Lock()

    def plan(self, question: str) -> OpenStep | None:
        """Return the question's open steps, or None where its syntax shows one hop only.

        Without capitals, names and nouns look alike to the parser ("the war of the planet of the apes"): such a
        question is left whole, unless a clause says of which thing it asks ("the editor that nano emulates").
        """
        if question[1:] == question[1:].lower() and not _RELATIVE.search(question):
            return None
        with self._lock:
            if len(self._plans) >= _KEPT:
                self._plans.clear()
            if question not in self._plans:
                tree = self._parser.parse(question)
                pattern = read_tree(tree, self._relational) if tree is not None else None
                self._plans[question] = self._open(pattern) if pattern is not None else None
            return self._plans[question]

    def _open(self, pattern: SubqueryTemplate, *, inner: bool = False) -> OpenStep:
        return OpenStep(
            pattern.question.replace("{}", ""),
            tuple(self._part(part) for part in pattern.parts),
            tuple(part.words for part in pattern.parts),
            inner,
        )

    def _part(self, pattern: SubqueryTemplate) -> Term | OpenStep:
        """A part as the cubes have it, else as an open step."""
        plan = self._grammar(_spelled(pattern))
        if isinstance(plan, TermValue) and over_cubes(plan.term):
            return plan.term
        return self._open(pattern, inner=True)


def _spelled(pattern: SubqueryTemplate) -> str:
    """The whole subquery, its gaps filled with the question's own words."""
    text = pattern.question
    for number, part in enumerate(pattern.parts):
        text = text.replace(f"{{{number}}}", part.words, 1)
    return text


def over_cubes(term: Part) -> bool:
    """Whether every step of a term is a relation of the ontology, from a name that the corpus knows."""
    while isinstance(term, RelationStep):
        if not term.relations:
            return False
        term = term.base
    return isinstance(term, QuestionEntity) and term.linked
