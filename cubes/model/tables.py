"""Tables as cubes: the rows of a table are subjects, its columns are dimensions (MultiCube-RAG eq. 2-5).

An ontology says what prose tells of its things. A table says so itself, by its header: each column is a dimension
with one relation, called as the column is. A row's facts are read when it is ingested; the cubes follow from the facts.
A CSV file and a sheet are tables, each row being a document (`record_row`); those inside documents are found in
`ingest.table_rows`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import cast

from ..core.dates import date_spans, parse_date
from ..core.folding import fold, words
from ..core.quantities import is_numeric
from ..core.records import Document, Fact, Section, Span
from ..documents.tables import CODE, FAMILY
from .fact_columns import ALIAS
from .ontology import CubeSpec, Cue, Dimension, Ontology, ValueKind
from .table_ids import cube_id, identifier, is_inside, table_name

__all__ = [
    "HAS", "HAS_NOT", "NAMING", "ORIGIN", "TableCell", "TableColumn", "TableRow", "header_words", "record_row",
    "row_facts", "told_apart", "with_tables",
]  # fmt: skip

ORIGIN = "table/1"
"""Who said so, for facts of a table's row."""
TableColumn = tuple[str, str, str, str, int]
"""Cube, dimension, relation and kind of some facts of rows, and how many these are."""

_TABLES = frozenset({"text/csv", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"})
_ROW, _SHEET = "row", "sheet"
HAS, HAS_NOT = "is or has", "is not and has not"
"""Relations of a row to the columns that say yes, and no."""
_NAMES = ("is", ALIAS)
_PARTED = re.compile(r"\d([-/.])\d+\1\d")
_YEAR, _LATELY = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2]))?"), re.compile(r"1[6-9]\d\d|20\d\d")
_TIMES = frozenset({
    "year", "yr", "date", "day", "month", "opened", "closed", "founded", "born", "died", "released", "built",
    "established", "launched", "since", "when", "on",
})  # fmt: skip
"""Words in a column's name by which its numbers are years."""
_TIMED = frozenset({"year", "date", "day", "month", "since", "when", "of", "on"})
_JOINING = frozenset({"and", "for", "the", "per", "with", "from"})
_CODES = frozenset({"id", "code", "key", "no", "nr", "number"})
NAMING = _CODES | {"name", "title", "label", "full", "display", "common", "official", "short"}
"""What a column of names is called, whatever the rows are."""
_YES, _NO = frozenset({"yes", "true", "x", "y"}), frozenset({"no", "false", "n"})
_MANY = re.compile(r"\s*[;|]\s*")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_BEING = re.compile(r"^(?:has|have|is|are)\s+(?:an?\s+|the\s+)?(?=\w)", re.IGNORECASE)
_BRACKETS = re.compile(r"\s*[(\[].*?[)\]]")
_LONGEST = 30  # words of a cell that is a value
_NAME = 8  # words of a name


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell with its column's name: where its text stands in the section, and what is cited for it."""

    column: str
    text: str
    at: Span
    cited: Span


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row with what it is called, and the cube of its table."""

    section: Section
    cube: str
    title: str
    cells: tuple[TableCell, ...]


def row_facts(row: TableRow) -> Iterator[Fact]:
    """Yield what a row says, a fact for each value of a cell.

    Cells that hold several values part them by ";" or "|". One that says yes or no says that the row is or has what its
    column is called, or that it is not. A text of many words is no value.
    """
    for cell in row.cells:
        told = [*_told(cell, row.title, first=cell is row.cells[0])] if len(cell.text.split()) <= _LONGEST else []
        for relation, value in told:
            named = relation in _NAMES or value == row.title or (ALIAS, value) in told
            kind = "name" if named or relation in (HAS, HAS_NOT) else _kind(cell.column, value)
            yield Fact(
                row.section.id, row.cube, _ROW if named else _dimension(relation), row.title, relation, value, kind,
                _place(row.section.text, cell, value), cell.cited, 1.0, ORIGIN,
            )  # fmt: skip


def _place(text: str, cell: TableCell, value: str) -> Span:
    """Where a value stands: in its cell, else beside it, where a record writes its column's name."""
    for span in (cell.at, cell.cited):
        if (start := text.find(value, span.start, span.end)) >= 0:
            return Span(start, start + len(value))
    return cell.at


def record_row(section: Section, document: Document) -> TableRow | None:
    """Return the row that the section of a CSV file or a sheet is; None of any other document."""
    if document.media_type not in _TABLES:
        return None
    sheet, cells = str(document.metadata.get(_SHEET, "")) or PurePath(document.source).stem, list[TableCell]()
    for column, cell in document.metadata.items():
        line = f"{column}: {cell}"
        start = f"\n{section.text}".find(f"\n{line}")
        if start >= 0 and not (column == _SHEET and cell == sheet):
            end = start + len(line)
            cells.append(TableCell(column, str(cell), Span(start + len(column) + 2, end), Span(start, end)))
    return TableRow(section, cube_id(sheet), document.title, tuple(cells))


def _told(told: TableCell, title: str, *, first: bool) -> Iterator[tuple[str, str]]:
    """The relations and values of a cell. A row's code is another name of it."""
    column, cell = told.column, told.text
    if cell == title:
        yield from (("is", cell), (column, cell))
    elif fold(column) in FAMILY and cell in title.split(" ", 1)[-1:]:
        yield from (("is", title), (ALIAS, cell), (column, cell))
    elif first and any(map(str.isalpha, cell)) and (CODE.fullmatch(cell) or not _CODES.isdisjoint(words(column))):
        yield from ((ALIAS, cell), (column, cell))
    elif fold(cell) in _YES | _NO:
        yield (HAS if fold(cell) in _YES else HAS_NOT), _BEING.sub("", _BRACKETS.sub("", column).rstrip("? "))
    else:
        yield from ((column, value) for value in _MANY.split(cell) if value)


