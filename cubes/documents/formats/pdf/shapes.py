"""What is drawn on a PDF page, told apart: rules, frames and fills (what tables are made of), and drawings."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pypdfium2.raw as pdfium

from .items import Box, Shape

__all__ = ["Matrix", "PageGeometry", "shapes_of"]

_THIN = 2.5  # points: what is thinner is a line
_STRAIGHT = 0.6
_MOST_SEGMENTS = 400
_WHITE = 250


@dataclass(frozen=True, slots=True)
class Matrix:
    """A PDF transformation."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    @classmethod
    def of(cls, item: pdfium.FPDF_PAGEOBJECT) -> Matrix:
        """Return the matrix of an object."""
        raw = pdfium.FS_MATRIX()
        if not pdfium.FPDFPageObj_GetMatrix(item, raw):
            return cls()
        return cls(raw.a, raw.b, raw.c, raw.d, raw.e, raw.f)

    def then(self, outer: Matrix) -> Matrix:
        """Return this transformation followed by another."""
        return Matrix(
            self.a * outer.a + self.b * outer.c,
            self.a * outer.b + self.b * outer.d,
            self.c * outer.a + self.d * outer.c,
            self.c * outer.b + self.d * outer.d,
            self.e * outer.a + self.f * outer.c + outer.e,
            self.e * outer.b + self.f * outer.d + outer.f,
        )

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point comes to lie."""
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f


@dataclass(frozen=True, slots=True)
class PageGeometry:
    """How a page lies: its borders in the file's coordinates, and the quarter turns that its text runs in."""

    left: float
    bottom: float
    right: float
    top: float
    quarter: int

    @property
    def size(self) -> tuple[float, float]:
        """Width and height as it is read."""
        wide, high = self.right - self.left, self.top - self.bottom
        return (wide, high) if self.quarter % 2 == 0 else (high, wide)

    def to(self, x: float, y: float) -> tuple[float, float]:
        """Return a point of the file as it lies on the page as it is read, from the top left."""
        if self.quarter == 0:
            return x - self.left, self.top - y
        if self.quarter == 1:
            return y - self.bottom, x - self.left
        if self.quarter == 2:
            return self.right - x, y - self.bottom
        return self.top - y, self.right - x

    def box(self, points: Sequence[tuple[float, float]]) -> Box:
        """Return the rectangle around points of the file, within the page."""
        placed = [self.to(x, y) for x, y in points]
        width, height = self.size
        xs = [min(max(x, -1.0), width + 1.0) for x, _ in placed]
        ys = [min(max(y, -1.0), height + 1.0) for _, y in placed]
        return Box(min(xs), min(ys), max(xs), max(ys))

    def back(self, box: Box) -> tuple[float, float, float, float]:
        """Return what lies left of, below, right of and above a rectangle of an upright page."""
        width, height = self.size
        sides = (box.x0, height - box.y1, width - box.x1, box.y0)
        return tuple(max(0.0, side) for side in sides)  # type: ignore[return-value]


def shapes_of(item: pdfium.FPDF_PAGEOBJECT, matrix: Matrix, place: PageGeometry) -> Iterator[Shape]:
    """Yield what a path draws: each of its straight lines where it consists of lines across and down."""
    count = pdfium.FPDFPath_CountSegments(item)
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(item, fill, stroke)
    if count < 1 or not (fill.value or stroke.value) or (not stroke.value and _white(item)):
        return
    points: list[tuple[float, float, int]] = []
    x, y = ctypes.c_float(), ctypes.c_float()
    for n in range(min(count, _MOST_SEGMENTS)):
        segment = pdfium.FPDFPath_GetPathSegment(item, n)
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        points.append((*place.to(*matrix.point(x.value, y.value)), pdfium.FPDFPathSegment_GetType(segment)))
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    width, height = place.size
    if max(xs) < 0 or max(ys) < 0 or min(xs) > width or min(ys) > height:
        return
    whole = Box(max(min(xs), 0.0), max(min(ys), 0.0), min(max(xs), width), min(max(ys), height))
    if whole.width <= _THIN or whole.height <= _THIN:
        if max(whole.width, whole.height) > _THIN:
            yield Shape("across" if whole.width >= whole.height else "down", whole)
        elif count > 4:
            yield Shape("drawing", whole)
        return
    strokes = _strokes(points) if count < _MOST_SEGMENTS else None
    if strokes is None:
        yield Shape("drawing", whole)
    elif not stroke.value:
        yield Shape("fill" if count <= 6 else "drawing", whole)
    elif len(strokes) <= 5 and count <= 6 and len(strokes) >= 3:
        yield Shape("frame", whole)
    else:
        yield from strokes


def _strokes(points: Sequence[tuple[float, float, int]]) -> list[Shape] | None:
    """Return the lines of a path that all run across or down; None where one does not."""
    found = []
    px = py = sx = sy = 0.0
    for x, y, kind in points:
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            sx, sy = x, y
        elif kind != pdfium.FPDF_SEGMENT_LINETO or (abs(x - px) > _STRAIGHT and abs(y - py) > _STRAIGHT):
            return None
        elif abs(x - px) + abs(y - py) > _STRAIGHT:
            box = Box(min(px, x), min(py, y), max(px, x), max(py, y))
            found.append(Shape("across" if abs(x - px) >= abs(y - py) else "down", box))
        px, py = x, y
    if len(found) == 3 and abs(px - sx) + abs(py - sy) > _STRAIGHT:  # a rectangle closed without a last line
        found.append(Shape("down", Box(min(px, sx), min(py, sy), max(px, sx), max(py, sy))))
    return found


def _white(item: pdfium.FPDF_PAGEOBJECT) -> bool:
    colour = [ctypes.c_uint() for _ in range(4)]
    if not pdfium.FPDFPageObj_GetFillColor(item, *colour):
        return False
    red, green, blue, alpha = (part.value for part in colour)
    return alpha == 0 or min(red, green, blue) >= _WHITE
