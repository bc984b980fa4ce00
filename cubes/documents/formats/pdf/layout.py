"""A page as its lines, tables and figures in reading order."""

from __future__ import annotations

from collections.abc import Sequence

from .columns import lines_of
from .figures import figures_in
from .items import Box, Item, PictureItem, Shape, TableItem, TextLine, starts_caption
from .pages import Page
from .tables import tables_in

__all__ = ["items_of"]

_MOST_WORDS = 30_000
_CAPTION_LINES = 8
_CAPTION_GAP = 45.0


def items_of(page: Page) -> list[Item]:
    """Return what is on a page, in the order it is read; captions are taken to their tables and figures.

    A page with more words than a page of text or figures can have is read as lines only.
    """
    words = page.words
    if len(words) > _MOST_WORDS:
        return list(lines_of(words[:_MOST_WORDS], page.number))
    plain = lines_of(words, page.number)
    tables = [t for t in tables_in(words, page.shapes, page.number) if not _is_diagram(t, plain, page.shapes)]
    figures = figures_in(page, plain, tables) if page.drawings or page.shapes else []
    tables = [table for table in tables if not any(_covers(figure.box, table.box) for figure in figures)]
    others: list[TableItem | PictureItem] = [*tables, *figures]
    taken = [item.box for item in others]
    free = [word for word in words if not any(box.holds(*word.middle, margin=0.5) for box in taken)]
    lines = lines_of(free, page.number)
    for item in others:
        _take_caption(item, lines)
    return _ordered(lines, others)


def _is_diagram(table: TableItem, lines: Sequence[TextLine], shapes: Sequence[Shape]) -> bool:
    """Whether what looks like a table, boxes in rows, is named a figure, or has arrows that lead out of it."""
    box = table.box
    leaving = sum(s.kind == "drawing" and s.box.meets(box) and not _within(s.box, box) for s in shapes)
    if leaving > 1:
        return True
    apart: dict[str, float] = {}
    for line in lines:
        kind = starts_caption(line.text)
        if kind and line.x0 < table.box.x1 + 5 and line.x1 > table.box.x0 - 5:
            gap = max(table.box.y0 - line.y, line.box.y0 - table.box.y1, 0.0)
            apart[kind] = min(gap, apart.get(kind, gap))
    return apart.get("figure", 1e9) < min(_CAPTION_GAP, apart.get("table", _CAPTION_GAP))


def _within(inner: Box, outer: Box) -> bool:
    return outer.holds(inner.x0, inner.y0, 2.0) and outer.holds(inner.x1, inner.y1, 2.0)


def _covers(outer: Box, inner: Box) -> bool:
    return outer.holds((inner.x0 + inner.x1) / 2, (inner.y0 + inner.y1) / 2)


def _take_caption(item: TableItem | PictureItem, lines: list[TextLine]) -> None:
    """Move the lines of the caption that is nearest from the text to the table or figure that it names."""
    kind = "table" if isinstance(item, TableItem) else "figure"
    best: tuple[float, int] | None = None
    for n, line in enumerate(lines):
        if line.x0 > item.box.x1 + 5 or line.x1 < item.box.x0 - 5 or starts_caption(line.text) != kind:
            continue
        above = item.box.y0 - line.y
        apart = above if above > -line.size else line.box.y0 - item.box.y1
        if kind == "figure" and above > 0:
            apart += 15  # a figure's caption stands below it, more often than not
        if -6 <= apart <= _CAPTION_GAP + 15 and (best is None or apart < best[0]):
            best = (apart, n)
    if best is None:
        return
    end = _caption_end(lines, best[1], item.box)
    item.caption = _joined([line.text for line in lines[best[1] : end]])
    del lines[best[1] : end]


def _caption_end(lines: Sequence[TextLine], start: int, box: Box) -> int:
    """Return behind which line a caption ends: at a gap, another size, or another caption."""
    end = start + 1
    while end < len(lines) and end - start < _CAPTION_LINES:
        last, line = lines[end - 1], lines[end]
        follows = 0 < line.y - last.y < 1.45 * last.size and abs(line.size - last.size) < 0.4
        beyond = last.y < box.y0 < line.y
        short = last.text.endswith(".") and last.x1 < lines[start].x1 - 3 * last.size
        if not follows or beyond or short or starts_caption(line.text):
            break
        end += 1
    return end


def _joined(texts: Sequence[str]) -> str:
    text = ""
    for part in texts:
        broken = text.endswith("-") and text[-2:-1].isalpha() and part[:1].islower()
        text = text[:-1] + part if broken else f"{text} {part}"
    return text.strip()


def _ordered(lines: list[TextLine], others: Sequence[TableItem | PictureItem]) -> list[Item]:
    """Put tables and figures before the first line of their column that stands below them."""
    items: list[Item] = list(lines)
    for other in sorted(others, key=lambda each: each.box.y0):
        middle = (other.box.x0 + other.box.x1) / 2
        at = len(items)
        best = None
        for n, item in enumerate(items):
            column = item.column if isinstance(item, TextLine) else (item.box.x0, item.box.x1)
            if not column[0] - 3 <= middle <= column[1] + 3:
                continue
            if item.box.y0 >= other.box.y0:
                at = n
                break
            best = n + 1
        else:
            at = best if best is not None else at
        items.insert(at, other)
    return items
