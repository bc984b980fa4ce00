"""A report as Markdown, for a repository's documentation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ...agent.views.text import clean
from .document import Cell, Column, Plot, Section, Table, shown
from .tables import table as aligned

__all__ = ["markdown"]

_MARKUP = re.compile(r"([\\`*\[\]<>|])")
_LONG = 40
"""As many rows of a list of questions as a page of documentation has room for; the HTML page has them all."""


def markdown(title: str, intro: str, sections: Sequence[Section], pictures: Mapping[str, str]) -> str:
    """Return the document; ``pictures`` are the addresses of plots by their ids, none for those that are not drawn."""
    blocks = [f"# {_text(title)}", _text(intro)]
    for section in sections:
        blocks += _section(section, 2, pictures)
    return "\n\n".join(block for block in blocks if block) + "\n"


def _section(section: Section, level: int, pictures: Mapping[str, str]) -> Iterator[str]:
    yield f"{'#' * level} {_text(section.title)}"
    yield from map(_text, section.text)
    if section.facts:
        yield "\n".join(f"- {_text(name)}: {_fact(name, value)}" for name, value in section.facts.items())
    for item in section.items:
        if isinstance(item, Section):
            yield from _section(item, min(level + 1, 6), pictures)
        elif isinstance(item, Plot):
            yield from _plot(item, pictures)
        else:
            yield from _table(item)


def _fact(name: str, value: str) -> str:
    return f"`{clean(value).replace('`', '')}`" if name in ("command", "fingerprint") else _text(value)


def _plot(plot: Plot, pictures: Mapping[str, str]) -> Iterator[str]:
    if plot.id in pictures:
        yield f"![{_text(plot.title)}: the table below has its figures]({pictures[plot.id]})"
    yield from _table(plot.table)


def _table(table: Table) -> Iterator[str]:
    """The caption, the table, its note. Where rows are of several origins, each row says of which it is."""
    yield f"**{_text(table.caption)}**"
    origins = any(group.name for group in table.groups)
    head = [_text(column.name) for column in table.columns]
    rows = []
    for group in table.groups:
        for row in group.rows:
            cells = [_cell(cell, column) for cell, column in zip(row, table.columns, strict=True)]
            rows.append([*cells, _text(group.name)] if origins else cells)
    head += ["origin"] if origins else []
    yield aligned(head, rows[:_LONG] if table.long else rows)
    if table.long and len(rows) > _LONG:
        yield f"The first {_LONG} of {len(rows):,}; the HTML page lists all."
    if table.note:
        yield _text(table.note)


def _cell(cell: Cell, column: Column) -> str:
    return _text(cell) if isinstance(cell, str) else shown(cell, column)


def _text(text: str) -> str:
    """Text as text: nothing in it is markup, and it is one line."""
    return _MARKUP.sub(r"\\\1", clean(text).replace("&", "&amp;")).replace("\\<", "&lt;").replace("\\>", "&gt;")
