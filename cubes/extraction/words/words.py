"""A sentence as words: the parallel lists every rule walks over, with names and dates marked."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field

from ...core.records import Span

__all__ = ["NameSpan", "Sentence", "split_words"]

# Abbreviations keep their full stop; initials ("A.B.", "J. R. R.") are one word each. A hyphen that was torn off
# ("Neuilly- sur- Seine") is mended. Plain words, which most are, come first: nothing behind could take them otherwise.
_WORD = re.compile(
    r"[a-z]{2,}+(?![\w’'ʻ‘`&.-]|\s-[a-z])|(?:[^\W\d_]\.){2,}|[A-Z]\.(?=[\s-]|$|[A-Z][a-z])|\b(?:St|Ste|Dr|Mr|Mrs|Ms|Jr|Sr|Lt|Col|Gen|Prof|Rev|Capt|Gov|Sgt|Mt|Ft|Bros|Inc|Ltd|"
    r"Co|Corp|Hon|Sen|Rep)\.|\d+(?:[.,]\d+)*(?!\w|-[a-z])|[^\W_]+(?:[’'ʻ‘`&][^\W_]+)*"
    r"(?:(?:-|-\s(?=[^\W\d_])(?!\w+\s\d)|\s-(?=[a-z]))[^\W_]+(?:[’'][^\W_]+)*)*|\S"
)


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
