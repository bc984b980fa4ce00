"""Comparing values: what two of them go by, whether one is what is claimed, what descriptions share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import dropwhile
from typing import Literal

from .....cubes.core.dates import parse_date, parse_period
from .....cubes.core.folding import fold, fold_words
from ..vocabulary.lexicon import kinds_of
from ..vocabulary.places import PlaceHierarchy

__all__ = ["claim_holds", "common_phrase", "distinct", "keys"]

_SMALL = frozenset({"of", "and", "in", "for", "the", "a", "an", "or", "to", "with", "by", "from", "on", "at", "as"})
_PARTED = re.compile(r",? and |, | or ")


def keys(value: str, level: Literal["value", "class", "place", "country", "any"], places: PlaceHierarchy) -> set[str]:
    """Return what a value goes by: a date by its year, a place in another by its first part, or by its country."""
    date = parse_date(value)
    if date is not None:
        return {str(date.year)}
    own = {fold(value), fold(value.split(",", 1)[0])}
    if level in ("value", "class", "place"):
        return own
    return places.country_keys(value) if level == "country" else own | places.country_keys(value)


def claim_holds(claimed: str, level: str, values: Sequence[str], places: PlaceHierarchy) -> bool:
    """Whether values bear a claim out: a place is also in those that hold it, a date in its decade or century."""
    if level == "class":
        return _is_a(claimed, values)
    period = parse_period(claimed)
    if period is not None:
        dates = (parse_date(value) for value in values)
        return any(date is not None and period[0] <= date.year <= period[1] for date in dates)
    wanted, told = keys(claimed, "value", places), list(values)
    if level == "country":  # every word of "Swedish-born film director" may say it
        wanted |= keys(claimed, "country", places)
        told += [word for value in values for word in value.replace("-", " ").split()]
    held = {key for value in told for key in keys(value, "any", places)}
    return bool(wanted & held) or places.same_stem(values, [claimed])


def _is_a(claimed: str, values: Sequence[str]) -> bool:
    """Every word of the claim is in a description; its last word counts as met by a narrower one."""
    wanted = [w for w in fold_words(claimed) if w not in _SMALL]
    text = " ".join(word for value in values for word in fold_words(value))
    held = set(text.split())
    heads = kinds_of(wanted[-1]) if wanted else frozenset()
    met = heads & held or any(f" {head} " in f" {text} " for head in heads if " " in head)
    return bool(met) and all(kinds_of(w) & held for w in wanted[:-1])


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


def distinct(values: Sequence[str]) -> list[str]:
    """Each thing once, by its fullest name: "Princess Clothild of Tarsenne" stands for "Clothild" too."""
    parts = {value: set(fold(value).split()) for value in values}
    return [v for v in values if not any(parts[v] < parts[other] for other in values)]
