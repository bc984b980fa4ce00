"""Reading a question over many cells as one tree: its frame ("how many", "list"), its noun, and what belongs to it.

The reader goes through the words once, names being one word each. What a target is tied by are the words before it
("directed by X"), else those behind it ("did X direct"). A dependency parser serves worse here: of 22 questions with
"did" it took the verb for an adjective in 15 ("How many films did X direct").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from .....cubes.core.folding import fold
from ..questions.parts import QuestionToken, parts_of
from ..vocabulary.lexicon import QuestionLexicon
from ..vocabulary.linker import EntityLinker
from ..vocabulary.wordlists import AUXILIARIES, PREPOSITIONS, RELATIVE
from .request import Dates, Day, Mode, Period, Request, Superlative, Target, Things, Tie
from .words import BOUNDS, PLURALS, Meant, RelationWords, period, span, superlative

__all__ = ["RequestReader"]

_PREPOSITION = r"(?:(?:in|for|from|with|by|at|on|to|of|through) )?"
_FRAMES: tuple[tuple[Mode, bool, re.Pattern[str]], ...] = (
    ("count", False, re.compile(
        rf"{_PREPOSITION}how many (?:of )?|what (?:is|was) the (?:total )?number of |count ", re.I)),
    ("list", False, re.compile(
        r"(?:please )?(?:list|name|enumerate|give|show|find|tell)(?: (?:me|us))?(?: (?:all|every|each|some))?(?: of)? ",
        re.I)),
    ("list", True, re.compile(rf"{_PREPOSITION}(?:which|what|whose|who(?= (?:was|were|is|are) )) ", re.I)),
)  # fmt: skip
_LONGEST = 40  # words of a question that is read so
_FILLERS = AUXILIARIES | RELATIVE | frozenset({
    "ha", "wa", "there", "known", "all", "total", "altogether", "the", "exist", "with", "having", "their", "his", "her",
    "its", "together", "jointly", "mentioned", "named", "called", "come",
})  # fmt: skip
_JOINING = frozenset({"and", "or", "but"})
_TOGETHER = frozenset({"together", "jointly"})
_SOMEWHERE = frozenset({"place", "somewhere", "anywhere"})
_HAVING = frozenset({"have", "has", "had", "ha"})
_TRAILING = frozenset({"for", "the", "music", "score", "in", "to", "of"})
_ANYONE = frozenset({"someone", "somebody", "anyone", "anybody", "those", "one", "who"})
_LEADING = frozenset({"the", "of", "all", "those", "other", "both", "any", "some", "a", "an", "is", "was", "are", "were"})
_UNTIL = frozenset({"and", "to", "until", "till", "through"})
_NUMBER = 5  # words before a noun
_PHRASE = 4  # words of a relation phrase


class RequestReader:
    """Reads requests with one ontology's words and one corpus's names; what is not read to its last word is none."""

    def __init__(self, lexicon: QuestionLexicon, linker: EntityLinker) -> None:
        self._lexicon, self._linker, self._words = lexicon, linker, RelationWords(lexicon)

    def read(self, question: str) -> Request | None:
        """Return what a question asks for, or None where it is no such question."""
        text = " ".join(question.split()).rstrip(" ?.!").replace("’", "'").replace("“", '"').replace("”", '"')
        framed = ((mode, is_open, frame.match(text)) for mode, is_open, frame in _FRAMES)
        mode, is_open, found = next((each for each in framed if each[2] is not None), ("list", True, None))
        if found is None or len(text.split()) > _LONGEST:
            return None
        parts = parts_of(text[found.end() :], self._linker)
        things = _Phrase(parts, self._words, self._lexicon, self._linker).whole(counts=mode == "count")
        return None if things is None else self._asked(things, mode, is_open)

    def _asked(self, things: Things, mode: Mode, is_open: bool) -> Request | None:
        if things.measure is not None:
            return Request("most", things, is_open=True) if mode == "list" else None
        if mode == "list" and not _is_plural(things.plural) and (things.ties or not things.dates):
            return None  # one thing is found in its own cell, unless there is nothing but a date to go by
        if not things.ties and not self._words.cubes(things.noun):
            return None
        if not things.ties and is_open and not things.dates:
            return None
        names = [target for tie in things.ties for target in tie.targets if isinstance(target, str)]
        known = bool(names) and all(map(self._linker.knows_exactly, names))
        return Request(mode, things, is_open and not known)  # of what is known, empty cells say that nothing is stated


class _Phrase:
    """The reading of one noun phrase; every method reads from a part on, and says where it stopped."""

    def __init__(
        self, parts: Sequence[QuestionToken], words: RelationWords, lexicon: QuestionLexicon, linker: EntityLinker
    ) -> None:
        self._parts, self._words, self._lexicon, self._linker = parts, words, lexicon, linker
        self._keys = [part.key for part in parts]

    def whole(self, *, counts: bool) -> Things | None:
        """Read the whole phrase; None where a word of it is left over, or where an amount is asked for."""
        found = self.things(0, nested=False)
        if found is None or found[1] != len(self._parts):
            return None
        if counts and any(self._words.is_amount(tie.words.removeprefix("{} ")) for tie in found[0].ties):
            return None
        together = not _TOGETHER.isdisjoint(self._keys)
        return replace(found[0], ties=tuple(replace(tie, every=tie.every or together) for tie in found[0].ties))

    def things(self, at: int, *, nested: bool) -> tuple[Things, int] | None:
        """Read a noun with its adjectives, its owner, its superlative, and what it is tied to."""
        best = self._superlative(self._past(at, _LEADING))
        at = self._past(best[1] if best is not None else at, _LEADING)
        owner = self._kind(at) in ("name", "adjective") and self._text(at + 1) == "'s"
        first, at = at, at + 2 * owner
        best = best or self._superlative(at)
        named = self._noun(best[1] if best is not None and best[1] > at else at)
        own = self._words.of(named[0].noun) if named is not None and owner else None
        if named is None or (owner and own is None):
            return None
        ties = (_tie(own, (self._text(first),), "of"),) if own is not None else ()
        return self._more(replace(named[0], ties=ties, measure=best[0] if best is not None else None), named[1], nested)

    def _more(self, things: Things, at: int, nested: bool) -> tuple[Things, int] | None:
        """Read on behind the noun: dates, ties, adjectives, and a superlative at the end."""
        while at < len(self._parts):
            dates, best = self._dates(at, things, nested), None if nested else self._superlative(at)
            tie = self._tie(at, things.noun, nested) if dates is None else None
            by = self._goes_by(at)
            if dates is not None:
                things, at = replace(things, dates=(*things.dates, dates[0])), dates[1]
            elif best is not None and things.measure is None and best[1] == len(self._parts):
                things, at = replace(things, measure=best[0]), best[1]
            elif by and things.measure is not None:
                things, at = replace(things, measure=replace(things.measure, relations=by)), at + 2
            elif tie is not None:
                things, at = replace(things, ties=(*things.ties, tie[0])), tie[1]
            elif self._kind(at) == "adjective":
                things, at = replace(things, adjectives=(*things.adjectives, self._text(at))), at + 1
            elif self._is_filler(at, nested):
                at += 1
            else:
                break
        return things, at

    # -- words -----------------------------------------------------------------------------------------------

    def _kind(self, at: int) -> str:
        return self._parts[at].kind if at < len(self._parts) else ""

    def _key(self, at: int) -> str:
        return self._keys[at] if at < len(self._keys) else ""

    def _text(self, at: int) -> str:
        return self._parts[at].text if at < len(self._parts) else ""

    def _past(self, at: int, words: frozenset[str]) -> int:
        while self._key(at) in words:
            at += 1
        return at

    def _is_filler(self, at: int, nested: bool) -> bool:
        if nested:
            return self._key(at) in _FILLERS and self._key(at) != "did"
        return self._key(at) in _FILLERS | _JOINING or self._text(at) == ","

    def _phrases(self, at: int) -> Iterator[tuple[str, int]]:
        """The folded words from a part on and where they end, the most words first; no name or mark among them."""
        for end in range(min(at + _PHRASE, len(self._parts)), at, -1):
            if all(self._keys[at:end]):
                yield " ".join(self._keys[at:end]), end

    def _names(self, at: int) -> tuple[list[str], int]:
        """The names in a row from a part on, with commas, "and" and "or" between them."""
        found, end, after = list[str](), at, at
        while self._kind(after) == "name":
            found.append(self._text(after))
            end = after = after + 1
            while self._text(after) == "," or self._key(after) in ("and", "or", "in"):
                after += 1
        return found, end

    # -- the noun, its superlative, its dates ----------------------------------------------------------------

    def _noun(self, at: int) -> tuple[Things, int] | None:
        """Adjectives and the noun: the last of the words in a row that class things."""
        if self._key(at) in _ANYONE:
            return Things("person", "people" if self._key(at) == "who" else self._text(at)), at + 1
        last, end = -1, at
        while self._kind(end) in ("word", "adjective") and end - at <= _NUMBER:
            classes = self._words.classes(self._singular(end))
            stops = self._key(end) in PREPOSITIONS | AUXILIARIES | RELATIVE | _JOINING
            if stops or (last >= 0 and not classes):
                break
            last, end = end if classes else last, end + 1
        if last < 0:
            return None
        whole = (n for n in range(at, last) if self._words.classes(" ".join(self._keys[n : last + 1])))
        first = next(whole, last)
        noun = " ".join((*self._keys[first:last], self._singular(last)))
        adjectives = tuple(part.text for part in self._parts[at:first] if part.text.lower() not in _LEADING)
        return Things(noun, self._text(last), adjectives), last + 1

    def _singular(self, at: int) -> str:
        """A noun as the ontology has it: "movies" is "movie", though other words in "-ies" end in "-y"."""
        key, plain = self._keys[at], self._parts[at].text.lower().removesuffix("s")
        return PLURALS.get(key, plain if key and not self._words.classes(key) and self._words.classes(plain) else key)

    def _superlative(self, at: int) -> tuple[Superlative, int] | None:
        for key, end in self._phrases(at):
            told = superlative(key, self._lexicon)
            if told is not None:
                return Superlative(*told, " ".join(part.text for part in self._parts[at:end])), end
        return None

    def _goes_by(self, at: int) -> tuple[str, ...]:
        """The relations of "(the largest town) by population"."""
        named = self._lexicon.asks.get(self._key(at + 1), ()) if self._key(at) == "by" else ()
        return tuple(n for n in named if any(r.kind == "quantity" for r in self._lexicon.relations[n]))

    def _dates(self, at: int, things: Things, nested: bool) -> tuple[Dates, int] | None:
        """ "in 1957", "first released between 1935 and 1939"; without a word of its own it is of what was said before.

        Within a description only dates that its things can have.
        """
        start = self._past(at, frozenset({"first"}))
        event, start = next(((k, end) for k, end in self._phrases(start) if k in self._lexicon.events), ("", start))
        said = (word for tie in things.ties for word in tie.words.split() if word in self._lexicon.events)
        relations = self._lexicon.events.get(event or next(said, ""), ())
        held = {r.cube for name in relations for r in self._lexicon.relations[name]}
        if self._key(start) not in BOUNDS or (nested and not (event and held & self._words.cubes(things.noun))):
            return None
        periods, end = self._periods(self._key(start), self._past(start + 1, frozenset({"the"})))
        return (Dates(tuple(periods), relations), end) if periods else None

    def _periods(self, bound: str, at: int) -> tuple[list[Period], int]:
        until = self._day(at + 2) if self._key(at + 1) in _UNTIL and bound in ("between", "from") else None
        since = self._day(at)
        if since is not None and until is not None and (bound == "between" or self._key(at + 1) != "and"):
            return [Period(since[0], until[1], f"{self._text(at)}–{self._text(at + 2)}")], at + 3
        if self._key(at + 1) == "century":
            text = f"{self._text(at)} century"
            days = span(text)
            return ([period(bound, text, days)] if days is not None else []), at + 2
        texts, end = self._names(at)
        read = [(text, span(text)) for text in texts]
        return [period(bound, text, days) for text, days in read if days is not None] if all(d for _, d in read) else [], end

    def _day(self, at: int) -> tuple[Day, Day] | None:
        return span(self._text(at)) if self._kind(at) == "name" else None

    # -- ties ------------------------------------------------------------------------------------------------

    def _tie(self, at: int, noun: str, nested: bool) -> tuple[Tie, int] | None:
        """A target with the words before it that tie it, else with those behind it."""
        acting = None if nested else self._acting(at, noun)
        return acting or self._met(at, lambda key: self._words.before(key, noun))

    def _met(self, at: int, meaning: Callable[[str], Meant | None]) -> tuple[Tie, int] | None:
        """The longest words from here on that name a relation of what is behind them."""
        for key, end in self._phrases(at):
            meant = meaning(key)
            found = self._targets(end) if meant is not None else None
            if meant is not None and found is not None:
                return _tie(meant, found[0], key, every=found[1]), found[2]
        return None

    def _acting(self, at: int, noun: str) -> tuple[Tie, int] | None:
        """ "did X direct", "that X and Y wrote", "children X had"."""
        key = self._key(at)
        may = not key or key in ("the", "both", "a", "an") or key in _ANYONE or self._words.classes(key)
        found = self._targets(at) if may else None
        if found is None:
            return None
        end = self._past(found[2], _FILLERS)
        own = self._words.own(noun) if end == len(self._parts) and self._keys[-1] in _HAVING else None
        if own is not None:
            return _tie(own, found[0], "of", every=found[1]), end
        for words, last in self._phrases(end):
            meant = self._words.behind(words, noun)
            if meant is not None:
                return _tie(meant, found[0], f"{{}} {words}", every=found[1]), self._past(last, _TRAILING)
        return None

    def _targets(self, at: int) -> tuple[tuple[Target, ...], bool, int] | None:
        """Targets, whether all of them are meant, and where the reading stopped."""
        every = self._key(at) == "both"
        at += self._key(at) in ("both", "either")
        if self._key(at) in _SOMEWHERE and self._key(at + 1) in ("in", "of") and self._kind(at + 2) == "name":
            at += 2  # a place holds what the places in it hold
        names, end = self._names(at) if self._text(at + 1) != "'s" else ([], at)
        if names:
            return tuple(names), every, end
        if self._key(at) in PREPOSITIONS | AUXILIARIES:
            return None
        inner = self.things(at, nested=True)
        if inner is not None and (inner[0].ties or inner[0].adjectives):
            return (inner[0],), every, inner[1]
        if inner is not None and self._kind(inner[1]) == "name":  # "the novelist X"
            name = self._text(inner[1])
            called = self._linker.by_descriptor(name, inner[0].noun)
            return (called[0].label if len(called) > 1 else name,), every, inner[1] + 1
        return None


def _tie(meant: Meant, targets: tuple[Target, ...], words: str, *, every: bool = False) -> Tie:
    """A tie over one relation; what lies between ("grandchildren" are children of children) are things of their own."""
    *inner, relations = meant[0]
    for group in inner:
        targets, every = (Things("person", "relatives", ties=(Tie(group, "value", targets, "of", every),)),), False
    return Tie(relations, meant[1], targets, words, every)


def _is_plural(word: str) -> bool:
    word = word.strip(",").lower()
    return fold(word) != word or word in PLURALS
