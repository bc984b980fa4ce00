"""A sentence as words: the parallel lists every rule walks over, with names and dates marked.

Names are spotted without a model: quotation marks, known titles, and runs of capitalised words.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field

from ...core.dates import MONTHS
from ...core.folding import split_qualifier
from ...core.records import Span
from .lexicon import group

__all__ = ["KnownNames", "NameSpan", "Sentence", "split_words", "spot_names"]

# Abbreviations keep their full stop; initials ("A.B.", "J. R. R.") are one word each. A hyphen that was torn off
# ("Neuilly- sur- Seine") is mended. Plain words, which most are, come first: nothing behind could take them otherwise.
_WORD = re.compile(
    r"[a-z]{2,}+(?![\w’'ʻ‘`&.-]|\s-[a-z])|(?:[^\W\d_]\.){2,}|[A-Z]\.(?=[\s-]|$|[A-Z][a-z])|\b(?:St|Ste|Dr|Mr|Mrs|Ms|Jr|Sr|Lt|Col|Gen|Prof|Rev|Capt|Gov|Sgt|Mt|Ft|Bros|Inc|Ltd|"
    r"Co|Corp|Hon|Sen|Rep)\.|\d+(?:[.,]\d+)*(?!\w|-[a-z])|[^\W_]+(?:[’'ʻ‘`&][^\W_]+)*"
    r"(?:(?:-|-\s(?=[^\W\d_])(?!\w+\s\d)|\s-(?=[a-z]))[^\W_]+(?:[’'][^\W_]+)*)*|\S"
)
_QUOTED = re.compile(r"[“\"«„]\s*([^“”\"«»„]{1,120}?)\s*[,.;:]?\s*[”\"»]")
_OWNING = ("'s", "’s")
_PRONOUNS = frozenset({"i", "he", "she", "it", "they", "his", "her"})
_PRIZES = frozenset({"award", "prize", "medal"})  # "the Hesk Award for Best Film"
_BEFORE_MONTHS = frozenset({"in", "on", "since", "until", "of", "early", "late", "mid"})


@dataclass(slots=True)
class NameSpan:
    """A name in a sentence: words ``first`` to ``last`` (exclusive), characters ``start`` to ``end`` of the
    section.

    ``quoted`` marks a name in quotation marks, ``known`` one that is some document's title, ``possessive``
    one followed by 's.
    """

    first: int
    last: int
    start: int
    end: int
    quoted: bool = False
    known: bool = False
    possessive: bool = False


@dataclass(slots=True)
class Sentence:
    """Words of one sentence; positions are those of the section's text."""

    text: str
    span: Span
    starts: list[int]
    ends: list[int]
    words: list[str]
    lower: list[str]
    mention_at: dict[int, NameSpan] = field(default_factory=dict)
    dates: dict[int, tuple[int, int, int]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.words)

    def word(self, index: int) -> str:
        """The lower-case word at ``index``; "" outside the sentence."""
        return self.lower[index] if 0 <= index < len(self.lower) else ""

    def index(self, position: int) -> int:
        """The first word that starts at or behind ``position``."""
        return bisect_left(self.starts, position)

    def slice(self, first: int, last: int) -> str:
        """The section's text from word ``first`` to word ``last`` (exclusive)."""
        return self.text[self.starts[first] : self.ends[last - 1]]

    def named(self) -> list[NameSpan]:
        """The names in the order of the text."""
        return [mention for at, mention in sorted(self.mention_at.items()) if mention.first == at]

    def date(self, spans: Iterable[tuple[int, int]]) -> None:
        """Record dates: characters of the section's text."""
        for start, end in spans:
            first = self.index(start)
            last = max(self.index(end), first + 1)
            self.dates.update((index, (start, end, last)) for index in range(first, min(last, len(self))))

    def add(self, mention: NameSpan) -> None:
        """Record a name; the words it covers belong to it alone."""
        self.mention_at.update(dict.fromkeys(range(mention.first, mention.last), mention))


def split_words(text: str, span: Span) -> Sentence:
    """Split one sentence of a section into words."""
    starts: list[int] = []
    ends: list[int] = []
    words: list[str] = []
    for match in _WORD.finditer(text, span.start, span.end):
        starts.append(match.start())
        ends.append(match.end())
        words.append(match.group())
    return Sentence(text, span, starts, ends, words, [_plain(word) for word in words])


def _plain(word: str) -> str:
    return word.lower() if "-" not in word else word.lower().replace("- ", "-").replace(" -", "-")


