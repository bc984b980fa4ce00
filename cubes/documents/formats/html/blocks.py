"""Walking through an HTML page's content: headings, paragraphs, lists, tables, code and figures, in reading order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..blocks import LayoutBlock, SpannedCell, grid_of, one_line
from .content import text_of, words
from .images import picture_of

__all__ = ["HtmlBlocks"]

_HEADING = re.compile(r"h([1-6])$")
_BLOCKS = words(
    """address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form
    h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main ol p pre section summary table tbody td tfoot th thead
    tr ul caption"""
)
_IMAGES = frozenset({"img", "svg"})
_IN_TABLE = words("h1 h2 h3 h4 h5 h6 table")
_MOST_SPANNED = 1_000
_SHORT_TERM = 200
_NAME_WORDS = 4


class HtmlBlocks:
    """Turns the elements of a page into blocks; ``folder`` is where images may be taken from."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._line: list[str] = []  # running text that no block element encloses
        self._pictures: list[LayoutBlock] = []

    def blocks(self, root: Any) -> list[LayoutBlock]:
        """Return the blocks of an element."""
        found = [*self._inside(root, 0), *self._flushed()]
        return _outlined(root, found)

    def _inside(self, element: Any, depth: int) -> Iterator[LayoutBlock]:
        """Yield the blocks inside an element; running text between them becomes paragraphs."""
        self._line.append(_flowed(element.text))
        for child in element:
            if isinstance(child.tag, str):
                yield from self._one(child, depth)
            self._line.append(_flowed(child.tail))

    def _flushed(self, kind: str = "paragraph") -> Iterator[LayoutBlock]:
        """Yield what was gathered as a paragraph, then the images in it."""
        text = _tidy("".join(self._line))
        self._line = []
        if text:
            yield LayoutBlock("caption" if kind == "caption" else "paragraph", text)
        yield from self._pictures
        self._pictures = []

    def _one(self, element: Any, depth: int) -> Iterator[LayoutBlock]:
        tag = element.tag
        if tag == "br":
            self._line.append("\n")
        elif tag in _IMAGES:
            self._image(element)
        elif tag not in _BLOCKS:
            yield from self._inside(element, depth)
        else:
            yield from self._flushed()
            yield from self._block(element, tag, depth)
            yield from self._flushed()

    def _image(self, element: Any) -> None:
        picture = picture_of(element, self._folder)
        if picture is not None:
            self._pictures.append(LayoutBlock("figure", picture=picture))

    def _block(self, element: Any, tag: str, depth: int) -> Iterator[LayoutBlock]:
        if heading := _HEADING.match(tag):
            yield LayoutBlock("heading", self._text(element), int(heading[1]))
        elif tag == "pre":
            yield LayoutBlock("code", text_of(element).expandtabs(8))
        elif tag in ("ul", "ol"):
            yield from self._list(element, depth + 1)
        elif tag == "dl":
            yield from self._definitions(element, depth)
        elif tag == "table":
            yield from self._table(element, depth)
        elif tag == "figure":
            yield from self._figure(element, depth)
        elif tag in ("figcaption", "caption"):
            text = self._text(element)
            yield from [LayoutBlock("caption", text)] if text else []
        else:
            yield from self._inside(element, depth)

    def _text(self, element: Any) -> str:
        """Return an element's text on one line; images in it come after its block."""
        for image in element.iter(*_IMAGES):
            self._image(image)
        return one_line(_spaced(element))

    # Lists.

    def _list(self, element: Any, depth: int) -> Iterator[LayoutBlock]:
        start = element.get("start", "")
        number = int(start) if start.isdigit() and len(start) < 7 else 1
        for child in element:
            if not isinstance(child.tag, str):
                continue
            if child.tag in ("ul", "ol"):
                yield from self._list(child, depth + 1)
                continue
            marker = f"{number}." if element.tag == "ol" else "-"
            inside = list(self._inside(child, depth)) + list(self._flushed())
            yield from _itemised(inside, marker, depth)
            number += child.tag == "li"

    def _definitions(self, element: Any, depth: int) -> Iterator[LayoutBlock]:
        """Yield "term: definition" items where that fits on a line, else the term and what stands under it."""
        terms: list[str] = []
        for child in _pairs(element):
            if child.tag == "dt":
                terms.append(self._text(child))
                continue
            inside = list(self._inside(child, depth)) + list(self._flushed())
            term = ", ".join(each for each in terms if each)
            terms = []
            if len(inside) == 1 and inside[0].kind == "paragraph" and 0 < len(term) <= _SHORT_TERM:
                yield LayoutBlock("item", f"{term}: {inside[0].text}", depth + 1)
                continue
            yield from [LayoutBlock("paragraph", term, bold=True)] if term else []
            yield from inside
        yield from (LayoutBlock("paragraph", term) for term in terms if term)

    # Figures and tables.

    def _figure(self, element: Any, depth: int) -> Iterator[LayoutBlock]:
        inside = [*self._inside(element, depth), *self._flushed()]
        captions = [block for block in inside if block.kind == "caption"]
        others = [block for block in inside if block.kind != "caption"]
        last = max((n for n, b in enumerate(others) if b.kind in ("figure", "table")), default=len(others) - 1)
        yield from [*others[: last + 1], *captions, *others[last + 1 :]]

    def _table(self, element: Any, depth: int) -> Iterator[LayoutBlock]:
        rows = [row for row in element.iter("tr") if next(row.iterancestors("table"), None) is element]
        cells = [[cell for cell in row if cell.tag in ("td", "th")] for row in rows]
        if len(rows) == 1 and (said := _single(cells[0])) is not None:
            yield LayoutBlock("paragraph", said)
            return
        if _is_layout(element, cells):
            for row in cells:
                for cell in row:
                    yield from self._inside(cell, depth)
                    yield from self._flushed()
            return
        caption = one_line(" ".join(self._text(each) for each in element.iterfind("caption")))
        if len(cells) > 2 and len(cells[0]) == 1 < len(cells[1]):  # a row with nothing but the table's title
            caption = caption or one_line(self._text(cells[0][0]))
            rows, cells = rows[1:], cells[1:]
        grid = [[_cell(self._text(cell), cell) for cell in row] for row in cells]
        pictures, self._pictures = self._pictures, []
        laid = grid_of(grid, _headers(rows, cells))
        if len(laid) > 1:
            yield LayoutBlock("table", caption, rows=laid)
        elif caption:
            yield LayoutBlock("caption", caption)
        yield from pictures


