"""Reading a question over many cells as one tree: its frame ("how many", "list"), its noun, and what belongs to it.

The reader goes through the words once, names being one word each. What a target is tied by are the words before it
("directed by X"), else those behind it ("did X direct"). A dependency parser serves worse here: of 22 questions with
"did" it took the verb for an adjective in 15 ("How many films did X direct").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from .....cubes.core.folding import fold
from .....cubes.core.quantities import measure_of
from ..plan import Bound, Superlative, Target, Things, Tie
from ..vocabulary.wordlists import ARTICLES, AUXILIARIES, PREPOSITIONS, QUESTIONING, RELATIVE
from ..vocabulary.words import Word
from .line import Line
from .rows import RowReader
from .terms import TermParser

__all__ = ["RequestReader"]

_PREPOSITION = r"(?:(?:in|for|from|with|by|at|on|to|of|through) )?"
_FRAME = re.compile(
    rf"(?P<count>(?:in total,? |altogether,? )?{_PREPOSITION}how many "
    r"|(?:what(?:'s| is| was) )?(?:the )?(?:total )?number of |count )"
    r"|(?P<list>(?:please )?(?:list|name|enumerate|give|show|find|tell)(?: me| us)?(?: every| each)?"
    r"(?: the names? of)? )"
    r"|(?P<who>who(?:'s| has| have)? (?!(?:was|were|is|are)\b))"
    r"|(?P<bare>(?:the )?(?=\w{2,}est\b|(?:most|least|fewest)\b))"
    rf"|(?P<which>{_PREPOSITION}(?:which|what(?:'s)?|whose|who(?= (?:was|were|is|are) )) )",
    re.IGNORECASE,
)
_OF_ONE = re.compile(r",[^,]+\bor\s[^,]+$|\b(?:called|named)$", re.IGNORECASE)
"""What is asked of one of two, and for the name of one: "which is longer, A or B", "what is the boat called"."""
_FIGURE = re.compile(
    r"(?:(?:what|how much|how many)(?:'s)? (?P<front>.*?)\b|(?:the )?(?:sum of )?(?=total|average|mean))"
    r"(?P<figure>(?:in )?total|altogether|together|combined|overall|(?:on )?average|mean)\b(?P<rest>.*)",
    re.IGNORECASE,
)
_MORE = re.compile(rf"[.:;]\s|\b(?:{'|'.join(QUESTIONING)}|is|are|was|were)\b", re.IGNORECASE)
_DOING = frozenset({"do", "does", "did"})
_COUNTED = re.compile(r"\s*\((?:count|includ)ing [^()]*\)", re.IGNORECASE)
_LONGEST = 40  # words of a question that is read so
_FILLERS = AUXILIARIES | RELATIVE | frozenset({
    "ha", "wa", "there", "known", "all", "total", "altogether", "the", "exist", "with", "having", "their", "his", "her",
    "its", "together", "jointly", "mentioned", "named", "called", "come", "we", "our", "you", "your",
})  # fmt: skip
_JOINING = frozenset({"and", "or", "but"})
_STOPPING = PREPOSITIONS | AUXILIARIES | RELATIVE | _JOINING
_VAGUE = PREPOSITIONS | AUXILIARIES | {"that", "{}"}
_TRAILING = frozenset({"for", "the", "music", "score", "in", "to", "of"})
_ANYONE = frozenset({"someone", "somebody", "anyone", "anybody", "those", "one", "who"})
_LEADING = ARTICLES | {"of", "all", "those", "other", "any", "some", "is", "was", "are", "were"}
_EITHER = frozenset({"series", "species", "means", "headquarters", "crossroads"})  # one or several
_PLURALS = {"people": "person", "men": "man", "women": "woman", "children": "child"}
_SHORT = 3  # letters of a unit that has no plural

Read = tuple[Things, int] | None
"""What is read of things, and where the reading stopped."""


class RequestReader:
    """Reads requests with one ontology's words and one corpus's names; what is not read to its last word is none."""

    def __init__(self, terms: TermParser, rows: RowReader) -> None:
        self._terms, self._rows = terms, rows

    def read(self, question: str) -> Things | None:
        """Return what a question asks for, or None where it is no such question."""
        text = _COUNTED.sub("", " ".join(question.split())).rstrip(" ?.!").replace("’", "'")
        if len(text.split()) > _LONGEST:
            return None
        figure = _FIGURE.match(text)
        said = f"{figure['front'] or ''}{figure['rest']}" if figure is not None else ""
        if figure is not None and (things := self._rows.figure(self._rows.words(said), figure["figure"])):
            return things
        found = _FRAME.match(text)
        rest = text[found.end() :] if found is not None else ""
        words = self._rows.words(rest)
        if found is None or _asks_one(text, found):
            return self._rows.figure(words) if found is not None and found["count"] else None
        if found["who"] is not None:
            return self._rows.extreme(words)
        counts, which, cues, linker = bool(found["count"]), found["which"], self._terms.cues, self._terms.linker
        rows = self._rows.read(words, counts=counts, alone=not which)
        if found["bare"] is not None:  # "heaviest boat", but not "guest list"
            return rows if rows is not None and rows.measure is not None else None
        if rows is not None and not rows.unread:
            return rows
        things = _Phrase(self._terms.words.read(rest), self._terms).whole()
        if things is None:
            return rows
        if things.measure is not None:
            return None if counts else replace(things, is_open=True)
        targets = [target for tie in things.ties for target in tie.targets]
        dated = bool(targets) and all(isinstance(target, Bound) for target in targets)
        # One thing is found in its own cell, unless there is nothing but a date to go by.
        plural = things.plural.lower()
        several = (fold(plural) != plural and plural not in _EITHER) or plural in _PLURALS
        if not (counts or dated or several) or (not targets and (which or not cues.cubes(things.noun))):
            return None
        names = [target for target in targets if isinstance(target, str)]
        cubes = {subject.cube for name in names for subject in linker.link_exactly(name)}
        if any(cubes & cues.amounts(tie.words.removesuffix(" {}")) for tie in things.ties):
            return None
        # Empty cells say that none is stated where a verb ties things to names that are known.
        known = bool(names) and all(map(linker.knows_exactly, names))
        told = not all(_VAGUE.issuperset(tie.words.split()) for tie in things.ties)
        return replace(things, counts=counts, is_open=not told or not known)


def _asks_one(text: str, frame: re.Match[str]) -> bool:
    """Whether a question asks for a cell ("how many seconds"), for one of two, or says more than which is the most."""
    first = text[frame.end() :].split(" ", 1)[0]
    compound = len(first) > _SHORT and first == fold(first)  # "foot passengers"
    if frame["count"]:
        return first == "times" or bool(measure_of(first) and not compound)
    if frame["which"] and first.lower() in _DOING:  # "what did the boats cost"
        return True
    more = _MORE if frame["bare"] is not None else _OF_ONE
    return not frame["list"] and more.search(text) is not None


class _Phrase(Line):
    """The reading of one noun phrase; every method reads from a word on, and says where it stopped."""

    def __init__(self, words: Sequence[Word], terms: TermParser) -> None:
        self._cues, self._lexicon = terms.cues, terms.lexicon
        super().__init__(words)

    def whole(self) -> Things | None:
        """Read the whole phrase; None where a word of it is left over."""
        readers = self._dated, self._ranged, self._ended, self._done, self._tied
        found = self._things(0, readers, _FILLERS | _JOINING)
        if found is None or found[1] != self.end:
            return None
        together = not {"together", "jointly"}.isdisjoint(self.keys)
        return replace(found[0], ties=tuple(replace(tie, every=tie.every or together) for tie in found[0].ties))

    def _things(self, at: int, readers: Sequence[Callable[[Things, int], Read]], idle: frozenset[str]) -> Read:
        """Read a noun with its superlative, owner and adjectives, then all that ``readers`` know to belong to it."""
        at, best = self._after_best(at)
        owned = self.kinds[at] in ("name", "adjective") and self.texts[at + 1] == "'s"
        start, later = self._after_best(at + 2) if owned else (at, None)
        found = self._noun(start)
        own = self._cues.before("of", found[0].noun) if found is not None and owned else None
        if found is None or (owned and own is None):
            return None
        ties = (Tie(*own, (self.texts[at],), "of {}"),) if own is not None else ()
        things, at = replace(found[0], measure=best or later, ties=ties), found[1]
        while at < self.end:
            read = next(filter(None, (reader(things, at) for reader in readers)), None)
            if read is None and self.kinds[at] == "adjective":
                read = replace(things, adjectives=(*things.adjectives, self.texts[at])), at + 1
            if read is None and self.texts[at] != "," and self.keys[at] not in idle:
                break
            things, at = read or (things, at + 1)
        return things, at

    def _classes(self, noun: str) -> bool:
        """Whether a noun says what class things are of, or how they are related to another."""
        return self._lexicon.is_noun(noun) or self._cues.own(noun) is not None

    def _noun(self, at: int) -> Read:
        """Adjectives and the noun: the last of the words in a row that class things."""
        if self.keys[at] in _ANYONE:
            return Things("person", "people"), at + 1
        last, end = -1, at
        while self.kinds[end] in ("word", "adjective") and self.keys[end] not in _STOPPING:
            classes = self._classes(self._singular(end)) and self.keys[end] not in _FILLERS
            plural = last >= 0 and self.keys[last] != self.texts[last].lower() and self.keys[last] not in _EITHER
            if plural or (last >= 0 and not classes):  # behind "drivers" "work" is a verb
                break
            last, end = end if classes else last, end + 1
        if last < 0:
            return None
        adjectives = tuple(t for t in self.texts[at:last] if t.lower() not in _LEADING)
        return Things(self._singular(last), self.texts[last], adjectives), last + 1

    def _singular(self, at: int) -> str:
        """A noun as the ontology has it: "movies" is "movie", though other words in "-ies" end in "-y"."""
        key, plain = self.keys[at], self.texts[at].lower().removesuffix("s")
        return _PLURALS.get(key, plain if not self._classes(key) and self._classes(plain) else key)

    def _after_best(self, at: int) -> tuple[int, Superlative | None]:
        """Where the words before a noun end, with the superlative among them."""
        at = self.past(at, _LEADING)
        best = self.best(at, self._lexicon)
        return (at, None) if best is None else (self.past(best[1], _LEADING), best[0])

    def _ended(self, things: Things, at: int) -> Read:
        """ "(which film) was released first", and "(the largest town) by population"."""
        best = self.best(at, self._lexicon) if things.measure is None else None
        if best is not None and best[1] == self.end:
            return replace(things, measure=best[0]), best[1]
        amounts = self._measures(self.keys[at + 1]) if self.keys[at] == "by" else ()
        if amounts and things.measure is not None:
            return replace(things, measure=replace(things.measure, relations=amounts)), at + 2
        return None

    def _dated(self, things: Things, at: int) -> Read:
        """ "in 1957", "released between 1935 and 1939"; without a word of its own it is of what was said before, or of
        when things began."""
        events = self._lexicon.events
        event, at = next(((key, end) for key, end in self.phrases(at) if key in events), ("", at))
        said = (word for tie in things.ties for word in tie.words.split() if word in events)
        read, end = self.times(at)
        if not read:
            return None
        tie = Tie(events.get(event or next(said, ""), self._lexicon.began), "subject", read)
        return replace(things, ties=(*things.ties, tie)), end

    def _ranged(self, things: Things, at: int) -> Read:
        """ "more than 20 beds", "a population of at least 1 million"."""
        at = self.past(at, ARTICLES)
        named, start = self._amounts(at)
        start = self.past(start, {"of", "is"}) if named else at
        if (read := self.amount(start)) is None:
            return None
        bound, ends = read
        told, stop = (named, ends) if named else self._amounts(ends)
        if not told:
            return None
        said = replace(bound, words=" ".join(self.texts[at:stop]))
        return replace(things, ties=(*things.ties, Tie(told, "subject", (said,)))), stop

    def _amounts(self, at: int) -> tuple[tuple[str, ...], int]:
        """The relations with amounts that a noun names, and where it ends."""
        return next(((told, end) for key, end in self.phrases(at) if (told := self._measures(key))), ((), at))

    def _measures(self, noun: str) -> tuple[str, ...]:
        """The relations with amounts that a noun names."""
        named, relations = self._lexicon.asks.get(noun, ()), self._lexicon.relations
        return tuple(name for name in named if any(r.kind == "quantity" for r in relations[name]))

    def _done(self, things: Things, at: int) -> Read:
        """A target with the words behind it that tie it: "did X direct"."""
        found = self._targets(at)
        for key, end in self.phrases(found[2]) if found is not None else ():
            meant = self._cues.behind(key, things.noun)
            if found is not None and meant is not None:
                tie, stop = Tie(*meant, found[0], f"that {{}} {key}", found[1]), self.past(end, _TRAILING)
                goes_on = self.kinds[stop] == "name"  # "(did X manage) in A"
                return replace(things, ties=(*things.ties, tie)), end if goes_on else stop
        return None

    def _tied(self, things: Things, at: int) -> Read:
        """A target with the words before it: "directed by X"."""
        for key, end in self.phrases(at):
            meant = self._cues.before(key, things.noun)
            if meant is not None and (found := self._targets(end)) is not None:
                tie = Tie(*meant, found[0], f"{key} {{}}", found[1])
                return replace(things, ties=(*things.ties, tie)), found[2]
        return None

    def _targets(self, at: int) -> tuple[tuple[Target, ...], bool, int] | None:
        """Targets, whether all of them are meant, and where the reading stopped."""
        every = self.keys[at] == "both"
        at += self.keys[at] in ("both", "either")
        names, end = self.names(at) if self.texts[at + 1] != "'s" else ((), at)
        if names or self.keys[at] in PREPOSITIONS | AUXILIARIES:
            return (names, every, end) if names else None
        inner = self._things(at, (self._ranged, self._ended, self._tied), _FILLERS)
        told = inner is not None and (inner[0].ties or inner[0].adjectives or inner[0].measure is not None)
        return ((inner[0],), every, inner[1]) if inner is not None and told else None
