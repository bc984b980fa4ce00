"""reStructuredText, EPUB, PPTX and XLSX files: what of them becomes text, and what is wrong with a bad one."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from multicube.cubes.core.records import Document, Problem
from multicube.cubes.documents.loaders import load


def document(path: Path) -> Document:
    (found,) = load(path)
    assert isinstance(found, Document), found
    return found


def fault(path: Path) -> str:
    (found,) = load(path)
    assert isinstance(found, Problem)
    return found.message


# reStructuredText.

MANUAL = """
===========
Kiln Manual
===========

:Author: Ada Brandt

It is lit by hand. See :ref:`the firing chapter <firing>` and :py:class:`~kiln.Door`.

.. toctree::

   install

.. _firing:

Firing
======

.. versionadded:: 2.1
   The door closes by itself.

.. include:: /etc/hostname

.. list-table:: Woods
   :header-rows: 1

   * - Wood
     - Hours
   * - Oak
     - 12

Night
-----

::

   kiln.light()
"""


def test_restructured_text_becomes_chapters_tables_and_code(tmp_path: Path) -> None:
    pytest.importorskip("docutils")
    path = tmp_path / "manual.rst"
    path.write_text(MANUAL)
    read = document(path)
    assert read.title == "Kiln Manual"
    assert read.metadata["author"] == "Ada Brandt"
    assert "See the firing chapter and kiln.Door." in read.text
    assert "## Firing" in read.text
    assert "### Night\n\n```\nkiln.light()\n```" in read.text
    assert "The door closes by itself." in read.text
    assert "**Woods**\n\n| Wood | Hours |" in read.text
    assert "install" not in read.text
    assert Path("/etc/hostname").read_text().strip() not in read.text


# EPUB.

CONTAINER = '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
BOOK = """<?xml version="1.0"?>
<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">
<metadata><dc:title>The Ferries of Skarholt</dc:title><dc:creator>Ada Brandt</dc:creator></metadata>
<manifest>
<item id="b" href="second%20page.xhtml" media-type="application/xhtml+xml"/>
<item id="a" href="first.xhtml" media-type="application/xhtml+xml"/>
<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="x" href="../../../etc/hostname" media-type="text/html"/>
</manifest>
<spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/><itemref idref="x"/></spine>
</package>"""


def epub(path: Path, files: Mapping[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as package:
        for name, content in files.items():
            package.writestr(name, content)
    return path


def test_a_book_is_its_pages_in_the_order_of_the_spine(tmp_path: Path) -> None:
    pages = {
        "META-INF/container.xml": CONTAINER,
        "OEBPS/book.opf": BOOK,
        "OEBPS/first.xhtml": "<html><body><h1>Coal</h1><p>The first ferry burned coal.</p></body></html>",
        "OEBPS/second page.xhtml": "<html><body><h1>Oil</h1><p>The second one burned oil.</p></body></html>",
        "OEBPS/nav.xhtml": "<html><body><nav><a href='first.xhtml'>Coal</a></nav></body></html>",
    }
    read = document(epub(tmp_path / "ferries.epub", pages))
    assert read.title == "The Ferries of Skarholt"
    assert read.metadata == {"author": "Ada Brandt"}
    assert read.text == "# Coal\n\nThe first ferry burned coal.\n\n# Oil\n\nThe second one burned oil."


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"a.txt": "x"}, "The file is a ZIP archive, but no EPUB file."),
        ({"META-INF/container.xml": "<container/>"}, "The EPUB file is damaged"),
        (
            {"META-INF/container.xml": CONTAINER, "OEBPS/book.opf": BOOK, "META-INF/encryption.xml": "<e/>"},
            "The EPUB file has no text: it is protected against copying.",
        ),
    ],
)
def test_a_book_that_cannot_be_read_is_said(tmp_path: Path, files: Mapping[str, str], says: str) -> None:
    assert fault(epub(tmp_path / "a.epub", files)).startswith(says)


# PPTX.


def presentation(path: Path) -> Path:
    pptx = pytest.importorskip("pptx")
    deck: Any = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Harbour plan"
    slide.placeholders[1].text = "The quay is 300 m long\nThe crane lifts 40 t"
    slide.notes_slide.notes_text_frame.text = "Ask Ada about the crane."
    second = deck.slides.add_slide(deck.slide_layouts[5])
    second.shapes.title.text = "Costs"
    table = second.shapes.add_table(2, 2, 0, 0, 1_000_000, 1_000_000).table
    for row, cells in enumerate((("Part", "Price"), ("Crane", "2 million"))):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    deck.save(path)
    return path


def test_a_slide_is_a_chapter_with_its_list_table_and_notes(tmp_path: Path) -> None:
    read = document(presentation(tmp_path / "plan.pptx"))
    assert read.title == "Harbour plan"
    assert "- The quay is 300 m long\n- The crane lifts 40 t" in read.text
    assert "Notes: Ask Ada about the crane." in read.text
    assert "# Costs\n\n| Part | Price |\n| --- | --- |\n| Crane | 2 million |" in read.text
    assert read.metadata["pages"] == 2


def test_without_its_library_a_presentation_is_set_aside_with_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("multicube.cubes.core.extras.find_spec", lambda name: None)
    path = tmp_path / "plan.pptx"
    path.write_bytes(b"x")
    assert "needs python-pptx" in fault(path)
    assert "multicube-rag[slides]" in fault(path)


# XLSX.


def workbook(path: Path, sheets: Mapping[str, list[list[Any]]]) -> Path:
    openpyxl = pytest.importorskip("openpyxl")
    book: Any = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_a_row_of_a_workbook_is_a_document(tmp_path: Path) -> None:
    from datetime import datetime

    rows = [["Ferries of the coast"], [], ["name", "built", "tons"], ["Skar", datetime(1934, 9, 21), 3.0]]
    read = document(workbook(tmp_path / "ferries.xlsx", {"Sheet1": rows}))
    assert (read.title, read.text) == ("Skar", "name: Skar\nbuilt: 1934-09-21\ntons: 3")


def test_of_several_sheets_each_row_says_its_own(tmp_path: Path) -> None:
    head = ["name", "trips"]
    path = workbook(tmp_path / "f.xlsx", {"1934": [head, ["Skar", 12]], "1935": [head, ["Skar", 15]]})
    texts = {found.text for found in load(path) if isinstance(found, Document)}
    assert texts == {"sheet: 1934\nname: Skar\ntrips: 12", "sheet: 1935\nname: Skar\ntrips: 15"}


@pytest.mark.parametrize("suffix", ["epub", "pptx", "xlsx"])
def test_what_is_no_archive_is_said(tmp_path: Path, suffix: str) -> None:
    if suffix == "pptx":
        pytest.importorskip("pptx")
    path = tmp_path / f"a.{suffix}"
    path.write_bytes(b"not an archive")
    assert fault(path) == f"The {suffix.upper()} file is damaged: it is no complete ZIP archive."
