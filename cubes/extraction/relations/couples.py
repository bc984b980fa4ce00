"""Which of one or two persons is the man and which the woman: the parents of somebody."""

from __future__ import annotations

from ..section_state import sex_of
from ..words.lexicon import lexicon
from ..words.values import ValueSpan
from ..words.words import Sentence

__all__ = ["deal"]

_FEMALE = ("a", "ette", "elle", "ine", "lyn")  # how most women's given names of Europe end
_JOINING = frozenset({"and", "&", "by", "with", "his", "her"})


def deal(sentence: Sentence, values: list[ValueSpan], begin: int) -> dict[str, list[ValueSpan]]:
    """The first person, and the one joined to it, by sex: as told, else the man first unless the names sound otherwise."""
    pair = values[:1]
    pair += [v for v in values[1:2] if not _JOINING.isdisjoint(sentence.lower[values[0].last : v.first])]
    told = [_sex(sentence, value, begin if not n else value.first - 5) for n, value in enumerate(pair)]
    sounds = [sentence.lower[value.first].endswith(_FEMALE) for value in pair]
    swapped = told == [None, "male"] or told[:1] == ["female"] or (told == [None, None] and sounds == [True, False])
    order = ("female", "male") if swapped else ("male", "female")
    return {sex: [value] for sex, value in zip(order, pair, strict=False)}


def _sex(sentence: Sentence, value: ValueSpan, start: int) -> str | None:
    """By name or title, else by the words that describe the person ("his wife", "the actress")."""
    before = sentence.lower[max(0, start) : value.first - (sentence.word(value.first - 1) == ",")]
    own = len(before) - next((n for n, word in enumerate(reversed(before)) if word in ("and", ",")), len(before))
    words = (lexicon().sex_of_word.get(word) for word in reversed(before[own:]) if word not in ("his", "her"))
    return sex_of(sentence.text[value.start : value.end]) or next(filter(None, words), None)
