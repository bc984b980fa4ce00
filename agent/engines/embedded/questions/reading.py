"""Reading a whole question as a plan: what is asked, of which term, or which things are compared."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import replace

from ..plan import Plan, RelationStep, Term, TermValue
from ..vocabulary.lexicon import listed
from .claims import ClaimReader
from .computed import ComputedParser
from .each_of import EachOfParser
from .terms import TermParser

__all__ = ["YES_NO", "QuestionParser"]

_SIDED = re.compile(
    r"\b(?P<kin>grandfather|grandmother|uncle|aunt)\b(?P<whose>.*?),? (?:on|from|through) (?:the |his |her |their )"
    r"(?P<side>paternal|maternal|father|mother)(?:['’]s)?(?: side)?\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"^(Is|Are|Was|Were|Do|Does|Did|Has|Have)n['’]t\b", re.IGNORECASE)
_KEPT = 10_000  # plans; a server sees questions without end
YES_NO = frozenset({"is", "was", "are", "were", "did", "doe", "do", "has", "have"})
_PLURAL = re.compile(r"^(?:who|what|which) (?:are|were) ", re.IGNORECASE)


class QuestionParser:
    """Parses questions; the same question always gives the same plan, so hops can be replayed and edited."""

    def __init__(self, terms: TermParser) -> None:
        self.terms = terms
        claims, computed = ClaimReader(terms), ComputedParser(terms, self._asked_term)
        several = EachOfParser(terms, claims, self._asked_term)
        self._readers: tuple[Callable[[str], Plan | None], ...] = (
            *(several.read, claims.single, computed.joint, computed.age, computed.count, computed.share, self._asked),
        )
        self._plans: dict[str, Plan | None] = {}
        self.lock = threading.Lock()
        """Held while questions are read, as the readings of phrases are kept too."""

    def parse(self, question: str) -> Plan | None:
        """Return the plan, or None where no reading fits."""
        text = _normal(question)
        with self.lock:
            if len(self._plans) >= _KEPT:
                self._plans.clear()
                self.terms.forget()
            if text not in self._plans:
                self._plans[text] = next((plan for read in self._readers if (plan := read(text)) is not None), None)
            return self._plans[text]

    def _asked(self, text: str) -> Plan | None:
        term = self._asked_term(text)
        return TermValue(term) if term is not None else None

    def _asked_term(self, text: str) -> Term | None:
        term = self.terms.term(text)
        together = (
            isinstance(term, RelationStep)
            and term.converse
            and not listed("together").isdisjoint(term.relations)
        )
        if isinstance(term, RelationStep) and (_PLURAL.match(text) or (together and text[:4].lower() == "who ")):
            term = replace(term, want=replace(term.want, plural=True))
        return term


def _normal(question: str) -> str:
    """One line, plain quotation marks, no question mark."""
    text = " ".join(question.split()).replace("“", '"').replace("”", '"').replace("`", "'")
    return _SIDED.sub(_sided, _NEGATED.sub(r"\1", text).rstrip(" ?.!"))


def _sided(found: re.Match[str]) -> str:
    """ "the grandfather of X on his father's side" as the paternal grandfather of X."""
    side = "paternal" if found["side"].lower() in ("paternal", "father") else "maternal"
    return f"{side} {found['kin']}{found['whose']}"
