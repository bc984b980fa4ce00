"""The blocks that a converter reads from a layout, captions beside what they name, and the Markdown of both.

PDF, DOCX and HTML files are first read into blocks; a table's or figure's caption that stands beside it as a paragraph
of its own is then found, and everything is written down as Markdown that `sections.split` divides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from ...core.records import Figure, MetadataValue
from .page_starts import written
from .records import ConvertedFile, figure_line

__all__ = [
    "Kind",
    "LayoutBlock",
    "Picture",
    "SpannedCell",
    "converted",
    "grid_of",
    "one_line",
    "pipe_table",
    "to_markdown",
]

Kind = Literal["heading", "paragraph", "item", "table", "figure", "caption", "code"]

_NAMED = re.compile(
    r"(?P<kind>table|tab\.|tabelle|tableau|tabla|figure|fig\.|abbildung|abb\.|image|illustration|chart|diagram)"
    r"[ \t\u00a0]*[A-Z]?[\dIVX][\w.\u2011-]*[ \t]*(?:[:.|\u2013\u2014-]|[ \t]|$)",
    re.IGNORECASE,
)
_LONGEST_CAPTION = 250
_DEEPEST = 6
_TABLES = ("tab", "tabl")
_SPECIAL = re.compile(r"(?m)^(?P<space>[ \t]{0,3})(?P<mark>#{1,6}(?=[ \t]|$)|`{3}|~{3}|\|)")
_EMPHASIS = re.compile(r"\*\*|__|`")


@dataclass(frozen=True, slots=True)
class Picture:
    """An image as it was found: its bytes, their type, the alternative text, and the page, if there are pages."""

    data: bytes = field(repr=False)
    media_type: str
    description: str = ""
    page: int | None = None


@dataclass(frozen=True, slots=True)
class LayoutBlock:
    """A piece of a document in reading order.

    ``level`` is a heading's level or a list item's depth from 1; ``marker`` an item's bullet or number; ``rows`` a
    table's cells, the header first; ``text`` what else there is to read, and a table's or figure's caption; ``bold``
    says whether all of it is printed bold. ``page`` is the one that it begins on, from 1, or 0 without pages.
    """

    kind: Kind
    text: str = ""
    level: int = 0
    marker: str = "-"
    rows: tuple[tuple[str, ...], ...] = ()
    picture: Picture | None = None
    bold: bool = False
    page: int = 0


def one_line(text: str) -> str:
    """Return text with every run of white space as one space."""
    return " ".join(text.split())


def converted(title: str, blocks: Sequence[LayoutBlock], metadata: Mapping[str, MetadataValue]) -> ConvertedFile:
    """Write blocks down as Markdown, each figure once as a record and wherever it stands as a line."""
    captioned = list(_captioned(blocks))
    figures: dict[str, Figure] = {}
    for block in captioned:
        if block.picture is not None:
            figure = _figure(block)
            figures.setdefault(figure.id, figure)
    facts = {**metadata, **written(_page_starts(captioned))}
    return ConvertedFile(one_line(title), to_markdown(captioned), tuple(figures.values()), facts)


def to_markdown(blocks: Sequence[LayoutBlock]) -> str:
    """Return blocks as Markdown; the items of a list stand line by line, everything else apart."""
    return "".join(part for _, part in _parts(blocks)).strip("\n")


def _parts(blocks: Sequence[LayoutBlock]) -> Iterator[tuple[LayoutBlock, str]]:
    """Yield each block that has text, and its text behind the line breaks before it."""
    before = None
    for block in blocks:
        text = _written(block)
        if not text:
            continue
        together = block.kind == "item" and before is not None and before.kind == "item"
        yield block, ("\n" if together else "\n\n") + text
        before = block


def _page_starts(blocks: Sequence[LayoutBlock]) -> list[int]:
    """Return where in the Markdown each page begins; a page on which no block begins, where the next one does."""
    starts: list[int] = []
    at = -2  # the line breaks before the first block are left out
    for block, part in _parts(blocks):
        starts += [max(at, 0)] * (block.page - len(starts))
        at += len(part)
    return starts


def pipe_table(rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown pipe table whose first row is the header; cells become one line, bars in them are escaped."""
    width = max((len(row) for row in rows), default=0)
    lines = [_row((*row, *[""] * width)[:width]) for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]]) if width else ""


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(one_line(cell).replace("|", "\\|") for cell in cells) + " |"


def _written(block: LayoutBlock) -> str:
    text = block.text.strip("\n")
    if block.kind == "heading":
        return f"{'#' * min(max(block.level, 1), _DEEPEST)} {_heading(text)}" if text.strip() else ""
    if block.kind == "item":
        return _item(block)
    if block.kind == "table":
        return "\n\n".join(part for part in (_table_title(text), pipe_table(block.rows)) if part)
    if block.kind == "figure":
        return _figure_line(block)
    if block.kind == "code":
        return _fenced(block.text)
    return _plain(text)


def _heading(text: str) -> str:
    """A heading on one line; what Markdown would take for emphasis is escaped."""
    return _EMPHASIS.sub(lambda mark: "".join(f"\\{c}" for c in mark[0]), one_line(text))


def _item(block: LayoutBlock) -> str:
    """A list item: lines behind its first one are indented, so that they belong to it."""
    lead = "  " * (max(block.level, 1) - 1) + block.marker + " "
    lines = [line.strip() for line in block.text.strip().splitlines() if line.strip()]
    return lead + f"\n{' ' * len(lead)}".join(lines) if lines else ""


