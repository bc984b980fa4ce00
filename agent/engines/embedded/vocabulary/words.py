"""The words of a question, read once for all readers: its names are one word each, linked to the corpus."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from .....cubes.core.dates import CALENDAR, parse_date, parse_period
from .....cubes.core.folding import fold
from .....cubes.extraction.words.lexicon import country_of
from ..plan import Period
from .wordlists import ARTICLES, AUXILIARIES, CLAUSAL, COMMANDS, PREPOSITIONS, QUESTIONING

__all__ = ["CODED", "GAP", "PLAIN_QUOTES", "Word", "WordReader", "period", "written"]

_TOKEN = re.compile(
    r"(?<!\w)(?:--?[A-Za-z][\w-]*|(?:~|\.{1,2})?(?:/[\w.~+-]*\w)+/?|\.[A-Za-z][\w.]*\w)|"  # an option, path, ending
    r"\{\d*\}|\"[^\"]{2,90}\"|(?<!\w)'(?!s\b)[^']{2,90}'(?!\w)|['’]s\b|\d+(?:[.,]\d+)+|"
    r"(?:[A-Z]|Dr|Mrs?|Ms|Jr|Sr|St|vs?)\.(?=\s+[A-Z])|[Nn]o\.\s?\d+|\w+(?:\+\+|#(?!\w))|\w+(?:[.&/'’@=:-]\w+)*['’]?(?=s?\b)|\w+|[^\w\s]"
)
CODED = re.compile(r"\w[-_./]\w|\d")
"""What no common word has: "web-01", "log_level"."""
_OWNED = re.compile(r"^(?P<word>.+?)(?P<mark>['’]s?)$")
PLAIN_QUOTES = str.maketrans("“”`", "\"\"'")
"""Quotation marks as questions are read with."""
_LONGEST = 18  # words of a name
_KEPT = 2_000  # texts; a server sees questions without end
_INSIDE = frozenset({
    "of", "the", "de", "del", "des", "du", "la", "le", "les", "et", "von", "van", "und", "der", "den", "da", "di", "y",
    "&",
})  # fmt: skip
"""Small words that names have inside them."""
_OPENING = QUESTIONING | AUXILIARIES | COMMANDS | PREPOSITIONS | ARTICLES | {"please", "between", "among"}
"""Words that have a capital because a question begins with them."""
_SMALL = CLAUSAL | ARTICLES | {"and", "or"}

Kind = Literal["word", "number", "name", "adjective", "own", "mark", "gap"]


@dataclass(frozen=True, slots=True)
class Word:
    """A word, a whole name, an adjective made of a country's name, a possessive mark or another one; where it stands.

    ``known`` says whether the corpus has a name; a ``gap`` stands for what has been read already.
    """

    text: str
    kind: Kind = "word"
    start: int = 0
    end: int = 0
    known: bool = False

    @property
    def key(self) -> str:
        """The folded word; "" for what is no word of the question's own."""
        return fold(self.text) if self.kind == "word" else ""

    @property
    def name(self) -> str:
        """The text without the quotation marks around it."""
        text = self.text
        return text[1:-1].strip() if len(text) > 2 and text[0] in "\"'" and text[-1] == text[0] else text

    @property
    def tells(self) -> bool:
        """Whether it is a name to the syntax: a single small word that happens to be one is a word there ("fall")."""
        several = " " in self.text
        own = self.known and (not self.text.islower() or CODED.search(self.text) is not None)
        return self.kind == "gap" or (self.kind == "name" and (several or own))

    @property
    def plain(self) -> bool:
        """Whether a description may be made of it: a word or a year."""
        return self.kind == "word" or (self.kind == "number" and len(self.text) == 4)

    @property
    def begins(self) -> bool:
        """Whether a name may begin with it: with a capital, a digit, a quotation mark."""
        return self.text[0].isupper() or self.text[0].isdigit() or self.kind == "name"


GAP = Word("{}", "gap")


