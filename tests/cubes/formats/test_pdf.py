"""PDF files become Markdown from their layout; the files are made here."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pypdfium2
import pytest
from multicube.cubes.core.records import Section
from multicube.cubes.documents.formats.page_starts import pages_of
from multicube.cubes.documents.formats.pdf.convert import convert
from multicube.cubes.documents.formats.records import ConvertedFile
from multicube.cubes.documents.textfiles import TextFileFault
from reportlab.lib import pagesizes, pdfencrypt
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

_SENTENCE = "the pump keeps its water at a level that was set before while other parts of this plant rest in the cold"
_WORDS = _SENTENCE.split()


def _prose(seed: int, words: int) -> str:
    chosen = random.Random(seed).choices(_WORDS, k=words)
    return " ".join(chosen).capitalize() + "."


class _Writer:
    """Sets text line by line, as a word processor does; the cursor goes down from the top of the page."""

    def __init__(self, path: Path, *, header: str = "", numbers: bool = False, **options: object) -> None:
        self.canvas = Canvas(str(path), pagesize=pagesizes.A4, **options)
        self.header, self.numbers, self.page = header, numbers, 1
        self.left, self.width, self.y = 72.0, 451.0, 760.0
        self._edges()

    def _edges(self) -> None:
        self.canvas.setFont("Helvetica", 8)
        if self.header:
            self.canvas.drawString(72, 800, self.header)
        if self.numbers:
            self.canvas.drawCentredString(297, 30, f"Page {self.page} of 9")

    def new_page(self) -> None:
        self.canvas.showPage()
        self.page += 1
        self.y = 760.0
        self._edges()

    def line(self, text: str, size: float = 10, font: str = "Times-Roman", x: float = 0, gap: float = 0) -> None:
        self.y -= gap
        self.canvas.setFont(font, size)
        self.canvas.drawString(self.left + x, self.y, text)
        self.y -= 1.2 * size

    def heading(self, text: str, size: float, *, level: int | None = None) -> None:
        if level is not None:
            self.canvas.bookmarkHorizontal(text, 0, self.y)
            self.canvas.addOutlineEntry(text.partition(" ")[2] or text, text, level)
        self.line(text, size, "Helvetica-Bold", gap=14)
        self.y -= 4

    def paragraph(self, text: str, size: float = 10) -> None:
        self.y -= 5
        row = ""
        for word in text.split():
            if self.canvas.stringWidth(f"{row} {word}", "Times-Roman", size) > self.width:
                self.line(row, size)
                row = word
            else:
                row = f"{row} {word}".strip()
        self.line(row, size)

    def table(self, rows: list[tuple[str, ...]], widths: tuple[float, ...] = (120, 80, 80)) -> None:
        c, top = self.canvas, self.y
        xs = [self.left + sum(widths[:n]) for n in range(len(widths) + 1)]
        for n, row in enumerate(rows):
            c.setFont("Helvetica-Bold" if n == 0 else "Helvetica", 9)
            for x, cell in zip(xs, row, strict=False):
                c.drawString(x + 4, top - 16 * n - 12, cell)
        bottom = top - 16 * len(rows)
        for n in range(len(rows) + 1):
            c.line(xs[0], top - 16 * n, xs[-1], top - 16 * n)
        for x in xs:
            c.line(x, top, x, bottom)
        self.y = bottom - 14

    def save(self) -> None:
        self.canvas.save()


def _chapters(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.startswith("#")]


def _manual(path: Path, *, outline: bool, contents: bool = True) -> ConvertedFile:
    """Write a manual of chapters with everything that chapters hold, and read it back."""
    w = _Writer(path, header="Pump manual, third edition", numbers=True)
    level: Callable[[int], int | None] = lambda depth: depth if outline else None  # noqa: E731
    w.line("Operating the P-100 Pump", 22, "Helvetica-Bold", gap=40)
    w.line("A. Writer", 11, gap=8)
    if contents:
        w.line("Contents", 15, "Helvetica-Bold", gap=20)
        for entry, x in (("1 Installing", 0), ("1.1 Tools", 14), ("1.2 Electrical data", 14), ("2 Running", 0)):
            w.line(f"{entry} {'. ' * (60 - x)}2", x=x)
    w.new_page()
    w.heading("1 Installing", 17, level=level(0))
    w.paragraph(_prose(1, 70))
    w.paragraph(_prose(2, 30))
    w.heading("1.1 Tools", 13, level=level(1))
    w.paragraph("You will need these tools:")
    for item in ("a wrench of 13 mm that reaches behind", "a torch,", "two hands."):
        w.line(f"\u2022 {item}", x=10)
    w.line("Then start the configu-", gap=8)
    w.line("ration and use the self-")
    w.line("test. Type:")
    w.line("pump --start", 9, "Courier", gap=6)
    w.line("  --slowly  # the first time", 9, "Courier")
    w.heading("1.2 Electrical data", 13, level=level(1))
    w.line("Table 1: Ratings of the pump", 9, "Helvetica-Oblique", gap=4)
    w.table([("Parameter", "Min", "Max"), ("Voltage", "210 V", "240 V"), ("Current", "1 A", "4 A")])
    w.y -= 20
    _diagram(w.canvas, w.left + 40, w.y - 110)
    w.y -= 125
    w.line("Figure 1: The parts of the pump", 9, "Helvetica-Oblique")
    w.new_page()
    w.heading("2 Running", 17, level=level(0))
    w.paragraph(_prose(3, 500).removesuffix("."))
    w.new_page()
    w.line("and this is how the long sentence from the page before ends.")
    w.save()
    return convert(path)


def _diagram(canvas: Canvas, x: float, y: float) -> None:
    for n, name in enumerate(("Inlet", "Rotor", "Outlet")):
        canvas.rect(x + n * 90, y + 40, 60, 30)
        canvas.setFont("Helvetica", 8)
        canvas.drawCentredString(x + n * 90 + 30, y + 52, name)
        if n:
            canvas.line(x + n * 90 - 30, y + 55, x + n * 90, y + 55)
    canvas.circle(x + 120, y + 20, 14)
    canvas.bezier(x, y, x + 40, y + 30, x + 80, y - 20, x + 220, y + 30)


@pytest.fixture(scope="module")
def manual(tmp_path_factory: pytest.TempPathFactory) -> ConvertedFile:
    return _manual(tmp_path_factory.mktemp("pdf") / "manual.pdf", outline=True)


_TREE = ["# 1 Installing", "## 1.1 Tools", "## 1.2 Electrical data", "# 2 Running"]


def test_chapters_keep_number_and_level(manual: ConvertedFile) -> None:
    assert manual.title == "Operating the P-100 Pump"
    assert _chapters(manual.text) == _TREE
    assert manual.metadata["pages"] == 4


def test_a_place_in_a_section_leads_to_its_page(manual: ConvertedFile) -> None:
    def pages(text: str) -> list[int]:
        at = manual.text.index(text)
        section = Section("s", "d", "r", 0, ("Pump",), manual.text[at:], start=at)
        return [page for _, page in pages_of(section, manual.metadata)]

    assert pages("You will need these tools:") == [2, 3]  # page 4 only ends a sentence of page 3
    assert pages(_prose(3, 20)[:40]) == [3]
    assert pages_of(Section("s", "d", "r", 0, ("Notes",), "A note."), {}) == ()


@pytest.mark.parametrize("contents", [True, False])
def test_without_an_outline_chapters_are_told_by_their_looks(tmp_path: Path, contents: bool) -> None:
    assert _chapters(_manual(tmp_path / "m.pdf", outline=False, contents=contents).text) == _TREE


def test_running_lines_and_the_printed_contents_are_left_out(manual: ConvertedFile) -> None:
    assert "third edition" not in manual.text
    assert "Page 2" not in manual.text
    assert ". . ." not in manual.text
    assert "Contents" not in manual.text


def test_lines_are_joined_across_line_ends_and_pages(manual: ConvertedFile) -> None:
    paragraphs = manual.text.split("\n\n")
    assert _prose(1, 70) in paragraphs
    assert _prose(2, 30) in paragraphs
    assert "Then start the configuration and use the self-test. Type:" in paragraphs
    assert (
        paragraphs[-1]
        == f"{_prose(3, 500).removesuffix('.')} and this is how the long sentence from the page before ends."
    )


def test_lists_and_code_keep_their_form(manual: ConvertedFile) -> None:
    assert "- a wrench of 13 mm that reaches behind\n- a torch,\n- two hands." in manual.text
    assert "```\npump --start\n  --slowly  # the first time\n```" in manual.text


def test_a_ruled_table_stands_under_its_title(manual: ConvertedFile) -> None:
    table = "| Parameter | Min | Max |\n| --- | --- | --- |\n| Voltage | 210 V | 240 V |\n| Current | 1 A | 4 A |"
    assert f"Table 1: Ratings of the pump\n\n{table}" in manual.text


def test_a_drawing_is_a_figure_with_its_labels(manual: ConvertedFile) -> None:
    (figure,) = manual.figures
    assert figure.caption == "Figure 1: The parts of the pump"
    assert f"![{figure.caption}](figure:{figure.id})" in manual.text.split("\n\n")
    assert figure.media_type == "image/png"
    assert figure.data.startswith(b"\x89PNG\r\n\x1a\n")
    assert figure.page == 2
    assert set(figure.description.split()) == {"Inlet", "Rotor", "Outlet"}
    assert "Rotor" not in manual.text


def test_two_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    w = _Writer(tmp_path / "paper.pdf")
    w.line("A Paper on Pumps", 20, "Times-Bold", x=130)
    top, w.width = w.y - 10, 215.0
    w.y = top
    w.heading("1 Introduction", 12)
    w.paragraph(_prose(5, 150))
    w.heading("2 Methods", 12)
    w.paragraph(_prose(6, 140).removesuffix("."))
    w.left, w.y = 307.0, top
    w.paragraph("whose rest stands in the second column, " + _prose(7, 120).lower())
    w.heading("3 Results", 12)
    w.paragraph(_prose(8, 130))
    w.save()
    read = convert(tmp_path / "paper.pdf")
    assert read.title == "A Paper on Pumps"
    assert _chapters(read.text) == ["# 1 Introduction", "# 2 Methods", "# 3 Results"]
    joined = f"{_prose(6, 140).removesuffix('.')} whose rest stands in the second column, {_prose(7, 120).lower()}"
    assert joined in read.text.split("\n\n")


def test_tables_without_rules_and_over_two_pages(tmp_path: Path) -> None:
    w = _Writer(tmp_path / "tables.pdf")
    w.paragraph(_prose(9, 120))
    w.line("Table 1. Sizes of the parts", gap=10)
    for row in (("Part", "Length", "Weight"), ("Rotor", "120 mm", "3 kg"), ("Inlet", "80 mm", "1 kg")):
        w.y -= 3
        for n, cell in enumerate(row):
            w.canvas.drawString(w.left + 20 + 110 * n, w.y, cell)
        w.y -= 12
    w.paragraph(_prose(10, 80))
    w.line("Table 2: Months", gap=10)
    header = ("Month", "Low", "High")
    w.y = 72 + 16 * 8
    w.canvas.setFont("Times-Roman", 10)
    w.table([header, *((f"month {n}", f"{n}", f"{n * 2}") for n in range(1, 7))])
    w.new_page()
    w.table([header, *((f"month {n}", f"{n}", f"{n * 2}") for n in range(7, 10))])
    w.paragraph(_prose(11, 60))
    w.save()
    text = convert(tmp_path / "tables.pdf").text
    sizes = "| Part | Length | Weight |\n| --- | --- | --- |\n| Rotor | 120 mm | 3 kg |\n| Inlet | 80 mm | 1 kg |"
    assert f"Table 1. Sizes of the parts\n\n{sizes}\n\n{_prose(10, 80)}" in text
    rows = "\n".join(f"| month {n} | {n} | {n * 2} |" for n in range(1, 10))
    assert f"| Month | Low | High |\n| --- | --- | --- |\n{rows}\n" in text


def _photo(seed: int) -> ImageReader:
    from PIL import Image

    noise = random.Random(seed)
    image = Image.new("RGB", (60, 40))
    image.putdata([(noise.randrange(256), 90, 40) for _ in range(2400)])
    return ImageReader(image)


def test_images_are_kept_and_decorations_are_not(tmp_path: Path) -> None:
    w = _Writer(tmp_path / "images.pdf")
    logo = _photo(1)
    for n in range(3):
        w.canvas.drawImage(logo, 480, 780, 60, 40)
        w.paragraph(_prose(20 + n, 100))
        if n == 1:
            w.canvas.drawImage(_photo(2), w.left, w.y - 130, 180, 120)
            w.y -= 145
            w.line("Figure 7. The pump in the hall", 9)
            w.paragraph(_prose(40, 60))
        w.new_page()
    w.save()
    (figure,) = convert(tmp_path / "images.pdf").figures
    assert figure.caption == "Figure 7. The pump in the hall"
    assert figure.page == 2


def test_text_turned_on_its_side_is_read(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "wide.pdf"), pagesize=pagesizes.A4)
    canvas.setPageRotation(90)
    canvas.rotate(90)
    for n in range(3):
        canvas.drawString(72, -100 - 14 * n, f"This is line {n + 1} of a page that lies on its side")
    canvas.save()
    assert "This is line 1 of a page that lies on its side This is line 2" in convert(tmp_path / "wide.pdf").text


def _broken(path: Path) -> None:
    path.write_bytes(b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog")


def _encrypted(path: Path) -> None:
    w = _Writer(path, encrypt=pdfencrypt.StandardEncryption("secret", canPrint=0))
    w.line("Nobody reads this")
    w.save()


def _scanned(path: Path) -> None:
    canvas = Canvas(str(path))
    canvas.drawImage(_photo(3), 0, 0, 595, 842)
    canvas.save()


def _no_pages(path: Path) -> None:
    document = b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"
    document += b"2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n"
    start = len(document)
    table = b"xref\n0 3\n0000000000 65535 f \n0000000009 00000 n \n0000000058 00000 n \n"
    path.write_bytes(document + table + b"trailer\n<< /Size 3 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % start)


def _blank(path: Path) -> None:
    canvas = Canvas(str(path))
    canvas.showPage()
    canvas.save()


def _endless(path: Path) -> None:
    document = pypdfium2.PdfDocument.new()
    for _ in range(5_001):
        document.new_page(100, 100)
    document.save(str(path))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (_broken, "no readable PDF"),
        (_encrypted, "encrypted.*without the password"),
        (_scanned, "no text layer.*OCR"),
        (_no_pages, "no pages"),
        (_blank, "no text on any"),
        (_endless, "5001 pages.*split"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(tmp_path: Path, make: Callable[[Path], None], said: str) -> None:
    make(tmp_path / "bad.pdf")
    with pytest.raises(TextFileFault, match=said) as caught:
        convert(tmp_path / "bad.pdf")
    assert caught.value.message.endswith(".")
    assert "\n" not in caught.value.message
