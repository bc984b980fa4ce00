"""Reading a question over many cells: its frame ("how many", "list", "the oldest of"), its noun, and its ties."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ....cubes.folding import fold
from ..lexicon import Lexicon, ranks
from ..relations import KIND_CUBES
from ..terms import TermParser
from .dating import dated
from .measuring import measure_of
from .request import Measure, Mode, Request, Tie
from .tying import TieReader
from .words import PLURALS, RelationWords

__all__ = ["RequestReader", "may_gather", "normal"]

_PREPOSITION = r"(?:(?:in|for|from|with|by|at|on|to|of|through) )?"
_FRAMES: tuple[tuple[Mode, bool, re.Pattern[str]], ...] = (
    ("count", False, re.compile(rf"^{_PREPOSITION}how many (?:of )?(?P<rest>.+)$", re.IGNORECASE)),
    ("count", False, re.compile(r"^(?:what (?:is|was) the (?:total )?number of|count) (?P<rest>.+)$", re.IGNORECASE)),
    ("list", False, re.compile(
        r"^(?:please )?(?:list|name|enumerate|give|show|find|tell)(?: (?:me|us))?(?: (?:all|every|each|some))?(?: of)? "
        r"(?P<rest>.+)$", re.IGNORECASE)),
    ("list", True, re.compile(rf"^{_PREPOSITION}(?:which|what|whose) (?:all )?(?P<rest>.+)$", re.IGNORECASE)),
    ("list", True, re.compile(r"^(?P<rest>who (?:was|were|is|are) .+)$", re.IGNORECASE)),
)
_ARE = re.compile(r"^(?:who |which |what )?(?:is|was|are|were) (?:all )?(?:the )?", re.IGNORECASE)
_MAY = re.compile(
    r"\bhow many\b|\bnumber of\b|^(?:please )?(?:list|name|enumerate|give|show|find|tell|count)\b"
    r"|\b(?:which|what)\b|\b(?:[a-z]{2,}est|most|least|first|last|debut|final)\b|^who (?:was|were|is|are)\b",
    re.IGNORECASE,
)
_OF_AGE = frozenset({"oldest", "eldest", "youngest", "firstborn"})
_NEAR = 9  # words among which the noun of a list stands
_LONGEST = 40  # words of a question that is read so


def normal(question: str) -> str:
    """Return a question on one line, with plain marks and none at its end."""
    return " ".join(question.split()).rstrip(" ?.!").replace("’", "'").replace("“", '"').replace("”", '"')


def may_gather(question: str) -> bool:
    """Whether a question may ask over many cells, by a glance at its words."""
    return _MAY.search(question) is not None and len(question.split()) <= _LONGEST


class RequestReader:
    """Reads requests with one ontology's words and one corpus's names; what is not read to its last word is none."""

    def __init__(self, lexicon: Lexicon, terms: TermParser) -> None:
        self._lexicon = lexicon
        self._linker = terms.linker
        self._words = RelationWords(lexicon)
        self._ties = TieReader(lexicon, terms, self._event)
        self._events = frozenset(lexicon.events)

    def read(self, question: str) -> Request | None:
        """Return what a question asks for, or None where it is no such question."""
        text = normal(question)
        if not may_gather(text):
            return None
        for mode, is_open, frame in _FRAMES:
            found = frame.match(text)
            if found is not None:
                return self._framed(found["rest"], mode, is_open=is_open)
        return None

    def _framed(self, rest: str, mode: Mode, *, is_open: bool) -> Request | None:
        bare = _ARE.sub("", rest)
        told = measure_of(bare, self._lexicon) if mode == "list" else None
        if told is not None:
            request = self._request(told[0], "most", told[1])
            return None if request is None or self._is_other(request) else replace(request, open=True)
        if mode == "list" and not any(c.isdigit() for c in bare) and not any(map(_is_plural, bare.split()[:_NEAR])):
            return None
        request = self._request(bare, mode, None, is_open=is_open)
        if request is None or (mode == "count" and self._is_amount(request)):
            return None
        if mode == "list" and not _is_plural(request.plural) and (request.ties or not request.periods):
            return None  # one thing is found in its own cell, unless there is nothing but a date to go by
        return replace(request, open=is_open and not self._is_known(request))

    def _request(self, text: str, mode: Mode, measure: Measure | None, *, is_open: bool = False) -> Request | None:
        bare, periods, event = dated(text, self._events)
        request = self._ties.request(bare)
        if request is None:
            return None
        happened = self._lexicon.events.get(fold(event), ()) if event else request.dated
        request = replace(request, mode=mode, measure=measure, periods=periods, dated=happened)
        if not request.ties and (is_open or not self._words.cubes(request.noun)):
            return request if request.periods and self._words.cubes(request.noun) else None
        return request if all(map(self._can_hold, request.ties)) else None

    def _can_hold(self, tie: Tie) -> bool:
        """Whether a relation goes with what its targets are known as: what a song "has" is not what a person made."""
        relations = [r for name in tie.relations for r in self._lexicon.relations[name]]
        kinds = {r.kind for r in relations}
        fitting = {KIND_CUBES.get(kind) for kind in kinds}
        fitting |= {"person", "organization"} if kinds & {"person", "organization"} else set()
        for name in tie.names:
            cubes = {s.cube for s in self._linker.link_exactly(name)}
            if tie.side == "value":
                fits = bool(cubes & {r.cube for r in relations})
            else:
                fits = bool(kinds & {"name", "event"} or cubes & fitting or kinds & self._linker.kinds_valued(name))
            if cubes and not fits:
                return False
        return True

    def _is_known(self, request: Request) -> bool:
        """Whether the corpus knows every name in a request: then cells that hold nothing say that it states nothing."""
        names = [name for tie in request.ties for name in tie.names]
        return bool(names) and all(map(self._linker.knows_exactly, names))

    def _is_amount(self, request: Request) -> bool:
        """ "How many people live in X", "died in the storm X": an amount that is told of X; nobody is counted."""
        for tie in request.ties:
            cubes = {s.cube for name in tie.names for s in self._linker.link_exactly(name)}
            words = tie.words.removeprefix("{} ")
            phrases, tables = (words, words.partition(" ")[0]), (self._lexicon.verbs, self._lexicon.passives)
            names = (name for phrase in phrases for table in tables for name in table.get(phrase, ()))
            if any(r.kind == "quantity" and r.cube in cubes for name in names for r in self._lexicon.relations[name]):
                return True
        return False

    def _event(self, words: Sequence[str]) -> tuple[str, ...]:
        return next((self._lexicon.events[w] for w in words if w in self._lexicon.events), ())

    def _is_other(self, request: Request) -> bool:
        """ "The first husband of X" is not the one who was born first."""
        measure, noun, lexicon = request.measure, request.noun, self._lexicon
        persons = "person" in lexicon.nouns.get(noun, ()) or noun in lexicon.asks or noun in lexicon.kin
        return measure is not None and persons and measure.words in ranks() and measure.words not in _OF_AGE


def _is_plural(word: str) -> bool:
    word = word.strip(",").lower()
    return fold(word) != word or word in PLURALS
