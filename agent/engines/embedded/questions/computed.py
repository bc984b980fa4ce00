"""Questions whose answer is worked out: how many, how old, how long somebody lived, what share; and two in one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from .....cubes.core.folding import fold
from ..plan import (
    AlternativePlans,
    AnswerType,
    OpenStep,
    Operation,
    Plan,
    QuestionEntity,
    RelationStep,
    Term,
    TermValue,
    is_linked,
)
from .open_plans import over_cubes
from .terms import TermParser

__all__ = ["ComputedParser"]

_WHEN = r"[Ww]hen|[Ww]here|[Ii]n (?:what|which) \w+"
_JOINT = re.compile(rf"^(?P<one>{_WHEN}) and (?P<two>{_WHEN}) (?P<rest>.+)$")
_AGE = re.compile(
    r"^(?:how old|at what age) (?:was|were|is|did) (?P<who>.+?) (?:when|at the time|die$|pass away$)(?P<rest>.*)$|"
    r"^how (?:long|many years) did (?P<lived>.+?) live$",
    re.IGNORECASE,
)
_HE = frozenset({"he", "she", "they", "it"})
_DEATH = re.compile(r"^(?:die[ds]?|passed away|(?:his|her|their) death)$")
_MANY = re.compile(
    r"^how many (?P<noun>[a-z][a-z -]*?) (?P<rest>(?:by|of|from|in|did|do|does|has|have|had|was|were|are|is)\b.+)$",
    re.IGNORECASE,
)
_MADE = ("written", "directed", "performed", "created")
_SHARE = re.compile(
    r"^(?:what|which) (?:share|percentage|percent|proportion|fraction) of (?:all )?(?:the )?(?P<things>[^,]+) "
    r"(?P<held>(?:was|were|is|are|has|have|had) [^,]+)$",
    re.IGNORECASE,
)


class ComputedParser:
    """Reads such questions by asking for what they are worked out from; ``asked`` reads a plain question."""

    def __init__(self, terms: TermParser, asked: Callable[[str], Term | None]) -> None:
        self._terms, self._asked = terms, asked

    def joint(self, text: str) -> Plan | None:
        """Read "When and where was A born?"."""
        found = _JOINT.match(text)
        terms = [self._step(f"{found[n].capitalize()} {found['rest']}") for n in ("one", "two")] if found else []
        steps = tuple(term for term in terms if term is not None)
        return Operation("each", steps) if len(steps) == 2 else None

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
        return Operation("years", (start, end)) if end is not None and end.want.kind == "date" else None

    def count(self, text: str) -> Plan | None:
        """Read "How many novels by A are there?", "How many films did A direct?": by the number that the text states,
        which is exact, else by the values known, which are only as many as the corpus tells of."""
        found = _MANY.match(text)
        term = self._counted(found["noun"], found["rest"]) if found is not None else None
        if found is None or term is None or not isinstance(term.base, QuestionEntity):
            return None
        noun, rest, name = fold(found["noun"]), found["rest"], term.base.name
        if name not in rest:
            return None
        words = tuple(w for w in map(fold, rest.replace(name, " ").split()) if w not in ("did", "are", "there"))
        template = f"How many {found['noun']} {rest.replace(name, '{}', 1)}?"
        stated = RelationStep(term.base, (), template, AnswerType("quantity", noun), (noun, *words))
        return AlternativePlans((TermValue(stated), Operation("count", (term,))))

    def _counted(self, noun: str, rest: str) -> RelationStep | None:
        """The things that are counted, as a term: of nouns that class things or kin."""
        lexicon, key = self._terms.lexicon, fold(noun)
        quantities = any(r.kind == "quantity" for n in lexicon.asks.get(key, ()) for r in lexicon.relations[n])
        if quantities or not any(key in table for table in (lexicon.nouns, lexicon.kin, lexicon.asks)):
            return None
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

    def share(self, text: str) -> Plan | None:
        """Read "What share of the films by A were released after 1960?": two counts, each over many cells.

        A is a known name, or described by one: then its description is a hop of its own.
        """
        found = _SHARE.match(text)
        if found is None:
            return None
        things, held = found["things"], found["held"]
        term = self._counted_things(things)
        if not isinstance(term, RelationStep) or not term.converse or not over_cubes(term):
            return None
        if fold(term.want.noun or "") not in self._terms.lexicon.nouns:
            return None  # of people, texts say shares themselves
        parts: tuple[Term, ...] = ()
        words: tuple[str, ...] = ()
        if isinstance(term.base, RelationStep):
            split = things.split()
            endings = (" ".join(split[at:]) for at in range(1, len(split)))
            described = next((ending for ending in endings if self._terms.term(ending) == term.base), None)
            if described is None:
                return None
            things, parts, words = things.removesuffix(described) + "{0}", (term.base,), (described,)
        counts = (f"How many {things} are there?", f"How many {things} {held}?")
        return Operation("share", tuple(OpenStep(count, parts, words) for count in counts))

    def _counted_things(self, things: str) -> Term | None:
        found = _MANY.match(f"how many {things} are there")
        term = self._counted(found["noun"], found["rest"]) if found is not None else None
        return term or self._terms.term("Which " + things.replace(" that ", " ", 1))

    def _step(self, text: str) -> RelationStep | None:
        term = self._asked(text)
        return term if isinstance(term, RelationStep) and term.relations and is_linked(term) else None
