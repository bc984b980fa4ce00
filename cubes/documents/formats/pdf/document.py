"""A whole PDF: opened or refused, read page by page, and written as Markdown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pypdfium2
import pypdfium2.raw as pdfium

from ....core.records import MetadataValue
from ...textfiles import TextFileFault
from ..blocks import converted, one_line
from ..records import ConvertedFile
from .contents import ContentsEntry, outline_of, plain, printed_contents
from .headings import Heading, body_size, headings_of
from .items import Item, PictureItem, TableItem, TextLine
from .layout import items_of
from .pages import Page
from .paragraphs import blocks_of
from .running_lines import without_running

__all__ = ["read"]

_MOST_PAGES = 5_000
_MOST_FIGURES = 96 * 2**20
_BROKEN = "The file is no readable PDF (it is damaged or cut off); get a whole copy of it, or print it to a new PDF."
_ENCRYPTED = "The PDF is encrypted and opens with a password only; save a copy without the password and ingest that."
_NO_PAGES = "The PDF has no pages; export it again from where it came from."
_NO_TEXT = (
    "The PDF has no text layer (its pages are images); run OCR on it (ocrmypdf, for example) and ingest the result."
)
_EMPTY = "The PDF has no text on any of its pages; there is nothing to ingest."
_NOT_TITLE = re.compile(
    r"(?:untitled|title|document\d*|\(?anonymous\)?|microsoft word\b.*|\W*"
    r"|.*\.(?:docx?|dvi|tex|indd|pdf|ps|rtf|odt|fm|qxd))$",
    re.IGNORECASE,
)


def read(path: Path, *, each_page: Callable[[], None] = lambda: None) -> ConvertedFile:
    """Return a PDF as Markdown; ``each_page`` is called before each page.

    Raises TextFileFault for a file that is broken, encrypted, scanned, empty or beyond the bound on pages.
    """
    each_page()
    document = _opened(path)
    try:
        pages = _pages(document, each_page)
        outline = outline_of(document)
        facts = _facts(document)
    finally:
        document.close()
    pages = _without_decorations(without_running(pages, body_size(pages)))
    return _written(pages, outline, facts, path.stem)


def _opened(path: Path) -> pypdfium2.PdfDocument:
    try:
        document = pypdfium2.PdfDocument(path)
        count = len(document)
    except pypdfium2.PdfiumError as error:
        raise TextFileFault(_refusal(error, path)) from error
    if count == 0:
        document.close()
        raise TextFileFault(_NO_PAGES)
    if count > _MOST_PAGES:
        document.close()
        raise TextFileFault(f"The PDF has {count} pages, more than the {_MOST_PAGES} that are read; split it.")
    return document


def _refusal(error: pypdfium2.PdfiumError, path: Path) -> str:
    code = getattr(error, "err_code", None)
    if code in (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY):
        return _ENCRYPTED
    return _NO_PAGES if _says_no_pages(path) else _BROKEN


def _says_no_pages(path: Path) -> bool:
    """Whether a file that cannot be opened is a whole PDF that has no pages (PDFium opens none such)."""
    with path.open("rb") as file:
        data = file.read(2**20)
    whole = data.startswith(b"%PDF-") and b"%%EOF" in data[-64:]
    return whole and bool(re.search(rb"/Count\s+0\b", data)) and not re.search(rb"/Type\s*/Page\b", data)


def _pages(document: pypdfium2.PdfDocument, each_page: Callable[[], None]) -> list[list[Item]]:
    pages: list[list[Item]] = []
    words = images = failed = figures = 0
    for number in range(len(document)):
        each_page()
        try:
            raw = document[number]
        except pypdfium2.PdfiumError:
            failed += 1
            pages.append([])
            continue
        page = Page(document, raw, number)
        words += len(page.words)
        images += bool(page.drawings) and not page.words
        items = items_of(page) if page.words else []
        figures += sum(len(item.data) for item in items if isinstance(item, PictureItem))
        if figures > _MOST_FIGURES:
            items = [item for item in items if not isinstance(item, PictureItem)]
        pages.append(items)
        raw.close()
    if failed == len(pages):
        raise TextFileFault(_BROKEN)
    if words < 3 * max(1, images):
        raise TextFileFault(_NO_TEXT if images else _EMPTY)
    return pages


def _without_decorations(pages: Sequence[Sequence[Item]]) -> list[list[Item]]:
    """Leave out images without a caption that are on several pages: logos, icons and borders."""
    seen = Counter(key for page in pages for key in {i.key for i in page if isinstance(i, PictureItem) and i.key})
    often = 2 if len(pages) <= 4 else 3

    def decorates(item: Item) -> bool:
        return isinstance(item, PictureItem) and not item.caption and bool(item.key) and seen[item.key] >= often

    return [[item for item in page if not decorates(item)] for page in pages]


def _facts(document: pypdfium2.PdfDocument) -> dict[str, str]:
    try:
        found = document.get_metadata_dict(skip_empty=True)
    except (pypdfium2.PdfiumError, ValueError):
        return {}
    return {key: one_line(value.replace("\0", " "))[:500] for key, value in found.items()}


# writing.


def _written(
    pages: list[list[Item]], outline: Sequence[ContentsEntry], facts: Mapping[str, str], stem: str
) -> ConvertedFile:
    size = body_size(pages)
    title, lines = _title(pages, facts, size, stem)
    printed, contents = printed_contents(pages)
    gone = contents | lines
    pages = _continued([[item for item in page if id(item) not in gone] for page in pages])
    headings = _without_root(headings_of(pages, outline, printed), title)
    blocks = blocks_of(pages, headings, size)
    blocks = [block for block in blocks if block.kind != "heading" or block.text]
    metadata: dict[str, MetadataValue] = {"pages": len(pages)}
    metadata.update({name: facts[key] for name, key in (("author", "Author"), ("subject", "Subject")) if key in facts})
    return converted(title, blocks, metadata)


def _title(pages: Sequence[Sequence[Item]], facts: Mapping[str, str], size: float, stem: str) -> tuple[str, set[int]]:
    """Return the document's title and the ids of the lines of the first page that say it.

    It is what the file says of itself, if that is sensible; or else the largest text on the first page.
    """
    first = next((page for page in pages if any(isinstance(i, TextLine) for i in page)), [])
    lines = [item for item in first if isinstance(item, TextLine)]
    largest = _largest(lines, size)
    said = facts.get("Title", "")
    shown = " ".join(line.text for line in largest)
    if (
        len(said) >= 3
        and not _NOT_TITLE.match(said)
        and (" " in said or plain(said) in plain(" ".join(i.text for i in lines)) or not shown)
    ):
        return said, _saying(lines, said)
    if largest:
        return shown, {id(line) for line in largest}
    return stem, set()


def _largest(lines: Sequence[TextLine], size: float) -> list[TextLine]:
    """Return the lines of the largest text, if it is larger than running text and no longer than a title."""
    most = max((line.size for line in lines if any(c.isalpha() for c in line.text)), default=0.0)
    if most <= size * 1.15:
        return []
    found: list[TextLine] = []
    for line in lines:
        if abs(line.size - most) < 0.5 and (not found or line.y - found[-1].y < 2.2 * most):
            found.append(line)
        elif found:
            break
    text = " ".join(line.text for line in found)
    return found if 3 <= len(text) <= 200 else []


def _saying(lines: Sequence[TextLine], title: str) -> set[int]:
    """Return the ids of successive lines that together are the title."""
    wanted = plain(title)
    for start in range(len(lines)):
        text = ""
        for end in range(start, min(start + 5, len(lines))):
            text += plain(lines[end].text)
            if text and text == wanted:
                return {id(line) for line in lines[start : end + 1]}
            if not wanted.startswith(text):
                break
    return set()


def _without_root(headings: Mapping[int, Heading], title: str) -> Mapping[int, Heading]:
    """Leave out a heading that is the title and has all others under it; they move up a level."""
    values = list(headings.items())
    tops = [heading for _, heading in values if heading.level == 1]
    wanted = plain(title)
    kept = {}
    lone = len(tops) == 1 and values[0][1] is tops[0] and plain(tops[0].text) == wanted and len(values) > 1
    for at, heading in values:
        if plain(heading.text) == wanted and (heading is values[0][1]):
            kept[at] = Heading(heading.level, "", heading.lines)
        else:
            kept[at] = Heading(heading.level - 1, heading.text, heading.lines) if lone else heading
    return kept


def _continued(pages: Sequence[Sequence[Item]]) -> list[list[Item]]:
    """Join tables that go on at the top of the next page to their beginning; a repeated header is left out."""
    joined: list[list[Item]] = []
    before: TableItem | None = None
    for page in pages:
        items = list(page)
        if before is not None and items and isinstance(first := items[0], TableItem) and _goes_on(before, first):
            same = first.rows[0] == before.rows[0]
            before.rows.extend(first.rows[1:] if same else first.rows)
            items = items[1:]
        joined.append(items)
        if items:
            last = items[-1]
            before = last if isinstance(last, TableItem) else None
    return joined


def _goes_on(table: TableItem, after: TableItem) -> bool:
    continued = re.search(r"cont(?:inue|')?d|cont\.|fortsetzung|suite", after.caption, re.IGNORECASE)
    same = len(table.edges) == len(after.edges) and len(table.rows[0]) == len(after.rows[0])
    alike = all(abs(a - b) < 6 for a, b in zip(table.edges, after.edges, strict=False))
    number = after.caption and table.caption and after.caption.split(":")[0].split(".")[0] in table.caption
    return (
        same
        and after.page == table.page + 1
        and bool(alike or continued)
        and bool(not after.caption or continued or number)
    )
