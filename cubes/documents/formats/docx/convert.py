"""DOCX files as Markdown with chapters, tables and figures.

The library is python-docx: it gives the document's own XML, from which outline levels, computed numbers, merged cells
and notes can be read. (mammoth, the other well-kept permissive one, turns documents into HTML and leaves the numbers of
headings and lists out.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import docx
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import qn

from ...textfiles import TextFileFault
from ..archives import check_package, properties
from ..blocks import LayoutBlock, SpannedCell, converted, grid_of, one_line
from ..records import ConvertedFile
from .numbering import Numbering
from .styles import Style, Styles, is_on
from .text import ParagraphContent, TextReader

__all__ = ["convert"]

_NUMBER = re.compile(r"(?P<number>\d{1,3}(?:\.\d{1,3}){0,5})[.)]?\s+\S")
_LONGEST_HEADING = 120
_DEEPEST_TABLE = 4


def convert(path: Path) -> ConvertedFile:
    """Return a DOCX file as Markdown.

    Heading styles, styles based on them and outline levels are chapters, with the number that Word shows; a document
    that uses none has chapters at its bold lines. Headers, footers, tables of contents, deleted and hidden text are
    left out. Images come from the file alone: a linked one is not fetched. Raises TextFileFault for what cannot be
    read.
    """
    check_package(path, "DOCX", "[Content_Types].xml")
    try:
        document = docx.Document(str(path))
        reader = _Reader(document)
        blocks = reader.blocks(document.element.body)
        metadata = properties(document.core_properties)
    except TextFileFault:
        raise
    except Exception as error:  # whatever the library meets in a file that is not as it should be
        raise TextFileFault("The DOCX file is damaged; open it in a word processor and save it anew.") from error
    if not any(block.text.strip() or block.rows or block.picture for block in blocks):
        raise TextFileFault("The DOCX file has no text.")
    title, blocks = _titled(blocks, one_line(reader.title), one_line(document.core_properties.title or ""))
    return converted(title, blocks, metadata)


class _Reader:
    """Walks through a document's body; what it meets becomes blocks."""

    def __init__(self, document: Any) -> None:
        part = document.part
        self.title = ""
        self._styles = Styles(_root(part, RELATIONSHIP_TYPE.STYLES))
        self._numbering = Numbering.of(_root(part, RELATIONSHIP_TYPE.NUMBERING))
        self._notes = dict(_notes(part, "footnote", RELATIONSHIP_TYPE.FOOTNOTES))
        self._notes |= dict(_notes(part, "endnote", RELATIONSHIP_TYPE.ENDNOTES))
        self._text = TextReader(part.rels)
        self._waiting: list[str] = []

    def blocks(self, body: Any) -> list[LayoutBlock]:
        """Return the blocks of a body, chapters at its bold lines where it has no others."""
        found: list[LayoutBlock] = []
        for block in self._walk(body, 0):
            if block.kind not in ("item", "table", "figure", "caption"):
                found.extend(self._flushed())
            found.append(block)
        found.extend(self._flushed())
        return found if any(block.kind == "heading" for block in found) else _bold_headings(found)

    def _flushed(self) -> Iterator[LayoutBlock]:
        """Yield the notes that were referred to since the last time."""
        for note in self._waiting:
            yield LayoutBlock("paragraph", note)
        self._waiting = []

    def _walk(self, parent: Any, depth: int) -> Iterator[LayoutBlock]:
        for child in parent.iterchildren():
            if child.tag == qn("w:p"):
                yield from self._paragraph(child, depth)
            elif child.tag == qn("w:tbl"):
                yield from self._table(child, depth)
            elif child.tag == qn("w:sdt") and not _is_contents(child):
                content = child.find(qn("w:sdtContent"))
                if content is not None:
                    yield from self._walk(content, depth)
            elif child.tag in (qn("w:ins"), qn("w:moveTo"), qn("w:customXml"), qn("w:smartTag")):
                yield from self._walk(child, depth)

    def _paragraph(self, paragraph: Any, depth: int) -> Iterator[LayoutBlock]:
        style = self._styles.of(paragraph)
        content = self._text.read(paragraph)
        text = "" if style.is_contents or (self._text.in_contents and not style.level) else content.text
        block = self._block(style, text)
        if content.bold or (style.bold and not _is_light(paragraph)):
            block = replace(block, bold=True)
        if style.is_title and not self.title and depth == 0:
            self.title = text
        elif text:
            yield block
        yield from (LayoutBlock("figure", picture=picture) for picture in content.pictures)
        self._waiting.extend(self._notes[note] for note in content.notes if note in self._notes)
        for box in content.boxes if depth < _DEEPEST_TABLE else ():
            yield from self._walk(box, depth + 1)

    def _block(self, style: Style, text: str) -> LayoutBlock:
        number = self._number(style) if text else None
        if style.level or style.is_title:
            return LayoutBlock("heading", _numbered(number, text), max(style.level, 1))
        if style.is_caption:
            return LayoutBlock("caption", text)
        if number is not None:
            return LayoutBlock("item", text, _depth(style), number[0] if number[1] else "-")
        if style.name.startswith(("list bullet", "list number")):
            return LayoutBlock("item", text, _depth(style))
        return LayoutBlock("paragraph", text)

    def _number(self, style: Style) -> tuple[str, bool] | None:
        if not style.list_id:
            return None
        level = style.depth if style.depth is not None else self._numbering.level_of_style(style.list_id, style.id)
        return self._numbering.next(style.list_id, level)

    # Tables.

    def _table(self, table: Any, depth: int) -> Iterator[LayoutBlock]:
        rows = [row for row in table.iter(qn("w:tr")) if _owner(row, "w:tbl") is table]
        cells = [[cell for cell in row.iter(qn("w:tc")) if _owner(cell, "w:tr") is row] for row in rows]
        if max(map(len, cells), default=0) < 2 and depth < _DEEPEST_TABLE:  # a frame around text, not a table
            for row in cells:
                for cell in row:
                    yield from self._walk(cell, depth + 1)
            return
        pictures: list[LayoutBlock] = []
        grid = [[self._cell(cell, pictures) for cell in row] for row in cells]
        flagged = 0
        for row in rows:
            if not is_on(row.find(qn("w:trPr")), "w:tblHeader"):
                break
            flagged += 1
        headers = flagged if 0 < flagged < len(rows) else 1
        yield LayoutBlock("table", rows=grid_of(_merged(cells, grid), headers))
        yield from pictures

    def _cell(self, cell: Any, pictures: list[LayoutBlock]) -> SpannedCell:
        said: list[str] = []
        for paragraph in cell.iter(qn("w:p")):
            content: ParagraphContent = self._text.read(paragraph)
            said.append(content.text)
            pictures.extend(LayoutBlock("figure", picture=picture) for picture in content.pictures)
            self._waiting.extend(self._notes[note] for note in content.notes if note in self._notes)
        span = cell.find(f"{qn('w:tcPr')}/{qn('w:gridSpan')}")
        width = "1" if span is None else span.get(qn("w:val"), "1")
        return SpannedCell(one_line(" ".join(said)), int(width) if width.isdigit() else 1)


