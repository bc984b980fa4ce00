"""Reading a question over many cells as one tree: its frame ("how many", "list"), its noun, and what belongs to it.

The reader goes through the words once, names being one word each. What a target is tied by are the words before it
("directed by X"), else those behind it ("did X direct"). A dependency parser serves worse here: of 22 questions with
"did" it took the verb for an adjective in 15 ("How many films did X direct").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf

from .....cubes.core.folding import fold
from .....cubes.core.quantities import parse_quantity
from .....cubes.model.tables import HAS_NOT
from ..plan import Bound, Period, Range, Superlative, Target, Things, Tie
from ..vocabulary.lexicon import ranks
from ..vocabulary.wordlists import ARTICLES, AUXILIARIES, PREPOSITIONS, RELATIVE
from ..vocabulary.words import Word, period
from .terms import TermParser

__all__ = ["RequestReader"]

_PREPOSITION = r"(?:(?:in|for|from|with|by|at|on|to|of|through) )?"
_FRAME = re.compile(
    rf"(?P<count>{_PREPOSITION}how many |what (?:is|was) the (?:total )?number of |count )"
    r"|(?P<list>(?:please )?(?:list|name|enumerate|give|show|find|tell)(?: me| us)?(?: every| each)? )"
    rf"|(?P<which>{_PREPOSITION}(?:which|what|whose|who(?= (?:was|were|is|are) )) )",
    re.IGNORECASE,
)
_LONGEST = 40  # words of a question that is read so
_FILLERS = AUXILIARIES | RELATIVE | frozenset({
    "ha", "wa", "there", "known", "all", "total", "altogether", "the", "exist", "with", "having", "their", "his", "her",
    "its", "together", "jointly", "mentioned", "named", "called", "come", "we", "our", "you", "your",
})  # fmt: skip
_JOINING = frozenset({"and", "or", "but"})
_VAGUE = PREPOSITIONS | AUXILIARIES | {"that", "{}"}
_TRAILING = frozenset({"for", "the", "music", "score", "in", "to", "of"})
_ANYONE = frozenset({"someone", "somebody", "anyone", "anybody", "those", "one", "who"})
_LEADING = ARTICLES | {"of", "all", "those", "other", "any", "some", "is", "was", "are", "were"}
_EITHER = frozenset({"series", "species", "means", "headquarters", "crossroads"})  # one or several
_PLURALS = {"people": "person", "men": "man", "women": "woman", "children": "child"}
_BOUNDS = ("in", "on", "of", "during", "from", "after", "since", "before", "until", "till", "by", "between")
"""Words before a date."""
_ABOVE, _BELOW = 1 + 1e-9, 1 - 1e-9
_RANGES: Mapping[str, Callable[[float], tuple[float, float]]] = {
    **dict.fromkeys(("more than", "over", "above", "greater than"), lambda n: (n * _ABOVE, inf)),
    **dict.fromkeys(("less than", "fewer than", "under", "below"), lambda n: (-inf, n * _BELOW)),
    **dict.fromkeys(("at least", "minimum of"), lambda n: (n, inf)),
    **dict.fromkeys(("at most", "up to", "no more than"), lambda n: (-inf, n)),
    "exactly": lambda n: (n, n),
}
"""Words before an amount, and the range that they make of it."""
_MONEY = frozenset("$£€")
_DIGITS = re.compile(r"\d[\d.,]*")
_NOT = frozenset({"not", "no", "without"})
_NUMBER = 5  # words before a noun
_PHRASE = 4  # words of a relation phrase

Read = tuple[Things, int] | None
"""What is read of things, and where the reading stopped."""


class RequestReader:
    """Reads requests with one ontology's words and one corpus's names; what is not read to its last word is none."""

    def __init__(self, terms: TermParser) -> None:
        self._terms = terms

    def read(self, question: str) -> Things | None:
        """Return what a question asks for, or None where it is no such question."""
        text = " ".join(question.split()).rstrip(" ?.!").replace("’", "'")
        found = _FRAME.match(text) if len(text.split()) <= _LONGEST else None
        if found is None:
            return None
        phrase = _Phrase(self._terms.words.read(text[found.end() :]), self._terms)
        things = phrase.whole()
        if things is None:
            return phrase.rows() if found["count"] else None
        counts, which, cues, linker = found["count"], found["which"], self._terms.cues, self._terms.linker
        if things.measure is not None:
            return None if counts else replace(things, is_open=True)
        targets = [target for tie in things.ties for target in tie.targets]
        dated = bool(targets) and all(isinstance(target, Bound) for target in targets)
        # One thing is found in its own cell, unless there is nothing but a date to go by.
        plural = things.plural.lower()
        several = (fold(plural) != plural and plural not in _EITHER) or plural in _PLURALS
        inner = (target.noun for target in targets if isinstance(target, Things))
        one = not (counts or dated or several or any(map(cues.columns, (things.noun, *inner))))
        if one or (not targets and (which or not cues.cubes(things.noun))):
            return None
        names = [target for target in targets if isinstance(target, str)]
        cubes = {subject.cube for name in names for subject in linker.link_exactly(name)}
        if any(cubes & cues.amounts(tie.words.removesuffix(" {}")) for tie in things.ties):
            return None
        # Empty cells say that none is stated where a verb ties things to names that are known.
        known = bool(names) and all(map(linker.knows_exactly, names))
        told = not all(_VAGUE.issuperset(tie.words.split()) for tie in things.ties)
        return replace(things, counts=bool(counts), is_open=not told or not known)


class _Phrase:
    """The reading of one noun phrase; every method reads from a word on, and says where it stopped."""

    def __init__(self, words: Sequence[Word], terms: TermParser) -> None:
        self._cues, self._lexicon = terms.cues, terms.lexicon
        self._end = len(words)
        behind = ("",) * (_PHRASE + 1)  # so that the words behind one can always be asked for
        self._keys = (*(word.key for word in words), *behind)
        self._kinds = (*("name" if word.kind == "number" else word.kind for word in words), *behind)
        self._texts = (*(word.name for word in words), *behind)

    def whole(self) -> Things | None:
        """Read the whole phrase; None where a word of it is left over."""
        readers = self._dated, self._ranged, self._ended, self._done, self._tied, self._valued
        found = self._things(0, readers, _FILLERS | _JOINING)
        if found is None or found[1] != self._end:
            return None
        together = not {"together", "jointly"}.isdisjoint(self._keys)
        return replace(found[0], ties=tuple(replace(tie, every=tie.every or together) for tie in found[0].ties))

    def rows(self) -> Things | None:
        """The rows of a table that are counted, where not all that is said of them is read."""
        found = self._noun(self._past(0, _LEADING))
        if found is None or not self._cues.columns(found[0].noun) or found[0].plural.lower() == found[0].noun:
            return None
        return replace(found[0], counts=True, unread=True)

    def _things(self, at: int, readers: Sequence[Callable[[Things, int], Read]], idle: frozenset[str]) -> Read:
        """Read a noun with its superlative, owner and adjectives, then all that ``readers`` know to belong to it."""
        at, best = self._after_best(at)
        owned = self._kinds[at] in ("name", "adjective") and self._texts[at + 1] == "'s"
        start, later = self._after_best(at + 2) if owned else (at, None)
        found = self._noun(start)
        own = self._cues.before("of", found[0].noun) if found is not None and owned else None
        if found is None or (owned and own is None):
            return None
        ties = (Tie(*own, (self._texts[at],), "of {}"),) if own is not None else ()
        things, at = replace(found[0], measure=best or later, ties=ties), found[1]
        while at < self._end:
            read = next(filter(None, (reader(things, at) for reader in readers)), None)
            if read is None and self._kinds[at] == "adjective":
                read = replace(things, adjectives=(*things.adjectives, self._texts[at])), at + 1
            comma = self._texts[at] == "," and "and" in idle
            if read is None and not comma and self._keys[at] not in idle:
                break
            things, at = read or (things, at + 1)
        return things, at

    def _classes(self, noun: str) -> bool:
        """Whether a noun says what class things are of, or how they are related to another."""
        return self._lexicon.is_noun(noun) or self._cues.own(noun) is not None

    def _past(self, at: int, words: frozenset[str]) -> int:
        while self._keys[at] in words:
            at += 1
        return at

    def _phrases(self, at: int) -> Iterator[tuple[str, int]]:
        """The folded words from one on and where they end, the most words first; no name or mark among them."""
        for end in range(min(at + _PHRASE, self._end), at, -1):
            if all(self._keys[at:end]):
                yield " ".join(self._keys[at:end]), end

    def _names(self, at: int) -> tuple[tuple[str, ...], int]:
        """The names in a row from a word on, with commas, "and" and "or" between them."""
        found, end = list[str](), at
        while self._kinds[at] == "name":
            found.append(self._texts[at])
            end = at = at + 1
            while self._texts[at] == "," or self._keys[at] in ("and", "or"):
                at += 1
        return tuple(found), end

    def _noun(self, at: int) -> Read:
        """Adjectives and the noun: the last of the words in a row that class things."""
        if self._keys[at] in _ANYONE:
            return Things("person", "people" if self._keys[at] == "who" else self._texts[at]), at + 1
        last, end = -1, at
        while self._kinds[end] in ("word", "adjective") and end - at <= _NUMBER:
            classes = self._classes(self._singular(end)) and self._keys[end] not in _FILLERS
            stops = self._keys[end] in PREPOSITIONS | AUXILIARIES | RELATIVE | _JOINING
            plural = last >= 0 and self._keys[last] != self._texts[last].lower() and self._keys[last] not in _EITHER
            if stops or plural or (last >= 0 and not classes):  # behind "drivers" "work" is a verb
                break
            last, end = end if classes else last, end + 1
        if last < 0:  # "drivers", which is what a column holds
            row = self._cues.rows(self._texts[at]) if self._kinds[at] == "word" else ""
            return (Things(row, self._texts[at], (self._texts[at],)), at + 1) if row else None
        own = self._cues.named(self._singular(last))
        adjectives = tuple(t for t in self._texts[at:last] if t.lower() not in _LEADING and fold(t) not in own)
        return Things(self._singular(last), self._texts[last], adjectives), last + 1

    def _singular(self, at: int) -> str:
        """A noun as the ontology has it: "movies" is "movie", though other words in "-ies" end in "-y"."""
        key, plain = self._keys[at], self._texts[at].lower().removesuffix("s")
        return _PLURALS.get(key, plain if not self._classes(key) and self._classes(plain) else key)

    def _best(self, at: int) -> tuple[Superlative, int] | None:
        """The superlative that begins at a word, the longest first, and where it ends.

        It is a comparing phrase, or a rank; "the first husband" is not the one who was born first.
        """
        for key, end in self._phrases(at):
            told, rank = self._lexicon.comparatives.get(key), ranks().get(key.split()[0])
            if (told is None or told.starts) and key not in ranks():
                continue
            place = rank - (rank > 0) if rank is not None else 0 if told is not None and told.order == "least" else -1
            relations = told.relations if told is not None else tuple(n for n in self._lexicon.began if n != "born on")
            return Superlative(relations, place, " ".join(self._texts[at:end])), end
        return None

    def _after_best(self, at: int) -> tuple[int, Superlative | None]:
        """Where the words before a noun end, with the superlative among them."""
        at = self._past(at, _LEADING)
        best = self._best(at)
        return (at, None) if best is None else (self._past(best[1], _LEADING), best[0])

    def _ended(self, things: Things, at: int) -> Read:
        """ "(which film) was released first", and "(the largest town) by population"."""
        best = self._best(at) if things.measure is None else None
        if best is not None and best[1] == self._end:
            return replace(things, measure=best[0]), best[1]
        amounts = self._measures(self._keys[at + 1]) if self._keys[at] == "by" else ()
        if amounts and things.measure is not None:
            return replace(things, measure=replace(things.measure, relations=amounts)), at + 2
        return None

    def _dated(self, things: Things, at: int) -> Read:
        """ "in 1957", "released between 1935 and 1939"; without a word of its own it is of what was said before, or of
        when things began."""
        events = self._lexicon.events
        event, at = next(((key, end) for key, end in self._phrases(at) if key in events), ("", at))
        said = (word for tie in things.ties for word in tie.words.split() if word in events)
        bound = self._keys[at]
        if bound not in _BOUNDS:
            return None
        texts, end = self._names(self._past(at + 1, frozenset({"the"})))
        if self._keys[end] in ("to", "until", "till", "through"):
            later, end = self._names(end + 1)
            texts, bound = texts + later, "between"
        read = [when for text in texts if (when := period(bound, text)) is not None]
        if not read or len(read) < len(texts):
            return None
        if bound == "between":
            read = [Period(read[0].since, read[-1].until, "–".join(texts))]
        tie = Tie(events.get(event or next(said, ""), self._lexicon.began), "subject", tuple(read))
        return replace(things, ties=(*things.ties, tie)), end

    def _ranged(self, things: Things, at: int) -> Read:
        """ "more than 20 beds", "a population of at least 1 million"."""
        at = self._past(at, ARTICLES)
        named, start = self._amounts(at)
        start = self._past(start, frozenset({"of", "is"})) if named else at
        words, begins = next(((key, end) for key, end in self._phrases(start) if key in _RANGES), ("", start))
        digits = begins + (self._texts[begins] in _MONEY)
        if not words or not _DIGITS.fullmatch(self._texts[digits]):
            return None
        alone, unit = (parse_quantity("".join(self._texts[begins : digits + 1]) + more)
                       for more in ("", f" {self._texts[digits + 1]}"))  # fmt: skip
        bound, ends = (alone, digits + 1) if unit == alone else (unit, digits + 2)  # "1 million", "5 km"
        told, stop = (named, ends) if named else self._amounts(ends)
        if bound is None or not told:
            return None
        said = Range(*_RANGES[words](bound.value), bound.unit, " ".join(self._texts[at:stop]))
        return replace(things, ties=(*things.ties, Tie(told, "subject", (said,)))), stop

    def _amounts(self, at: int) -> tuple[tuple[str, ...], int]:
        """The relations with amounts that a noun names, and where it ends."""
        return next(((told, end) for key, end in self._phrases(at) if (told := self._measures(key))), ((), at))

    def _measures(self, noun: str) -> tuple[str, ...]:
        """The relations with amounts that a noun names."""
        named, relations = self._lexicon.asks.get(noun, ()), self._lexicon.relations
        return tuple(name for name in named if any(r.kind == "quantity" for r in relations[name]))

    def _done(self, things: Things, at: int) -> Read:
        """A target with the words behind it that tie it: "did X direct"."""
        found = self._targets(at)
        for key, end in self._phrases(found[2]) if found is not None else ():
            meant = self._cues.behind(key, things.noun)
            if found is not None and meant is not None:
                tie, stop = Tie(*meant, found[0], f"that {{}} {key}", found[1]), self._past(end, _TRAILING)
                goes_on = self._kinds[stop] == "name"  # "(did X manage) in A"
                return replace(things, ties=(*things.ties, tie)), end if goes_on else stop
        return None

    def _tied(self, things: Things, at: int) -> Read:
        """A target with the words before it: "directed by X"."""
        columns = self._cues.columns(things.noun)
        for key, end in self._phrases(at):
            meant = self._cues.before(key, things.noun)
            start = self._past(end, ARTICLES) if columns else end
            found = self._targets(start) if meant is not None else None
            small = (((text,), False, stop) for text, stop in self._phrases(start) if self._cues.holds(text))
            if meant is not None and (found := found or (next(small, None) if columns else None)) is not None:
                names, stop = self._column(found[2], meant[0]) if columns else (meant[0], found[2])
                tie = Tie(names, meant[1], found[0], f"{key} {{}}", found[1])
                return replace(things, ties=(*things.ties, tie)), stop
        return None

    def _valued(self, things: Things, at: int) -> Read:
        """A value that stands alone: "(orders that were) cancelled", "(rooms) without heating"."""
        columns, denied = self._cues.columns(things.noun), self._keys[at] in _NOT
        for text, end in self._phrases(self._past(at + 1, ARTICLES) if denied else at) if columns else ():
            if self._cues.holds(text):
                tie = Tie((HAS_NOT,), "subject", (text,), "not {}") if denied else Tie(columns, "subject", (text,))
                return replace(things, ties=(*things.ties, tie)), end
        return None

    def _column(self, at: int, names: tuple[str, ...]) -> tuple[tuple[str, ...], int]:
        """The column that is named behind its value ("a B2 permit", "Marram as home port"), and where that ends."""
        for key, end in self._phrases(self._past(at, ARTICLES | {"as"})):
            if held := tuple(name for name in self._lexicon.asks.get(key, ()) if name in names):
                return held, end
        return names, at

    def _targets(self, at: int) -> tuple[tuple[Target, ...], bool, int] | None:
        """Targets, whether all of them are meant, and where the reading stopped."""
        every = self._keys[at] == "both"
        at += self._keys[at] in ("both", "either")
        names, end = self._names(at) if self._texts[at + 1] != "'s" else ((), at)
        if names or self._keys[at] in PREPOSITIONS | AUXILIARIES:
            return (names, every, end) if names else None
        inner = self._things(at, (self._ranged, self._ended, self._tied), _FILLERS)
        told = inner is not None and (inner[0].ties or inner[0].adjectives or inner[0].measure is not None)
        return ((inner[0],), every, inner[1]) if inner is not None and told else None
