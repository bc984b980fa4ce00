"""Runs of capitalised words as the names that are in them: headings and function words are no part of a name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from .lexicon import lexicon
from .words import NameSpan, Sentence

__all__ = ["pieces", "plain_words", "serving_words"]

_LINKS = frozenset(
    {"of", "and", "or", "for", "the", "to", "in", "de", "la", "du", "del", "von", "van", "&", "-", "'", "’"}
)
"""Words that may stand within a name; at its ends they are no part of it."""
_FORMAL = frozenset({"neither", "either", "hereby", "herein", "hereinafter", "whereas", "notwithstanding", "except"})
"""Function words of formal prose."""
_PROPER = frozenset(
    {"may", "will", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "some", "can", "now"}
)
"""Function words that are names, or parts of names, as well."""


def pieces(sentence: Sentence, mention: NameSpan, plain: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Yield the names in a run of capitalised words, as the first word and the one behind the last.

    A run ends at a function word and where capital letters end ("CONFIDENTIALITY AGREEMENT This Agreement"). What is
    made of ``plain`` words only, those that the document also writes without a capital, is no name if it is one word or
    all in capitals. Quotations and known titles stay whole.
    """
    if mention.quoted or mention.known:
        yield mention.first, mention.last
        return
    begin = mention.first
    for at in range(mention.first, mention.last + 1):
        serves = at == mention.last or sentence.lower[at] in serving_words()
        shouted = _shouted(sentence.words[begin:at])
        if not serves and not (shouted and not sentence.words[at].isupper() and sentence.words[at].isalpha()):
            continue
        first, last = begin, at
        while first < last and not _telling(sentence, first):
            first += 1
        while first < last and not _telling(sentence, last - 1):
            last -= 1
        words = [word for word in sentence.lower[first:last] if word not in _LINKS]
        if words and not ((len(words) == 1 or shouted) and all(_stem(word) in plain for word in words)):
            yield first, last
        begin = at + serves


def _telling(sentence: Sentence, at: int) -> bool:
    return sentence.lower[at] not in _LINKS and sentence.words[at][0].isalnum()


def _shouted(words: Sequence[str]) -> bool:
    """Whether words are written in capital letters throughout, and are no mere abbreviation."""
    long = [word for word in words if (word.isalpha() and len(word) > 3) or "-" in word]
    return len(long) > 1 and all(word.isupper() for word in long)


@cache
def serving_words() -> frozenset[str]:
    """Return the words that end a name or term wherever they stand, however they are written."""
    return (lexicon().initial | _FORMAL) - _LINKS - _PROPER


def plain_words(text: str) -> frozenset[str]:
    """Return the words that a text writes without a capital, in the form in which `pieces` compares them."""
    return frozenset(_stem(word) for word in text.split() if word[:1].islower())


def _stem(word: str) -> str:
    return word.strip("“”\"'‘’.,;:()[]").lower().removesuffix("'s").removesuffix("’s").removesuffix("s")
