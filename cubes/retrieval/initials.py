"""Abbreviations that are no labels themselves: "DoIT" for a label "Department of Innovation & Technology"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..core.folding import words

__all__ = ["is_abbreviation", "named_by"]

_LINKS = frozenset({"of", "and", "for", "the", "in", "on", "to", "de", "la", "du", "et"})
_LEAST, _MOST = 3, 8


def is_abbreviation(name: str) -> bool:
    """Whether a name is one word of three to eight letters with two capitals or more."""
    return _LEAST <= len(name) <= _MOST and name.isalpha() and sum(letter.isupper() for letter in name) > 1


def named_by(abbreviation: str, names: Iterable[str]) -> Sequence[str]:
    """Return the names that an abbreviation stands for, those that it spells whole before those it is the beginning of.

    Linking words may count with their initials or not; two words of a name at least are spelt.
    """
    letters = abbreviation.lower()
    found = [(name, _spelt(name)) for name in names]
    whole = [name for name, spelt in found if letters in spelt]
    return whole or [name for name, spelt in found if any(each.startswith(letters) for each in spelt)]


def _spelt(name: str) -> tuple[str, ...]:
    """The initials of a name, all of them and those of its content words."""
    listed = words(name.replace("-", " "))
    content = [word for word in listed if word not in _LINKS]
    return tuple({"".join(word[0] for word in each) for each in (listed, content) if len(each) > 1})
