"""Rolling a request up where its cell is empty: a place to what holds it, a day to its month and year."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ....cubes.cells import CubeSet
from ....cubes.climbing import broader_dates, holders
from ..lexicon import Lexicon
from .request import Name, Period, Request, Tie

__all__ = ["wider"]


def wider(request: Request, cubes: CubeSet, lexicon: Lexicon) -> Iterator[tuple[Request, str]]:
    """Yield the request with one value rolled up, the nearest first, and what was done; each value by itself."""
    for number, period in enumerate(request.periods):
        for broad in _periods(period):
            periods = (*request.periods[:number], broad, *request.periods[number + 1 :])
            yield replace(request, periods=periods), _said(period.words, broad.words)
    for number, tie in enumerate(request.ties):
        for name, broad_tie in _ties(tie, cubes, lexicon):
            ties, narrow = (*request.ties[:number], broad_tie, *request.ties[number + 1 :]), tie.targets[0]
            yield replace(request, ties=ties), _said(narrow.text if isinstance(narrow, Name) else "", name)


def _periods(period: Period) -> Iterator[Period]:
    if period.since is None or period.since != period.until:
        return
    for date in broader_dates(period.since):
        yield Period(date, date, date.key())


def _ties(tie: Tie, cubes: CubeSet, lexicon: Lexicon) -> Iterator[tuple[str, Tie]]:
    """A tie to one place, with what holds it instead."""
    placed = any(r.kind == "place" for name in tie.relations for r in lexicon.relations[name])
    target = tie.targets[0]
    if not placed or tie.side != "subject" or len(tie.targets) > 1 or not isinstance(target, Name):
        return
    for holder in holders(cubes, target.text):
        yield holder, replace(tie, targets=(Name(holder),))


def _said(narrow: str, broad: str) -> str:
    return f"'{narrow}' is in no cell; rolled up to '{broad}'"
