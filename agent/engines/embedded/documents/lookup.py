"""Looking a value up in the tables of retrieved sections, by the labels of its row and column (HiQA, A.4)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from .....cubes.core.records import Span
from .....cubes.retrieval.hiqa.tables import MarkdownTable, tables_in
from .....graphs.records import Evidence
from .amounts import Amount, amounts, is_numeric, unit_in
from .asked import LabelQuery
from .wording import Order, lexicon, terms

__all__ = ["DocumentAnswer", "Likeness", "TableMatch", "best_of", "column_of", "look_up", "look_up_like", "rows_of"]

Likeness = Callable[[str, Sequence[str]], Sequence[float]]
"""The cosine of a text with each of others, by meaning; nothing where no encoder is at hand."""

_UNIT_LABELS = frozenset({"unit", "units"})
_SIDE = frozenset({"symbol", "condition", "conditions", "test conditions", "test condition", "note", "notes", "remark",
                   "remarks", "comment", "comments"})  # fmt: skip
_EMPTY = re.compile(r"[\s—–\-/.*]*(?:n[./]a\.?|none)?[\s—–\-/.*]*", re.IGNORECASE)
_LIMITS = ("minimum", "typic", "maximum")
_CONTEXT = 0.5  # what a word is worth that the table's title or chapter holds rather than a label
_COVERED, _PRECISE = 0.7, 0.3  # shares of a score
_UNIT_FITS, _UNIT_MISFITS = 0.1, -0.2
_NOUN_FITS = 0.25  # for the column that is just what is asked for: "which pin": Pin
_PREFERRED = 0.02  # of several columns that the question does not tell apart
_LEAST = 0.5
_COLUMN = 0.7  # how sure all the cells of a column are
_LIKE = 0.5  # the least cosine of a label that may mean what is asked
_RANGED = "range"


@dataclass(frozen=True, slots=True)
class TableMatch:
    """A cell that may answer: its text with its unit, where its row stands in the section's text, and its score."""

    text: str
    label: str
    column: str
    amounts: tuple[Amount, ...]
    section: int
    row: Span
    score: float
    precision: float


@dataclass(frozen=True, slots=True)
class DocumentAnswer:
    """An answer, the number of its section, the span that says it, how sure it is (0 to 1), and its amounts."""

    texts: tuple[str, ...]
    section: int
    span: Span
    sure: float
    values: tuple[Amount, ...] = ()


@dataclass(frozen=True, slots=True)
class _Row:
    """A row with its label carried down where it is left blank, and where it stands in the text."""

    cells: tuple[str, ...]
    label: str
    span: Span


def look_up(asked: LabelQuery, evidence: Sequence[Evidence]) -> list[TableMatch]:
    """Return the cells whose labels meet what is asked, the best first; equal ones in the order of the evidence."""
    found = [cell for grid in _grids(evidence) for cell in grid.meeting(asked)]
    return sorted(found, key=lambda cell: -cell.score)


def look_up_like(asked: LabelQuery, phrase: str, evidence: Sequence[Evidence], likeness: Likeness) -> list[TableMatch]:
    """Return the cells of rows whose labels mean what a phrase says in other words, the likest first.

    Only amounts are looked up so, and only in the unit that is asked for where it is known: what the labels leave open
    the unit must settle.
    """
    grids = list(_grids(evidence))
    labels = list(dict.fromkeys(row.label for grid in grids for row in grid.rows if not is_numeric(row.label)))
    labels = [label for label in labels if label]
    likest = dict(zip(labels, likeness(phrase, labels), strict=False))
    found = [cell for grid in grids for cell in grid.alike(asked, likest)]
    return sorted(found, key=lambda cell: -cell.score)


def column_of(wanted: Sequence[str], evidence: Sequence[Evidence]) -> DocumentAnswer | None:
    """Return the column whose label is just what is wanted: "which medicines": every medicine of the table."""
    for number, section in enumerate(evidence):
        for table in _tables(section.text):
            for at, label in enumerate(table.columns):
                if wanted and set(wanted) == set(terms(label)):
                    items = tuple(dict.fromkeys(row[at] for row in table.rows if not _is_empty(row[at])))
                    return DocumentAnswer(items, number, table.span, _COLUMN)
    return None