def _plain(text: str) -> str:
    """A paragraph whose lines begin no heading, code or table."""
    lines = (one_line(line) for line in text.splitlines())
    return _SPECIAL.sub(r"\g<space>\\\g<mark>", "\n".join(line for line in lines if line))


def _fenced(code: str) -> str:
    if not code.strip():
        return ""
    longest = max((len(run) for run in re.findall(r"`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{code.strip(chr(10)).rstrip()}\n{fence}"


def _table_title(text: str) -> str:
    caption = one_line(text)
    return caption if not caption or _NAMED.match(caption) else f"**{caption}**"


def _figure(block: LayoutBlock) -> Figure:
    from .records import figure_id

    assert block.picture is not None  # a figure without a picture is never made
    picture = block.picture
    caption = one_line(block.text) or one_line(picture.description)
    return Figure(
        figure_id(picture.data), caption, picture.media_type, picture.data, one_line(picture.description), picture.page
    )


def _figure_line(block: LayoutBlock) -> str:
    figure = _figure(block)
    return figure_line(figure.caption, figure.id)


# captions.


def _captioned(blocks: Sequence[LayoutBlock]) -> Iterator[LayoutBlock]:
    """Yield the blocks with captions joined to the table or figure they name; others stay paragraphs."""
    taken: dict[int, str] = {}
    used: set[int] = set()
    for n, block in enumerate(blocks):
        kind = _caption_kind(block)
        at = None if kind is None else _named_by(blocks, n, kind, taken)
        if at is not None:
            taken[at] = block.text
            used.add(n)
    for n, block in enumerate(blocks):
        if n not in used:
            given = taken.get(n)
            yield block if given is None else replace(block, text=given)


def _caption_kind(block: LayoutBlock) -> str | None:
    """Say what a block may be the caption of: "table", "figure", "" for either; None where it is no caption."""
    text = block.text.strip()
    if block.kind not in ("caption", "paragraph") or not text or len(text) > _LONGEST_CAPTION:
        return None
    found = _NAMED.match(text)
    if found is not None:
        return "table" if found["kind"].lower().startswith(_TABLES) else "figure"
    return "" if block.kind == "caption" else None


def _named_by(blocks: Sequence[LayoutBlock], n: int, kind: str, taken: Mapping[int, str]) -> int | None:
    """Return which neighbour a caption names: a table's stands above it first, a figure's below it."""
    near = (n + 1, n - 1) if kind == "table" else (n - 1, n + 1)
    for at in near:
        if 0 <= at < len(blocks) and at not in taken and blocks[at].kind in ("table", "figure"):
            free = not blocks[at].text or blocks[n].kind == "caption"
            if free and kind in ("", blocks[at].kind):
                return at
    return None


# tables.


@dataclass(frozen=True, slots=True)
class SpannedCell:
    """A table's cell as it was found: its text and how many columns and rows it covers."""

    text: str
    columns: int = 1
    rows: int = 1


_MOST_CELLS = 200_000
_WIDEST = 200


def grid_of(rows: Sequence[Sequence[SpannedCell]], headers: int) -> tuple[tuple[str, ...], ...]:
    """Lay spanning cells out, and make one header of ``headers`` rows (0: none, the header is blank).

    A cell that covers several rows or columns is repeated in each, so that every row can be read alone; one that covers
    a whole row of the body (a group's name) stands in the first column.
    """
    laid = _laid(rows)
    width = max((len(row) for row in laid), default=0)
    filled = [(*row, *[""] * (width - len(row))) for row in laid]
    body = [tuple(_group(row) if n >= headers else row) for n, row in enumerate(filled)]
    head = tuple(one_line(" ".join(dict.fromkeys(column))) for column in zip(*filled[:headers], strict=True))
    kept = [row for row in body[headers:] if any(cell.strip() for cell in row)]
    return (head or ("",) * width, *kept)


def _laid(rows: Sequence[Sequence[SpannedCell]]) -> list[list[str]]:
    laid: list[list[str]] = []
    hanging: dict[int, tuple[int, str]] = {}  # column -> how many rows a cell above still covers
    cells = 0
    for row in rows:
        line: list[str] = []
        for cell in row:
            _hang(line, hanging)
            for _ in range(min(max(cell.columns, 1), _WIDEST - len(line)) if len(line) < _WIDEST else 0):
                if cell.rows > 1:
                    hanging[len(line)] = (cell.rows - 1, cell.text)
                line.append(cell.text)
        _hang(line, hanging)
        laid.append(line)
        cells += len(line)
        if cells > _MOST_CELLS:
            break
    return laid


def _hang(line: list[str], hanging: dict[int, tuple[int, str]]) -> None:
    """Fill in what cells of rows above cover from here on."""
    while (found := hanging.get(len(line))) is not None:
        left, text = found
        if left > 1:
            hanging[len(line)] = (left - 1, text)
        else:
            del hanging[len(line)]
        line.append(text)


def _group(row: Sequence[str]) -> Sequence[str]:
    whole = len(row) > 2 and row[0].strip() and len(set(row)) == 1 and not row[0].strip()[0].isdigit()
    return (row[0], *[""] * (len(row) - 1)) if whole and len(row[0]) > 3 else row
