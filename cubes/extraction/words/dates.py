"""Where dates stand in a text. What a date means is the business of `cubes.dates`; here only spans matter."""

from __future__ import annotations

import re

__all__ = ["date_spans", "loose_dates"]

_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Jan\.?|Feb\.?|Mar\.|Apr\.?|Jun\.|Jul\.|Aug\.?|Sept?\.?|Oct\.?|Nov\.?|Dec\.?)"
)
_DAY = r"(?:[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
# Two dates run together where a dash was lost: "21 February 188524 July 1957".
_YEAR = rf"(?:\d{{4}}(?=\d{{1,2}}\s{_MONTH})|\d{{3,4}}(?:\s?/\s?\d{{1,4}})?(?!\d))"
_OLD_STYLE = r"(?:\s?\[(?:O\.?\s?S\.?|N\.?\s?S\.?)[^\]]{3,20}\])?"  # "27 April [O.S. 15 April] 1891"
_ERA = r"(?:\s?(?:BCE?|CE|AD|B\.C\.|A\.D\.)(?!\w))"
_DATE = re.compile(
    rf"(?:(?<![\w$£€.])|(?<=[a-z.,]\s\d{{4}}))"
    rf"(?:{_DAY}\s?(?:(?:[/–-]|and|to)\s?{_DAY}\s)?(?:of\s)?{_MONTH}{_OLD_STYLE},?\s{_YEAR}{_ERA}?"
    rf"|{_MONTH}\s{_DAY}(?:\s?[-–/]\s?{_DAY})?{_OLD_STYLE}\s?,?\s\d{{3,4}}(?!\d)"
    rf"|{_MONTH},?\s(?:of\s)?\d{{4}}(?!\d)"
    rf"|{_DAY}\s(?:of\s)?{_MONTH}(?!\w)"
    rf"|{_MONTH}\s{_DAY}(?![\w,]\d)"
    r"|\d{4}-\d{2}-\d{2}(?!\d)"
    rf"|\d{{1,4}}{_ERA}|AD\s\d{{1,4}}(?!\d)"
    r"|(?:1\d{3}|20\d{2})(?:\s?/\s?\d{1,4})?(?:s\b)?(?![\w%]|,\d{3}|\.\d|\s(?:metres|meters|people|inhabitants|km|miles|feet|copies)\b))"
)
# In the brackets behind a person's name any number of three or four digits is a year.
_LOOSE = re.compile(rf"{_DATE.pattern}|(?<![\d$])\d{{3,4}}(?:\s?/\s?\d{{1,4}})?(?!\d|,\d{{3}})")


def date_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans of dates in running text, in order; bare years count from 1000 to 2099."""
    return [match.span() for match in _DATE.finditer(text)]


def loose_dates(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the spans of dates between ``start`` and ``end`` where bare numbers are years."""
    return [match.span() for match in _LOOSE.finditer(text, start, end)]
