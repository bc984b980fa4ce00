"""DOCX files: what Word shows becomes Markdown with chapters, tables and figures, and broken files one sentence."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from multicube.cubes.documents.formats.docx.convert import convert
from multicube.cubes.documents.formats.records import figure_id
from multicube.cubes.documents.textfiles import TextFileFault


def saved(document: Any, path: Path) -> Path:
    document.save(str(path))
    return path


def test_a_manual_becomes_chapters_lists_tables_and_figures(widget_docx: Path, make_png: Callable[..., bytes]) -> None:
    found = convert(widget_docx)
    assert found.title == "The Widget"
    assert found.metadata["author"] == "Ada Bell"
    id = figure_id(make_png())
    assert found.text == (
        "# Features\n\nIt measures the pressure of steam.\n\n- small\n  - cheap\n1. first\n2. second\n\n"
        "## Ratings\n\nTable 1: Absolute maximum ratings\n\n"
        "| Name | Limits Min | Limits Max |\n| --- | --- | --- |\n| Supply \\| V | 1 | 5 |\n"
        "| Supply \\| V | 2 | 6 |\n\n"
        f"It must never be hotter than this.\n\n![Figure 1: Block diagram](figure:{id})"
    )
    (figure,) = found.figures
    assert (figure.id, figure.media_type, figure.caption) == (id, "image/png", "Figure 1: Block diagram")
    assert figure.data == make_png()


def numbered(document: Any, *levels: str, style: str = "Heading 1") -> None:
    """Number a heading style with a multi-level list, as Word's numbered headings are."""
    numbering = document.part.numbering_part.element
    written = "".join(
        f'<w:lvl w:ilvl="{n}"><w:start w:val="1"/><w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/></w:lvl>'
        for n, (form, _, text) in enumerate(level.partition(":") for level in levels)
    )
    numbering.insert(0, parse_xml(f'<w:abstractNum {nsdecls("w")} w:abstractNumId="99">{written}</w:abstractNum>'))
    numbering.append(parse_xml(f'<w:num {nsdecls("w")} w:numId="99"><w:abstractNumId w:val="99"/></w:num>'))


def put_number(paragraph: Any, level: int, list_id: int = 99) -> None:
    xml = f'<w:numPr {nsdecls("w")}><w:ilvl w:val="{level}"/><w:numId w:val="{list_id}"/></w:numPr>'
    paragraph._p.get_or_add_pPr().append(parse_xml(xml))


def test_headings_get_the_numbers_that_word_computes(tmp_path: Path) -> None:
    document = docx.Document()
    numbered(document, "decimal:%1.", "decimal:%1.%2", "upperLetter:%1.%2.%3")
    for text, level in (("Start", 0), ("Part", 1), ("Deep", 2), ("Other", 2), ("Next part", 1), ("End", 0)):
        put_number(document.add_heading(text, level + 1), level)
        document.add_paragraph("Text.")
    found = convert(saved(document, tmp_path / "a.docx"))
    lines = [line for line in found.text.splitlines() if line.startswith("#")]
    assert lines == ["# 1 Start", "## 1.1 Part", "### 1.1.A Deep", "### 1.1.B Other", "## 1.2 Next part", "# 2 End"]


def test_a_number_that_is_written_out_stands_once(tmp_path: Path) -> None:
    document = docx.Document()
    numbered(document, "decimal:%1.")
    put_number(document.add_heading("1 Start", 1), 0)
    document.add_paragraph("Text.")
    document.add_heading("End", 1)
    assert "# 1 Start\n" in convert(saved(document, tmp_path / "a.docx")).text


def test_styles_based_on_headings_and_outline_levels_are_chapters(tmp_path: Path) -> None:
    document = docx.Document()
    style = document.styles.add_style("Kapitel", 1)
    style.base_style = document.styles["Heading 2"]
    document.add_paragraph("Erstes", style="Kapitel")
    document.add_paragraph("Text.")
    outlined = document.add_paragraph("Zweites")
    outlined._p.get_or_add_pPr().append(parse_xml(f'<w:outlineLvl {nsdecls("w")} w:val="2"/>'))
    document.add_paragraph("Mehr.")
    assert convert(saved(document, tmp_path / "a.docx")).text == "## Erstes\n\nText.\n\n### Zweites\n\nMehr."


