"""Reading a whole question as a plan: what is asked of which term, what is worked out, which things are compared."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from .....cubes.core.folding import fold
from ..plan import Operation, Plan, RelationStep, Term, TermValue, is_linked
from ..vocabulary.lexicon import listed
from ..vocabulary.words import PLAIN_QUOTES
from .each_of import EachOfParser
from .terms import TermParser

__all__ = ["YES_NO", "QuestionParser"]

_NEGATED = re.compile(r"^(Is|Are|Was|Were|Do|Does|Did|Has|Have)n['’]t\b", re.IGNORECASE)
_PLURAL = re.compile(r"^(?:who|what|which) (?:are|were) ", re.IGNORECASE)
_AGE = re.compile(
    r"^(?:how old|at what age) (?:was|were|is|did) (?P<who>.+?) (?:when|at the time|die$|pass away$)(?P<rest>.*)$|"
    r"^how (?:long|many years) did (?P<lived>.+?) live$",
    re.IGNORECASE,
)
_HE = frozenset({"he", "she", "they", "it"})
_DEATH = re.compile(r"^(?:die[ds]?|passed away|(?:his|her|their) death)$")
_KEPT = 10_000  # plans; a server sees questions without end
YES_NO = frozenset({"is", "was", "are", "were", "did", "doe", "do", "has", "have"})


class QuestionParser:
    """Parses questions; the same question always gives the same plan, so hops can be replayed and edited."""

    def __init__(self, terms: TermParser) -> None:
        self.terms = terms
        several = EachOfParser(terms, self._asked_term)
        self._readers: tuple[Callable[[str], Plan | None], ...] = (
            several.read, several.single, self._age, self._asked,
        )  # fmt: skip
        self._read_once = lru_cache(_KEPT)(self._read)

    def parse(self, question: str) -> Plan | None:
        """Return the plan, or None where no reading fits."""
        return self._read_once(_normal(question))

    def _read(self, text: str) -> Plan | None:
        return next((plan for read in self._readers if (plan := read(text)) is not None), None)

    def _asked(self, text: str) -> Plan | None:
        term = self._asked_term(text)
        return TermValue(term) if term is not None else None

    def _asked_term(self, text: str) -> Term | None:
        term = self.terms.term(text)
        if not isinstance(term, RelationStep):
            return term
        together = term.converse and text[:4].lower() == "who " and not listed("together").isdisjoint(term.relations)
        return replace(term, want=replace(term.want, plural=True)) if together or _PLURAL.match(text) else term

    def _step(self, text: str) -> RelationStep | None:
        term = self._asked_term(text)
        return term if isinstance(term, RelationStep) and term.relations and is_linked(term) else None

    # What is worked out of several hops -----------------------------------------------------------------------

    def _age(self, text: str) -> Plan | None:
        """Read "How old was A when B was released?", "At what age did A die?", "How long did A live?"."""
        found = _AGE.match(text)
        if found is None:
            return None
        who, event = found["who"] or found["lived"], (found["rest"] or "").strip(" ,")
        start = self._step(f"When was {who} born")
        if start is None or start.relations != ("born on",):
            return None
        first, _, others = event.partition(" ")
        own = fold(first) in _HE or not event
        if own and (not others or _DEATH.match(others)):
            end = self._step(f"When did {who} die")
        else:
            end = self._step(f"When was {who} {others}") if own else self._step(f"When {event}")
        return Operation("years", (start, end)) if end is not None and end.want.kind == "date" else None


def _normal(question: str) -> str:
    """One line, plain quotation marks, no question mark."""
    text = " ".join(question.split()).translate(PLAIN_QUOTES)
    return _NEGATED.sub(r"\1", text).rstrip(" ?.!")
