"""Judging what is claimed of things by the values found: what they are, where they are from, what they share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ...cubes.dates import parse_date, parse_period
from ...cubes.extraction.lexicon import country_of
from ...cubes.folding import fold, fold_words
from .lexicon import kinds_of
from .places import Places
from .plan import Claim, Step, Term, Want
from .walking import Ask, values_of

__all__ = ["Judge", "all_of", "keys"]

_SMALL = frozenset({"of", "and", "in", "for", "the", "a", "an", "or", "to", "with", "by", "from", "on", "at", "as"})
_PHRASE = 4  # words of the longest common description


def keys(value: str) -> set[str]:
    """Return what two equal values have in common: the year of a date, the folded text of anything else."""
    date = parse_date(value)
    return {str(date.year)} if date is not None else {fold(value)}


class Judge:
    """Compares values with claims."""

    def __init__(self, ask: Ask, places: Places) -> None:
        self._ask = ask
        self._places = places

    def holds(self, claim: Claim) -> bool | None:
        """Whether a claim is borne out; None where nothing was found to judge it by."""
        values = values_of(claim.term, self._ask)
        if not values and claim.level == "country" and isinstance(claim.term, Step):
            described = replace(claim.term, template="What is {}?", want=Want("class"))
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
        if all(isinstance(term, Step) and term.want.kind == "class" for term in terms):
            return self._common_phrase(groups)
        for value in groups[0]:
            held = self._spread(value)
            if all(any(held & self._spread(other) for other in group) for group in groups[1:]):
                return value
        return ""

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
        return bool(wanted & held) or self._places.akin(values, [claimed])

    def _from(self, claimed: str, values: Sequence[str]) -> bool:
        """Whether a nationality, a place or a description names the claimed country."""
        wanted = self._places.country_keys(claimed) | {fold(claimed)}
        for value in values:
            if wanted & (self._places.country_keys(value) | set(fold_words(value))):
                return True
            if any(wanted & {fold(country_of(word) or "")} for word in value.replace("-", " ").split()):
                return True
        return self._places.akin(values, [claimed])

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

    def _common_phrase(self, groups: Sequence[Sequence[str]]) -> str:
        """The longest run of words that a description of each thing holds; what comes last in it names the class."""
        sides = [[_phrases(value) for value in group] for group in groups]
        shared = set.intersection(*(set().union(*side) for side in sides))
        return max(sorted(shared), key=lambda run: (len(run.split()), len(run)), default="")


def _phrases(value: str) -> set[str]:
    """The runs of words of a description that neither begin nor end with a small word."""
    parts = [part.strip(",;.") for part in value.split()]
    found: set[str] = set()
    for start in range(len(parts)):
        for end in range(start + 1, min(len(parts), start + _PHRASE) + 1):
            run = parts[start:end]
            if not {run[0].lower(), run[-1].lower()} & _SMALL and any(c.isalpha() for c in run[0]):
                found.add(" ".join(run))
    return found


def all_of(verdicts: Iterable[bool | None]) -> bool | None:
    """Whether all hold: a single one that does not decides; otherwise an open one leaves it open."""
    found = list(verdicts)
    if False in found:
        return False
    return None if None in found else True