def test_bold_lines_are_chapters_where_there_are_no_headings(tmp_path: Path) -> None:
    document = docx.Document()
    for text, bold in (
        ("1. Introduction", True), ("Plain text.", False), ("1.1 Scope", True), ("More.", False),
        ("Remarks", True), ("A bold sentence is none.", True), ("End.", False),
    ):  # fmt: skip
        document.add_paragraph().add_run(text).bold = bold
    found = convert(saved(document, tmp_path / "a.docx"))
    assert [line for line in found.text.splitlines() if line.startswith("#")] == [
        "# 1. Introduction", "## 1.1 Scope", "## Remarks",
    ]  # fmt: skip


def field(paragraph: Any, code: str, shown: str) -> None:
    for kind in ("begin", "code", "separate", "shown", "end"):
        run = paragraph.add_run(shown if kind == "shown" else "")
        if kind == "code":
            run._r.append(parse_xml(f"<w:instrText {nsdecls('w')}>{code}</w:instrText>"))
        elif kind != "shown":
            mark = OxmlElement("w:fldChar")
            mark.set(qn("w:fldCharType"), kind)
            run._r.append(mark)


def test_only_what_is_seen_is_read(tmp_path: Path) -> None:
    document = docx.Document()
    field(document.add_paragraph(), 'TOC \\o "1-3"', "Contents of the manual 1")
    document.add_heading("One", 1)
    paragraph = document.add_paragraph("Seen")
    paragraph.add_run(" hidden").font.hidden = True
    for tag, text in (("del", "deleted"), ("ins", " inserted")):
        name = "delText" if tag == "del" else "t"
        xml = f'<w:{tag} {nsdecls("w")}><w:r><w:{name} xml:space="preserve">{text}</w:{name}></w:r></w:{tag}>'
        paragraph._p.append(parse_xml(xml))
    field(paragraph, "SEQ Table", " 7")
    assert convert(saved(document, tmp_path / "a.docx")).text.endswith("Seen inserted 7")
    assert "Contents" not in convert(tmp_path / "a.docx").text


def test_text_that_looks_like_markdown_makes_no_chapters(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_heading("Real", 1)
    for text in ("# not a heading", "```", "| no | table |"):
        document.add_paragraph(text)
    document.add_heading("The __init__ file", 1)
    document.add_paragraph("End.")
    text = convert(saved(document, tmp_path / "a.docx")).text
    assert text == "# Real\n\n\\# not a heading\n\n\\```\n\n\\| no | table |\n\n# The \\_\\_init\\_\\_ file\n\nEnd."


def test_a_frame_around_text_is_no_table(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_table(1, 1).cell(0, 0).text = "A note in a box."
    assert convert(saved(document, tmp_path / "a.docx")).text == "A note in a box."


def archive(path: Path, **entries: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in entries.items():
            package.writestr(name, data)
    return path


def swollen(path: Path) -> Path:
    """Make an archive say that what it holds is 600 MB."""
    data = path.read_bytes()
    at = data.index(b"PK\x01\x02") + 24
    path.write_bytes(data[:at] + struct.pack("<I", 600 * 2**20) + data[at + 4 :])
    return path


def test_files_that_cannot_be_read_get_one_sentence(tmp_path: Path, widget_docx: Path) -> None:
    whole = widget_docx.read_bytes()
    document = docx.Document()
    cases = {
        "empty": (b"", "The file is empty."),
        "half": (whole[: len(whole) // 2], "damaged"),
        "text": (b"no archive at all", "damaged"),
        "locked": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "encrypted"),
    }
    for name, (data, words) in cases.items():
        path = tmp_path / f"{name}.docx"
        path.write_bytes(data)
        with pytest.raises(TextFileFault, match=words):
            convert(path)
    with pytest.raises(TextFileFault, match="no DOCX file"):
        convert(archive(tmp_path / "zip.docx", a=b"x"))
    with pytest.raises(TextFileFault, match="damaged"):
        convert(archive(tmp_path / "other.docx", **{"[Content_Types].xml": b"<broken"}))
    with pytest.raises(TextFileFault, match="no text"):
        convert(saved(document, tmp_path / "blank.docx"))
    with pytest.raises(TextFileFault, match="more than 512 MB"):
        convert(swollen(archive(tmp_path / "bomb.docx", a=b"x")))


def test_a_linked_image_is_not_fetched_and_icons_are_left_out(tmp_path: Path, make_png: Callable[..., bytes]) -> None:
    document = docx.Document()
    document.add_paragraph("Text.")
    document.add_picture(io.BytesIO(make_png(8, 8)))
    document.add_picture(io.BytesIO(make_png()))
    for blip in document.element.body.iter(qn("a:blip")):
        last = blip
    link = document.part.relate_to("http://127.0.0.1:9/x.png", "http://x/image", is_external=True)
    last.set(qn("r:embed"), link)
    assert convert(saved(document, tmp_path / "a.docx")).figures == ()
