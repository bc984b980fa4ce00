"""The reading order of a page: its columns from left to right, between what runs across all of them.

Words are first put together to pieces of lines; a gutter is a stretch that hardly any piece crosses and that has text
of many lines on both sides. What stands in several columns without being such text (a list of terms with what they
mean, say) is read line by line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .items import Box, TextLine, Word, around, line_of, rows_of

__all__ = ["lines_of"]

_APART = 1.0  # of a font's size: a wider gap may be a gutter
_LINES = 5  # of running text on both sides of a gutter
_DEEPEST = 3
_GUTTER = 7.0
_OVERLAP = 0.3


@dataclass(frozen=True, slots=True)
class _Piece:
    words: tuple[Word, ...]
    box: Box
    size: float


def lines_of(words: Sequence[Word], page: int) -> list[TextLine]:
    """Return the lines that words make, in reading order, each with the column that it stands in."""
    lines: list[TextLine] = []
    for region in _regions(_pieces(words), 0):
        if not region:
            continue
        whole = around(piece.box for piece in region)
        for row in rows_of(word for piece in region for word in piece.words):
            line = line_of(row, page)
            line.column = (whole.x0, whole.x1)
            lines.append(line)
    return lines


def _pieces(words: Sequence[Word]) -> list[_Piece]:
    """Put words together that follow each other on one line without a wide gap."""
    rows: list[list[Word]] = []
    for word in words:
        last = rows[-1][-1] if rows else None
        if last is not None:
            size = max(last.size, word.size)
            level = abs(word.y - last.y) < 0.45 * size
            if level and -0.5 * size < word.x0 - last.x1 < _APART * size:
                rows[-1].append(word)
                continue
        rows.append([word])
    return [_Piece(tuple(row), around(word.box for word in row), max(word.size for word in row)) for row in rows]


def _regions(pieces: list[_Piece], depth: int) -> Iterator[list[_Piece]]:
    gutter = _gutter(pieces) if depth < _DEEPEST and len(pieces) > 2 * _LINES else None
    if gutter is None:
        yield pieces
        return
    across = sorted((p for p in pieces if p.box.x0 < gutter < p.box.x1), key=lambda p: p.box.y0)
    rest = [p for p in pieces if not p.box.x0 < gutter < p.box.x1]
    for full, band in _bands(across, rest):
        if full:
            yield full
        yield from _regions([p for p in band if p.box.x1 <= gutter], depth + 1)
        yield from _regions([p for p in band if p.box.x0 >= gutter], depth + 1)


def _bands(across: list[_Piece], rest: list[_Piece]) -> Iterator[tuple[list[_Piece], list[_Piece]]]:
    """Yield the pieces that cross the gutter together, and the columns below them, from the top of the page."""
    rest = sorted(rest, key=lambda piece: piece.box.y0)
    at, full = 0, list[_Piece]()
    for piece in across:
        middle = (piece.box.y0 + piece.box.y1) / 2
        band = []
        while at < len(rest) and (rest[at].box.y0 + rest[at].box.y1) / 2 < middle - 1:
            band.append(rest[at])
            at += 1
        if band:
            yield full, band
            full = []
        beside = [each for each in rest[at:] if abs((each.box.y0 + each.box.y1) / 2 - middle) <= 1]
        rest = rest[:at] + [each for each in rest[at:] if each not in beside]
        full = [*full, piece, *beside]
    yield full, rest[at:]


def _gutter(pieces: Sequence[_Piece]) -> float | None:
    """Return where a gutter between two columns of running text is."""
    whole = around(piece.box for piece in pieces)
    long = [piece for piece in pieces if len(piece.words) >= 4]
    if len(long) < 2 * _LINES or whole.width < 150:
        return None
    best: tuple[float, float] | None = None
    for x in sorted({round(piece.box.x0) - 4.0 for piece in long}):
        if not whole.x0 + 0.2 * whole.width < x < whole.x1 - 0.2 * whole.width:
            continue
        crossing = sum(piece.box.x0 < x < piece.box.x1 for piece in pieces)
        beside = min(sum(p.box.x1 <= x for p in long), sum(p.box.x0 >= x for p in long))
        if beside < _LINES or crossing > 0.34 * len(pieces):
            continue
        if best is None or crossing / beside < best[0]:
            best = (crossing / beside, x)
    if best is None or not _columns(pieces, best[1]):
        return None
    return best[1]


def _columns(pieces: Sequence[_Piece], x: float) -> bool:
    """Whether there is running text beside running text left and right of ``x``, with a gutter between."""
    left = [p for p in pieces if p.box.x1 <= x + 1]
    right = [p for p in pieces if p.box.x0 >= x]
    if not left or not right:
        return False
    sides = []
    for side in (left, right):
        box = around(p.box for p in side)
        full = [p for p in side if len(p.words) >= 4 and p.box.width > 0.6 * box.width]
        if len(full) < _LINES or len(full) < 0.3 * len(side):
            return False
        sides.append(box)
    gap = min(p.box.x0 for p in right) - sorted(p.box.x1 for p in left)[int(0.95 * (len(left) - 1))]
    overlap = min(sides[0].y1, sides[1].y1) - max(sides[0].y0, sides[1].y0)
    return gap >= _GUTTER and overlap > _OVERLAP * max(sides[0].height, sides[1].height)
