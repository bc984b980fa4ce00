"""Judging what is claimed of things by the values found: what they are, where they are from, what they share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import dropwhile

from .....cubes.core.dates import parse_date, parse_period
from .....cubes.core.folding import fold, fold_words
from .....cubes.extraction.words.lexicon import country_of
from ..plan import AnswerType, Claim, RelationStep, Term
from ..vocabulary.lexicon import kinds_of
from ..vocabulary.places import PlaceHierarchy
from .values import Ask, values_of

__all__ = ["ClaimChecker", "all_of", "keys"]

_SMALL = frozenset({"of", "and", "in", "for", "the", "a", "an", "or", "to", "with", "by", "from", "on", "at", "as"})
_PARTED = re.compile(r",? and |, | or ")


def keys(value: str) -> set[str]:
    """Return what two equal values have in common: the year of a date, the folded text of anything else."""
    date = parse_date(value)
    return {str(date.year)} if date is not None else {fold(value)}


class ClaimChecker:
    """Compares values with claims."""

    def __init__(self, ask: Ask, places: PlaceHierarchy) -> None:
        self._ask = ask
        self._places = places

    def holds(self, claim: Claim) -> bool | None:
        """Whether a claim is borne out; None where nothing was found to judge it by."""
        values = values_of(claim.term, self._ask)
        if not values and claim.level == "country" and isinstance(claim.term, RelationStep):
            described = replace(claim.term, template="What is {}?", want=AnswerType("class"))
            values = values_of(described, self._ask)  # "an Austrian film director"
        if not values:
            return None
        if claim.level == "truth":
            return fold(values[0]) == "yes"
        if claim.level == "class":
            return self._is_a(claim.value, values)
        if claim.level == "country":
            return self._from(claim.value, values)
        return self._has(claim.value, values)

    def common(self, terms: Sequence[Term]) -> str | None:
        """The value that all terms have, as the first one writes it; "" for none, None where one has no value."""
        groups = [values_of(term, self._ask) for term in terms]
        if not all(groups):
            return None
        kinds = {term.want.kind for term in terms if isinstance(term, RelationStep)}
        for value in groups[0] if kinds != {"class"} else ():
            held = self._spread(value)
            if all(any(held & self._spread(other) for other in group) for group in groups[1:]):
                return value
        return _common_phrase(groups) if kinds <= {"class", "text"} else ""

    def _spread(self, value: str) -> set[str]:
        known = {fold(c) for c in (country_of(value),) if c is not None}
        return keys(value) | self._places.place_keys(value) | known

    def _has(self, claimed: str, values: Sequence[str]) -> bool:
        """A place is also in the places that contain it, a date in its decade or century."""
        period = parse_period(claimed)
        if period is not None:
            dates = (parse_date(value) for value in values)
            return any(date is not None and period[0] <= date.year <= period[1] for date in dates)
        wanted = keys(claimed) | self._places.place_keys(claimed)
        held = {k for v in values for k in keys(v) | self._places.place_keys(v) | self._places.country_keys(v)}
        return bool(wanted & held) or self._places.same_stem(values, [claimed])

    def _from(self, claimed: str, values: Sequence[str]) -> bool:
        """Whether a nationality, a place or a description names the claimed country."""
        wanted = self._places.country_keys(claimed) | {fold(claimed)}
        for value in values:
            if wanted & (self._places.country_keys(value) | set(fold_words(value))):
                return True
            if any(wanted & {fold(country_of(word) or "")} for word in value.replace("-", " ").split()):
                return True
        return self._places.same_stem(values, [claimed])

    def _is_a(self, claimed: str, values: Sequence[str]) -> bool:
        """Every word of the claim is in a description; its last word counts as met by a narrower one."""
        wanted = [w for w in fold_words(claimed) if w not in _SMALL]
        held = {w for value in values for w in fold_words(value)}
        text = " ".join(" ".join(fold_words(value)) for value in values)
        if not wanted:
            return False
        heads = kinds_of(wanted[-1])
        if not (heads & held or any(f" {head} " in f" {text} " for head in heads if " " in head)):
            return False
        return all(kinds_of(w) & held for w in wanted[:-1])


def _common_phrase(groups: Sequence[Sequence[str]]) -> str:
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


def all_of(verdicts: Iterable[bool | None]) -> bool | None:
    """Whether all hold: a single one that does not decides; otherwise an open one leaves it open."""
    found = list(verdicts)
    if False in found:
        return False
    return None if None in found else True
