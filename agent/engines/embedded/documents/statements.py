"""What sections say, one statement after the other: cells of tables with their labels, sentences, items, figures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from .....cubes.core.records import Span
from .....cubes.documents.sections import sentences
from .....cubes.retrieval.hiqa.tables import MarkdownTable, tables_in
from .....cubes.retrieval.passages import blocks_of, introduced
from .....graphs.reasoner import SubAnswer
from .....graphs.records import Evidence
from .amounts import Amount, amounts, claimed_amounts, is_numeric, unit_in
from .wording import terms

__all__ = ["RANGED", "Statement", "cells_in", "enumerated", "joined", "told_in"]

RANGED = frozenset({"rang"})
"""The label of what is made of the least and the greatest value of a row: "operating temperature range"."""

_FIGURE = re.compile(
    r"!\[(?P<caption>[^\]]*)\]\(figure:[0-9a-f]+\)|[*_]{0,2}(?P<said>Fig(?:ure|\.)[ \t]*\d[\w.-]*[:.][ \t]*[^\n*_]*)"
)
_MARK = re.compile(r"^[ \t]*(?:[-*+•]|\(?\d{1,3}[.)]|\(?[a-z][.)])[ \t]+")
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
    section: Evidence
    span: Span
    own: frozenset[str]
    above: frozenset[str]
    amounts: tuple[Amount, ...] = ()
    beside: tuple[frozenset[str], ...] = ()
    label: str = ""
    first: bool = False
    """Whether a cell is its row's label."""

    def held(self, wanted: Sequence[str], aside: float = 0.75) -> float:
        """Return which share of the wanted terms it holds; one above it counts ``aside``."""
        said = self.own.union(*self.beside)
        return sum(1.0 if t in said else aside if t in self.above else 0.0 for t in wanted) / max(1, len(wanted))

    def answer(self, text: str, sure: float) -> SubAnswer:
        """Return what it answers, citing it."""
        return SubAnswer((text,), sure, self.section.section_id, self.span.start, self.span.end, cited=True)


def told_in(evidence: Sequence[Evidence]) -> Iterator[Statement]:
    """Yield the sentences, the items of lists, and the figures of sections."""
    for section in evidence:
        headed, text = _headed(section), section.text
        for at, block in enumerate(blocks_of(text)):
            intro = introduced(text, at) if block.kind == "list" else None
            above = headed | set(terms(text[intro.start : intro.end])) if intro is not None else headed
            for part in block.parts if block.kind != "table" else ():
                figure = _FIGURE.match(text, part.start)
                if figure is not None:
                    said, around = figure["caption"] or figure["said"] or "Figure", headed | set(terms(text))
                    yield Statement("figure", said, section, part, frozenset(terms(said)), around)
                    continue
                for place in sentences(text[part.start : part.end]):
                    span = Span(part.start + place.start, part.start + place.end)
                    said = text[span.start : span.end]
                    found = tuple(claimed_amounts(_MARK.sub("", said)))
                    yield Statement("text", said, section, span, frozenset(terms(said)), above, found)


def enumerated(sentence: str) -> tuple[str, ...]:
    """Return what a sentence lists: "The risks are A, B and C."; empty where it lists nothing."""
    rests = [sentence[opening.end() :].rstrip(" .") for opening in _LISTING.finditer(sentence)]
    rest = next((rest for rest in rests if "," in rest or " and " in rest), "")
    parts = tuple(re.sub(r"^(?:the|an?) ", "", part.strip()) for part in _PARTS.split(rest) if part.strip())
    return parts if len(parts) > 1 else ()


def joined(texts: Sequence[str]) -> str:
    """Return several texts as one, told apart by commas, or by semicolons where one has a comma itself."""
    return ("; " if any("," in text for text in texts) else ", ").join(texts)


def cells_in(evidence: Sequence[Evidence]) -> Iterator[Statement]:
    """Yield the cells of sections' tables that may answer, and the ranges of rows with a least and a greatest value."""
    return (cell for section in evidence for table in tables_in(section.text) for cell in _cells(section, table))


def _cells(section: Evidence, table: MarkdownTable) -> Iterator[Statement]:
    columns = table.columns or ("",) * max(map(len, table.rows), default=0)
    numeric = {n for n in range(1, len(columns)) if _mostly_numeric(table, n)}
    at_unit = next((n for n, column in enumerate(columns) if _UNIT.fullmatch(column)), -1)
    above, label = _headed(section) | set(terms(table.title)), ""
    lines = next(b.parts for b in blocks_of(section.text) if b.span.start <= table.span.start < b.span.end)
    for span, row in zip(lines, table.rows, strict=False):
        label = row[0] if row and not _EMPTY.fullmatch(row[0]) else label  # one left blank is that of the row above
        told = {n: frozenset(terms(label if n == 0 else x)) for n, x in enumerate(row) if n not in {*numeric, at_unit}}
        unit = row[at_unit].strip() if at_unit >= 0 and not _EMPTY.fullmatch(row[at_unit]) else ""
        made, ends = partial(Statement, "cell", section=section, span=span, above=above, label=label), dict[str, str]()
        for at, (column, cell) in enumerate(zip(columns, row, strict=False)):
            if at == at_unit or _SIDE.fullmatch(column) or _EMPTY.fullmatch(cell):
                continue
            own, beside = frozenset(terms(column)), tuple(said for n, said in told.items() if n != at)
            ends |= {limit: cell for limit in ("minimum", "maximum") if limit in own}
            text, found = _in_unit(cell, unit or next(filter(None, map(unit_in, (column, label, table.title))), ""))
            yield made(text=text, own=own, amounts=found, beside=beside, first=at == 0)
        if len(ends) > 1:
            text, found = _in_unit(f"{ends['minimum']} to {ends['maximum']}", unit)
            yield made(text=text, own=RANGED, amounts=found, beside=tuple(told.values()))


def _in_unit(cell: str, unit: str) -> tuple[str, tuple[Amount, ...]]:
    """A cell that is a number alone with the unit that column or title give, and its amounts."""
    found = amounts(cell)
    if not found or found[-1].unit or not unit or not is_numeric(cell):
        return cell, found
    return f"{cell}{'' if unit in ('%', '°') else ' '}{unit}", amounts(cell, unit)


def _mostly_numeric(table: MarkdownTable, at: int) -> bool:
    filled = [row[at] for row in table.rows if at < len(row) and not _EMPTY.fullmatch(row[at])]
    return bool(filled) and sum(map(is_numeric, filled)) > len(filled) / 2


def _headed(section: Evidence) -> frozenset[str]:
    """The terms of a section's headings below the document's title."""
    return frozenset(t for part in section.path[1:] for t in terms(part))
