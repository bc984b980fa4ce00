"""Images and DOCX files made in the tests."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def png(width: int = 60, height: int = 40, colour: bytes = b"\xff\0\0") -> bytes:
    """A PNG file of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + colour * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


@pytest.fixture(scope="session")
def make_png() -> Callable[..., bytes]:
    return png


@pytest.fixture
def widget_docx(tmp_path: Path) -> Path:
    """A manual with chapters, lists, a table with merged cells, and a figure."""
    import docx

    document: Any = docx.Document()
    document.core_properties.author = "Ada Bell"
    document.add_heading("The Widget", 0)
    document.add_heading("Features", 1)
    document.add_paragraph("It measures the pressure of steam.")
    for text, style in (("small", "List Bullet"), ("cheap", "List Bullet 2"), ("first", "List Number"),
                        ("second", "List Number")):  # fmt: skip
        document.add_paragraph(text, style=style)
    document.add_heading("Ratings", 2)
    document.add_paragraph("Table 1: Absolute maximum ratings", style="Caption")
    table = document.add_table(4, 3)
    rows = (("Name", "Limits", ""), ("", "Min", "Max"), ("Supply | V", "1", "5"), ("", "2", "6"))
    for number, row in enumerate(rows):
        for column, text in enumerate(row):
            table.cell(number, column).text = text
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(2, 0).merge(table.cell(3, 0))
    _flag_headers(table, 2)
    document.add_paragraph("It must never be hotter than this.")
    document.add_picture(io.BytesIO(png()))
    document.add_paragraph("Figure 1: Block diagram", style="Caption")
    document.sections[0].header.paragraphs[0].text = "CONFIDENTIAL HEADER"
    document.sections[0].footer.paragraphs[0].text = "PAGE FOOTER"
    path = tmp_path / "widget.docx"
    document.save(str(path))
    return path


def _flag_headers(table: Any, rows: int) -> None:
    from docx.oxml import OxmlElement

    for row in table.rows[:rows]:
        row._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
