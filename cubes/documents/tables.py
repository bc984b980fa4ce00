"""Reading CSV files row by row; `workbooks` uses it for sheets. The tables inside documents are in `formats`."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any

from ..core.folding import fold
from ..core.records import Document, Problem
from .encodings import other_encoding
from .records_reader import DocumentBuilder
from .textfiles import MAX_RECORD, TextFileFault, clean, decode, lines

__all__ = ["CODE", "FAMILY", "SAMPLE", "Naming", "csv_documents", "header_of", "naming", "person_of", "row_document"]

SAMPLE = 60
"""Rows that are looked at first, to see what they are called by."""
_ENOUGH, _APART = 8, 0.8  # of them; the share of these that are called apart
CODE = re.compile(r"[A-Z]{2,6}|(?=.*\d)[\w./-]{1,15}")
"""What a row's code looks like."""
_CALL = re.compile(r"[A-Z][^\W\d_]*[a-z]")
_WHOLE = frozenset({"full", "display", "common", "official"})
_GIVEN = frozenset({"first name", "firstname", "forename", "given name", "christian name"})
FAMILY = frozenset({"surname", "last name", "lastname", "family name"})
"""What a column of family names is called; the given names stand in another."""
_CALLED = frozenset({"nickname", "hostname", "username", "codename", "filename"})


@dataclass(frozen=True, slots=True)
class Naming:
    """The column that says what a row is called, "" where none does, and one that tells rows of one name apart."""

    column: str = ""
    further: str = ""


def csv_documents(builder: DocumentBuilder) -> Iterator[Document | Problem]:
    """One document a row: its text column, or, where there is none, all its columns."""
    builder.encoding = other_encoding(builder.content)
    feed = _CsvFeed(builder)
    header: list[str] = []
    named, rows, rest = Naming(), 0, _csv_rows(feed)
    ahead = list(islice(rest, SAMPLE))
    for line, row in chain(ahead, rest):
        yield from feed.taken()
        if isinstance(row, TextFileFault):
            yield Problem(str(builder.path), line, row.message)
        elif any(cell.strip() for cell in row):
            if not header:
                header = header_of(row, line)
                told = [each for _, each in ahead if each is not row and not isinstance(each, TextFileFault)]
                named = naming(header, builder.stem, told)
                continue
            rows += 1
            yield row_document(builder, header, row, rows, line, named)
    yield from feed.taken()
    if not header:
        raise TextFileFault("The file is empty.")
    if not rows:
        raise TextFileFault("The file has a header but no rows.")


class _CsvFeed:
    """The lines that the csv module reads, one by one, so that a row's line number is known."""

    def __init__(self, builder: DocumentBuilder) -> None:
        self._builder = builder
        self.number = 0
        self.delimiter = ","
        self._lines = self._read()
        self._problems: list[Problem] = []
        self._first = next(self._lines, "")

    def __iter__(self) -> Iterator[str]:
        """Yield the lines, with bytes that are not UTF-8 kept apart as surrogates."""
        if self._first:
            self.delimiter = max(",;\t", key=self._first.count)
            yield self._first
            yield from self._lines

    def taken(self) -> list[Problem]:
        """Return the problems met since the last call."""
        problems, self._problems = self._problems, []
        return problems

    def _read(self) -> Iterator[str]:
        for line in lines(self._builder.content, MAX_RECORD, self._builder.encoding):
            self.number = line.number
            if line.data is not None:
                yield line.data.decode("utf-8", "surrogateescape")
            else:
                limit = f"{MAX_RECORD // 2**20} MB"
                message = f"The line is longer than {limit}; split the row into smaller ones."
                self._problems.append(Problem(str(self._builder.path), line.number, message))


def _csv_rows(feed: _CsvFeed) -> Iterator[tuple[int, list[str] | TextFileFault]]:
    """Yield the rows with the lines they begin on; a row that is not CSV is a fault, and reading goes on."""
    source = iter(feed)
    first = next(source, None)
    if first is None:
        return
    reader = csv.reader(chain([first], source), delimiter=feed.delimiter, strict=True)
    while True:
        line = feed.number + 1 if reader.line_num else feed.number
        try:
            row = _next_row(reader)
        except csv.Error as error:
            yield line, TextFileFault(f"The row is not valid CSV ({error}); check its quotation marks.")
            continue
        if row is None:
            return
        yield line, row


def _next_row(reader: Iterator[list[str]]) -> list[str] | None:
    """Read a row whose cells may be as long as a record; the csv module's limit, a global, is put back."""
    before = csv.field_size_limit(MAX_RECORD)
    try:
        return next(reader, None)
    finally:
        csv.field_size_limit(before)


def header_of(row: Sequence[str], line: int) -> list[str]:
    """Return the names of columns; one without has its number. Raises TextFileFault for what is not UTF-8."""
    _check_utf8(row, line)
    return [clean(name).strip() or f"column {n}" for n, name in enumerate(row, start=1)]


def _check_utf8(row: Sequence[str], line: int) -> None:
    for cell in row:
        decode(cell.encode("utf-8", "surrogateescape"), line)


