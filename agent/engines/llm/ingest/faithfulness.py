"""Whether a rewritten text says what the original says: the guard of everything that a model formats."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

__all__ = ["KEPT", "OWN", "unfaithful"]

KEPT = 0.97
"""The least share of the original's words that must stand in the rewritten text."""
OWN = 0.95
"""The least share of the rewritten text's words that must come from the original."""

_WORD = re.compile(r"[^\W_]+(?:[.,][^\W_]+)*")
_FIGURE = re.compile(r"!\[[^\]\n]*\]\(figure:(?P<id>\w+)\)")
_NUMBERING = re.compile(r"^\s*(?:#{1,6}\s+)?(?:[*_]{2})?\(?(?:[A-Z]\.)?\d+(?:\.\d+)*[.)]?(?=\s)")
_TABLE_NUMBER = re.compile(r"\b(?:Table|Figure|Chapter|Section)\s+\d+(?:\.\d+)*", re.IGNORECASE)
_SHOWN = 3


def unfaithful(original: str, rewritten: str) -> str:
    """Return why a rewritten text does not say what the original says, as the end of a sentence; "" where it does.

    Markup, order, white space and case may change; chapters, lists and tables may be numbered. Words may not: nearly
    all of the original's must be there (`KEPT`), hardly any others (`OWN`), no number that the original does not have,
    and every figure.
    """
    before, after = Counter(_words(original)), Counter(_words(rewritten))
    common, said = (before & after).total(), after.total()
    if common < KEPT * before.total():
        return f"it kept only {common / before.total():.0%} of the words"
    if common < OWN * said:
        return f"{1 - common / said:.0%} of its words are not the document's"
    if invented := _numbers(rewritten) - _numbers(original, bare=False):
        return f"it holds numbers that the document does not ({', '.join(sorted(invented)[:_SHOWN])})"
    if lost := _figures(original) - _figures(rewritten):
        return f"it lost {len(lost)} of the figures"
    return ""


def _figures(text: str) -> set[str]:
    return {found["id"] for found in _FIGURE.finditer(text)}


def _words(text: str, *, bare: bool = True) -> Iterator[str]:
    """Yield the words; ``bare`` leaves out the numbers that only number a heading, an item or a table."""
    for line in _FIGURE.sub(" ", text).splitlines():
        told = _TABLE_NUMBER.sub(" ", _NUMBERING.sub(" ", line)) if bare else line
        for found in _WORD.finditer(told):
            yield found[0].casefold()


def _numbers(text: str, *, bare: bool = True) -> set[str]:
    return {word for word in _words(text, bare=bare) if any(c.isdigit() for c in word)}
