"""Questions whose answer is worked out: how many, how old, how long somebody lived; and two questions in one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from .....cubes.core.folding import fold
from ..plan import (
    AnswerType,
    JointQuestions,
    Plan,
    QuestionEntity,
    RelationStep,
    Term,
    ValueCount,
    YearsBetween,
    is_linked,
)
from .terms import TermParser

__all__ = ["MeasureParser"]

_WHEN = r"[Ww]hen|[Ww]here|[Ii]n (?:what|which) \w+"
_SEVERAL = re.compile(rf"^(?P<one>{_WHEN}) and (?P<two>{_WHEN}) (?P<rest>.+)$")
_AGE = re.compile(
    r"^(?:how old|at what age) (?:was|were|is|did) (?P<who>.+?) (?:when|at the time|die$|pass away$)(?P<rest>.*)$|"
    r"^how (?:long|many years) did (?P<lived>.+?) live$",
    re.IGNORECASE,
)
_HE = frozenset({"he", "she", "they", "it"})
_MANY = re.compile(
    r"^how many (?P<noun>[a-z][a-z -]*?) (?P<rest>(?:by|of|from|in|did|do|does|has|have|had|was|were|are|is)\b.+)$",
    re.IGNORECASE,
)
_DEATH = re.compile(r"^(?:die[ds]?|passed away|(?:his|her|their) death)$")
_MADE = ("written", "directed", "performed", "created")


class MeasureParser:
    """Reads such questions by asking for what they are worked out from; ``asked`` reads a plain question."""

    def __init__(self, terms: TermParser, asked: Callable[[str], Term | None]) -> None:
        self._terms, self._asked = terms, asked

    def several(self, text: str) -> Plan | None:
        """Read "When and where was A born?"."""
        found = _SEVERAL.match(text)
        terms = [self._step(f"{found[n].capitalize()} {found['rest']}") for n in ("one", "two")] if found else []
        return JointQuestions(tuple(t for t in terms if t is not None)) if terms and all(terms) else None

    def age(self, text: str) -> Plan | None:
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
        return YearsBetween(start, end) if end is not None and end.want.kind == "date" else None

    def count(self, text: str) -> Plan | None:
        """Read "How many novels by A are there?", "How many films did A direct?": nouns that class things or kin."""
        found, lexicon = _MANY.match(text), self._terms.lexicon
        if found is None:
            return None
        noun, rest = found["noun"], found["rest"]
        key = fold(noun)
        quantities = any(r.kind == "quantity" for n in lexicon.asks.get(key, ()) for r in lexicon.relations[n])
        if quantities or not any(key in table for table in (lexicon.nouns, lexicon.kin, lexicon.asks)):
            return None
        term = self._counted(noun, rest)
        if term is None or not isinstance(term.base, QuestionEntity) or term.base.name not in rest:
            return None
        name = term.base.name
        words = tuple(w for w in map(fold, rest.replace(name, " ").split()) if w not in ("did", "are", "there"))
        template = f"How many {noun} {rest.replace(name, '{}', 1)}?"
        return ValueCount(RelationStep(term.base, (), template, AnswerType("quantity", key), (key, *words)), term)

    def _counted(self, noun: str, rest: str) -> RelationStep | None:
        """The things that are counted, as a term."""
        rest = re.sub(r" (?:are|were) there$", "", rest)
        had = re.match(r"^(?:did|does|do|has|have|had) (?P<who>.+?)(?: have| had)?$", rest)
        made = re.match(r"^(?:by|of|from) (?P<who>.+)$", rest)
        texts = [f"Who are the {noun} of {had['who']}"] if had is not None else []
        texts += [f"Which {noun} were {verb} by {made['who']}" for verb in _MADE] if made is not None else []
        for text in (*texts, f"Which {noun} {rest}"):
            term = self._step(text)
            if term is None or term.want.kind in ("date", "quantity") or (made is not None and not self._fits(term)):
                continue
            return replace(term, want=replace(term.want, plural=True))
        return None

    def _fits(self, term: RelationStep) -> bool:
        """Whether the corpus tells of such a relation of the base."""
        held = self._terms.linker.relations_of(term.base.name) if isinstance(term.base, QuestionEntity) else frozenset()
        inverse = {r.inverse for n in term.relations for r in self._terms.lexicon.relations.get(n, ())}
        return bool(held & (set(term.relations) | inverse))

    def _step(self, text: str) -> RelationStep | None:
        term = self._asked(text)
        return term if isinstance(term, RelationStep) and term.relations and is_linked(term) else None