def row_document(
    builder: DocumentBuilder, header: Sequence[str], row: Sequence[str], number: int, line: int, named: Naming,
    beside: Mapping[str, str] = {}
) -> Document | Problem:
    """Make a document of a table's row, or say what is wrong with it; ``beside`` are cells that all rows share."""
    try:
        _check_utf8(row, line)
        if len(row) > len(header):
            sizes = f"{len(row)} cells, the header {len(header)}"
            raise TextFileFault(f"The row has {sizes}; check its quotation marks.")
    except TextFileFault as fault:
        message = fault.message.replace("at column", "in a cell, at byte")
        return Problem(str(builder.path), line, message)
    record = _csv_record([*beside, *header], [*beside.values(), *row], named, beside)
    return builder.attempt(record, number, line)


def naming(header: Sequence[str], file: str, rows: Sequence[Sequence[str]] = ()) -> Naming:
    """Return what rows are called by, besides "title" and "name".

    It is a column that is called a name, or stands behind one of codes and has another word or two in each of the
    ``rows``. Where many rows are called the same (a list of journeys by month), a column beside it tells them apart:
    the first of words, else the first.

    >>> naming(["Depot code", "Depot name", "Town"], "depots"), naming(["Order", "Customer name"], "orders")
    (Naming(column='Depot name', further=''), Naming(column='', further=''))
    >>> naming(["No.", "Item"], "stock", [[f"M{n}", f"{letter}amp"] for n, letter in enumerate("CDGLRSTV")])
    Naming(column='Item', further='')
    >>> naming(["Month", "Ferry"], "journeys", [["May", "Tern"], ["May", "Auk"], ["June", "Auk"]])
    Naming(column='', further='Ferry')
    """
    named, seen = Naming(_name_column(header, file, rows)), [dict(zip(header, row, strict=False)) for row in rows]
    titles = [_title(cells, named) for cells in seen]
    if len({*titles}) > _APART * len(titles) or not titles:
        return named
    pairs = {name: {(title, cells.get(name)) for title, cells in zip(titles, seen, strict=True)} for name in header}
    apart = [name for name in header if len(pairs[name]) == len(seen)]
    worded = (name for name in apart if all(any(map(str.isalpha, cells.get(name, ""))) for cells in seen))
    return replace(named, further=next(worded, next(iter(apart), "")))


def _name_column(header: Sequence[str], file: str, rows: Sequence[Sequence[str]]) -> str:
    about = {word for name in (file, *header[:1]) for word in fold(name).split()} | _WHOLE
    named = (name for name in header if fold(name).split()[-1:] == ["name"])
    called = (name for name in header if fold(name) in _CALLED)
    told = next((name for name in named if about & {*fold(name).split()[:-1]}), next(called, ""))
    codes, words = ([row[at].strip() if len(row) > at else "" for row in rows] for at in (0, 1))
    apart = len(rows) >= _ENOUGH and len({*codes}) == len({*words}) == len(rows)
    return told or (header[1] if apart and all(map(CODE.fullmatch, codes)) and all(map(_CALL.match, words)) else "")


def person_of(cells: Mapping[str, str]) -> str:
    """Return the whole name of a person whose row has it in two columns; "" where it has not.

    >>> person_of({"Surname": "Vell", "First name": "Ada", "Post": "Cook"})
    'Ada Vell'
    """
    given, family = ([cell for name, cell in cells.items() if fold(name) in kind] for kind in (_GIVEN, FAMILY))
    return f"{given[0]} {family[0]}" if given and family else ""


def _csv_record(
    header: Sequence[str], row: Sequence[str], named: Naming, beside: Mapping[str, str]
) -> dict[str, Any]:
    """Turn a row into a record, by the columns title, text and id where there is a text column."""
    cells = {name: cell.strip() for name, cell in zip(header, row, strict=False) if cell.strip()}
    by_role = {name.lower(): name for name in reversed(header)}
    role = {key: cells.get(by_role.get(key, ""), "") for key in ("text", "title", "id")}
    if "text" in by_role:
        taken = {by_role[key] for key in ("text", "title", "id") if key in by_role}
        rest = {name: cell for name, cell in cells.items() if name not in taken}
        return {"text": role["text"], "title": role["title"], "id": role["id"], "metadata": rest}
    text = "\n".join(f"{name}: {cell}" for name, cell in cells.items())
    told = {name: cell for name, cell in cells.items() if name not in beside}
    return {"text": text, "title": _title(told, named), "id": role["id"], "metadata": cells}


def _title(cells: Mapping[str, str], named: Naming) -> str:
    """What a row is called."""
    by_role = {name.lower(): cell.strip() for name, cell in reversed([*cells.items()])}
    worded = (cell for cell in cells.values() if any(map(str.isalpha, cell)))
    own = by_role.get("title") or by_role.get("name") or person_of(cells) or cells.get(named.column)
    parts = (own or next(worded, ""), cells.get(named.further, ""))
    return ", ".join(part.strip() for part in parts if part.strip())
