"""The shortest full form of a span: a name without the words around it, one date of two, a number without its noun."""

from __future__ import annotations

import re
from collections.abc import Callable

from .....cubes.core.dates import parse_date
from .....cubes.core.folding import fold
from ..vocabulary.lexicon import nouns_called
from ..vocabulary.wordlists import ARTICLES, AUXILIARIES, OPENING, PREPOSITIONS

__all__ = ["completed", "trimmed"]

Known = Callable[[str], bool]

_NAMED = re.compile(r"^(?:who|whom|where)\b", re.IGNORECASE)
_PERSON = re.compile(r"^(?:by |to |for |with )?whom?\b", re.IGNORECASE)
_BEGAN = re.compile(
    r"\b(?:born|birth|birthday|start(?:ed)?|beg[aiu]n|founded|formed|established|opened|open|created?|built|launched?"
    r"|introduced?|taken|conquered|captured|annexed|settled|join(?:ed)?|enter(?:ed)?|bec[ao]me)\b",
    re.IGNORECASE,
)
_OVER = re.compile(r"\b(?:die[ds]?|death|end(?:ed)?|closed?|dissolved?|abolished|cease[ds]?|disband(?:ed)?)\b", re.I)
_TO = re.compile(r"\s*(?:[–—]|--)\s*|\s-\s|\s(?:to|until)\s")
_YEAR_END = re.compile(r"\d{2}(?:\d{2})?$")
_COUNTED = re.compile(r"\b(?:how many|number of|amount of|population)\b", re.IGNORECASE)
_COUNT = re.compile(
    r"(?<![\w.,])(?:(?:about|around|some|over|nearly|almost|approximately|roughly) )?\d[\d.,]*\d?"
    r"(?: (?:thousand|million|billion|trillion))?(?![\w%])"
)
_CENTURY = re.compile(r"\b(?:what|which) century\b", re.IGNORECASE)
_ORDINAL = re.compile(r"^(?:(?:early|mid|late)[ -])?\d{1,2}(?:st|nd|rd|th)$", re.IGNORECASE)
_RUN = re.compile(r"[^\W\d_a-z][\w.'’-]*(?: [^\W\d_a-z][\w.'’-]*)*")
_NUMERAL = re.compile(r"^[IVX]+$")
_FILE = re.compile(r"^(?:[/~]\S*|[\w./-]+\.[a-z][a-z\d]{0,7})$")
_PLACED = re.compile(r"^(?:where|when|in which|in what)\b", re.IGNORECASE)
_LEADING = ARTICLES | PREPOSITIONS | AUXILIARIES | OPENING
_LONG = 5  # words of a span that is more than a name
_GIVEN = 3  # names before a family name


def trimmed(subquery: str, span: str, known: Known) -> str:
    """Leave off what a subquery does not ask for.

    "Where was it signed?" is answered by "Vell Bridge", not by "halfway across Vell Bridge", if the name is ``known``;
    "When was she born?" by the first of "5 May 1900 – 6 June 1970"; "How many towns are there?" by the number of
    "40 towns"; "Who leads it?" by the name of "Ida Lorn of the Harbour party". A quotation mark without its other goes.
    """
    span = span.replace('"', "") if span.count('"') == 1 else span
    for rule in (_date_of_two, _century, _counted, _named, _path, _behind_lead):
        found = rule(subquery, span, known)
        if found is not None:
            return found
    return span


def completed(name: str, text: str) -> str:
    """A family name by itself in the full form that its text has, if it has only one: "Hale" as "G. Stanley Hale"."""
    if len(name.split()) != 1 or not name[:1].isupper() or not name[1:].islower():
        return name
    fuller = re.compile(rf"((?:[^\W\d_a-z][\w'’-]*\.? ){{1,{_GIVEN}}}){re.escape(name)}\b")
    found = {full for match in fuller.finditer(text) if (full := _without_lead(match[0])) != name}
    longest = max(found, key=len, default=name)
    return longest if all(longest.endswith(other) for other in found) else name


def _without_lead(text: str) -> str:
    """A run of capitals without the words that only a sentence's beginning makes large."""
    words = text.split()
    while len(words) > 1 and fold(words[0]) in _LEADING | nouns_called("titles"):
        words.pop(0)
    return " ".join(words)


def _date_of_two(subquery: str, span: str, _: Known) -> str | None:
    """One end of a stretch of time: when a thing began, or when it was over."""
    sides = [side.removeprefix("from ").removeprefix("between ") for side in _TO.split(span)]
    if len(sides) != 2 or parse_date(sides[0]) is None:
        return None
    if parse_date(sides[1]) is None and not _YEAR_END.match(sides[1]):
        return None
    if _OVER.search(subquery) and parse_date(sides[1]) is not None:
        return sides[1]
    return sides[0] if _BEGAN.search(subquery) else None


def _century(subquery: str, span: str, _: Known) -> str | None:
    """An ordinal with the noun that it counts: "19th" alone is no time."""
    return f"{span} century" if _CENTURY.search(subquery) and _ORDINAL.match(span) else None


def _counted(subquery: str, span: str, _: Known) -> str | None:
    """A number without the noun that the question has said already."""
    if not _COUNTED.search(subquery):
        return None
    found = list(_COUNT.finditer(span))
    if len(found) != 1:
        return None
    asked = set(fold(subquery).split()) | nouns_called("counted")
    around = f"{span[: found[0].start()]} {span[found[0].end() :]}".split()
    said = all(fold(word) in asked or fold(word).rstrip("s") in asked for word in around if fold(word))
    headed = "population" in subquery.lower() and not any(word[:1].islower() for word in around)
    return found[0][0].rstrip(".,") if around and (said or headed) else None


def _named(subquery: str, span: str, known: Known) -> str | None:
    """The name that a longer span begins with."""
    run = _RUN.match(span)
    if run is None or len(run[0]) == len(span) or known(span):
        return None
    name, rest, words = run[0], span[run.end() :], run[0].split()
    if _PERSON.match(subquery) and rest.startswith(" of the ") and _is_full_name(words):
        return name
    asked = re.match(r"(?:in |to |on |at |from |of )*(?:who|whom|where|what|which)\b", subquery, re.IGNORECASE)
    return name if asked and len(span.split()) > _LONG and rest[:1] in " ," and known(name) else None


def _is_full_name(words: list[str]) -> bool:
    """Whether words are a given and a family name, no ruler's or saint's that "of the ..." belongs to."""
    plain = not any(_NUMERAL.match(word) for word in words)
    return len(words) > 1 and plain and fold(words[0]) not in nouns_called("titles")


def _path(subquery: str, span: str, _: Known) -> str | None:
    """A path or a file without the preposition before it, and without where it lies, unless that is asked for."""
    words = span.split()
    start = next((i for i, word in enumerate(words) if word not in PREPOSITIONS), 0)
    if len(words) < 2 or not _FILE.match(words[start]):
        return None
    rest = words[start + 1 :]
    if rest and (rest[0] not in PREPOSITIONS or _PLACED.match(subquery)):
        return None
    return words[start]


def _behind_lead(subquery: str, span: str, known: Known) -> str | None:
    """A known name at the end, without the words that lead up to it."""
    if not _NAMED.match(subquery):
        return None
    words = span.split()
    start = next((i for i, word in enumerate(words) if word[:1].isupper()), 0)
    name = " ".join(words[start:])
    return name if start and known(name) else None
