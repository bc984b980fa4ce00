"""Where a question names things: names that the corpus knows, and runs of capitalised words that it does not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ....cubes.folding import fold
from ..lexicon import Lexicon
from ..linking import Linker
from ..wordlists import ARTICLES, CLAUSAL, PREPOSITIONS

__all__ = ["Mention", "Mentions", "Word", "words_of"]

_WORD = re.compile(r"\S+")
_QUOTES = frozenset('"“”')
_LONGEST = 10  # words of a name
_OWNED = re.compile(r"(?:['’]s|(?<=s)['’])$")
_OPENING, _CLOSING = "\"'“‘«([{", "\"'”’»)]},;:.?!"
_JOINTS = frozenset({
    "of", "the", "and", "de", "von", "van", "in", "for", "du", "la", "le", "der", "del", "di", "al", "el", "&",
})  # fmt: skip
_NO_NAME = CLAUSAL | ARTICLES | frozenset({
    "what", "how", "why", "whom", "and", "or", "but", "so", "not", "i", "he", "she", "it", "they", "that", "those",
    "these", "tell", "name", "give", "list", "find", "show", "please", "ok", "okay", "then", "also", "same", "there",
    "here", "now", "well", "yes", "no",
})  # fmt: skip
"""Words, folded, that have a capital only because a question begins with them."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question without the punctuation around it, and where it stands."""

    text: str
    start: int
    end: int

    @property
    def key(self) -> str:
        """The word in lower case, a straight apostrophe in it."""
        return self.text.lower().replace("’", "'")


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a question: where it stands, with the description before it ("the 1962 film") from ``described``."""

    name: str
    start: int
    end: int
    described: int
    known: bool = True


def words_of(text: str) -> list[Word]:
    """Split at white space; punctuation around a word is left out of it, an apostrophe in it stays."""
    found = []
    for part in _WORD.finditer(text):
        bare = part[0].lstrip(_OPENING)
        start = part.end() - len(bare)
        bare = bare.rstrip(_CLOSING)
        if bare:
            found.append(Word(bare, start, start + len(bare)))
    return found


class Mentions:
    """Finds the names in questions about one corpus."""

    def __init__(self, lexicon: Lexicon, linker: Linker) -> None:
        self._lexicon, self._linker = lexicon, linker

    def find(self, text: str) -> list[Mention]:
        """Return the names in a text, in order; of overlapping ones the first and longest."""
        words, found, at = words_of(text), [], 0
        while at < len(words):
            span = self._known(text, words, at) or self._unknown(text, words, at)
            if span is None:
                at += 1
                continue
            name, last, known = span
            start, end = words[at].start, words[last - 1].end - _tail(words[last - 1])
            end = end + 1 if text[end : end + 1] == ")" and "(" in text[start:end] else end
            described = self._described(text, words, at)
            found.append(Mention(name, start, end, words[described].start, known))
            at = last
        return found

    def _known(self, text: str, words: Sequence[Word], at: int) -> tuple[str, int, bool] | None:
        """The longest run of words from here that is called so."""
        first = words[at].key
        capital = words[at].text[0].isupper() or words[at].text[0].isdigit()
        if not capital and (first in _NO_NAME or self._is_noun(first)):
            return None
        for last in range(min(len(words), at + _LONGEST), at, -1):
            name = _between(text, words, at, last)
            several = last - at > 1
            if capital and not several and (first in _NO_NAME or name.isdigit()):
                continue
            if not capital and (not several or words[last - 1].key in _NO_NAME | PREPOSITIONS):
                continue
            if self._linker.knows_exactly(name) if capital else self._linker.link_exactly(name):
                return name, last, True
        return None

    def _unknown(self, text: str, words: Sequence[Word], at: int) -> tuple[str, int, bool] | None:
        """A run of capitalised words, joined by small words, or what stands in quotation marks."""
        closed = _quoted(text, words, at)
        if closed:
            return _between(text, words, at, closed), closed, False
        if not _capital(words[at]) or fold(words[at].text) in _NO_NAME:
            return None
        last = at + 1
        while last < len(words) and not _broken(text, words[last - 1], words[last]):
            joined = next((n for n in range(last, min(last + 3, len(words))) if words[n].key not in _JOINTS), None)
            if joined is None or not _capital(words[joined]) or _broken(text, words[joined - 1], words[joined]):
                break
            if joined > last and at == 0 and last == 1:
                break
            last = joined + 1
        if at == 0 and last == 1 and len(words) > 1 and not words[0].key.endswith("'s") and self._is_noun(words[0].key):
            return None
        return _between(text, words, at, last), last, False

    def _described(self, text: str, words: Sequence[Word], at: int) -> int:
        """Where the description before a name begins: "the 1962 film", "the novelist"; the name's own place if none."""
        if at == 0 or not self._is_noun(words[at - 1].key) or not words[at - 1].text.islower():
            return at
        start = at - 1
        while start and not _broken(text, words[start - 1], words[start]):
            before = words[start - 1]
            if before.key in ("the", "a", "an"):
                return start - 1
            if before.key in CLAUSAL or not (before.text.islower() or before.text.isdigit()):
                break
            start -= 1
        return at - 1 if start == at - 1 else at

    def _is_noun(self, word: str) -> bool:
        key = fold(word)
        return key in self._lexicon.nouns or key in self._lexicon.kinds or key in self._lexicon.asks


def _quoted(text: str, words: Sequence[Word], at: int) -> int:
    """Where a quotation that begins with a word ends, as the number of the word behind it; 0 where none begins."""
    start = words[at].start
    if not start or text[start - 1] not in _QUOTES:
        return 0
    return next((n + 1 for n in range(at, len(words)) if set(text[words[n].end : words[n].end + 2]) & _QUOTES), 0)


def _capital(word: Word) -> bool:
    return word.text[0].isupper() or (word.text[0].isdigit() and any(c.isupper() for c in word.text))


def _broken(text: str, before: Word, after: Word) -> bool:
    """Whether punctuation or a possessive parts two words."""
    return bool(text[before.end : after.start].strip()) or bool(_OWNED.search(before.text))


def _tail(word: Word) -> int:
    found = _OWNED.search(word.text)
    return len(found[0]) if found and len(found[0]) > 1 else 0


def _between(text: str, words: Sequence[Word], at: int, last: int) -> str:
    """The words as they stand in the text, without a possessive at the end."""
    end = words[last - 1].end
    name = text[words[at].start : end]
    if "(" in name and ")" not in name and text[end : end + 1] == ")":
        name += ")"
    return name[: len(name) - _tail(words[last - 1])] if not name.endswith(")") else name


