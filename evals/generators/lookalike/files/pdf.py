"""Datasheets as PDF files: a two-column first page, contents, running heads and feet, tables over page borders.

Drawings stay vectors. The same document gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from reportlab.graphics import shapes
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import cm
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    FrameBreak,
    KeepTogether,
    ListFlowable,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
)
from reportlab.platypus import (
    Table as PdfTable,
)
from reportlab.platypus.tableofcontents import TableOfContents

from ..parts import Block, Box, Bullets, Chapter, Curve, Datasheet, Drawing, Figure, Label, Line, Table, captions

__all__ = ["write_pdf"]

_BODY = ParagraphStyle("body", fontName="Helvetica", fontSize=9.5, leading=12.5, spaceAfter=6)
_TITLE = ParagraphStyle("title", fontName="Helvetica-Bold", fontSize=18, leading=22, spaceAfter=10)
_CAPTION = ParagraphStyle("caption", parent=_BODY, fontName="Helvetica-Bold", fontSize=9, spaceBefore=6, alignment=1)
_CELL = ParagraphStyle("cell", parent=_BODY, fontSize=8.5, leading=10.5, spaceAfter=0)
_HEAD = ParagraphStyle("head", parent=_CELL, fontName="Helvetica-Bold")
_HEADINGS = tuple(
    ParagraphStyle(
        f"heading{n}", fontName="Helvetica-Bold", fontSize=size, leading=size + 4, spaceBefore=10, spaceAfter=5
    )
    for n, size in enumerate((14, 12, 10.5))
)
_CONTENTS = tuple(ParagraphStyle(f"contents{n}", parent=_BODY, leftIndent=14 * n, spaceAfter=1) for n in range(3))
_MARGIN = 2 * cm
_FRONT = 3
"""So many chapters stand in the two columns of the first page."""


def write_pdf(sheet: Datasheet, path: Path) -> None:
    """Write one datasheet."""
    width, height = A4
    inner, column = width - 2 * _MARGIN, (width - 2 * _MARGIN) / 2 - 10
    top = Frame(_MARGIN, height - _MARGIN - 60, inner, 60, id="top", leftPadding=0)
    below = height - 2 * _MARGIN - 70
    columns = [
        Frame(_MARGIN + n * (column + 20), _MARGIN, column, below, id=f"column{n}", leftPadding=0, rightPadding=0)
        for n in (0, 1)
    ]
    whole = Frame(_MARGIN, _MARGIN, inner, height - 2 * _MARGIN, id="whole", leftPadding=0, rightPadding=0)

    def running(canvas: Any, _: Any) -> None:
        canvas.saveState()
        canvas.setFont("Helvetica", 8)
        canvas.drawString(_MARGIN, height - 1.2 * cm, sheet.id)
        canvas.drawRightString(width - _MARGIN, height - 1.2 * cm, "Norvane Semiconductor")
        canvas.drawString(_MARGIN, 1.1 * cm, "Copyright Norvane Semiconductor")
        canvas.drawRightString(width - _MARGIN, 1.1 * cm, f"Page {canvas.getPageNumber()}")
        canvas.restoreState()

    file = BaseDocTemplate(
        str(path), pagesize=A4, title=sheet.title, author="Norvane Semiconductor", invariant=1, pageCompression=1
    )
    file.addPageTemplates(
        [
            PageTemplate("front", [top, *columns], onPage=running),
            PageTemplate("plain", [whole], onPage=running),
        ]
    )
    file.afterFlowable = partial(_note_heading, file)
    file.multiBuild(_story(sheet))


def _note_heading(file: BaseDocTemplate, flowable: Flowable) -> None:
    """Tell the contents, and the outline that PDF readers show, about a heading that was placed."""
    level = getattr(flowable, "level", None)
    if level is None:
        return
    text = flowable.getPlainText()
    file.canv.bookmarkPage(text)
    file.canv.addOutlineEntry(text, text, level)
    file.notify("TOCEntry", (level, text, file.page, text))


def _story(sheet: Datasheet) -> list[Flowable]:
    names = captions(sheet)
    story: list[Flowable] = [NextPageTemplate("plain"), Paragraph(escape(sheet.title), _TITLE), FrameBreak()]
    for place, chapter in enumerate(sheet.chapters):
        if place == _FRONT:
            contents = TableOfContents(levelStyles=list(_CONTENTS), dotsMinLevel=0)
            story += [PageBreak(), Paragraph("Table of Contents", _HEADINGS[0]), contents, PageBreak()]
        elif place == _FRONT - 1:
            story.append(FrameBreak())
        story += _chapter(chapter, 0, names)
    return story


def _chapter(chapter: Chapter, level: int, names: dict[Table | Figure, str]) -> Iterator[Flowable]:
    heading = Paragraph(escape(chapter.heading), _HEADINGS[level])
    heading.level = level
    heading.keepWithNext = 1
    yield heading
    for block in chapter.blocks:
        yield from _block(block, names)
    for below in chapter.chapters:
        yield from _chapter(below, level + 1, names)


def _block(block: Block, names: dict[Table | Figure, str]) -> Iterator[Flowable]:
    if isinstance(block, Bullets):
        items = [Paragraph(escape(item), _BODY) for item in block.items]
        yield ListFlowable(items, bulletType="bullet", start="•", leftIndent=12, bulletFontSize=8)
    elif isinstance(block, Table):
        caption = Paragraph(escape(names[block]), _CAPTION)
        caption.keepWithNext = 1
        yield caption
        yield _table(block)
        yield Spacer(1, 8)
    elif isinstance(block, Figure):
        drawing = _drawing(block.drawing)
        drawing.hAlign = "CENTER"
        yield KeepTogether([drawing, Paragraph(escape(names[block]), _CAPTION)])
    else:
        yield Paragraph(escape(block.text), _BODY)


def _table(table: Table) -> PdfTable:
    rows = [[Paragraph(escape(cell), _HEAD) for cell in table.columns]]
    rows += [[Paragraph(escape(cell), _CELL) for cell in row] for row in table.rows]
    widths = _widths(table, A4[0] - 2 * _MARGIN)
    made = PdfTable(rows, colWidths=widths, repeatRows=1)
    made.setStyle(
        [
            ("GRID", (0, 0), (-1, -1), 0.5, colors.grey),
            ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke),
            ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
            ("TOPPADDING", (0, 0), (-1, -1), 2.5),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 2.5),
        ]
    )
    return made


def _widths(table: Table, whole: float) -> list[float]:
    """Columns as wide as their longest text asks for, none of them very narrow."""
    columns = zip(table.columns, *table.rows, strict=True)
    lengths = [max(10, *(min(len(cell), 34) for cell in column)) for column in columns]
    return [whole * length / sum(lengths) for length in lengths]


def _drawing(drawing: Drawing) -> shapes.Drawing:
    made = shapes.Drawing(drawing.width, drawing.height)
    for shape in drawing.shapes:
        if isinstance(shape, Line):
            made.add(shapes.Line(shape.x1, shape.y1, shape.x2, shape.y2))
        elif isinstance(shape, Label):
            made.add(shapes.String(shape.x, shape.y, shape.text, fontSize=9))
        elif isinstance(shape, Curve):
            flat = [part for point in shape.points for part in point]
            made.add(shapes.PolyLine(flat, strokeColor=colors.darkblue, strokeWidth=1.5))
        else:
            _box(made, shape)
    return made


def _box(made: shapes.Drawing, box: Box) -> None:
    made.add(shapes.Rect(box.x, box.y, box.width, box.height, fillColor=None, strokeColor=colors.black))
    middle = box.x + box.width / 2, box.y + box.height / 2 - 3
    made.add(shapes.String(*middle, box.text, textAnchor="middle", fontSize=9))
