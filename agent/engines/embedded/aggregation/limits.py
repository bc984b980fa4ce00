"""What a question takes out of its things: those of a time ("after 1990"), and the one at an end ("the longest")."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .....cubes.core.dates import parse_date, parse_period
from .....cubes.core.folding import fold
from ..vocabulary.lexicon import Comparative, QuestionLexicon, ranks
from .request import DateRange, Superlative

__all__ = ["ORIGINS", "dated", "measure_of"]

_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_DATE = rf"(?:\d{{1,2}} (?:{_MONTHS}),? \d{{4}}|(?:{_MONTHS}) \d{{1,2}}, \d{{4}}|(?:{_MONTHS}) \d{{4}}|\d{{4}})"
_ERA = r"(?:the )?\d{3}0['’]?s|the \d{1,2}(?:st|nd|rd|th)[ -]century"
_WHEN = re.compile(
    r"(?<!\w)(?:(?:that|which|who) )?(?:(?:was|were|is|are|being) )?(?:(?:first )?(?P<event>[a-z]+(?: out)?) )?(?:"
    rf"(?:between (?P<low>{_DATE}) and|from (?P<first>{_DATE}) (?:to|until|till|through)) (?P<high>{_DATE})"
    rf"|(?P<bound>after|since|before|until|till|by) (?P<limit>{_DATE})"
    rf"|(?:in|from|on|of|during) (?P<at>(?:{_ERA}|{_DATE})(?:(?:,? (?:and|or) |, )(?:in )?(?:{_ERA}|{_DATE}))*)"
    r")(?!\w)(?! [A-Z])"
)
_LISTED = re.compile(rf"{_ERA}|{_DATE}")
_SUP = r"(?P<sup>(?:most|least|best)[ -](?!of )[a-z]+|[a-z]{2,}est|first|last|final|debut|second|third|fourth|fifth)"
_BY = r"(?: by (?P<what>[a-z ]+?))?"
_FORMS = (
    rf"(?P<rest>.+?) (?:has|have|had|with) the {_SUP[:-1]}|most|fewest|least) (?P<what>[a-z][a-z ]*)",
    rf"(?P<rest>.+?) (?:(?:was|were|is|are) )?(?P<event>[a-z]+(?: out| place)?) (?:the )?{_SUP[:-1]}|most recently)",
    rf"(?P<rest>.+?),? (?:is|was|are|were) (?:the )?{_SUP}(?: of (?:all|them))?{_BY}",
    rf"(?:the )?{_SUP} (?:of )?(?P<rest>.+?){_BY}",
    rf"(?P<owner>.+?'s? ){_SUP} (?P<rest>[a-z].*?){_BY}",
)
_GREATEST = re.compile(r"^(?:larg|long|high|bigg|great|deep|tall|broad|wid|fast|heavi|most)")
ORIGINS = ("released on", "founded on", "opened on", "launched on", "built on", "took place on", "happened on",
           "introduced on", "described on", "born on")
"""The dates at which things begin, of which each has one."""


def dated(text: str, events: frozenset[str]) -> tuple[str, tuple[DateRange, ...], str]:
    """Return a text without its restriction by time, the periods, and the word for what happened then ("released").

    ``events`` are the words that may belong to it.
    """
    for found in _WHEN.finditer(text):
        periods = tuple(_periods({name: value for name, value in found.groupdict().items() if value}))
        event = (found["event"] or "").lower()
        start = found.start() if event in events or not event else found.end("event")
        if periods:
            bare = f"{text[:start].rstrip(' ,')}{text[found.end():]}".strip()
            return bare, periods, event if event in events else ""
    return text, (), ""


def _periods(got: dict[str, str]) -> Iterator[DateRange]:
    for each in _LISTED.findall(got.get("at", "")):
        period, date = parse_period(each), parse_date(each)
        if period is not None:
            yield DateRange((period[0], 1, 1), (period[1], 12, 31), each.removeprefix("the "))
        elif date is not None:
            yield DateRange(date.first(), date.last(), each)
    low, high = parse_date(got.get("low") or got.get("first", "")), parse_date(got.get("high", ""))
    if low is not None and high is not None:
        yield DateRange(low.first(), high.last(), f"{low.key()}–{high.key()}")
    limit = parse_date(got.get("limit", ""))
    if limit is not None:
        bound, words = got["bound"], f"{got['bound']} {got['limit']}"
        (year, month, day), (y, m, d) = limit.last(), limit.first()
        ends: dict[str, DateRange] = {
            "after": DateRange((year, month, day + 1), None, words), "since": DateRange((y, m, d), None, words),
            "before": DateRange(None, (y, m, d - 1), words),
        }  # fmt: skip
        yield ends.get(bound, DateRange(None, (year, month, day), words))


def measure_of(text: str, lexicon: QuestionLexicon) -> tuple[str, Superlative] | None:
    """Take the superlative out of a question's noun phrase, and say what it goes by; None without one."""
    for form in _FORMS:
        found = re.fullmatch(form, text)
        got = found.groupdict() if found is not None else {}
        event = fold(got.get("event") or "")
        if got and event in ("", *lexicon.events):
            said = got["sup"].replace("-", " ")
            relations, place = _by(said, got.get("what") or "", event, lexicon)
            rest = f"{got.get('owner') or ''}{got['rest']}"
            return (rest, Superlative(relations, place, said)) if relations and place is not None else None
    return None


def _by(said: str, what: str, event: str, lexicon: QuestionLexicon) -> tuple[tuple[str, ...], int | None]:
    """The relations that a superlative may go by, and the place in their order that it names."""
    if event:
        return lexicon.events[event], _place(said)
    told = _comparative(f"{said} {what}".strip(), lexicon)
    if told is not None:
        return () if told.starts and not what else told.relations, 0 if told.order == "least" else -1
    if what:
        names = lexicon.asks.get(fold(what), ())
        measured = (n for n in names if any(r.kind in ("quantity", "date") for r in lexicon.relations[n]))
        return tuple(measured), -1 if _GREATEST.match(said) else 0
    return tuple(name for name in ORIGINS if name in lexicon.relations and said in ranks()), _place(said)


def _comparative(words: str, lexicon: QuestionLexicon) -> Comparative | None:
    """The comparing phrase itself, or in its other degree: "longest running time" goes by "longer running time"."""
    first, _, others = words.partition(" ")
    stem = first.removesuffix("est")
    more = {"most": "more", "least": "fewer", "fewest": "fewer"}.get(first, f"{stem}er")
    forms = (fold(form) for form in (words, f"{more} {others}", f"{stem}r {others}"))
    return next((lexicon.comparatives[form] for form in forms if form in lexicon.comparatives), None)


def _place(word: str) -> int | None:
    rank = ranks().get(fold(word))
    if rank is None:
        return -1 if word == "most recently" else None
    return rank - 1 if rank > 0 else rank
