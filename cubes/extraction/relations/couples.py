"""Which of one or two persons is the man and which the woman: the parents of somebody."""

from __future__ import annotations

from ..section_state import sex_of
from ..words.lexicon import lexicon
from ..words.values import ValueSpan
from ..words.words import Sentence

__all__ = ["deal"]

_FEMALE = ("a", "ette", "elle", "ine", "lyn")  # how most women's given names of Europe end
_JOINING = frozenset({"and", "&", "by", "with", "his", "her"})


def deal(sentence: Sentence, values: list[ValueSpan]) -> dict[str, list[ValueSpan]]:
    """The first person and the one joined to it, by sex: told, else the man first unless names sound otherwise."""
    pair = values[:1]
    pair += [v for v in values[1:2] if not _JOINING.isdisjoint(sentence.lower[values[0].last : v.first])]
    described = (lexicon().sex_of_word.get(sentence.word(value.first - 1)) for value in pair)  # "the actress X"
    told = [sex_of(sentence.text[value.start : value.end]) or sex for value, sex in zip(pair, described, strict=True)]
    sounds = [sentence.lower[value.first].endswith(_FEMALE) for value in pair]
    swapped = told == [None, "male"] or told[:1] == ["female"] or (told == [None, None] and sounds == [True, False])
    order = ("female", "male") if swapped else ("male", "female")
    return {sex: [value] for sex, value in zip(order, pair, strict=False)}
