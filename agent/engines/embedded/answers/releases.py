"""Lists of changes: under which release something stands, and when a release came out. Both are said by a heading."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .....cubes.core.dates import date_spans, parse_date
from .....cubes.core.folding import fold, fold_words
from .....graphs.reasoner import SubAnswer
from .....graphs.records import Evidence
from .quotations import Tell

__all__ = ["release_told"]

_RELEASE = re.compile(r"^\W*(?:version |release )?v?(?P<number>\d+(?:\.\d+)+\w*)", re.IGNORECASE)
_WORDS = re.compile(r"(?!release)[^\W\d_]{3,}", re.IGNORECASE)
_NAMED = re.compile(r"\bv?(?P<number>\d+(?:\.\d+)+\w*)")
_WHICH = re.compile(
    r"^(?:(?:in|since|as of|from|with) )?(?:which|what) (?:(?P<of>[\w-]+) )?(?:version|release)s?\b(?! control)", re.I
)
_NEEDED = re.compile(
    r"\b(?:needs|requires|supports|runs|works)\b|\b(?:do|does) .*\b(?:need|require|support|run|work)\b", re.IGNORECASE
)
"""What is said of a version of something else: "which version of Perl does it need"."""
_WHEN = re.compile(r"^(?:when|(?:in|on|since) (?:which|what) (?:year|month|day|date))\b", re.IGNORECASE)
_OUT = re.compile(r"\b(?:released?|come out|came out|published|appear(?:ed)?|date)\b", re.IGNORECASE)
_GENERAL = frozenset(fold_words("the a of and changelog change changes history release notes news version versions"))
_SURE = 0.8  # how sure the day in the heading of a release is


def release_told(question: str, evidence: Sequence[Evidence], tell: Tell) -> SubAnswer | None:
    """Return the release whose changes tell what is asked, or the day of the one that is named; None where neither is
    asked for, or no heading says it."""
    headed = [(e, n) for e in evidence if (n := next(filter(None, map(_release, reversed(e.path))), ""))]
    if not headed:
        return None
    asked = set(fold_words(question))
    of_product = [(e, number) for e, number in headed if not asked.isdisjoint(set(fold_words(e.title)) - _GENERAL)]
    headed = of_product or (headed if len({e.document_id for e, _ in headed}) == 1 else [])
    named, which = _NAMED.search(question), _WHICH.match(question)
    if named is not None and _WHEN.match(question) and _OUT.search(question):
        own = (e for e, number in headed if number == named["number"])
        return next(filter(None, (_day(e, in_year=" year " in question.lower()) for e in own)), None)
    if which is None or _NEEDED.search(question) or (told := tell(question, evidence)) is None:
        return None
    section, place = evidence[told.section], told.place
    number = next((number for e, number in headed if e is section), "")
    if not number or fold(which["of"] or "") not in fold(section.title):
        return None
    return SubAnswer((number,), told.within(place), section.section_id, place.start, place.end, cited=True)


def _release(heading: str) -> str:
    """The number of the release that a heading is of; "" of a chapter with a number ("2.1 Materials")."""
    found = _RELEASE.match(heading)
    rest = heading[found.end() :] if found is not None else ""
    for start, end in reversed(date_spans(rest)):
        rest = rest[:start] + rest[end:]
    return found["number"] if found is not None and not _WORDS.search(rest) else ""


def _day(section: Evidence, *, in_year: bool) -> SubAnswer | None:
    """The day that the heading of a release says, or the line below it."""
    first = section.text.partition("\n")[0]
    for text in (*reversed(section.path), first):
        found = [text[start:end] for start, end in date_spans(text)]
        if found and (date := parse_date(found[-1])) is not None:
            said = str(date.year) if in_year else found[-1]
            return SubAnswer((said,), _SURE, section.section_id, 0, len(first), cited=True)
    return None