def best_of(read: Mapping[str, DocumentAnswer], order: Order) -> tuple[str, ...]:
    """Return the names with the greatest or least value; several where they are equal, none where none compares.

    Of a range its end is compared.
    """
    end = max if order == "greatest" else min
    sizes = {n: end(found.values, key=lambda amount: amount.base) for n, found in read.items() if found.values}
    measures = [amount.measure for amount in sizes.values()]
    common = max(set(measures), key=measures.count, default="")
    values = {name: a.base for name, a in sizes.items() if a.measure in (common, "")}
    best = end(values.values(), default=0.0)
    return tuple(name for name, value in values.items() if value == best)


def rows_of(table: MarkdownTable, text: str) -> Iterator[_Row]:
    """Yield a table's rows with their places in the section's text."""
    lines = text[table.span.start : table.span.end].split("\n")
    start, label = table.span.start, ""
    skipped = 2 if table.columns else 0
    for number, line in enumerate(lines):
        if number >= skipped and number - skipped < len(table.rows):
            cells = table.rows[number - skipped]
            label = cells[0] if cells and not _is_empty(cells[0]) else label
            yield _Row(cells, label, Span(start, start + len(line)))
        start += len(line) + 1


@lru_cache(maxsize=2_000)
def _tables(text: str) -> tuple[MarkdownTable, ...]:
    return tuple(tables_in(text))


def _grids(evidence: Sequence[Evidence]) -> Iterator[_Grid]:
    for number, section in enumerate(evidence):
        context = frozenset(t for part in section.path[1:] for t in terms(part))
        for table in _tables(section.text):
            headers, rows = _headers(table, section, evidence), tuple(rows_of(table, section.text))
            yield _Grid(headers, rows, number, table.title, context | set(terms(table.title)))


@dataclass(frozen=True)
class _Grid:
    """A table with its columns' labels, its rows, the number of its section, and the terms that stand over it."""

    headers: tuple[str, ...]
    rows: tuple[_Row, ...]
    section: int
    title: str
    context: frozenset[str]

    def meeting(self, asked: LabelQuery) -> Iterator[TableMatch]:
        """Yield the cells whose labels meet what is asked."""
        numeric = {n for n in range(1, len(self.headers)) if self._mostly_numeric(n)}
        for row in self.rows:
            told = {n: set(terms(row.label if n == 0 else x)) for n, x in enumerate(row.cells) if n not in numeric}
            told.pop(self._unit_at, None)
            ranged = self._range(asked, row)
            answers = [(at, self.headers[at], *self._with_unit(row, at)) for at in self._answering(row)]
            for at, label, text, unit in (*answers, *([(*ranged, "")] if ranged else [])):
                beside = {n: said for n, said in told.items() if n != at}
                found = amounts(text if label == _RANGED else row.cells[at], unit)
                scored = _score(asked, self.headers, beside, at, found, self.context)
                if scored is not None:
                    score = scored[0] + _UNIT_FITS * (label == _RANGED)
                    yield TableMatch(text, row.label, label, found, self.section, row.span, score, scored[1])

    def alike(self, asked: LabelQuery, likest: Mapping[str, float]) -> Iterator[TableMatch]:
        """Yield the amounts of rows whose labels are like what is asked."""
        likely = (row for row in self.rows if likest.get(row.label, 0.0) >= _LIKE)
        for row, at in ((each, at) for each in likely for at in self._answering(each) if at):
            text, unit = self._with_unit(row, at)
            found, header, cosine = amounts(row.cells[at], unit), _header(self.headers[at]), likest[row.label]
            fits = not asked.units or any(a.measure in asked.units for a in found)
            if found and is_numeric(row.cells[at]) and fits:
                named = _UNIT_FITS if header & set(asked.terms) else 0.0
                score = cosine + _suits(asked, found, header, self.headers) + named
                yield TableMatch(text, row.label, self.headers[at], found, self.section, row.span, score, cosine)

    @property
    def _unit_at(self) -> int:
        return next((n for n, label in enumerate(self.headers) if label.strip().lower() in _UNIT_LABELS), -1)

    def _answering(self, row: _Row) -> list[int]:
        """The columns of a row's cells that may answer."""
        width = min(len(self.headers), len(row.cells))
        free = (at for at in range(width) if at != self._unit_at and not _is_side(self.headers[at]))
        return [at for at in free if not _is_empty(row.cells[at])]

    def _mostly_numeric(self, at: int) -> bool:
        filled = [row.cells[at] for row in self.rows if at < len(row.cells) and not _is_empty(row.cells[at])]
        return bool(filled) and sum(map(is_numeric, filled)) > len(filled) / 2

    def _range(self, asked: LabelQuery, row: _Row) -> tuple[int, str, str] | None:
        """ "operating temperature range": from the least to the greatest of a row that has both in columns."""
        if "rang" not in asked.terms or set(_LIMITS) & set(asked.terms):
            return None
        ends = {limit: n for n, label in enumerate(self.headers) for limit in _LIMITS if limit in terms(label)}
        low, high = ends.get("minimum"), ends.get("maximum")
        if low is None or high is None or _is_empty(row.cells[low]) or _is_empty(row.cells[high]):
            return None
        unit = row.cells[self._unit_at] if self._unit_at >= 0 else ""
        return high, _RANGED, f"{row.cells[low]} to {row.cells[high]} {unit}".strip()

    def _with_unit(self, row: _Row, at: int) -> tuple[str, str]:
        """A cell's text with its unit: its own, that of the row, of the column's label, or of the table's title."""
        text = row.cells[at]
        found = amounts(text)
        if not found or not is_numeric(text) or found[-1].unit:
            return text, ""
        own = row.cells[self._unit_at].strip() if 0 <= self._unit_at < len(row.cells) else ""
        labels = (self.headers[at], row.label, self.title)
        unit = own if not _is_empty(own) else next(filter(None, map(unit_in, labels)), "")
        return (f"{text}{'' if unit in ('%', '°') else ' '}{unit.removeprefix('in ')}", unit) if unit else (text, "")


