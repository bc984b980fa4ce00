"""The shortest full form of a span: a name without the words that lead up to it, one of the two dates of a life."""

from __future__ import annotations

import re
from collections.abc import Callable

from ...cubes.dates import parse_date

__all__ = ["trimmed"]

_NAMED = re.compile(r"^(?:who|whom|where)\b", re.IGNORECASE)
_BORN = re.compile(r"\b(?:born|birth|birthday)\b", re.IGNORECASE)
_DIED = re.compile(r"\b(?:die[ds]?|death)\b", re.IGNORECASE)
_TO = re.compile(r"\s*[–—]\s*|\s-\s")


def trimmed(subquery: str, span: str, known: Callable[[str], bool]) -> str:
    """Leave off what a subquery does not ask for.

    "Where was it signed?" is answered by "Vell Bridge", not by "halfway across Vell Bridge", if the name is ``known``;
    "When was she born?" by the first of "5 May 1900 – 6 June 1970".
    """
    words = span.split()
    start = next((i for i, word in enumerate(words) if word[:1].isupper()), 0)
    name = " ".join(words[start:])
    if start and _NAMED.match(subquery) and known(name):
        return name
    sides = _TO.split(span)
    if len(sides) == 2 and all(parse_date(side) is not None for side in sides):
        return sides[0] if _BORN.search(subquery) else sides[1] if _DIED.search(subquery) else span
    return span
