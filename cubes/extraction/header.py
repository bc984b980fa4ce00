"""The sentence that introduces a section's subject: where it is named, its copula, and the phrase saying what it is."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate

from ..core.folding import split_qualifier, words
from .words.lexicon import group
from .words.type_phrase import TypePhrase, type_phrase
from .words.values import skip_brackets
from .words.words import Sentence

__all__ = ["Header", "find_header"]

_COPULA = frozenset({"is", "was", "are", "were", "became", "remains", "refers"})
_REACH = 90  # words from a name to its copula


@dataclass(slots=True)
class Header:
    """Where a section introduces its subject: the words naming it, and the verb's position or -1."""

    sentence: Sentence
    name: tuple[int, int] | None
    copula: int = -1
    phrase: TypePhrase | None = None
    brackets: list[tuple[int, int]] = field(default_factory=list)


def find_header(sentences: list[Sentence], title: str) -> Header:
    """Find the introduction of ``title``, or, without a title, of whatever the first sentence starts with."""
    base, first = split_qualifier(title)[0], sentences[0]
    return _complete(Header(first, _title_in(first, base) or _leading(first, base)))


def _title_in(sentence: Sentence, base: str) -> tuple[int, int] | None:
    """The words of the sentence that are the title; case, accents, punctuation, an article and spaces are free."""
    pieces = [_plain(word) for word in sentence.lower]
    borders = list(accumulate(map(len, pieces), initial=0))
    wanted, flat = words(base), "".join(pieces)
    for title in ("".join(wanted), "".join(wanted[1:]) if wanted[:1] in (["the"], ["a"], ["an"]) else ""):
        start = flat.find(title) if title else -1
        while start >= 0:
            first, last = bisect_right(borders, start) - 1, bisect_left(borders, start + len(title))
            # Running words are a name only with a capital or a number, except at the very start.
            written = any(not w[0].islower() and w[0].isalnum() for w in sentence.words[first:last])
            if (borders[first], borders[last]) == (start, start + len(title)) and (first <= 1 or written):
                return first, last
            start = flat.find(title, start + 1)
    return None


@lru_cache(maxsize=50_000)
def _plain(word: str) -> str:
    return "".join(words(word))


def _leading(sentence: Sentence, base: str) -> tuple[int, int] | None:
    """The name that the sentence begins with: the title in another language, or written otherwise."""
    telling = {word for word in words(base) if len(word) > 2}
    for name in [each for each in sentence.named() if each.first <= 1]:
        foreign = not base or "(" in sentence.lower[name.last : name.last + 12]
        if foreign or not telling.isdisjoint(words(sentence.slice(name.first, name.last))):
            return name.first, name.last
    return None


def _complete(header: Header) -> Header:
    """Find the copula, the brackets before it and the type phrase behind it."""
    sentence = header.sentence
    start = header.name[1] if header.name else 0
    header.copula = _find_copula(sentence, start)
    if header.copula >= 0 and not _introduces(sentence, header.name, header.copula):
        header.copula = -1
    header.brackets = _brackets(sentence, header.copula if header.copula >= 0 else min(len(sentence), start + 40))
    if header.copula >= 0:
        header.phrase = type_phrase(sentence, header.copula + 1)
    if header.name:
        header.phrase = _apposed(sentence, *header.name) or header.phrase
    return header


def _apposed(sentence: Sentence, name: int, end: int) -> TypePhrase | None:
    """ "The composer NAME was born", "A landlocked republic in the east, NAME has", "…, NAME, an Orvennan film"."""
    if name > 2 and sentence.word(end) == "," and sentence.word(end + 1) in ("a", "an"):
        return type_phrase(sentence, end + 1)
    phrase = type_phrase(sentence, 0, name) if name > 1 and sentence.lower[0] in ("a", "an", "the") else None
    return phrase if phrase is not None and (phrase.end == name or sentence.lower[0] != "the") else None


def _find_copula(sentence: Sentence, start: int) -> int:
    """The first copula outside brackets and names behind the name; a relative clause in between is passed."""
    at = start
    while at < min(len(sentence), start + _REACH):
        behind = skip_brackets(sentence, at)
        if behind == at and at not in sentence.mention_at and sentence.lower[at] in _COPULA:
            return at
        at = max(behind, at + 1)
    return -1


def _introduces(sentence: Sentence, name: tuple[int, int] | None, copula: int) -> bool:
    """Whether the copula speaks of the name and not of something that the name only belongs to.

    "The economy of Vell is diverse" and "Vell's economy is diverse" say nothing of what Vell is.
    """
    if name is None:
        return copula == 1 or sentence.lower[0] == "born"
    before, behind = sentence.word(name[0] - 1 - (sentence.word(name[0] - 1) == "the")), sentence.word(name[1])
    mention = sentence.mention_at.get(name[1] - 1)
    owned = mention is not None and mention.possessive and mention.last == name[1] and not behind.startswith("'")
    return before not in group("prepositions") - {"as"} and not before.endswith(("'s", "’s")) and not owned


def _brackets(sentence: Sentence, limit: int) -> list[tuple[int, int]]:
    """Word ranges inside the brackets that open before ``limit``."""
    ends = ((at, skip_brackets(sentence, at)) for at in range(limit) if sentence.word(at - 1) not in ("(", "["))
    return [(at + 1, end - 1) for at, end in ends if end > at]
