"""Markdown tables and the numbers in them, and the line that says how a page was made."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence

from ... import __version__

__all__ = ["between", "made_by", "number", "table"]

NOTHING = "–"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Render a Markdown table with aligned columns; every column but the first is right-aligned."""
    widths = [max(3, *(len(cell) for cell in column)) for column in zip(header, *rows, strict=True)]
    rule = [("-" * (width - 1)) + (":" if index else "-") for index, width in enumerate(widths)]
    return "\n".join(_line(cells, widths) for cells in (header, rule, *rows))


def number(value: float | None, digits: int = 1) -> str:
    """Write a number with so many digits; a dash is what is not known."""
    return NOTHING if value is None else f"{value:,.{digits}f}"


def between(value: float | None, interval: Sequence[float] | None, digits: int = 1) -> str:
    """Write a number with its interval, where there is one: "51.0 [48.2, 53.9]"."""
    if value is None or interval is None:
        return number(value, digits)
    return f"{number(value, digits)} [{number(interval[0], digits)}, {number(interval[1], digits)}]"


def made_by(command: str) -> str:
    """Say by which command a page was made, with which version, on what."""
    machine = f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}"
    return f"Made by `{command}` (version {__version__}; {machine}, Python {platform.python_version()})."


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = (
        cell.rjust(width) if index else cell.ljust(width)
        for index, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "| " + " | ".join((first, *others)) + " |"
