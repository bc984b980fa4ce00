"""Plans for questions whose wording the ontology does not foresee: taken apart by syntax, read in their own words."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import lru_cache

from ..plan import OpenStep, Plan, RelationStep, Term, TermValue, over_cubes
from ..syntax.decompose import Decomposer
from ..syntax.tree import Parser
from ..vocabulary.words import WordReader

__all__ = ["OpenPlanner"]

_TELLING = re.compile(r"(?<!^)[A-Z]|\bthe (?:[\w-]+ ){1,3}(?:that|which|who|whose|where)\b")
"""A capital behind the first letter, or a clause on a noun."""
_KEPT = 10_000  # plans; a server sees questions without end

Grammar = Callable[[str], Plan | None]
Further = Callable[[str, Term], Term | None]


class OpenPlanner:
    """Makes plans of open steps; a part that is read as steps over the cubes is walked over the cubes.

    ``grammar`` reads a question by the ontology's relations, ``further`` one with a gap for a term that is known,
    ``words`` divides a question, ``relational`` are nouns that name a thing by its relation to another.
    """

    def __init__(
        self, grammar: Grammar, further: Further, words: WordReader, relational: Collection[str]
    ) -> None:
        self._grammar, self._further, self._words = grammar, further, words
        self._decomposer = Decomposer(Parser(words), relational, self._part)
        self._plan = lru_cache(_KEPT)(self._decomposer.plan)

    def plan(self, question: str) -> Term | OpenStep | None:
        """Return the question's open steps, or None where its syntax shows one hop only.

        Without capitals, names and nouns look alike to the parser ("the war of the planet of the apes"): such a
        question is left whole, unless the corpus knows a name in it, or a clause says of which thing it asks ("the
        editor that nano emulates").
        """
        telling = _TELLING.search(question) or any(word.known and word.tells for word in self._words.read(question))
        return self._plan(question) if telling else None

    def _part(self, step: OpenStep) -> Term | OpenStep:
        """A part as the cubes have it, read as a whole or from a part of its own onwards; else as it is."""
        plan = self._grammar(step.filled(step.words))
        read = plan.term if isinstance(plan, TermValue) else None
        base = step.parts[0] if len(step.parts) == 1 else None
        if (read is None or not over_cubes(read)) and isinstance(base, RelationStep):
            read = self._further(step.template.replace("{0}", "{}"), base)
        return read if read is not None and over_cubes(read) else step
