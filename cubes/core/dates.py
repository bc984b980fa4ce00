"""Dates as English text writes them, kept as exact as they are known and compared by value.

>>> parse_date("October 26, 1993").key()
'1993-10-26'
>>> parse_date("c. 450 BC") < parse_date("79 AD")
True
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache, total_ordering

__all__ = [
    "CALENDAR", "MONTHS", "PartialDate", "begins_with_day", "compare", "date_spans", "parse_date", "parse_period",
]  # fmt: skip

MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
          "november", "december")
"""The names of the months, in order."""
CALENDAR = frozenset({*MONTHS, "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"})
"""The names of months and days."""
_MONTHS = {name: number for number, name in enumerate(MONTHS, start=1)}
_SHORT = {name[:3]: number for name, number in _MONTHS.items() if len(name) > 3} | {"sept": 9}
_MONTH = r"(?:" + "|".join([*_MONTHS, *(rf"{short}\b\.?" for short in _SHORT)]) + r")"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_OLD_STYLE = r"(?:\s?\[(?:O\.?\s?S\.?|N\.?\s?S\.?)[^\]]{3,20}\])?"  # "27 April [O.S. 15 April] 1891"
_SEVERAL = rf"(?:\s?(?:[-–—/]|or|to|and)\s?{_DAY})?"  # "26-28 October": the first day counts
_ERA = r"(?:BCE?\b|B\.\s?C\b(?:\.\s?E\b)?\.?|CE\b|AD\b|A\.\s?D\b\.?)"
# A bare number is a year only where nothing says that it counts or measures something.
_NOT_MEASURED = (
    r"(?!\s?(?:%|percent|people|inhabitants|residents|persons|members|copies|feet|ft|metres|meters|miles|kilomet|km|kg"
    r"|pounds|tons|tonnes|acres|hectares|m\b|sq|square|students|employees|soldiers|men\b|women\b|deaths|votes|seats"
    r"|dollars|million|billion|thousand|years|days|hours|minutes|pages|units|mph|hp\b|cubic|yards|euros))"
)


def _year(n: int, shortest: int = 4) -> str:
    """A year behind a month: short ones only with an era, so that "on May 5, 200 people" is none."""
    return (rf"(?:(?P<yearera{n}>\d{{1,4}})(?:/\d{{1,4}})?\s?(?P<era{n}>{_ERA})"
            rf"|(?:AD|A\.D\.)\s(?P<yearad{n}>\d{{1,4}})(?!\d)|(?P<year{n}>\d{{{shortest},4}})(?!\d(?!\d?\s{_MONTH}))(?:/\d{{1,4}})?{_NOT_MEASURED})")


_DATE = re.compile(
    # Two dates run together where a dash was lost: "21 February 188524 July 1957".
    rf"(?:(?<![\w/.,$£€#])|(?<=[a-z.,]\s\d{{4}}))(?:"
    rf"(?P<day1>{_DAY}){_SEVERAL}\s(?:of\s)?(?P<month1>{_MONTH}){_OLD_STYLE},?\s{_year(1, shortest=3)}"
    rf"|(?P<month2>{_MONTH})\s(?P<day2>{_DAY}){_SEVERAL}{_OLD_STYLE}(?:,\s?|\s){_year(2)}"
    rf"|(?P<month3>{_MONTH}),?\s(?:of\s)?{_year(3)}"
    r"|(?P<year4>-?\d{4})-(?P<month4>0[1-9]|1[0-2])-(?P<day4>0[1-9]|[12]\d|3[01])(?!\d)"
    rf"|(?P<year9>\d{{4}})-(?P<month9>{_MONTH})-(?P<day9>{_DAY})(?!\w)|(?P<day0>{_DAY})-(?P<month0>{_MONTH})-(?P<year0>\d{{4}})(?!\d)"
    r"|(?P<left>\d{1,2})(?P<mark>[./])(?P<right>\d{1,2})(?P=mark)(?P<year5>\d{4})(?!\d)"
    r"|(?:AD|A\.D\.)\s(?P<year6>\d{1,4})(?!\d)"
    rf"|(?P<year7>\d{{1,4}})(?:/\d{{1,4}})?\s?(?P<era7>{_ERA})"
    rf"|(?P<year8>1\d{{3}}|20\d{{2}})(?![\d°s])(?!,\d{{3}}|\.\d){_NOT_MEASURED}"
    r")",
    re.IGNORECASE,
)
_WHOLE_MONTH = re.compile(r"(-?\d{4})-(0[1-9]|1[0-2])$")
_WHOLE_YEAR = re.compile(r"(?:(?:c|ca|circa|around|about|approximately|before|after|by|in|early|late|mid)\.?"
                         r"[\s-]*)?(-?\d{1,4})(?:\s?[/–—-]\s?\d{1,4})?$", re.IGNORECASE)
_DECADE = re.compile(r"(?:the\s)?(\d{1,3}0)['’]?s$", re.IGNORECASE)
_CENTURY = re.compile(r"(?:the\s)?(\d{1,2})(?:st|nd|rd|th)[\s-]century$", re.IGNORECASE)


@total_ordering
@dataclass(frozen=True, slots=True)
class PartialDate:
    """A date known to the day, the month or the year; years before Christ are negative (44 BC is -44).

    The operators give a total order for sorting, an unknown month or day first. Where it matters whether one
    date really is earlier, use `compare`, which says None when the known parts cannot tell.
    """

    year: int
    month: int | None = None
    day: int | None = None

    def key(self) -> str:
        """Return the date as ISO 8601 does, as far as it is known; `parse_date` reads it back."""
        parts = [f"{self.year:05d}" if self.year < 0 else f"{self.year:04d}"]
        if self.month is not None:
            parts.append(f"{self.month:02d}")
            if self.day is not None:
                parts.append(f"{self.day:02d}")
        return "-".join(parts)

    @property
    def decade(self) -> int:
        """The first year of its decade (1993 -> 1990)."""
        return self.year // 10 * 10

    def contains(self, other: PartialDate) -> bool:
        """Whether ``other`` is this date or lies within it: 1993 contains 26 October 1993."""
        if self.year != other.year or (self.month is not None and self.month != other.month):
            return False
        return self.day is None or self.day == other.day

    def first(self) -> tuple[int, int, int]:
        """Return the earliest (year, month, day) it can mean."""
        return (self.year, self.month or 1, self.day or 1)

    def last(self) -> tuple[int, int, int]:
        """Return the latest (year, month, day) it can mean."""
        month = self.month or 12
        return (self.year, month, self.day or _days_in(self.year, month))

    def day_number(self) -> float:
        """Return days on a continuous scale, in the middle of what is left open; a difference is a span."""
        return (_ordinal(self.first()) + _ordinal(self.last())) / 2

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, PartialDate):
            return NotImplemented
        return self._order() < other._order()

    def __str__(self) -> str:
        return self.key()

    def _order(self) -> tuple[int, int, int]:
        return (self.year, self.month or 0, self.day or 0)


def compare(left: PartialDate, right: PartialDate) -> int | None:
    """Return -1, 0 or 1 as ``left`` is earlier, the same or later; None when the known parts cannot tell."""
    if left == right:
        return 0
    if left.last() < right.first():
        return -1
    if right.last() < left.first():
        return 1
    return None


@lru_cache(maxsize=50_000)
def parse_date(text: str, *, day_first: bool | None = None) -> PartialDate | None:
    """Return the date that ``text`` is or, failing that, the first one it contains; None without one.

    Of alternatives ("1509/1510", "26-28 October 1993") the first counts; "c." and the like are passed over. Bare years
    count from 1000 to 2099 where no unit or counted noun follows; decades ("the 1990s") do not. ``day_first`` says what
    "06/04/2024" begins with; without it only its year is sure.
    """
    stripped = text.strip().strip("()[].,;")
    if matched := _WHOLE_MONTH.match(stripped):
        return _make(int(matched[1]), int(matched[2]), None)
    if matched := _WHOLE_YEAR.match(stripped):
        return _make(int(matched[1]), None, None)
    dates = (_read(matched, day_first) for matched in _DATE.finditer(stripped))
    return next((date for date in dates if date is not None), None)


def date_spans(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Return where the dates of a text stand, in order; bare years count from 1000 to 2099."""
    return [matched.span() for matched in _DATE.finditer(text, start, len(text) if end is None else end)]


