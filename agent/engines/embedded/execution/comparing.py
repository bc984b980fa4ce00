"""Comparing values: what two of them go by, what descriptions share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import dropwhile
from typing import Literal

from .....cubes.core.dates import parse_date
from .....cubes.core.folding import fold
from ..vocabulary.lexicon import kinds_of
from ..vocabulary.places import PlaceHierarchy

__all__ = ["common_phrase", "keys"]

_SMALL = frozenset({"of", "and", "in", "for", "the", "a", "an", "or", "to", "with", "by", "from", "on", "at", "as"})
_PARTED = re.compile(r",? and |, | or ")


def keys(value: str, level: Literal["value", "place", "country", "any"], places: PlaceHierarchy) -> set[str]:
    """Return what a value goes by: a date by its year, a place in another by its first part, or by its country."""
    date = parse_date(value)
    if date is not None:
        return {str(date.year)}
    own = {fold(value), fold(value.split(",", 1)[0])}
    if level in ("value", "place"):
        return own
    return places.country_keys(value) if level == "country" else own | places.country_keys(value)


def common_phrase(groups: Sequence[Sequence[str]]) -> str:
    """What descriptions of each thing have in common: the same noun, with the words before it that they share."""
    first, *others = ([part.split() for value in group for part in _PARTED.split(value) if part] for group in groups)
    shared = first
    for group in others:
        shared = [both for one in shared for other in group if (both := _shared_words(one, other))]
    return max(map(" ".join, shared), key=lambda phrase: (len(phrase.split()), len(phrase)), default="")


def _shared_words(one: Sequence[str], other: Sequence[str]) -> list[str]:
    """The words of one phrase that the other has too, in its order, if it ends with the same noun."""
    if not kinds_of(fold(one[-1])) & kinds_of(fold(other[-1])):
        return []
    left = list(map(fold, other[:-1]))
    found = []
    for word in one[:-1]:
        if fold(word) in left:
            del left[: left.index(fold(word)) + 1]
            found.append(word)
    while found and found[-1].lower() in _SMALL:
        found.pop()
    return [*dropwhile(lambda word: word.lower() in _SMALL, found), one[-1]]
