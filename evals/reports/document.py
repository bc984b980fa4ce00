"""What a report consists of, before it is Markdown, HTML or data: sections of text, tables and plots."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

__all__ = [
    "NOTHING",
    "Cell",
    "Column",
    "Group",
    "Plot",
    "Section",
    "Series",
    "Span",
    "Table",
    "as_data",
    "names",
    "shown",
    "slug",
]

NOTHING = "–"
"""What stands where nothing was measured."""


class Span(NamedTuple):
    """A figure with its 95 % interval, None where there is none."""

    value: float | None
    low: float | None = None
    high: float | None = None


Cell = str | int | float | Span | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column's head, and how many digits its figures are shown with."""

    name: str
    digits: int = 1


@dataclass(frozen=True, slots=True)
class Group:
    """Rows of one origin, named above them; ``kind`` is published or measured where a table has both."""

    rows: Sequence[Sequence[Cell]]
    name: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its first column names the rows. A ``long`` one lists questions and may have hundreds of rows."""

    id: str
    caption: str
    columns: Sequence[Column]
    groups: Sequence[Group]
    note: str = ""
    long: bool = False


@dataclass(frozen=True, slots=True)
class Series:
    """A line or a cloud of points; a point is (x, y, what it is called)."""

    name: str
    points: Sequence[tuple[float | str, float, str]]


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot: ``kind`` is scatter, lines or dots (x is a category). ``table`` says the same in figures."""

    id: str
    kind: str
    title: str
    x: str
    y: str
    series: Sequence[Series]
    table: Table
    log_x: bool = False
    percent: bool = True


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, what is said under it, and what it shows."""

    id: str
    title: str
    text: Sequence[str] = ()
    items: Sequence[Table | Plot | Section] = ()
    facts: Mapping[str, str] = field(default_factory=dict)


def shown(cell: Cell, column: Column) -> str:
    """Return a cell as text: a dash for what was not measured."""
    if isinstance(cell, Span):
        value = shown(cell.value, column)
        if cell.value is None or cell.low is None or cell.high is None:
            return value
        return f"{value} [{cell.low:.{column.digits}f}, {cell.high:.{column.digits}f}]"
    if cell is None:
        return NOTHING
    if isinstance(cell, float) and column.name == "p" and cell < 10**-column.digits:
        return f"< {10**-column.digits:.{column.digits}f}"
    if isinstance(cell, float):
        return f"{cell:,.{column.digits}f}"
    return f"{cell:,}" if isinstance(cell, int) else cell


def as_data(sections: Iterable[Section]) -> list[dict[str, Any]]:
    """Return every table as plain data, those of the plots too."""
    return [_table(table, section) for section in sections for table in _tables(section)]


def _tables(section: Section) -> Iterable[Table]:
    for item in section.items:
        if isinstance(item, Section):
            yield from _tables(item)
        else:
            yield item.table if isinstance(item, Plot) else item


def _table(table: Table, section: Section) -> dict[str, Any]:
    return {
        "id": table.id,
        "section": section.title,
        "caption": table.caption,
        "columns": [column.name for column in table.columns],
        "groups": [
            {"name": group.name, "kind": group.kind, "rows": [[_plain(cell) for cell in row] for row in group.rows]}
            for group in table.groups
        ],
        "note": table.note,
    }


def _plain(cell: Cell) -> Any:
    return {"value": cell.value, "ci95": [cell.low, cell.high]} if isinstance(cell, Span) else cell


def slug(name: str) -> str:
    """Return a name as part of an id: letters, digits and dashes."""
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-") or "unnamed"


def names(lists: Iterable[Iterable[str]]) -> list[str]:
    """Return all names, each once, in the order they first come in."""
    return list(dict.fromkeys(name for listed in lists for name in listed))
