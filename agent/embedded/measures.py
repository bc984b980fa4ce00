"""Questions whose answer is worked out: how many, how old, how long somebody lived; and two questions in one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from ...cubes.folding import fold
from .phrases import is_linked, tokens
from .plan import Age, Count, Plan, Several, Step, Term, Want
from .terms import TermParser

__all__ = ["MeasureReader"]

_WHEN = r"[Ww]hen|[Ww]here|[Ii]n (?:what|which) \w+"
_SEVERAL = re.compile(rf"^(?P<one>{_WHEN}) and (?P<two>{_WHEN}) (?P<rest>.+)$")
_AGE = re.compile(
    r"^(?:how old|at what age) (?P<be>was|were|is|did) (?P<who>.+?) (?:when|at the time|die$|pass away$)(?P<rest>.*)$",
    re.IGNORECASE,
)
_LIFE = re.compile(r"^how (?:long|many years) did (?P<who>.+?) live$", re.IGNORECASE)
_HE = frozenset({"he", "she", "they", "it"})
_MANY = re.compile(
    r"^how many (?P<noun>[a-z][a-z -]*?) (?P<rest>(?:by|of|from|in|did|do|does|has|have|had|was|were|are|is)\b.+)$",
    re.IGNORECASE,
)
_DEATH = re.compile(r"^(?:die[ds]?|passed away|(?:his|her|their) death)$")


class MeasureReader:
    """Reads such questions by asking for what they are worked out from; ``asked`` reads a plain question."""

    def __init__(self, terms: TermParser, asked: Callable[[str], Term | None]) -> None:
        self._terms = terms
        self._asked = asked

    def several(self, text: str) -> Plan | None:
        """Read "When and where was A born?"."""
        found = _SEVERAL.match(text)
        if found is None:
            return None
        terms = [self._step(f"{opening.capitalize()} {found['rest']}") for opening in (found["one"], found["two"])]
        return Several(tuple(t for t in terms if t is not None)) if all(terms) else None

    def age(self, text: str) -> Plan | None:
        """Read "How old was A when B was released?", "At what age did A die?", "How long did A live?"."""
        found = _LIFE.match(text) or _AGE.match(text)
        if found is None:
            return None
        who = found["who"]
        event = found.groupdict().get("rest", "").strip(" ,")
        start = self._step(f"When was {who} born")
        if start is None or start.relations != ("born on",):
            return None
        first, _, others = event.partition(" ")
        own = fold(first) in _HE or not event
        if own and (not others or _DEATH.match(others)):
            end = self._step(f"When did {who} die")
        elif own:
            end = self._step(f"When was {who} {others}") or self._step(f"When {who} {others}")
        else:
            end = self._step(f"When {event}")
        return Age(start, end) if end is not None and end.want.kind == "date" else None

    def count(self, text: str) -> Plan | None:
        """Read "How many novels by A are there?", "How many films did A direct?": nouns that class things or kin."""
        found = _MANY.match(text)
        if found is None:
            return None
        noun, lexicon = found["noun"], self._terms.lexicon
        key = fold(noun)
        quantities = [n for n in lexicon.asks.get(key, ()) if any(r.kind == "quantity" for r in lexicon.relations[n])]
        if quantities or not (key in lexicon.nouns or key in lexicon.kin or key in lexicon.asks):
            return None
        term = self._counted(noun, found["rest"])
        if term is None:
            return None
        base: Term = term.base
        template = f"How many {noun} {found['rest']}?"
        name = base.name if not isinstance(base, Step) else ""
        if not name or name not in template:
            return None
        words = tuple(
            w for w in map(fold, tokens(found["rest"].replace(name, " "))) if w not in ("did", "are", "there")
        )
        stated = Step(base, (), template.replace(name, "{}", 1), Want("quantity", key), (key, *words))
        return Count(stated, term)

    def _counted(self, noun: str, rest: str) -> Step | None:
        """The things that are counted, as a term."""
        rest = re.sub(r" (?:are|were) there$", "", rest)
        have = re.match(r"^(?:did|does|do|has|have|had) (?P<who>.+?) (?:have|had|write|written)?$", rest + " ")
        plain = re.match(r"^(?:by|of|from) (?P<who>.+)$", rest)
        texts = [f"Which {noun} {rest}"]
        if have is not None and " have" in rest:
            texts.insert(0, f"Who are the {noun} of {have['who'].removesuffix(' have')}")
        if plain is not None:
            texts += [
                f"Which {noun} were {verb} by {plain['who']}"
                for verb in ("written", "directed", "performed", "created")
            ]
        for text in texts:
            term = self._step(text)
            if term is not None and term.want.kind not in ("date", "quantity"):
                held = self._terms.linker.relations_of(getattr(term.base, "name", ""))
                if text is not texts[-1] and plain is not None and not self._fits(term, held):
                    continue
                return replace(term, want=replace(term.want, plural=True))
        return None

    def _fits(self, term: Step, held: frozenset[str]) -> bool:
        inverse = {r.inverse for n in term.relations for r in self._terms.lexicon.relations.get(n, ())}
        return bool(held & (set(term.relations) | inverse))

    def _step(self, text: str) -> Step | None:
        term = self._asked(text)
        return term if isinstance(term, Step) and term.relations and is_linked(term) else None