def told_apart(columns: Iterable[TableColumn], rows: Iterable[tuple[str, str]]) -> list[TableColumn]:
    """Leave out the tables inside documents that are alike, as those of data sheets are: half of their rows are called
    as rows of two other tables. ``rows`` are the cubes of all rows, and what they are called."""
    tables: dict[str, set[str]] = defaultdict(set)
    for cube, title in rows:
        tables[cube].add(fold(title))
    times = Counter(title for cube, held in tables.items() if is_inside(cube) for title in held)
    alike = {c for c, held in tables.items() if is_inside(c) and 2 * sum(times[t] > 2 for t in held) >= len(held)}
    return [column for column in columns if column[0] not in alike]


def with_tables(ontology: Ontology, columns: Iterable[TableColumn]) -> Ontology:
    """Return an ontology with a cube for each table that there are facts of."""
    held: dict[str, dict[str, Counter[tuple[str, str]]]] = defaultdict(lambda: defaultdict(Counter))
    for cube, dimension, relation, kind, count in columns:
        held[cube][dimension][relation, kind] += count
    made = [_cube(cube, dimensions) for cube, dimensions in sorted(held.items()) if len(dimensions) > 1]
    return ontology.model_copy(update={"cubes": (*ontology.cubes, *made)}) if made else ontology


def _cube(cube: str, dimensions: dict[str, Counter[tuple[str, str]]]) -> CubeSpec:
    table = table_name(cube)
    named = [relation for relation, _ in dimensions.get(_ROW, ()) if relation not in _NAMES]
    attributes = tuple(_attribute(dimension, counts) for dimension, counts in dimensions.items() if dimension != _ROW)
    said = ([word for word in words(name) if word not in NAMING and not word.endswith("name")] for name in named)
    heads = [words[-1] for words in said if words]
    told = [word for word in words(table) if word.isalpha()]
    nouns = dict.fromkeys([*heads, *told[-1:], " ".join(told[-2:])])
    return CubeSpec(
        id=cube,
        name=f"Table {table}",
        description=f"rows of the table {table}, with {', '.join(each.name for each in attributes)}",
        nouns=tuple(nouns),
        subject=Dimension(
            id=_ROW, name=(named or ["Row"])[0], kind="name", description="what a row is of", role="subject",
            cues=(Cue(relation=ALIAS, kind="name"),),
        ),
        attributes=attributes,
    )  # fmt: skip


def _attribute(dimension: str, counts: Counter[tuple[str, str]]) -> Dimension:
    kinds = Counter[str]()
    for (_, told), count in counts.items():
        kinds[told] += count
    kind = cast("ValueKind", kinds.most_common(1)[0][0])
    cues = tuple(_cue(relation, kind) for relation in dict.fromkeys(relation for relation, _ in counts))
    return Dimension(id=dimension, name=cues[0].relation, kind=kind, description=cues[0].relation, cues=cues)


def _cue(column: str, kind: ValueKind) -> Cue:
    """A column's name, and words of it, as nouns and, where they say who acts or what was done, as verbs."""
    if column in (HAS, HAS_NOT):
        return Cue(relation=column, kind="name", after=(column,), many=True)
    names = header_words(column) or [[column]]
    asks = [" ".join(name) for name in names]
    asks += [word for name in names for word in reversed(name) if len(word) > 2 and word not in NAMING | _JOINING]
    asks += [f"number of {asks[0]}"] if kind == "quantity" else []
    verbs: list[str] = []
    for name in names:
        acting = re.sub(r"(?<=[a-z]{3})[eo]r$", "", name[0])
        if kind == "date":
            verbs += [form for word in name if word not in _TIMED for form in (word, f"{word}ed")]
        elif name[0].endswith("ed") and len(name) < 3:
            verbs += [" ".join(name), name[0]]
        elif len(name) == 1 and acting != name[0]:
            verbs += [f"{acting}{ending}" for ending in ("", "e", "s", "es", "ed", "ed by")]
    many = kind not in ("date", "quantity")
    unique = dict.fromkeys
    return Cue(relation=column, kind=kind, asks=tuple(unique(asks)), verbs=tuple(unique(verbs)), many=many)


def header_words(column: str) -> list[list[str]]:
    """Return the words of a column's name, without brackets, of each of its names: "Maker/Artist" has two."""
    names = (words(name) for name in _BRACKETS.sub("", _HUMP.sub(" ", column)).split("/"))
    return [name for name in names if name]


def _kind(column: str, value: str) -> ValueKind:
    timed = not _TIMES.isdisjoint(words(column))
    timed = timed or any(word.endswith("ed") and _LATELY.fullmatch(value) for word in words(column))
    date = parse_date(value) if date_spans(value)[:1] == [(0, len(value))] else None
    whole = date is not None and (date.day or _PARTED.search(value) or not is_numeric(value))
    if whole or (timed and (date or _YEAR.fullmatch(value))):
        return "date"
    if is_numeric(value):
        return "quantity"
    return "name" if value[:1].isupper() and len(value.split()) <= _NAME else "text"


def _dimension(column: str) -> str:
    found = identifier(column)
    return f"{found}_column" if found == _ROW else found
