"""What sections say, one statement after the other: cells of tables with their labels, sentences, items, figures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from .....cubes.core.records import Span
from .....cubes.documents.sections import sentences
from .....cubes.retrieval.hiqa.tables import MarkdownTable, tables_in
from .....cubes.retrieval.passages import blocks_of, introduced
from .....graphs.records import Evidence
from .amounts import Amount, amounts, claimed_amounts, is_numeric, unit_in
from .wording import terms

__all__ = ["MARK", "RANGED", "Statement", "cells_in", "enumerated", "told_in"]

RANGED = frozenset({"rang"})
"""The label of what is made of the least and the greatest value of a row: "operating temperature range"."""

_FIGURE = re.compile(
    r"!\[(?P<caption>[^\]]*)\]\(figure:[0-9a-f]+\)|[*_]{0,2}(?P<said>Fig(?:ure|\.)[ \t]*\d[\w.-]*[:.][ \t]*[^\n*_]*)"
)
MARK = re.compile(r"^[ \t]*(?:[-*+•]|\(?\d{1,3}[.)]|\(?[a-z][.)])[ \t]+")
_LISTING = re.compile(r"(?::|\b(?:are|were|include|includes|including|such as|comprise|comprises|namely|of))\s+", re.I)
_PARTS = re.compile(r",?\s+(?:and|or|as well as)\s+|,\s+|;\s+")
_SIDE = re.compile(r"\s*(?:symbol|(?:test )?condition|note|remark|comment)s?\s*", re.IGNORECASE)
_UNIT = re.compile(r"\s*units?\s*", re.IGNORECASE)
_EMPTY = re.compile(r"[\s—–\-/.*]*(?:n[./]a\.?|none)?[\s—–\-/.*]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Statement:
    """``own`` are the terms of a sentence, or of the column that a cell stands in; ``beside`` those of each label in
    the cell's row; ``above`` those of headings, of the table's title and of what introduces a list."""

    kind: Literal["cell", "text", "figure"]
    text: str
    section: int
    span: Span
    own: frozenset[str]
    above: frozenset[str]
    amounts: tuple[Amount, ...] = ()
    beside: tuple[frozenset[str], ...] = ()
    label: str = ""
    first: bool = False
    """Whether a cell is its row's label."""
    listed: tuple[Span, Span] | None = None
    """The list and its item that a sentence stands in."""

    @property
    def said(self) -> frozenset[str]:
        """All terms of it and beside it."""
        return self.own.union(*self.beside)

    def held(self, wanted: Sequence[str], aside: float = 0.75) -> float:
        """Return which share of the wanted terms it holds; one above it counts ``aside``."""
        said = self.said
        return sum(1.0 if t in said else aside if t in self.above else 0.0 for t in wanted) / max(1, len(wanted))


def told_in(evidence: Sequence[Evidence]) -> Iterator[Statement]:
    """Yield the sentences, the items of lists, and the figures of sections."""
    for number, section in enumerate(evidence):
        headed, text = _headed(section), section.text
        for at, block in enumerate(blocks_of(text)):
            intro = introduced(text, at) if block.kind == "list" else None
            above = headed | set(terms(text[intro.start : intro.end])) if intro is not None else headed
            for part in block.parts if block.kind != "table" else ():
                figure = _FIGURE.match(text, part.start)
                if figure is not None:
                    said, around = figure["caption"] or figure["said"] or "Figure", headed | set(terms(text))
                    yield Statement("figure", said, number, part, frozenset(terms(said)), around)
                    continue
                listed = (block.span, part) if block.kind == "list" else None
                for place in sentences(text[part.start : part.end]):
                    span = Span(part.start + place.start, part.start + place.end)
                    said = text[span.start : span.end]
                    stated = frozenset(terms(said)), above, tuple(claimed_amounts(MARK.sub("", said)))
                    yield Statement("text", said, number, span, *stated, listed=listed)


