"""Restrictions by time in a question: "after 1990", "in the 1950s", "from 1990 and 1991", "between 1935 and 1939"."""

from __future__ import annotations

import re
from dataclasses import replace

from ....cubes.dates import PartialDate, parse_date, parse_period
from .request import Period

__all__ = ["Dated", "dated"]

_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_DATE = rf"(?:\d{{1,2}} (?:{_MONTHS}),? \d{{4}}|(?:{_MONTHS}) \d{{1,2}}, \d{{4}}|(?:{_MONTHS}) \d{{4}}|\d{{4}})"
_ERA = r"(?:the )?\d{3}0['’]?s|the \d{1,2}(?:st|nd|rd|th)[ -]century"
_EVENT = r"(?:(?:that|which|who) )?(?:(?:was|were|is|are|being) )?(?:(?:first )?(?P<event>[a-z]+(?: out)?) )?"
_BETWEEN = (rf"(?:between (?P<low>{_DATE}) and (?P<high>{_DATE})"
            rf"|from (?P<first>{_DATE}) (?:to|until|till|through) (?P<last>{_DATE}))")
_BOUND = rf"(?:(?P<bound>after|since|before|until|till|by) (?P<limit>{_DATE})|from (?P<onward>{_DATE}) on(?:wards?)?)"
_AT = rf"(?:in|from|on|of|during) (?P<at>(?:{_ERA}|{_DATE})(?:(?:,? (?:and|or) |, )(?:in )?(?:{_ERA}|{_DATE}))*)"
_LISTED = re.compile(rf"{_ERA}|{_DATE}")
_FORMS = tuple(
    re.compile(rf"(?<![\w]){_EVENT}(?:{form})(?![\w])(?! [A-Z])") for form in (_BETWEEN, _BOUND, _AT)
)
_LATER, _INCLUDED = frozenset({"after", "since", "from"}), frozenset({"since", "from", "until", "till", "by"})


class Dated:
    """A text without its restriction by time, the periods, and the word for what happened then ("released")."""

    def __init__(self, text: str, periods: tuple[Period, ...], event: str) -> None:
        self.text = text
        self.periods = periods
        self.event = event


def dated(text: str, events: frozenset[str]) -> Dated:
    """Take the restriction by time out of a text; ``events`` are the words that may belong to it."""
    for form in _FORMS:
        for found in form.finditer(text):
            periods = _periods(found)
            if not periods:
                continue
            event = (found["event"] or "").lower()
            known = event in events
            start = found.start() if known or not event else found.end("event")
            return Dated(f"{text[:start].rstrip(' ,')}{text[found.end():]}".strip(), periods, event if known else "")
    return Dated(text, (), "")


def _periods(found: re.Match[str]) -> tuple[Period, ...]:
    got = {name: value for name, value in found.groupdict().items() if value}
    if "at" in got:
        return tuple(p for each in _LISTED.findall(got["at"]) if (p := _at(each)) is not None)
    low, high = got.get("low") or got.get("first"), got.get("high") or got.get("last")
    if low and high:
        return (Period(parse_date(low), parse_date(high), f"{low}–{high}"),)
    word, limit_text = got.get("bound", "from").lower(), got.get("limit") or got.get("onward", "")
    limit = parse_date(limit_text)
    if limit is None:
        return ()
    edge = limit if word in _INCLUDED else _beside(limit, 1 if word in _LATER else -1)
    words = f"{word} {limit_text}"
    return (Period(edge, None, words) if word in _LATER else Period(None, edge, words),)


def _at(text: str) -> Period | None:
    period = parse_period(text)
    if period is not None:
        return Period(PartialDate(period[0]), PartialDate(period[1]), text.removeprefix("the "))
    date = parse_date(text)
    return Period(date, date, text) if date is not None else None


def _beside(date: PartialDate, step: int) -> PartialDate:
    """The date next to one, of its own precision: the year after a year, the day before a day."""
    if date.day is not None and date.month is not None:
        day = date.day + step
        if 1 <= day <= PartialDate(date.year, date.month).last()[2]:
            return replace(date, day=day)
        beside = _beside(PartialDate(date.year, date.month), step)
        return replace(beside, day=1 if step > 0 else beside.last()[2])
    if date.month is not None:
        number = date.month + step
        return PartialDate(date.year + (number > 12) - (number < 1), (number - 1) % 12 + 1)
    return PartialDate(date.year + step)
