"""Reading a whole question as a plan: what is asked, of which term, or which things are compared."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

from .....cubes.core.folding import fold
from ..plan import AnswerType, Operation, Plan, RelationStep, Term, TermValue, is_linked
from ..vocabulary.lexicon import listed
from ..vocabulary.wordlists import ARTICLES, AUXILIARIES, PREPOSITIONS, RELATIVE
from .claims import ClaimReader
from .computed import ComputedParser
from .each_of import EachOfParser
from .outward import words_of
from .terms import TermParser

__all__ = ["YES_NO", "QuestionParser"]

_SIDED = re.compile(
    r"\b(?P<kin>grandfather|grandmother|uncle|aunt)\b(?P<whose>.*?),? (?:on|from|through) (?:the |his |her |their )"
    r"(?P<side>paternal|maternal|father|mother)(?:['’]s)?(?: side)?\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"^(Is|Are|Was|Were|Do|Does|Did|Has|Have)n['’]t\b", re.IGNORECASE)
_KEPT = 10_000  # plans; a server sees questions without end
_LEFT_OUT = 3  # words that a reading may leave out: an epithet, a scene
_SMALL = ARTICLES | AUXILIARIES | PREPOSITIONS | RELATIVE | {"what", "how", "why"}
YES_NO = frozenset({"is", "was", "are", "were", "did", "doe", "do", "has", "have"})
_PLURAL = re.compile(r"^(?:who|what|which) (?:are|were) ", re.IGNORECASE)


class QuestionParser:
    """Parses questions; the same question always gives the same plan, so hops can be replayed and edited."""

    def __init__(self, terms: TermParser) -> None:
        self.terms = terms
        several, computed = EachOfParser(terms, self._asked_term, self._claim), ComputedParser(terms, self._asked_term)
        self._readers: tuple[Callable[[str], Plan | None], ...] = (
            *(several.read, self._claim, ClaimReader(terms).single),
            *(computed.joint, computed.age, computed.count, computed.share, self._asked),
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

    def _claim(self, text: str) -> Plan | None:
        """Read "Was A born in B?": a clause whose verb has a name on either side."""
        parts = words_of(text)
        if len(parts) < 4 or fold(parts[0]) not in YES_NO:
            return None
        value = self.terms.mentions.ending(parts)
        if value is None or value.start < 2:
            return None
        term = self.terms.clause(" ".join(parts[1 : value.start]), AnswerType(), "What")
        if term is None or not term.relations or not is_linked(term):
            return None
        return Operation("is", (term,), value=value.entity.name)

    def _asked(self, text: str) -> Plan | None:
        term = self._asked_term(text)
        return TermValue(term) if term is not None and self._is_whole(term, text) else None

    def _is_whole(self, term: Term, text: str) -> bool:
        """Whether a reading leaves hardly a word of the question out; its syntax explains more of the others."""
        left = {w for w in fold(text.replace("'s ", " ")).split() if w not in _SMALL and w not in self._kin_words}
        while isinstance(term, RelationStep):
            left -= set(" ".join((*term.words, fold(term.want.noun or ""))).split())
            term = term.base
        return len(left - set(fold(term.name).split())) <= _LEFT_OUT

    @cached_property
    def _kin_words(self) -> frozenset[str]:
        return frozenset(word for key in self.terms.lexicon.kin for word in key.split())

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
