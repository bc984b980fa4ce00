"""What the words of a name allow it to name: no place is called after an office, no person after a mere rank."""

from __future__ import annotations

from functools import lru_cache

from .lexicon import lexicon
from .words import NameSpan, Sentence

__all__ = ["describes_work", "is_office", "names_place"]

_UNPLACED = frozenset({"war", "eve", "day"})


def names_place(sentence: Sentence, first: int, last: int) -> bool:
    """Whether the words of a name allow that it is a place: no office, body, family, war or day."""
    words = sentence.lower[first:last]
    if is_office(words) or (words[0] in lexicon().group("houses") and words[1:2] == ["of"]):
        return False
    if sentence.word(last) in lexicon().group("families") and sentence.words[last].islower():
        return False
    return not (words[0] in lexicon().group("placeless") and words[1:2] == ["of"]) and not _UNPLACED.intersection(words)


def is_office(words: list[str]) -> bool:
    """ "Bishop of Carse", "President of the Canal Union": who holds an office."""
    while words and words[0] in lexicon().group("office_modifiers"):
        words = words[1:]
    return len(words) > 2 and words[1] in ("of", "for") and words[0] in lexicon().group("offices")


def describes_work(sentence: Sentence, mention: NameSpan) -> bool:
    """ "several TV series", "the Vellish film "X"": a name in front of a noun for works that is no title."""
    noun = sentence.word(mention.last)
    if noun.removesuffix("s") not in _work_nouns():
        return False
    abbreviation = mention.last - mention.first == 1 and sentence.words[mention.first].isupper()
    if noun != "series" or abbreviation:
        return True
    return mention.last + 1 in sentence.mention_at or sentence.word(mention.last + 1) in ('"', "“")


@lru_cache(maxsize=1)
def _work_nouns() -> frozenset[str]:
    """Nouns for works, without the ending of a plural."""
    return frozenset(word.removesuffix("s") for word in lexicon().works)
