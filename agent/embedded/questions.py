"""Reading a whole question as a plan: what is asked, of which term, or which things are compared."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

from ...cubes.folding import fold
from .checks import CheckFinder
from .lexicon import listed, ranks
from .measures import MeasureReader
from .pairs import PairFinder
from .phrases import clean, content, is_linked, ranked, tokens
from .plan import Claim, Direct, Entity, Plan, Step, Term, Want
from .terms import TermParser
from .wordlists import AUXILIARIES, PREPOSITIONS

__all__ = ["YES_NO", "QuestionParser"]

_WH = frozenset({"who", "whom", "whose", "what", "when", "where", "which", "how", "why"})
_NESTED = re.compile(
    r"^(?P<main>.+?\b(?:by|with|of|to|in|from|for)) (?:an?|the) (?P<noun>[a-z][a-z -]{2,40}?) (?:who|that|which) "
    r"(?P<clause>.+?) (?:(?:at|in|on|from|by|to) )?(?:which|what) (?P<want>[a-z][a-z -]+)$"
)
_IMPERATIVE = frozenset({
    "tell", "me", "name", "give", "find", "say", "state", "please", "do", "doe", "you", "know", "can", "could", "i",
    "want", "to", "identify", "us", "so", "and", "then", "exactly", "the", "a", "list", "show", "who", "is",
})  # fmt: skip
_SCENE = 6  # words of a scene that a question is set in
_LEFT_OUT = 3  # words that a reading may leave out: an epithet, a scene
_BAG = 3  # words of a step that no relation explains
_CLAUSES = frozenset({"who", "which", "that", "where", "when", "whose", "whom"})
_JOINING = _WH | {"and", "or", "that"}
_NUMBERS = frozenset({"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"})
_KIND = re.compile(r"^(?:kind|type|sort)s? of (?:an? )?[a-z][a-z ]*? (?:is|was|are|were) (?P<name>.+)$")
_SIDED = re.compile(
    r"\b(?P<kin>grandfather|grandmother|uncle|aunt)\b(?P<whose>.*?),? (?:on|from|through) (?:the |his |her |their )"
    r"(?P<side>paternal|maternal|father|mother)(?:['’]s)?(?: side)?\b",
    re.IGNORECASE,
)
_INSTANCE = re.compile(r"^(?:is|was|are|were) (?P<name>.+?),? an? (?:instance|example|type|kind|form|sort) of$")
_KEPT = 10_000  # plans; a server sees questions without end
YES_NO = frozenset({"is", "was", "are", "were", "did", "doe", "do", "has", "have"})
_PLURAL = re.compile(r"^(?:who|what|which) (?:are|were) ", re.IGNORECASE)
_MADE_OF = {"who": "person", "whom": "person", "when": "date", "where": "where"}


class QuestionParser:
    """Parses questions; the same question always gives the same plan, so hops can be replayed and edited."""

    def __init__(self, terms: TermParser) -> None:
        self._terms = self.terms = terms
        self._pairs = PairFinder(terms)
        self._checks = CheckFinder(terms, self._asked_term, self._claim)
        self._measures = MeasureReader(terms, self._asked_term)
        self._plans: dict[str, Plan | None] = {}
        self.lock = threading.Lock()
        """Held while questions are read: the readers share caches that hold half-read phrases while they work."""

    def parse(self, question: str) -> Plan | None:
        """Return the plan, or None where no reading fits."""
        text = _normal(question)
        with self.lock:
            if len(self._plans) >= _KEPT:
                self._plans.clear()
                self._terms.forget()
            return self._plan(text)

    def _plan(self, text: str) -> Plan | None:
        if text not in self._plans:
            self._plans[text] = next((plan for read in self._readers() if (plan := read(text)) is not None), None)
        return self._plans[text]

    def _readers(self) -> tuple[Callable[[str], Plan | None], ...]:
        pairs, checks, measures = self._pairs, self._checks, self._measures
        return (
            *(pairs.sameness, checks.shared, pairs.comparison, checks.choice, pairs.alternatives, checks.every),
            *(self._claim, checks.single, measures.several, measures.age, measures.count, self._asked),
        )

    def _claim(self, text: str) -> Plan | None:
        """Read "Was A born in B?": a clause whose verb has a name on either side."""
        parts = tokens(text)
        if len(parts) < 4 or fold(parts[0]) not in YES_NO:
            return None
        for cut in range(len(parts) - 1, 1, -1):
            value = self._terms.term(" ".join(parts[cut:]))
            if not isinstance(value, Entity) or not value.linked:
                continue
            words = [p for p in parts[1:cut] if fold(p) not in ("the", "a", "an")]
            made = self._made(words, value)
            if made is not None:
                return made
            term = self._terms.clause(" ".join(words), Want(), "What")
            if term is not None and term.relations and is_linked(term):
                return Claim(replace(term, template=f"{term.template[:-1]}?"), value.name)
        return None

    def _made(self, words: Sequence[str], value: Entity) -> Plan | None:
        """ "Did A direct B?": a thing tells better who made it than a person what they made."""
        linker = self._terms.linker
        if not linker.kinds_valued(value.name).isdisjoint(("person", "place", "date")):
            return None
        for cut in range(len(words) - 1, 0, -1):
            name = " ".join(words[:cut])
            if "person" not in linker.kinds_valued(name):
                continue
            verb = next(
                (v for v in (f"{words[cut]}ed", f"{words[cut]}d") if v in self._terms.lexicon.verbs), words[cut]
            )
            term = self._terms.clause(" ".join((verb, *words[cut + 1 :], value.name)), Want("person"), "Who")
            if term is not None and term.relations and term.base == value:
                return Claim(term, name)
        return None

    def _asked(self, text: str) -> Plan | None:
        term = self._asked_term(text)
        return Direct(term) if term is not None and _is_told(term) and self._is_whole(term, text) else None

    def _is_whole(self, term: Term, text: str) -> bool:
        """Whether a reading leaves hardly a word of the question out; kin words are spelled out as steps."""
        left = {word for part in content(_bare(text).split()) for word in part.split()} - _WH - self._kin_words
        while isinstance(term, Step):
            left -= set(" ".join((*term.words, fold(term.want.noun or ""))).split())
            term = term.base
        return len(left - set(fold(term.name).split())) <= _LEFT_OUT

    @cached_property
    def _kin_words(self) -> frozenset[str]:
        return frozenset(word for key in self._terms.lexicon.kin for word in key.split())

    def _asked_term(self, text: str) -> Term | None:
        term = self._fronted(text) or self._nested(text) or self._trailing(text) or self._middle(text)
        together = isinstance(term, Step) and term.converse and not listed("together").isdisjoint(term.relations)
        if isinstance(term, Step) and (_PLURAL.match(text) or (together and text[:4].lower() == "who ")):
            term = replace(term, want=replace(term.want, plural=True))
        return term

    def _fronted(self, text: str) -> Term | None:
        """The question word comes first, perhaps behind a preposition."""
        parts = tokens(text)
        if not parts:
            return None
        preposition = parts[0] if fold(parts[0]) in PREPOSITIONS and len(parts) > 1 and fold(parts[1]) in _WH else ""
        rest = parts[1:] if preposition else parts
        word = fold(rest[0])
        if word not in _WH or len(rest) < 2:
            return None
        if word == "whose":
            return self._whose(rest[1:])
        if word == "why":
            return self._why(rest[1:])
        if word == "how":
            return self._how(rest[1:])
        if word in ("what", "which"):
            return self._which(rest[1:], f"{preposition} {rest[0]}".strip())
        opening = f"{preposition} {rest[0]}".strip()
        return self._body(rest[1:], Want(_MADE_OF[word], word if word == "where" else None), opening)

    def _which(self, rest: list[str], opening: str) -> Term | None:
        """ "Which river runs ...", "What nationality is ...", "What is the ... of ..."."""
        if fold(rest[0]) in _NUMBERS and len(rest) > 2:
            many = self._which(rest[1:], opening)
            return replace(many, want=replace(many.want, plural=True)) if isinstance(many, Step) else many
        if fold(rest[0]) in ranks() and len(rest) > 2 and rest[0].islower():
            return ranked(self._which(rest[1:], opening), fold(rest[0]))
        kind = _KIND.match(" ".join(rest)) or _INSTANCE.match(clean(" ".join(rest)))
        if kind is not None and isinstance(thing := self._terms.term(kind["name"]), Entity) and thing.linked:
            return replace(
                self._checks.what_is(thing), template="What kind of thing is {}?", want=Want("class", "kind")
            )
        if fold(rest[0]) in AUXILIARIES:
            return self._body(rest, Want(), opening)
        lexicon = self._terms.lexicon
        length, noun = 1, fold(rest[0])
        for tried in range(min(4, len(rest) - 1), 0, -1):
            words = [fold(p) for p in rest[:tried]]
            verbal = any(w in lexicon.verbs and w not in lexicon.nouns for w in words[1:])
            if (
                verbal
                or set(words) & (AUXILIARIES | PREPOSITIONS | {"the", "a"})
                or not all(p.islower() for p in rest[:tried])
            ):
                continue
            key = next(
                (
                    k
                    for k in (" ".join(words), words[-1])
                    if k in lexicon.asks or k in lexicon.nouns or k in lexicon.kinds
                ),
                None,
            )
            if key is not None:
                length, noun = tried, key
                break
        raw = rest[length - 1].lower()
        want = replace(self._terms.wanted(noun), plural=raw.endswith("s") and fold(raw) != raw and length == 1)
        return self._body(rest[length:], want, " ".join([opening, *rest[:length]]))

    def _how(self, rest: list[str]) -> Term | None:
        """ "How long is X", "How many inhabitants does X have"."""
        many = fold(rest[0]) in ("many", "much") and len(rest) > 2
        noun = fold(rest[1] if many else rest[0])
        opening = " ".join(["How", *rest[: 2 if many else 1]])
        return self._body(rest[2 if many else 1 :], Want("quantity", noun), opening)

    def _why(self, rest: list[str]) -> Term | None:
        """ "Why did X die": the cause as a relation where the ontology has one."""
        step = self._terms.clause(" ".join(rest), Want(), "Why")
        names = tuple(n for n in (step.relations if step else ()) if n.startswith("cause"))
        return replace(step, relations=names) if step is not None and names else step

    def _whose(self, rest: list[str]) -> Term | None:
        return self._terms.clause(" ".join(rest), Want("person"), "Who")

    def _body(self, rest: Sequence[str], want: Want, opening: str) -> Term | None:
        """What follows the question words: "is TERM" or a clause."""
        text = clean(" ".join(rest))
        if rest and fold(rest[0]) in ("is", "was", "are", "were") and want.noun in (None, "where"):
            inner = self._terms.term(" ".join(_without_auxiliaries(rest)))
            if isinstance(inner, Step) and inner.relations and _answers(inner, want):
                return inner
            if isinstance(inner, Entity) and want.kind == "where":
                return Step(inner, self._located(), "Where is {}?", Want("place"), ("located",))
            if isinstance(inner, Entity) and inner.linked and want.kind in (None, "person") and fold(opening) in _WH:
                return self._checks.what_is(inner)
            return self._terms.clause(text, want, opening) or inner
        return self._terms.clause(text, want, opening)

    def _located(self) -> tuple[str, ...]:
        return tuple(n for n in ("located in", "took place in", "born in") if n in self._terms.lexicon.relations)

    def _nested(self, text: str) -> Term | None:
        """ "X was described by a botanist who taught at which university?": the gap lies in the relative clause."""
        found = _NESTED.match(text)
        if found is None:
            return None
        noun, wanted = fold(found["noun"]), fold(found["want"])
        inner = self._terms.clause(found["main"], self._terms.wanted(noun), f"Which {noun}")
        if inner is None:
            return None
        names = self._verbs(found["clause"])
        if not names:
            return None
        template = f"Which {wanted} {{}} {found['clause']}?"
        return Step(inner, names, template, self._terms.wanted(wanted), tuple(map(fold, tokens(found["clause"]))))

    def _verbs(self, clause: str) -> tuple[str, ...]:
        lexicon, words = self._terms.lexicon, [fold(t) for t in tokens(clause)]
        for length in range(len(words), 0, -1):
            for start in range(len(words) - length + 1):
                key = " ".join(words[start : start + length])
                names = (*lexicon.verbs.get(key, ()), *lexicon.passives.get(key, ()))
                if names:
                    return tuple(dict.fromkeys(names))
        return ()

    def _trailing(self, text: str) -> Term | None:
        """ "The author of X died in which city?": the question words come last."""
        parts = tokens(text)
        for at in range(len(parts) - 1, 0, -1):
            if fold(parts[at]) in _WH:
                break
        else:
            return None
        start = at - 1 if fold(parts[at - 1]) in PREPOSITIONS else at
        words = [fold(p) for p in parts[at + 1 :]]
        if len(words) > 4 or start == 0:
            return None
        noun = " ".join(words) or None
        want = self._terms.wanted(noun) if noun else Want(_MADE_OF.get(fold(parts[at])))
        opening = " ".join(parts[start:]).capitalize()
        return self._terms.clause(" ".join(parts[:start]), want, opening) or self._terms.term(" ".join(parts[:start]))

    def _middle(self, text: str) -> Term | None:
        """A question behind words that ask nothing: "Name the director of X", "In the film X, who plays Y"."""
        parts = tokens(text)
        for start in range(1, len(parts) - 1):
            if fold(parts[start]) in _WH and _asks_nothing(parts[:start]):
                term = self._fronted(" ".join(parts[start:]))
                if term is not None:
                    return term
        for start in range(min(4, len(parts))):
            term = self._terms.term(" ".join(parts[start:])) if _asks_nothing(parts[:start]) else None
            if isinstance(term, Step):
                return term
        return None


def _bare(text: str) -> str:
    """A question without the marks on its words."""
    return text.replace('"', " ").replace("'s ", " ").replace("’s ", " ")


def _asks_nothing(front: Sequence[str]) -> bool:
    """Whether words in front of a question only ask for attention, or only set a short scene."""
    scene = front and front[-1].endswith(",") and len(front) <= _SCENE and fold(front[0]) in PREPOSITIONS
    return bool(scene) or {fold(p) for p in front} <= _IMPERATIVE


def _answers(term: Step, want: Want) -> bool:
    """Whether a term gives the kind of thing that the question word asks for."""
    if want.kind == "date":
        return term.want.kind == "date"
    return want.kind != "where" or term.want.kind not in ("date", "quantity", "person")


def _is_told(term: Term) -> bool:
    """Whether a reading explains its question: no step is a bag of words, no name holds words that join or ask.

    What it leaves unexplained is better read by its syntax.
    """
    while isinstance(term, Step):
        if not term.relations and (len(term.words) > _BAG or _CLAUSES & set(term.words)):
            return False
        term = term.base
    return term.linked or not _JOINING & set(fold(term.name).split())


def _without_auxiliaries(parts: Sequence[str]) -> list[str]:
    found = list(parts)
    while found and fold(found[0]) in AUXILIARIES:
        found.pop(0)
    return found


def _normal(question: str) -> str:
    """One line, plain quotation marks, no question mark."""
    text = " ".join(question.split()).replace("“", '"').replace("”", '"').replace("`", "'")
    text = re.sub(r"^(Is|Are|Was|Were|Do|Does|Did|Has|Have)n['’]t\b", r"\1", text, flags=re.IGNORECASE)
    return _SIDED.sub(_sided, text.rstrip(" ?.!"))


def _sided(found: re.Match[str]) -> str:
    """ "the grandfather of X on his father's side" as the paternal grandfather of X."""
    side = "paternal" if found["side"].lower() in ("paternal", "father") else "maternal"
    return f"{side} {found['kin']}{found['whose']}"