class WordReader:
    """Divides texts. ``knows`` says which names the corpus has, ``means`` which of them are things of their own (no
    other one is written small), ``says`` which small words have a meaning of their own, and ``national`` which are
    adjectives of countries."""

    def __init__(
        self,
        knows: Callable[[str], bool],
        means: Callable[[str], bool] = lambda _: False,
        says: Callable[[str], bool] = lambda _: False,
        national: Callable[[str], bool] = lambda name: fold(country_of(name) or name) != fold(name),
    ) -> None:
        self._knows, self._means, self._says, self._national = knows, means, says, national
        self.read = lru_cache(_KEPT)(self._read)  # every reader of a question asks for the same words

    def _read(self, text: str) -> tuple[Word, ...]:
        """Return the words of a text: the longest names that the corpus knows, else runs of capitals, are one each."""
        text = text.translate(PLAIN_QUOTES)
        tokens, found, at = list(_tokens(text)), list[Word](), 0
        while at < len(tokens):
            word = tokens[at]
            end = self._known_end(text, tokens, at)
            known = end > at
            end = end if known or not word.begins else self._run_end(tokens, at)
            if end == at:
                found.append(word)
                at += 1
                continue
            name = Word(text[word.start : tokens[end - 1].end], "name", word.start, tokens[end - 1].end)
            name = replace(name, known=known or self._knows(name.name))
            adjective = end == at + 1 and self._national(name.text)
            found.append(replace(name, kind="adjective") if adjective else name)
            at = end
        return tuple(found)

    def _known_end(self, text: str, tokens: Sequence[Word], at: int) -> int:
        """Where the longest known name that begins here ends; here, where none does. In small letters it has two words
        and more that say nothing else, or looks like a code ("web-01")."""
        first, small = tokens[at], not tokens[at].begins
        if small and ((at == 0 and first.key in _OPENING) or first.kind != "word" or first.key in _SMALL):
            return at
        for end in range(min(len(tokens), at + _LONGEST), at + (small and not CODED.search(first.text)), -1):
            last, alone, goes_on = tokens[end - 1], end == at + 1, end < len(tokens)
            asks = at == 0 and first.key in _OPENING and (alone or not last.begins)
            if asks or (alone and (first.kind == "number" or (goes_on and tokens[end].begins))):
                continue  # "Norte" is not meant by "Norte Malle"
            ends = last.text[-1].isalnum() or last.text == ")" or (last.text in ".!?" and goes_on)
            may = ends and last.kind != "own" and (alone or last.text not in _SMALL)
            said = small and any(map(self._says, (last.key, " ".join(word.key for word in tokens[at:end]))))
            if may and not said and (self._means if small else self._knows)(Word(text[first.start : last.end]).name):
                return end
        return at

    def _run_end(self, tokens: Sequence[Word], at: int) -> int:
        """Where a run of words with capitals ends, small words inside it; the question's first word only asks."""
        end = at
        while end < len(tokens) and tokens[end].begins and (end or tokens[0].key not in _OPENING):
            end += 1
            after = end
            while after < len(tokens) and tokens[after].text in _INSIDE:
                after += 1
            if end < after < len(tokens) and tokens[after].begins:
                end = after
        return at if end == at + 1 and tokens[at].kind == "number" else end


def period(bound: str, text: str) -> Period | None:
    """The stretch of days that a word before a date makes of it; None for a text that is more than a date."""
    if not all(word[0].isdigit() or word in CALENDAR or word == "century" for word in text.lower().split()):
        return None
    years, date = parse_period(text), parse_date(text)
    if years is not None:
        first, last = (years[0], 1, 1), (years[1], 12, 31)
    elif date is not None:
        first, last = date.first(), date.last()
    else:
        return None
    if bound in ("after", "since"):
        return Period(f"{bound} {text}", (*last[:2], last[2] + 1) if bound == "after" else first, None)
    if bound in ("before", "until", "till", "by"):
        return Period(f"{bound} {text}", None, (*first[:2], first[2] - 1) if bound == "before" else last)
    return Period(text, first, last)


def written(words: Sequence[str]) -> str:
    """Join words as they are written: no space before a comma."""
    text = ""
    for word in filter(None, words):
        close = not text or word in ("'s", "’s", ",", ".", "?", ":", ";", ")", "'") or text.endswith(("(", " $"))
        text += word if close else f" {word}"
    return text.strip(" ,;:")


def _tokens(text: str) -> Iterator[Word]:
    for found in _TOKEN.finditer(text):
        part, start = found[0], found.start()
        owned = _OWNED.match(part) if part[0] not in "\"'’" else None
        if owned is not None:
            middle = start + len(owned["word"])
            yield Word(owned["word"], _kind(owned["word"]), start, middle)
            part, start = owned["mark"], middle
            if owned["word"].lower() in QUESTIONING and part in ("'s", "’s"):  # "what's"
                part = "is"
        yield Word(part, _kind(part), start, found.end())


def _kind(text: str) -> Kind:
    if text in ("'s", "’s", "'", "’"):
        return "own"
    if text[0] == "{" and len(text) > 1:
        return "gap"
    if text[0].isdigit() and not text[-1].isalpha():
        return "number"
    return "word" if text[0].isalpha() else "name" if len(text) > 1 else "mark"
