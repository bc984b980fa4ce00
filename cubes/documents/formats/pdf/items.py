"""What the pages of a PDF are read into: words and shapes, and then lines, tables and figures in reading order.

Lengths are in points (1/72 inch). ``x`` grows to the right, ``y`` downwards from the top of the page as it is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

__all__ = [
    "CAPTION",
    "Box",
    "Font",
    "Item",
    "PictureItem",
    "RasterImage",
    "Shape",
    "ShapeKind",
    "TableItem",
    "TextLine",
    "Word",
    "around",
    "line_of",
    "rows_of",
    "starts_caption",
    "text_of",
]  # fmt: skip

CAPTION = re.compile(
    r"(?P<kind>Table|Tab\.|Tabelle|Tableau|Tabla|Tabela|Figure|Fig\.|FIG\.|Abbildung|Abb\.|Figura|Exhibit|Chart|FIGURE|TABLE)"
    r"[ \u00a0]?(?P<number>[A-Z]?[-.]?\d{1,3}(?:[.\u2010-\u2014-]\d{1,3})*[a-z]?|[IVX]{1,5})(?P<mark>[.:|)]?)(?=\s|$)"
)
_TABLES = ("tab",)
_CLOSING = ")]},.;"
ShapeKind = Literal["across", "down", "frame", "fill", "drawing"]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of a page."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        """Its width."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """Its height."""
        return self.y1 - self.y0

    def holds(self, x: float, y: float, margin: float = 0.0) -> bool:
        """Whether a point lies in it, or within ``margin`` of it."""
        return self.x0 - margin <= x <= self.x1 + margin and self.y0 - margin <= y <= self.y1 + margin

    def meets(self, other: Box, margin: float = 0.0) -> bool:
        """Whether another rectangle overlaps it, or comes within ``margin`` of it."""
        across = self.x0 - margin <= other.x1 and other.x0 <= self.x1 + margin
        return across and self.y0 - margin <= other.y1 and other.y0 <= self.y1 + margin


@dataclass(frozen=True, slots=True)
class Font:
    """What of a font tells headings and code from text."""

    name: str
    bold: bool
    italic: bool
    mono: bool


@dataclass(frozen=True, slots=True)
class Word:
    """Characters without a space: ``y`` is the base line they stand on, ``size`` the font's.

    One that is ``glued`` follows the word before it without a space, in another font or size.
    """

    text: str
    x0: float
    x1: float
    y: float
    size: float
    font: Font
    glued: bool = False

    @property
    def middle(self) -> tuple[float, float]:
        """A point in the middle of its small letters."""
        return (self.x0 + self.x1) / 2, self.y - self.size * 0.3

    @property
    def box(self) -> Box:
        """The rectangle it covers."""
        return Box(self.x0, self.y - self.size * 0.8, self.x1, self.y + self.size * 0.2)


@dataclass(frozen=True, slots=True)
class Shape:
    """Something drawn: a straight line across or down, a frame, a filled rectangle, or anything else."""

    kind: ShapeKind
    box: Box


@dataclass(frozen=True, slots=True)
class RasterImage:
    """A raster image on a page: ``key`` tells equal ones, ``number`` is its place among the page's images."""

    box: Box
    key: str
    number: int


@dataclass(slots=True)
class TextLine:
    """A line of text of one column; ``column`` is the stretch of the page that its column covers."""

    page: int
    words: Sequence[Word]
    text: str
    x0: float
    x1: float
    y: float
    size: float
    bold: bool
    italic: bool
    mono: bool
    column: tuple[float, float] = (0.0, 0.0)

    @property
    def box(self) -> Box:
        """The rectangle it covers."""
        return Box(self.x0, self.y - self.size * 0.8, self.x1, self.y + self.size * 0.2)


@dataclass(slots=True)
class TableItem:
    """A table: its rows (the header first), where its columns begin, and its caption once that is found."""

    page: int
    box: Box
    rows: list[tuple[str, ...]]
    edges: tuple[float, ...]
    caption: str = ""


@dataclass(slots=True)
class PictureItem:
    """A figure: its bytes, its caption and the words that stood in it."""

    page: int
    box: Box
    data: bytes = field(repr=False)
    media_type: str = "image/png"
    caption: str = ""
    labels: str = ""
    key: str = ""


Item = TextLine | TableItem | PictureItem


def around(boxes: Iterable[Box]) -> Box:
    """Return the smallest rectangle around others."""
    found = list(boxes)
    return Box(min(b.x0 for b in found), min(b.y0 for b in found), max(b.x1 for b in found), max(b.y1 for b in found))


def line_of(words: Sequence[Word], page: int) -> TextLine:
    """Make a line of the words that stand on it; its size and weight are those of most of its characters."""
    words = sorted(words, key=lambda word: word.x0)
    sizes: dict[float, int] = {}
    bold = italic = mono = count = 0
    for word in words:
        length = len(word.text)
        sizes[word.size] = sizes.get(word.size, 0) + length
        count += length
        bold += length * word.font.bold
        italic += length * word.font.italic
        mono += length * word.font.mono
    size = max(sizes, key=lambda each: (sizes[each], each))
    main = max((word for word in words if word.size == size), key=lambda word: len(word.text))
    return TextLine(
        page=page,
        words=words,
        text=text_of(words),
        x0=words[0].x0,
        x1=max(word.x1 for word in words),
        y=main.y,
        size=size,
        bold=bold >= 0.85 * count,
        italic=italic >= 0.85 * count,
        mono=mono >= 0.95 * count,
    )


def text_of(words: Sequence[Word]) -> str:
    """Return the text of words on one line; what is glued stands without a space."""
    parts: list[str] = []
    last: Word | None = None
    for word in words:
        gap = word.x0 - last.x1 if last is not None else 0.0
        closes = word.text[0] in _CLOSING and gap < 0.35 * word.size
        glued = (word.glued or closes) and -0.3 * word.size < gap < 0.35 * word.size
        parts.append(word.text if last is None or glued else f" {word.text}")
        last = word
    return "".join(parts)


def rows_of(words: Iterable[Word]) -> list[list[Word]]:
    """Put the words that stand on one base line together, from the top; raised and lowered ones count in."""
    rows: list[list[Word]] = []
    base = size = 0.0
    for word in sorted(words, key=lambda each: (each.y, each.x0)):
        if rows and word.y - base <= 0.42 * max(size, word.size):
            rows[-1].append(word)
            if word.size > size * 1.05:
                base, size = word.y, word.size
        else:
            rows.append([word])
            base, size = word.y, word.size
    for row in rows:
        row.sort(key=lambda each: each.x0)
    return rows


def starts_caption(text: str) -> Literal["table", "figure"] | None:
    """Say what a line names, if it begins a caption such as "Table 3: Ratings"; a reference to one is none."""
    found = CAPTION.match(text)
    if found is None:
        return None
    rest = text[found.end() :].lstrip()
    if not found["mark"] and rest[:1].islower():
        return None  # "Table 3 shows that ..."
    return "table" if found["kind"].lower().startswith(_TABLES) else "figure"
