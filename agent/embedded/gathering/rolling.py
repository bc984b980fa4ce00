"""Rolling a request up where its cell is empty: a place to what holds it, a day to its month and year."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ....cubes.cells import CubeSet
from ....cubes.climbing import broader_dates, holders
from ....cubes.dates import parse_date
from ..lexicon import Lexicon
from .request import Name, Period, Request

__all__ = ["wider"]


def wider(request: Request, cubes: CubeSet, lexicon: Lexicon) -> Iterator[tuple[Request, str]]:
    """Yield the request with one value rolled up, the nearest first, and what was done; each value by itself."""
    for number, period in enumerate(request.periods):
        date = parse_date(period.words)
        for broad in broader_dates(date) if date is not None else ():
            periods = list(request.periods)
            periods[number] = Period(broad.first(), broad.last(), broad.key())
            yield replace(request, periods=tuple(periods)), _said(period.words, broad.key())
    for number, tie in enumerate(request.ties):
        placed = any(r.kind == "place" for name in tie.relations for r in lexicon.relations[name])
        if placed and tie.side == "subject" and len(tie.targets) == len(tie.names) == 1:
            for holder in holders(cubes, tie.names[0]):
                ties = list(request.ties)
                ties[number] = replace(tie, targets=(Name(holder),))
                yield replace(request, ties=tuple(ties)), _said(tie.names[0], holder)


def _said(narrow: str, broad: str) -> str:
    return f"'{narrow}' is in no cell; rolled up to '{broad}'"