def parse_period(text: str) -> tuple[int, int] | None:
    """Return the first and last year of "1993", "the 1990s" or "the 19th century"; None for anything else."""
    stripped = text.strip()
    if matched := _DECADE.match(stripped):
        return int(matched[1]), int(matched[1]) + 9
    if matched := _CENTURY.match(stripped):
        return (int(matched[1]) - 1) * 100 + 1, int(matched[1]) * 100
    date = parse_date(stripped)
    return (date.year, date.year) if date is not None and date.month is None else None


def _read(matched: re.Match[str], day_first: bool | None) -> PartialDate | None:
    """Turn the groups of whichever form matched into a date."""
    got = {name: value for name, value in matched.groupdict().items() if value is not None}
    if "left" in got:
        return _numeric(int(got["left"]), int(got["right"]), int(got["year5"]), day_first)
    year: int | None = None
    month: int | None = None
    day: int | None = None
    before_christ = False
    for name, value in got.items():
        if name.startswith("year"):
            year = int(value)
        elif name.startswith("month"):
            month = _month_number(value)
        elif name.startswith("day"):
            day = int(re.sub(r"\D", "", value))
        elif name.startswith("era"):
            before_christ = value[0] in "Bb"
    return None if year is None else _make(-year if before_christ else year, month, day)