class KnownNames:
    """Titles of documents, found in text even where they hold lower-case words ("The Prince and the Pauper")."""

    def __init__(self) -> None:
        self._by_beginning: dict[str, dict[str, list[tuple[str, ...]]]] = {}

    def add(self, titles: Iterable[str]) -> None:
        """Add titles; a bracketed qualifier is left off, a title of one word needs no entry."""
        for title in titles:
            base = split_qualifier(title)[0]
            words = tuple(split_words(base, Span(0, len(base))).words)
            if any(word[0].isupper() for word in words[1:]):
                same = self._by_beginning.setdefault(words[0], {}).setdefault(words[1], [])
                same += [words] if words not in same else []
                same.sort(key=len, reverse=True)

    def longest(self, sentence: Sentence, first: int) -> int:
        """Return the number of words of the longest known title at ``first``; 0 for none."""
        words = sentence.words
        second = self._by_beginning.get(words[first]) if first + 1 < len(words) else None
        titles = second.get(words[first + 1], ()) if second is not None else ()
        return next((len(title) for title in titles if tuple(words[first : first + len(title)]) == title), 0)


def spot_names(sentence: Sentence, known: KnownNames) -> None:
    """Mark the names of a sentence on it; those in quotation marks start like a name, as most of their words do."""
    for match in _QUOTED.finditer(sentence.text, sentence.span.start, sentence.span.end):
        (start, end), words = match.span(1), match[1].lstrip("¿¡'‘( ").split()
        capitals = [word for word in words if not word[0].islower()]
        first, last = sentence.index(start), sentence.index(end)
        whole = first < last and sentence.starts[first] == start and sentence.ends[last - 1] == end
        if whole and capitals[:1] == words[:1] != [] and 3 * len(capitals) >= len(words):
            sentence.add(NameSpan(first, last, start, end, quoted=True))
    index = 0
    while index < len(sentence):
        quoted = sentence.mention_at.get(index)
        index = quoted.last if quoted is not None else _mark_at(sentence, index, known)


def _mark_at(sentence: Sentence, index: int, known: KnownNames) -> int:
    """Mark a name that starts at ``index``, if one does; return where to look next."""
    size, word = known.longest(sentence, index), sentence.words[index]
    capital = word[0].isupper() and word[-1] != "'" and _can_start(sentence, index)
    if not size and not capital:
        return index + 1
    run = _run(sentence, index)
    last = max(run, index + size)
    torn = sentence.words[last - 1][-2:] in _OWNING and not size
    end = sentence.ends[last - 1] - 2 * torn
    possessive = torn or sentence.word(last) in ("'", "’", *_OWNING)  # also torn off: "Jon' s"
    sentence.add(NameSpan(index, last, sentence.starts[index], end, known=bool(size), possessive=possessive))
    return last


def _can_start(sentence: Sentence, index: int) -> bool:
    """Whether a capitalised word begins a name rather than a sentence or a date."""
    word, lower = sentence.words[index], sentence.lower[index]
    capital = index + 1 < len(sentence) and sentence.words[index + 1][0].isupper()
    if index in sentence.dates or not word[0].isalpha() or lower in _PRONOUNS:
        return False
    if lower in MONTHS and (sentence.word(index - 1) in _BEFORE_MONTHS or sentence.word(index + 1)[:1].isdigit()):
        return False  # "on November 26", "in May"
    before = sentence.words[index - 1] if index else "."
    return lower not in group("initial") or (capital and before not in '."“•:;–—(')


def _run(sentence: Sentence, first: int) -> int:
    """Return the end (exclusive) of the run of name words that starts at ``first``."""
    last, step = first, 1
    while step:
        last += step
        torn = sentence.words[last - 1][-2:] in _OWNING
        marked = last >= len(sentence) or last in sentence.mention_at or last in sentence.dates
        step = 0 if torn or marked else _step(sentence, last)
    return last


def _step(sentence: Sentence, last: int) -> int:
    """How many words the run takes in at ``last``: 0 ends it."""
    words, lower, at = sentence.words, sentence.lower, last
    behind = sentence.word(last + 1)
    if words[last][0].isupper():
        return 1
    if words[last] == ",":
        return 2 if behind.rstrip(".") in ("jr", "sr", "inc", "ltd", "llc", "d.c") else 0
    joins = words[last] == "&" or (words[last] == "for" and lower[last - 1] in _PRIZES)
    if joins and behind and words[last + 1][0].isupper():
        return 2
    while at < min(len(words), last + 3) and lower[at] in group("particles") and words[at].islower():
        at += 1  # "van der Rohe", "of the Rings", "the Great"
    if at == last or at >= len(words) or not words[at][0].isupper():
        return 0
    if at in sentence.dates or at in sentence.mention_at:
        return 0
    taken = lower[last:at]  # "an" only as in "Torn an der Hesk"
    return 0 if taken == ["an"] or (taken == ["of", "the"] and _body(sentence, at)) else at - last + 1


def _body(sentence: Sentence, at: int) -> bool:
    """ "X of the Civic Union": a body of its own stands behind "of the"."""
    end = at
    while end < len(sentence) and sentence.words[end][0].isupper() and end not in sentence.mention_at:
        end += 1
    return sentence.word(end - 1) in group("organisation_words") and end - at > 1