def enumerated(sentence: str) -> tuple[str, ...]:
    """Return what a sentence lists: "The risks are A, B and C."; empty where it lists nothing."""
    rests = [sentence[opening.end() :].rstrip(" .") for opening in _LISTING.finditer(sentence)]
    rest = next((rest for rest in rests if "," in rest or " and " in rest), "")
    parts = tuple(re.sub(r"^(?:the|an?) ", "", part.strip()) for part in _PARTS.split(rest) if part.strip())
    return parts if len(parts) > 1 else ()


# Tables.


def cells_in(evidence: Sequence[Evidence]) -> Iterator[Statement]:
    """Yield the cells of sections' tables that may answer, and the ranges of rows with a least and a greatest value."""
    for number, section in enumerate(evidence):
        headed = _headed(section)
        for table in tables_in(section.text):
            columns = table.columns or ("",) * max(map(len, table.rows), default=0)
            numeric = {n for n in range(1, len(columns)) if _mostly_numeric(table, n)}
            for span, label, row in _rows(table, section.text):
                cells = _row(columns, row, label, table.title, numeric)
                above = headed | set(terms(table.title))
                for text, own, unit, beside, first in cells:
                    yield Statement("cell", text, number, span, own, above, amounts(text, unit), beside, label, first)


def _row(
    columns: Sequence[str], row: Sequence[str], label: str, title: str, numeric: set[int]
) -> Iterator[tuple[str, frozenset[str], str, tuple[frozenset[str], ...], bool]]:
    """Yield text, column, unit, labels beside it, and whether it is the row's label, of each cell that may answer."""
    at_unit = next((n for n, column in enumerate(columns) if _UNIT.fullmatch(column)), -1)
    own_unit = row[at_unit].strip() if at_unit >= 0 and not _EMPTY.fullmatch(row[at_unit]) else ""
    labels = {n: frozenset(terms(label if n == 0 else x)) for n, x in enumerate(row) if n not in {*numeric, at_unit}}
    ends: dict[str, str] = {}
    for at, (column, cell) in enumerate(zip(columns, row, strict=False)):
        if at == at_unit or _SIDE.fullmatch(column) or _EMPTY.fullmatch(cell):
            continue
        own, found = frozenset(terms(column)), amounts(cell)
        ends |= {limit: cell for limit in ("minimum", "maximum") if limit in own}
        bare = bool(found) and is_numeric(cell) and not found[-1].unit
        unit = (own_unit or next(filter(None, map(unit_in, (column, label, title))), "")) if bare else ""
        beside = tuple(said for n, said in labels.items() if n != at)
        yield _with_unit(cell, unit), own, unit, beside, at == 0
    if len(ends) > 1:
        whole = _with_unit(f"{ends['minimum']} to {ends['maximum']}", own_unit)
        yield whole, RANGED, own_unit, tuple(labels.values()), False


def _with_unit(text: str, unit: str) -> str:
    return f"{text}{'' if unit in ('%', '°', '') else ' '}{unit}"


def _rows(table: MarkdownTable, text: str) -> Iterator[tuple[Span, str, Sequence[str]]]:
    """Yield each row with its place and its label, which is carried down where it is left blank."""
    lines = text[table.span.start : table.span.end].split("\n")
    start, label, skipped = table.span.start, "", 2 if table.columns else 0
    for number, line in enumerate(lines):
        if skipped <= number < skipped + len(table.rows):
            row = table.rows[number - skipped]
            label = row[0] if row and not _EMPTY.fullmatch(row[0]) else label
            yield Span(start, start + len(line)), label, row
        start += len(line) + 1


def _mostly_numeric(table: MarkdownTable, at: int) -> bool:
    filled = [row[at] for row in table.rows if at < len(row) and not _EMPTY.fullmatch(row[at])]
    return bool(filled) and sum(map(is_numeric, filled)) > len(filled) / 2


def _headed(section: Evidence) -> frozenset[str]:
    """The terms of a section's headings below the document's title."""
    return frozenset(t for part in section.path[1:] for t in terms(part))