def _numeric(left: int, right: int, year: int, day_first: bool | None) -> PartialDate | None:
    """Read "26/10/1993": where day and month cannot be told apart only the year is sure."""
    if left > 12 >= right:
        return _make(year, right, left)
    if right > 12 >= left:
        return _make(year, left, right)
    if left == right or day_first is not None:
        return _make(year, *((right, left) if day_first else (left, right)))
    return _make(year, None, None)


def begins_with_day(texts: Iterable[str]) -> bool | None:
    """Return whether dates written alike ("23/02/2024") begin with the day, by those that can be told; None, where none
    can, or some begin with the month."""
    dates = (found for text in texts for found in _DATE.finditer(text) if found["left"])
    parts = [(int(found["left"]), int(found["right"])) for found in dates]
    told = {left > 12 for left, right in parts if (left > 12) != (right > 12)}
    return told.pop() if len(told) == 1 else None


def _make(year: int, month: int | None, day: int | None) -> PartialDate | None:
    """Leave out a month or day that no calendar has; there is no year 0."""
    if year == 0:
        return None
    if month is not None and not 1 <= month <= 12:
        return PartialDate(year)
    if month is not None and day is not None and not 1 <= day <= _days_in(year, month):
        return PartialDate(year, month)
    return PartialDate(year, month, day)


def _month_number(name: str) -> int:
    if name.isdigit():
        return int(name)
    lowered = name.lower().rstrip(".")
    return _MONTHS.get(lowered) or _SHORT[lowered]


def _days_in(year: int, month: int) -> int:
    """Days of a month; 29 in February of every year divisible by four, so that Julian dates stay whole."""
    if month == 2:
        return 29 if year % 4 == 0 else 28
    return 30 if month in (4, 6, 9, 11) else 31


def _ordinal(date: tuple[int, int, int]) -> float:
    year, month, day = date
    since = year + 1 if year < 0 else year  # there is no year 0
    return since * 365.25 + sum(_days_in(2001, m) for m in range(1, month)) + day