def _headers(table: MarkdownTable, section: Evidence, evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """A table's column labels; those of the same chapter's other piece where a long table was cut off from its own."""
    if table.columns or not table.rows:
        return table.columns
    width = len(table.rows[0])
    pieces = (e for e in evidence if e.document_id == section.document_id and e.path == section.path)
    found = (t.columns for e in pieces for t in _tables(e.text) if len(t.columns) == width)
    return next(found, ("",) * width)


def _score(
    asked: LabelQuery, headers: Sequence[str], beside: Mapping[int, set[str]], at: int, found: Sequence[Amount],
    context: frozenset[str],
) -> tuple[float, float] | None:  # fmt: skip
    """How far the labels beside and above a cell are what is asked, and how far the best of them says nothing else."""
    header, wanted, loosely = _header(headers[at]), set(asked.terms), set(asked.any_of)
    if (at == 0 and not header & set(asked.noun)) or (asked.counts and not found):
        return None  # a row's label answers only where its column is asked for
    said = set().union(*beside.values())
    met, loose = said & wanted, bool((header | said) & loosely)
    if not met and not loose:
        return None
    near = met | header | {t for n, own in beside.items() if own & wanted for t in terms(headers[n])}
    held = sum(1.0 if t in near else _CONTEXT if t in context else 0.0 for t in asked.terms)
    covered = (held + loose) / (len(asked.terms) + bool(loosely))
    label = max(beside.values(), key=lambda own: len(own & wanted) / max(1, len(own)), default=set[str]())
    precision = len(label & (wanted | loosely)) / len(label) if label else 0.0
    if at == 0:  # what is described is asked for by its description
        precision = max(precision, len(label & wanted) / max(1, len(wanted - set(asked.noun))))
    score = _COVERED * covered + _PRECISE * precision + _suits(asked, found, header, headers)
    return (score, precision) if score >= _LEAST and (precision or loose) else None


def _suits(asked: LabelQuery, found: Sequence[Amount], header: set[str], headers: Sequence[str]) -> float:
    """What unit and column speak for a cell beyond its labels."""
    bonus = 0.0
    measures = {amount.measure for amount in found if amount.measure}
    if asked.units and measures:
        bonus += _UNIT_FITS if measures & asked.units else _UNIT_MISFITS
    limits = header & set(_LIMITS)
    if limits and not header & set(asked.terms):
        bonus += _PREFERRED if "typic" in limits else 0.0 if len(headers) < 4 else -_PREFERRED
    if set(asked.noun) & header:
        bonus += _NOUN_FITS if set(asked.noun) == header else _UNIT_FITS
    return bonus


def _header(label: str) -> set[str]:
    """The terms of a column's label, with what else asks for the end of a scale that it gives."""
    said, ends = set(terms(label)), lexicon().ends
    return said.union(*(ends[term] for term in said if term in ends))


def _is_side(label: str) -> bool:
    return label.strip().lower().rstrip("s.") in {side.rstrip("s") for side in _SIDE}


def _is_empty(cell: str) -> bool:
    return _EMPTY.fullmatch(cell) is not None