def _flowed(text: str | None) -> str:
    return re.sub(r"\s+", " ", text) if text else ""


def _tidy(text: str) -> str:
    lines = (one_line(line) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _spaced(element: Any) -> str:
    """Return an element's text with a space where a block or a line ends."""
    if not isinstance(element.tag, str) or element.tag == "svg":
        return ""
    apart = element.tag in _BLOCKS or element.tag == "br"
    parts = [" " if apart else "", element.text or ""]
    for child in element:
        parts.append(_spaced(child))
        parts.append(child.tail or "")
    return "".join([*parts, " " if apart else ""])


def _itemised(inside: Sequence[LayoutBlock], marker: str, depth: int) -> Iterator[LayoutBlock]:
    """Yield a list item and what else stands in it; further paragraphs of it are lines of the item."""
    first = next((n for n, block in enumerate(inside) if block.kind != "figure"), None)
    if first is None or inside[first].kind != "paragraph":
        yield from inside
        return
    text, rest = inside[first].text, [block for n, block in enumerate(inside) if n != first]
    while rest and rest[0].kind == "paragraph":
        text += "\n" + rest.pop(0).text
    yield LayoutBlock("item", text, depth, marker)
    yield from rest


def _pairs(element: Any) -> Iterator[Any]:
    """Yield the terms and definitions of a list, also where pairs are grouped."""
    for child in element:
        if child.tag in ("dt", "dd"):
            yield child
        elif child.tag == "div":
            yield from (each for each in child if each.tag in ("dt", "dd"))


def _cell(text: str, cell: Any) -> SpannedCell:
    return SpannedCell(text, _span(cell.get("colspan")), _span(cell.get("rowspan")))


def _span(value: str | None) -> int:
    bare = (value or "1").strip()
    return min(max(int(bare), 1), _MOST_SPANNED) if bare.isdigit() and len(bare) < 7 else 1


def _single(cells: Sequence[Any]) -> str | None:
    """What the only row of a table says: a name and what is said of it; None where it only places things."""
    if len(cells) != 2 or any(next(cell.iter("table", "p", "div", "ul", *_IMAGES), None) is not None for cell in cells):
        return None
    name, said = (one_line(_spaced(cell)) for cell in cells)
    return f"{name}: {said}" if name and said and len(name.split()) <= _NAME_WORDS else None


def _is_layout(table: Any, cells: Sequence[Sequence[Any]]) -> bool:
    """Whether a table only places things on the page."""
    if table.get("role") in ("presentation", "none") or max(map(len, cells), default=0) < 2 or len(cells) == 1:
        return True
    if table.find("caption") is not None or next(table.iter("th"), None) is not None:
        return False
    return any(each is not table and each.tag in _IN_TABLE for each in table.iter())


def _headers(rows: Sequence[Any], cells: Sequence[Sequence[Any]]) -> int:
    """Return how many rows are a table's header; 0 where its rows have labels but its columns have none."""
    headed = sum(1 for row in rows if row.getparent().tag == "thead")
    if 0 < headed < len(rows):
        return headed
    leading = 0
    for row in cells:
        if not row or any(cell.tag != "th" for cell in row):
            break
        leading += 1
    if leading:
        return leading if leading < len(rows) else 1
    labelled = any(row and row[0].tag == "th" for row in cells)
    corner = bool(cells) and len(cells[0]) > 1 and all(cell.tag == "th" for cell in cells[0][1:])
    return 0 if labelled and not corner else 1


def _outlined(root: Any, blocks: list[LayoutBlock]) -> list[LayoutBlock]:
    """Give headings that are all ``h1`` the depth of the sections they stand in, as HTML 5 allowed."""
    levels = [block.level for block in blocks if block.kind == "heading"]
    if len(levels) < 3 or set(levels) != {1}:
        return blocks
    depths = [
        sum(parent.tag in ("section", "article") for parent in each.iterancestors()) for each in root.iter("h1")
    ]
    if len(depths) != len(levels) or len(set(depths)) < 2:
        return blocks
    given = iter(depth - min(depths) + 1 for depth in depths)
    return [
        LayoutBlock("heading", block.text, next(given)) if block.kind == "heading" else block for block in blocks
    ]
