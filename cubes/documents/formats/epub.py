"""EPUB books as Markdown: a book is a ZIP archive of pages, which are read in the order of its spine.

zipfile and lxml are enough for it. (EbookLib, the well-known library, is AGPL.)
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import unquote

from lxml import etree

from ...core.records import MetadataValue
from ..textfiles import TextFileFault
from .archives import check_package
from .blocks import LayoutBlock, converted, one_line
from .html.convert import page_blocks
from .records import ConvertedFile

__all__ = ["convert"]

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_PAGES = frozenset({"application/xhtml+xml", "text/html"})
_DAMAGED = "The EPUB file is damaged; open it in an editor such as Calibre and save it anew."


def convert(path: Path) -> ConvertedFile:
    """Return an EPUB book as Markdown, its pages one after the other. Raises TextFileFault for what cannot be read."""
    check_package(path, "EPUB", _CONTAINER)
    with TemporaryDirectory() as folder:
        place = Path(folder)
        try:
            with zipfile.ZipFile(path) as package:
                package.extractall(place)
            book = _book(place)
            root = _xml(book)
        except (OSError, ValueError, RuntimeError, zipfile.BadZipFile, etree.LxmlError) as error:
            raise TextFileFault(_DAMAGED) from error
        blocks = [block for file in _spine(root, book.parent, place) for block in page_blocks(file)]
        if not any(block.text.strip() or block.rows for block in blocks):
            closed = "it is protected against copying" if (place / _ENCRYPTION).exists() else "its pages hold none"
            raise TextFileFault(f"The EPUB file has no text: {closed}.")
        return converted(_said(root, "title"), _once(blocks), _metadata(root))


def _xml(file: Path) -> Any:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    root = etree.fromstring(file.read_bytes(), parser)
    if root is None:
        raise ValueError("no XML")
    return root


def _book(place: Path) -> Path:
    """Return the file that describes the book."""
    named = _xml(place / _CONTAINER).find(".//{*}rootfile")
    file = (place / (named.get("full-path") or "")).resolve() if named is not None else place
    if not file.is_relative_to(place.resolve()) or not file.is_file():
        raise ValueError("no package document")
    return file


def _spine(root: Any, folder: Path, place: Path) -> Iterator[Path]:
    """Yield the book's pages in reading order."""
    items = {item.get("id"): item for item in root.iterfind(".//{*}manifest/{*}item")}
    for reference in root.iterfind(".//{*}spine/{*}itemref"):
        item = items.get(reference.get("idref"))
        if item is None or item.get("media-type") not in _PAGES or "nav" in (item.get("properties") or "").split():
            continue
        file = (folder / unquote(item.get("href") or "")).resolve()
        if file.is_relative_to(place.resolve()) and file.is_file():
            yield file


def _once(blocks: list[LayoutBlock]) -> list[LayoutBlock]:
    """Leave out what comes before the first heading where it only repeats it, as a title page does."""
    seen: set[str] = set()
    kept = []
    for block in blocks:
        if block.kind == "heading" and block.level == 1 and one_line(block.text) in seen:
            continue
        if block.kind == "heading":
            seen.add(one_line(block.text))
        kept.append(block)
    return kept


def _said(root: Any, name: str) -> str:
    found = root.find(f".//{{http://purl.org/dc/elements/1.1/}}{name}")
    return one_line(found.text or "") if found is not None else ""


def _metadata(root: Any) -> dict[str, MetadataValue]:
    """What the book says of itself; its year of publication is a date where it is written as one."""
    said = {"author": _said(root, "creator"), "publisher": _said(root, "publisher"), "date": _said(root, "date")[:10]}
    return {key: value for key, value in said.items() if value}
