"""Reading a question over many cells as one tree: its frame ("how many", "the oldest of"), its noun, and its ties.

The reader goes through the words once, names being one word each. What a target is tied by are the words before it
("directed by X"), else those behind it ("did X direct"). A dependency parser serves worse here: of 22 questions with
"did" it took the verb for an adjective in 15 ("How many films did X direct").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from .....cubes.core.folding import fold
from ..plan import QuestionEntity, RelationStep, is_linked
from ..questions.parts import parts_of
from ..questions.terms import TermParser
from ..vocabulary.lexicon import QuestionLexicon, ranks
from ..vocabulary.wordlists import AUXILIARIES, PREPOSITIONS, RELATIVE
from .limits import dated, measure_of
from .request import AggregationQuery, Constraint, Mode, NamedTarget, NestedTarget, Superlative, Target
from .words import PLURALS, Meant, RelationWords

__all__ = ["AggregationQueryParser", "may_aggregate", "normal"]

_PREPOSITION = r"(?:(?:in|for|from|with|by|at|on|to|of|through) )?"
_FRAMES: tuple[tuple[Mode, bool, re.Pattern[str]], ...] = (
    ("count", False, re.compile(
        rf"^(?:{_PREPOSITION}how many (?:of )?|what (?:is|was) the (?:total )?number of |count )(?P<rest>.+)$", re.I)),
    ("list", False, re.compile(
        r"^(?:please )?(?:list|name|enumerate|give|show|find|tell)(?: (?:me|us))?(?: (?:all|every|each|some))?(?: of)? "
        r"(?P<rest>.+)$", re.I)),
    ("list", True, re.compile(rf"^(?:{_PREPOSITION}(?:which|what|whose) (?:all )?|(?=who (?:was|were|is|are) ))"
                              r"(?P<rest>.+)$", re.I)),
)  # fmt: skip
_ARE = re.compile(r"^(?:who |which |what )?(?:is|was|are|were) (?:all )?(?:the )?", re.I)
_MAY = re.compile(
    r"\bhow many\b|\bnumber of\b|^(?:please )?(?:list|name|enumerate|give|show|find|tell|count)\b"
    r"|\b(?:which|what)\b|\b(?:[a-z]{2,}est|most|least|first|last|debut|final)\b|^who (?:was|were|is|are)\b", re.I,
)  # fmt: skip
_OF_AGE = frozenset({"oldest", "eldest", "youngest", "firstborn"})
_LONGEST = 40  # words of a question that is read so
_FILLERS = AUXILIARIES | RELATIVE | frozenset({
    "ha", "wa", "there", "known", "all", "total", "altogether", "the", "exist", "with", "having", "their", "his", "her",
    "its", "together", "jointly", "mentioned", "named", "called", "come",
})  # fmt: skip
_TOGETHER = frozenset({"together", "jointly"})
_SOMEWHERE = frozenset({"place", "somewhere", "anywhere"})
_HAVING = frozenset({"have", "has", "had", "ha"})
_TRAILING = frozenset({"for", "the", "music", "score", "in", "to", "of"})
_ANYONE = frozenset({"someone", "somebody", "anyone", "anybody", "those", "one", "who"})
_LEADING = frozenset({"the", "of", "all", "those", "other", "both", "any", "some", "a", "an"})
_NUMBER = 5  # words before a noun
_PHRASE = 4  # words of a relation phrase
_FAR = 12  # parts of a description

Found = tuple[Constraint, int]
"""A tie, and where the reading stopped."""


def normal(question: str) -> str:
    """Return a question on one line, with plain marks and none at its end."""
    return " ".join(question.split()).rstrip(" ?.!").replace("’", "'").replace("“", '"').replace("”", '"')


def may_aggregate(question: str) -> bool:
    """Whether a question may ask over many cells, by a glance at its words."""
    return _MAY.search(question) is not None and len(question.split()) <= _LONGEST


class AggregationQueryParser:
    """Reads requests with one ontology's words and one corpus's names; what is not read to its last word is none."""

    def __init__(self, lexicon: QuestionLexicon, terms: TermParser) -> None:
        self._lexicon, self._terms, self._linker = lexicon, terms, terms.linker
        self._words = RelationWords(lexicon)
        self._events = frozenset(lexicon.events)

    def read(self, question: str) -> AggregationQuery | None:
        """Return what a question asks for, or None where it is no such question."""
        text = normal(question)
        framed = ((mode, is_open, frame.match(text)) for mode, is_open, frame in _FRAMES if may_aggregate(text))
        return next((self._framed(f["rest"], mode, is_open=o) for mode, o, f in framed if f is not None), None)

    def _framed(self, rest: str, mode: Mode, *, is_open: bool) -> AggregationQuery | None:
        bare = _ARE.sub("", rest)
        told = measure_of(bare, self._lexicon) if mode == "list" else None
        if told is not None:
            request = self._request(told[0], "most", told[1])
            return None if request is None or self._is_other(request) else replace(request, open=True)
        if mode == "list" and not any(c.isdigit() for c in bare) and not any(map(_is_plural, bare.split())):
            return None
        request = self._request(bare, mode, None, is_open=is_open)
        if request is None or (mode == "count" and self._is_amount(request)):
            return None
        if mode == "list" and not _is_plural(request.plural) and (request.constraints or not request.periods):
            return None  # one thing is found in its own cell, unless there is nothing but a date to go by
        names = [name for constraint in request.constraints for name in constraint.names]
        known = bool(names) and all(map(self._linker.knows_exactly, names))
        return replace(request, open=is_open and not known)  # of what is known, empty cells say that nothing is stated

    def _request(
        self, text: str, mode: Mode, measure: Superlative | None, *, is_open: bool = False
    ) -> AggregationQuery | None:
        bare, periods, event = dated(text, self._events)
        phrase = _Phrase(bare, self._words, self._terms, self._lexicon)
        request = phrase.whole()
        if request is None:
            return None
        spoken = [w for constraint in request.constraints for w in constraint.words.removeprefix("{} ").split()]
        word = fold(event) or next((w for w in spoken if w in self._events), "")
        request = replace(request, mode=mode, measure=measure, periods=periods,
                          dated=self._lexicon.events.get(word, ()))  # fmt: skip
        classed = bool(self._words.cubes(request.noun))
        if not request.constraints and (is_open or not classed):
            return request if request.periods and classed else None
        return request

    def _is_amount(self, request: AggregationQuery) -> bool:
        """ "How many people live in X", "died in the storm X": an amount that is told of X; nobody is counted."""
        for constraint in request.constraints:
            cubes = {s.cube for name in constraint.names for s in self._linker.link_exactly(name)}
            words, tables = constraint.words.removeprefix("{} "), (self._lexicon.verbs, self._lexicon.passives)
            phrases = (words, words.partition(" ")[0])
            names = (name for phrase in phrases for table in tables for name in table.get(phrase, ()))
            if any(r.kind == "quantity" and r.cube in cubes for name in names for r in self._lexicon.relations[name]):
                return True
        return False

    def _is_other(self, request: AggregationQuery) -> bool:
        """ "The first husband of X" is not the one who was born first."""
        measure, noun, lexicon = request.measure, request.noun, self._lexicon
        persons = "person" in lexicon.nouns.get(noun, ()) or noun in lexicon.asks or noun in lexicon.kin
        return measure is not None and persons and measure.words in ranks() and measure.words not in _OF_AGE


class _Phrase:
    """The reading of one noun phrase; every method reads from a part on, and says where it stopped."""

    def __init__(self, text: str, words: RelationWords, terms: TermParser, lexicon: QuestionLexicon) -> None:
        self._text, self._words, self._terms, self._lexicon = text, words, terms, lexicon
        self.parts = parts_of(text, terms.linker)
        self._keys = [part.key for part in self.parts]

    def whole(self) -> AggregationQuery | None:
        """Read the whole phrase; None where a word of it is left over."""
        found = self.phrase(0, nested=False)
        if found is None or found[1] != len(self.parts):
            return None
        together = not _TOGETHER.isdisjoint(self._keys)
        return replace(
            found[0],
            constraints=tuple(
                replace(constraint, every=constraint.every or together) for constraint in found[0].constraints
            )
        )

    def phrase(self, at: int, *, nested: bool) -> tuple[AggregationQuery, int] | None:
        """Read a noun with its adjectives, its owner, and what it is tied to."""
        at = self._past(at, _LEADING)
        owner = self._kind(at) in ("name", "adjective") and self._text_at(at + 1) == "'s"
        named = self._noun(at + 2 * owner)
        if named is None:
            return None
        request, end = named
        own = self._words.of(request.noun) if owner else None
        if owner and own is None:
            return None
        constraints = [Constraint(*own, (NamedTarget(self.parts[at].text),), "of")] if own is not None else []
        return self._constrained(request, end, constraints, nested=nested)

    def _kind(self, at: int) -> str:
        return self.parts[at].kind if at < len(self.parts) else ""

    def _key(self, at: int) -> str:
        return self._keys[at] if at < len(self._keys) else ""

    def _text_at(self, at: int) -> str:
        return self.parts[at].text if at < len(self.parts) else ""

    def _past(self, at: int, words: frozenset[str]) -> int:
        while self._key(at) in words:
            at += 1
        return at

    def _phrases(self, at: int) -> Iterator[tuple[str, int]]:
        """The folded words from a part on and where they end, the most words first; no name or mark among them."""
        for end in range(min(at + _PHRASE, len(self.parts)), at, -1):
            if all(self._keys[at:end]):
                yield " ".join(self._keys[at:end]), end

    def _noun(self, at: int) -> tuple[AggregationQuery, int] | None:
        """Adjectives and the noun: the last of the words in a row that class things."""
        if self._key(at) in _ANYONE:
            return AggregationQuery(
                "list", "person", "people" if self._key(at) == "who" else self.parts[at].text
            ), at + 1
        last, end = -1, at
        while self._kind(end) in ("word", "adjective") and end - at <= _NUMBER:
            key = self._singular(end)
            classes = bool(key) and self._words.classes(key)
            stops = key in PREPOSITIONS | AUXILIARIES | RELATIVE | {"and", "or"}
            if stops or (last >= 0 and not classes):
                break
            last, end = end if classes else last, end + 1
        if last < 0:
            return None
        whole = (n for n in range(at, last) if self._words.classes(" ".join(self._keys[n : last + 1])))
        first = next(whole, last)
        noun = " ".join((*self._keys[first:last], self._singular(last)))
        adjectives = tuple(p.text for p in self.parts[at:first] if p.text.lower() not in _LEADING)
        return AggregationQuery("list", noun, self.parts[last].text, adjectives), last + 1

    def _singular(self, at: int) -> str:
        """A noun as the ontology has it: "movies" is "movie", though other words in "-ies" end in "-y"."""
        key, plain = self._keys[at], self.parts[at].text.lower().removesuffix("s")
        return PLURALS.get(key, plain if key and not self._words.classes(key) and self._words.classes(plain) else key)

    def _constrained(
        self, request: AggregationQuery, at: int, constraints: list[Constraint], *, nested: bool
    ) -> tuple[AggregationQuery, int] | None:
        adjectives = list(request.adjectives)
        while at < len(self.parts):
            part, found = self.parts[at], self._constraint(at, request.noun, nested=nested)
            joins = part.text == "," or part.key in ("and", "or", "but")
            if found is not None:
                constraints.append(found[0])
            elif part.kind == "adjective":
                adjectives.append(part.text)
            elif not (part.key in _FILLERS and not (nested and part.key == "did")) and (nested or not joins):
                break
            at = found[1] if found is not None else at + 1
        if at < len(self.parts) and not nested:
            return None
        return replace(request, adjectives=tuple(adjectives), constraints=tuple(constraints)), at

    def _constraint(self, at: int, noun: str, *, nested: bool) -> Found | None:
        """A target with the words before it that tie it, else with those behind it."""
        acting = None if nested else self._acting(at, noun)
        return acting or self._met(at, lambda key: self._words.before(key, noun))

    def _met(self, at: int, names: Callable[[str], Meant | None]) -> Found | None:
        """The longest words from here on that name a relation of what is behind them."""
        for key, end in self._phrases(at):
            meant = names(key)
            found = self._targets(end) if meant is not None else None
            if meant is not None and found is not None:
                return Constraint(*meant, found[0], key, found[1]), found[2]
        return None

    def _acting(self, at: int, noun: str) -> Found | None:
        """ "did X direct", "that X and Y wrote", "X as their director", "children X had"."""
        key = self._key(at)
        may = not key or key in ("the", "both", "a", "an") or key in _ANYONE or self._words.classes(key)
        found = self._targets(at) if may else None
        if found is None:
            return None
        end = self._past(found[2], _FILLERS)
        own = self._words.own(noun) if end == len(self.parts) and self._keys[-1] in _HAVING else None
        if own is not None:
            return Constraint(*own, found[0], "of", found[1]), end
        is_role = self._key(end) == "as"
        for key, last in self._phrases(self._past(end + 1, _FILLERS | {"a"}) if is_role else end):
            meant = self._words.role(key) if is_role else self._words.behind(key, noun)
            if meant is not None:
                end = last if is_role else self._past(last, _TRAILING)
                return Constraint(*meant, found[0], key if is_role else f"{{}} {key}", found[1]), end
        return None

    def _targets(self, at: int) -> tuple[tuple[Target, ...], bool, int] | None:
        """Targets, whether all of them are meant, and where the reading stopped."""
        every = self._key(at) == "both"
        first = self._target(at + (self._key(at) in ("both", "either")))
        if first is None:
            return None
        targets, end = [first[0]], first[1]
        while isinstance(first[0], NamedTarget):
            after = end
            while self._text_at(after) == "," or self._key(after) in ("and", "or"):
                after += 1
            if after == end or self._kind(after) != "name":
                break
            targets.append(NamedTarget(self.parts[after].text))
            end = after + 1
        return tuple(targets), every, end

    def _target(self, at: int) -> tuple[Target, int] | None:
        if at >= len(self.parts):
            return None
        if self._key(at) in _SOMEWHERE and self._key(at + 1) in ("in", "of") and self._kind(at + 2) == "name":
            at += 2  # a place holds what the places in it hold
        owned = self._definite(at)
        if owned is not None:
            return owned
        if self.parts[at].kind == "name":
            return NamedTarget(self.parts[at].text), at + 1
        inner = None if self._keys[at] in PREPOSITIONS | AUXILIARIES else self.phrase(at, nested=True)
        return inner if inner is not None and (inner[0].constraints or inner[0].adjectives) else None

    def _definite(self, at: int) -> tuple[Target, int] | None:
        """ "the director of X", "X's wife", "the novelist Mirren Tal": one thing, the longest reading first."""
        part = self.parts[at]
        noun = part.key in self._lexicon.nouns and part.key == fold(part.text) == part.text.lower()  # no plural
        if part.kind == "word" and part.key not in ("the", "a", "an") and not noun:
            return None
        names = [n for n in range(at, min(len(self.parts), at + _FAR)) if self.parts[n].kind == "name"][:2]
        for last in reversed(names):
            owns = self._text_at(last + 1) == "'s"
            for end in range(min(len(self.parts), last + 5) if owns else last + 1, max(last, at + 1), -1):
                text = self._text[part.start : self.parts[end - 1].end]
                term = self._terms.term(text)
                if isinstance(term, RelationStep) and term.relations and is_linked(term):
                    return NestedTarget(text, term), end
                if isinstance(term, QuestionEntity) and term.linked and part.kind == "word":
                    return NamedTarget(term.name), end
        return None


def _is_plural(word: str) -> bool:
    word = word.strip(",").lower()
    return fold(word) != word or word in PLURALS

