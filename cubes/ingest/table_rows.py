"""The rows of tables: of CSV files and sheets, and of the tables inside documents whose first column names its rows.

A sheet of parameters (the same label for several values, least and greatest) is no such table, and neither is one whose
header stands in several places over rows of the same names, as those of an interface's calls do: what a row is of is
told there by the chapter, and sections are read for it (HiQA).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from ..core.folding import fold
from ..core.quantities import is_numeric
from ..core.records import Document, Section, Span
from ..model.table_ids import cube_id
from ..model.tables import TableCell, TableRow, record_row
from ..retrieval.hiqa.tables import row_spans, tables_in

__all__ = ["rows_of"]

_NUMBERED = re.compile(r"(?:table|tab\.)\s+[\w.-]{1,12}\s*[:.|–—-]*\s*", re.IGNORECASE)
_NUMBER = re.compile(r"^[\d.]+\s+")
_WORD = re.compile(r"[^\W\d_]{2}")
_PARAMETERS = frozenset({"min", "minimum", "typ", "typical", "max", "maximum", "unit", "units", "symbol", "value"})
"""Columns of which a look-up has to choose one: their rows have no single value."""
_LABEL, _NAME, _HEADER, _TITLE = 6, 3, 5, 40
"""Words of a row's label, of one behind a number, and of a column's name; letters of a document's name."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A row as it stands in a section, in a table of a name with these columns."""

    table: str
    columns: tuple[str, ...]
    section: Section
    cells: tuple[str, ...]
    line: Span
    at: tuple[Span, ...]


def rows_of(document: Document, sections: Sequence[Section]) -> Iterator[TableRow]:
    """Yield the rows of a document's tables, or the row of a CSV file or a sheet that the document is."""
    found = [row for section in sections if (row := record_row(section, document)) is not None]
    yield from found
    by_header = defaultdict[tuple[str, ...], list[_Row]](list)
    for each in () if found else _rows_in(sections):
        by_header[each.columns].append(each)
    name, times = f"{document.title[:_TITLE]} {document.id[:4]}", Counter[str]()
    for columns, rows in by_header.items():
        named = _naming(columns, rows)
        for table, held in groupby(rows, lambda each: each.table) if named is not None else ():
            times[table] += 1  # another header, or another chapter, below a heading of the same name
            cube = cube_id(table, f"{name} {times[table]}" if times[table] > 1 else name)
            yield from (_told(each, cube, each.cells[named or 0]) for each in held)


def _rows_in(sections: Sequence[Section]) -> Iterator[_Row]:
    """The rows of all tables; those of a long one's further pieces have the header of the first."""
    path, name, columns = tuple[str, ...](), "", tuple[str, ...]()
    for section in sections:
        for table in tables_in(section.text):
            if table.columns:
                path, columns = section.path, table.columns
                name = _NUMBERED.sub("", table.title) or _NUMBER.sub("", path[-1] if path else "")
            elif path != section.path or any(len(row) != len(columns) for row in table.rows):
                continue
            for cells, (line, at) in zip(table.rows, row_spans(section.text, table), strict=False):
                yield _Row(name, columns, section, cells, line, at)


def _naming(columns: Sequence[str], rows: Sequence[_Row]) -> int | None:
    """Return which column names the rows of the tables with a header: the first, or the second where that is one of
    numbers; None where none does."""
    told = [fold(column) for column in columns]
    if len(rows) < 2 or len(told) < 2 or "" in told or len({*told}) < len(told) or not _PARAMETERS.isdisjoint(told):
        return None
    if not all(_WORD.search(column) and len(column.split()) <= _HEADER for column in columns):
        return None
    for at, most in enumerate((_LABEL, _NAME)):
        labels = [row.cells[at] for row in rows]
        keys = {fold(label) for label in labels}
        if "" in keys or len(keys) < len(labels) or max(len(label.split()) for label in labels) > most:
            return None
        if 2 * sum(not is_numeric(label) and any(map(str.isalpha, label)) for label in labels) > len(labels):
            return at
    return None


def _told(row: _Row, cube: str, title: str) -> TableRow:
    told = zip(row.columns, row.cells, row.at, strict=False)
    cells = tuple(TableCell(column, text, at, row.line) for column, text, at in told if text)
    return TableRow(row.section, cube, title, cells)
