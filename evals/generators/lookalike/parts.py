"""What a generated document is made of, whatever file it becomes: chapters, paragraphs, tables and drawings.

The tree of chapters is the benchmark's own truth: what an ingested file shows is compared with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

__all__ = [
    "Block",
    "Box",
    "Bullets",
    "Chapter",
    "Curve",
    "Datasheet",
    "Drawing",
    "Figure",
    "Label",
    "Line",
    "Table",
    "Text",
    "captions",
]


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line, in points from the lower left corner."""

    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle with a text in its middle."""

    x: float
    y: float
    width: float
    height: float
    text: str = ""


@dataclass(frozen=True, slots=True)
class Label:
    """A text that starts at a point."""

    x: float
    y: float
    text: str


@dataclass(frozen=True, slots=True)
class Curve:
    """A line through points."""

    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A vector drawing; PDF keeps it as one, the other formats show it as an image."""

    width: float
    height: float
    shapes: tuple[Line | Box | Label | Curve, ...]


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph; ``key`` names it for the questions that it answers."""

    text: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list of points."""

    items: tuple[str, ...]
    key: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table; ``title`` is printed above it with its number ("Table 3: Thermal information")."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    key: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing with the caption printed under it ("Figure 2: Functional block diagram")."""

    name: str
    caption: str
    drawing: Drawing


Block = Text | Bullets | Table | Figure


@dataclass(frozen=True, slots=True)
class Chapter:
    """A numbered chapter with what stands under it before its first subchapter."""

    number: str
    title: str
    blocks: tuple[Block, ...] = ()
    chapters: tuple[Chapter, ...] = ()

    @property
    def heading(self) -> str:
        """The heading as it is printed: "5.2 ESD Ratings"."""
        return f"{self.number} {self.title}"


@dataclass(frozen=True, slots=True)
class Datasheet:
    """One document. ``id`` is the stem of its file."""

    id: str
    title: str
    chapters: tuple[Chapter, ...]

    def walk(self) -> Iterator[tuple[tuple[str, ...], Chapter]]:
        """Yield every chapter with the headings above it and its own, in the order of the document."""
        yield from _walk((), self.chapters)

    def find(self, key: str) -> tuple[tuple[str, ...], Block]:
        """Return a block by its key, and the path of its chapter; KeyError where there is none."""
        for path, chapter in self.walk():
            for block in chapter.blocks:
                if getattr(block, "key", getattr(block, "name", "")) == key:
                    return path, block
        raise KeyError(key)


def _walk(above: tuple[str, ...], chapters: tuple[Chapter, ...]) -> Iterator[tuple[tuple[str, ...], Chapter]]:
    for chapter in chapters:
        path = (*above, chapter.heading)
        yield path, chapter
        yield from _walk(path, chapter.chapters)


def captions(sheet: Datasheet) -> dict[Table | Figure, str]:
    """Number the tables and the figures of a document: "Table 3: Thermal information"."""
    found: dict[Table | Figure, str] = {}
    counts = {Table: 0, Figure: 0}
    for _, chapter in sheet.walk():
        for block in chapter.blocks:
            if isinstance(block, Table | Figure):
                counts[type(block)] += 1
                name = block.title if isinstance(block, Table) else block.caption
                found[block] = f"{type(block).__name__} {counts[type(block)]}: {name}"
    return found
