"""Restrictions by time in a question: "after 1990", "in the 1950s", "from 1990 and 1991", "between 1935 and 1939"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ....cubes.dates import parse_date, parse_period
from .request import Period

__all__ = ["dated"]

_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_DATE = rf"(?:\d{{1,2}} (?:{_MONTHS}),? \d{{4}}|(?:{_MONTHS}) \d{{1,2}}, \d{{4}}|(?:{_MONTHS}) \d{{4}}|\d{{4}})"
_ERA = r"(?:the )?\d{3}0['’]?s|the \d{1,2}(?:st|nd|rd|th)[ -]century"
_EVENT = r"(?:(?:that|which|who) )?(?:(?:was|were|is|are|being) )?(?:(?:first )?(?P<event>[a-z]+(?: out)?) )?"
_FORMS = tuple(
    re.compile(rf"(?<![\w]){_EVENT}(?:{form})(?![\w])(?! [A-Z])")
    for form in (
        rf"(?:between (?P<low>{_DATE}) and|from (?P<first>{_DATE}) (?:to|until|till|through)) (?P<high>{_DATE})",
        rf"(?P<bound>after|since|before|until|till|by) (?P<limit>{_DATE})",
        rf"(?:in|from|on|of|during) (?P<at>(?:{_ERA}|{_DATE})(?:(?:,? (?:and|or) |, )(?:in )?(?:{_ERA}|{_DATE}))*)",
    )
)
_LISTED = re.compile(rf"{_ERA}|{_DATE}")


def dated(text: str, events: frozenset[str]) -> tuple[str, tuple[Period, ...], str]:
    """Return a text without its restriction by time, the periods, and the word for what happened then ("released").

    ``events`` are the words that may belong to it.
    """
    for form in _FORMS:
        for found in form.finditer(text):
            periods = tuple(_periods({name: value for name, value in found.groupdict().items() if value}))
            event = (found["event"] or "").lower()
            start = found.start() if event in events or not event else found.end("event")
            if periods:
                bare = f"{text[:start].rstrip(' ,')}{text[found.end():]}".strip()
                return bare, periods, event if event in events else ""
    return text, (), ""


def _periods(got: dict[str, str]) -> Iterator[Period]:
    for each in _LISTED.findall(got.get("at", "")):
        period, date = parse_period(each), parse_date(each)
        if period is not None:
            yield Period((period[0], 1, 1), (period[1], 12, 31), each.removeprefix("the "))
        elif date is not None:
            yield Period(date.first(), date.last(), each)
    low, high = parse_date(got.get("low") or got.get("first", "")), parse_date(got.get("high", ""))
    if low is not None and high is not None:
        yield Period(low.first(), high.last(), f"{low.key()}–{high.key()}")
    limit = parse_date(got.get("limit", ""))
    if limit is None:
        return
    bound, words = got["bound"], f"{got['bound']} {got['limit']}"
    if bound in ("after", "since"):
        year, month, day = limit.last()
        yield Period((year, month, day + 1) if bound == "after" else limit.first(), None, words)
    else:
        year, month, day = limit.first()
        yield Period(None, (year, month, day - 1) if bound == "before" else limit.last(), words)
