"""Reading XLSX workbooks row by row, as CSV files are read. The library is openpyxl (MIT)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from itertools import chain, islice
from typing import Any

from ..core.records import Document, Problem
from .formats.archives import check_package
from .records_reader import DocumentBuilder
from .tables import SAMPLE, Naming, header_of, naming, row_document
from .textfiles import TextFileFault, clean

__all__ = ["xlsx_documents"]

_WIDEST = 1_000


def xlsx_documents(builder: DocumentBuilder) -> Iterator[Document | Problem]:
    """One document a row of each sheet, by the sheet's first row of names; formulas are what they last came to."""
    check_package(builder.content, "XLSX", "[Content_Types].xml")
    from openpyxl import load_workbook

    number = 0
    try:
        book = load_workbook(builder.content, read_only=True, data_only=True, keep_links=False)
        sheets = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
    except Exception as error:  # whatever the library meets in a file that is not as it should be
        raise TextFileFault("The XLSX file is damaged; open it in a spreadsheet program and save it anew.") from error
    try:
        for sheet in sheets:
            name = clean(sheet.title) if len(sheets) > 1 else ""
            rows = _rows(sheet)
            ahead = list(islice(rows, SAMPLE))
            named = naming(ahead[0][1], builder.stem, [row for _, _, row in ahead]) if ahead else Naming()
            for line, header, row in chain(ahead, rows):
                number += 1
                yield row_document(builder, header, row, number, line, named, {"sheet": name} if name else {})
    finally:
        book.close()
    if not number:
        raise TextFileFault("The workbook has no rows below a header.")


def _rows(sheet: Any) -> Iterator[tuple[int, Sequence[str], Sequence[str]]]:
    """Yield the rows of a sheet with their numbers, below its header: the first row of two cells or more."""
    header: list[str] = []
    for line, values in enumerate(_values(sheet), start=1):
        row = [_written(value) for value in values]
        while row and not row[-1]:
            row.pop()
        if not header and sum(map(bool, row)) > 1:
            header = header_of(row, line)
        elif header and any(row):
            yield line, [*header, *(f"column {n}" for n in range(len(header) + 1, len(row) + 1))], row


def _values(sheet: Any) -> Iterator[Sequence[Any]]:
    try:
        sheet.reset_dimensions()  # what a sheet says of its own size is not to be trusted
        yield from sheet.iter_rows(values_only=True, max_col=_WIDEST)
    except Exception as error:  # as above
        raise TextFileFault(f"The sheet '{sheet.title}' is damaged; save the workbook anew.") from error


def _written(value: Any) -> str:
    """Return a cell's value as a person would write it.

    >>> _written(3.0), _written(datetime(2026, 3, 1)), _written(None), _written(True)
    ('3', '2026-03-01', '', 'yes')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.isoformat(" ", "minutes") if value.time() != time() else value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return f"{value:.15g}"
    return " ".join(clean(str(value)).split())