def _merged(cells: Sequence[Sequence[Any]], grid: Sequence[Sequence[SpannedCell]]) -> list[list[SpannedCell]]:
    """Give the cells that are merged with the one above that one's text."""
    above: dict[int, str] = {}
    merged: list[list[SpannedCell]] = []
    for elements, row in zip(cells, grid, strict=True):
        line: list[SpannedCell] = []
        column = 0
        for element, cell in zip(elements, row, strict=True):
            merge = element.find(f"{qn('w:tcPr')}/{qn('w:vMerge')}")
            follows = merge is not None and merge.get(qn("w:val")) != "restart"
            line.append(replace(cell, text=above.get(column, "")) if follows else cell)
            above[column] = line[-1].text
            column += cell.columns
        merged.append(line)
    return merged


def _owner(element: Any, name: str) -> Any:
    return next(element.iterancestors(qn(name)), None)


def _depth(style: Style) -> int:
    """Return how deep a list item stands, from 1: as its list says, or the name of its style ("List Bullet 2")."""
    named = re.search(r"\d$", style.name)
    return style.depth + 1 if style.depth else int(named[0]) if named else 1


def _is_light(paragraph: Any) -> bool:
    """Whether a run of a bold paragraph is switched to normal weight."""
    return any(is_on(run.find(qn("w:rPr")), "w:b") is False for run in paragraph.iter(qn("w:r")))


def _is_contents(control: Any) -> bool:
    gallery = control.find(f".//{qn('w:docPartGallery')}")
    return gallery is not None and "table of contents" in str(gallery.get(qn("w:val"), "")).lower()


def _root(part: Any, kind: str) -> Any | None:
    """Return the XML of a part that a document is related to."""
    for relationship in part.rels.values():
        if relationship.reltype == kind and not relationship.is_external:
            target = relationship.target_part
            return target.element if hasattr(target, "element") else parse_xml(target.blob)
    return None


def _notes(part: Any, kind: str, relation: str) -> Iterator[tuple[str, str]]:
    """Yield the notes at a document's foot or end, each under the number that the text shows."""
    root = _root(part, relation)
    for note in root.iterfind(qn(f"w:{kind}")) if root is not None else ():
        text = one_line(" ".join(TextReader({}).read(each).text for each in note.iter(qn("w:p"))))
        if text and note.get(qn("w:type")) is None:
            number = note.get(qn("w:id"))
            yield f"{kind}:{number}", f"[{number}] {text}"


# headings.


def _numbered(number: tuple[str, bool] | None, text: str) -> str:
    """Put the computed number before a heading, unless it is written out there already."""
    shown = number[0].rstrip(".") if number is not None and number[1] else ""
    return text if not shown or text.startswith(shown) else f"{shown} {text}"


def _bold_headings(blocks: Sequence[LayoutBlock]) -> list[LayoutBlock]:
    """Make headings of short bold lines that stand before text; a numbered one has the level of its number."""
    found: list[LayoutBlock] = []
    level = 0
    for n, block in enumerate(blocks):
        text = one_line(block.text)
        behind = blocks[n + 1] if n + 1 < len(blocks) else None
        if not (block.bold and block.kind == "paragraph") or behind is None or not _could_head(text):
            found.append(block)
            continue
        number = _NUMBER.match(text)
        if number is not None:
            level = len(number["number"].split("."))
        found.append(LayoutBlock("heading", text, level if number is not None else max(level, 1)))
    return found


def _could_head(text: str) -> bool:
    return 0 < len(text) <= _LONGEST_HEADING and text[-1] not in ".;:,?!" and any(map(str.isalpha, text))


def _titled(blocks: list[LayoutBlock], styled: str, said: str) -> tuple[str, list[LayoutBlock]]:
    """Return the document's title and the blocks without it.

    It is what has the style Title, else the one heading of the first level where it stands first and has no number,
    else what the file's properties say.
    """
    if styled:
        return styled, [b for n, b in enumerate(blocks) if n or not (b.kind == "heading" and b.text == styled)]
    tops = [n for n, block in enumerate(blocks) if block.kind == "heading" and block.level == 1]
    if tops == [0] and len(blocks) > 1 and not _NUMBER.match(blocks[0].text):
        return one_line(blocks[0].text), blocks[1:]
    return said, blocks
