"""Datasheets as Word documents: heading styles, captions, tables, pictures, a running head and foot.

The numbers of the chapters are typed in some documents and counted by the styles (as Word's multilevel lists do) in
the others; what a reader sees is the same. The same document gives the same bytes.
"""

from __future__ import annotations

import zipfile
from datetime import datetime
from io import BytesIO
from pathlib import Path

import docx
from docx.document import Document
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx.shared import Pt

from ..parts import Block, Bullets, Chapter, Datasheet, Figure, Table, captions
from .images import png

__all__ = ["write_docx"]

_MADE = datetime(2024, 1, 1)
_LIST = 77


def write_docx(sheet: Datasheet, path: Path, *, counted: bool = False) -> None:
    """Write one datasheet; ``counted`` leaves the chapters' numbers to Word."""
    file = docx.Document()
    properties = file.core_properties
    properties.title, properties.author = sheet.title, "Norvane Semiconductor"
    properties.created = properties.modified = _MADE
    section = file.sections[0]
    section.header.paragraphs[0].text = f"{sheet.id}\tNorvane Semiconductor"
    section.footer.paragraphs[0].text = "Copyright Norvane Semiconductor"
    if counted:
        _count_headings(file)
    file.add_paragraph(sheet.title, style="Title")
    names = captions(sheet)
    for chapter in sheet.chapters:
        _chapter(file, chapter, 1, names, counted)
    _save(file, path)


def _chapter(file: Document, chapter: Chapter, level: int, names: dict[Table | Figure, str], counted: bool) -> None:
    file.add_heading(chapter.title if counted else chapter.heading, level)
    for block in chapter.blocks:
        _block(file, block, names)
    for below in chapter.chapters:
        _chapter(file, below, level + 1, names, counted)


def _block(file: Document, block: Block, names: dict[Table | Figure, str]) -> None:
    if isinstance(block, Bullets):
        for item in block.items:
            file.add_paragraph(item, style="List Bullet")
    elif isinstance(block, Table):
        file.add_paragraph(names[block], style="Caption")
        _table(file, block)
        file.add_paragraph()
    elif isinstance(block, Figure):
        file.add_picture(BytesIO(png(block.drawing)), width=Pt(block.drawing.width))
        file.add_paragraph(names[block], style="Caption")
    else:
        file.add_paragraph(block.text)


def _table(file: Document, table: Table) -> None:
    made = file.add_table(rows=0, cols=len(table.columns), style="Table Grid")
    for row in (table.columns, *table.rows):
        for cell, text in zip(made.add_row().cells, row, strict=True):
            cell.text = text
    for cell in made.rows[0].cells:
        for run in cell.paragraphs[0].runs:
            run.bold = True


def _count_headings(file: Document) -> None:
    """Tie the heading styles to a multilevel list, so that Word prints "1", "1.1", "1.1.1" before them."""
    numbering = file.part.numbering_part.element
    levels = "".join(
        f'<w:lvl w:ilvl="{n}"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:pStyle w:val="Heading{n + 1}"/>'
        f'<w:lvlText w:val="{".".join(f"%{m + 1}" for m in range(n + 1))}"/><w:lvlJc w:val="left"/></w:lvl>'
        for n in range(3)
    )
    abstract = parse_xml(
        f'<w:abstractNum {nsdecls("w")} w:abstractNumId="{_LIST}"><w:multiLevelType w:val="multilevel"/>{levels}'
        "</w:abstractNum>"
    )
    first = numbering.find(f"{{{numbering.nsmap['w']}}}num")
    first.addprevious(abstract)
    numbering.append(
        parse_xml(f'<w:num {nsdecls("w")} w:numId="{_LIST}"><w:abstractNumId w:val="{_LIST}"/></w:num>')
    )
    for n in range(3):
        properties = file.styles[f"Heading {n + 1}"].element.get_or_add_pPr()
        properties.append(
            parse_xml(f'<w:numPr {nsdecls("w")}><w:ilvl w:val="{n}"/><w:numId w:val="{_LIST}"/></w:numPr>')
        )


def _save(file: Document, path: Path) -> None:
    """Save without the time of day that a zip file would carry."""
    held = BytesIO()
    file.save(held)
    with zipfile.ZipFile(held) as written, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name in written.namelist():
            target.writestr(zipfile.ZipInfo(name, _MADE.timetuple()[:6]), written.read(name), zipfile.ZIP_DEFLATED)
