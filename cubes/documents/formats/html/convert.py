"""HTML files as Markdown with chapters, tables and figures.

The library is lxml (BSD): its parser reads what browsers read, fast and within bounds, and fetches nothing.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from lxml import etree
from lxml.html import HTMLParser, document_fromstring

from ....core.records import MetadataValue
from ...encodings import guess
from ...textfiles import MAX_RECORD, TextFileFault, clean
from ..blocks import LayoutBlock, converted, one_line
from ..records import ConvertedFile
from .blocks import HtmlBlocks
from .content import main_content, text_of, words

__all__ = ["convert", "page", "page_blocks"]

_SNIFF = 4_096
_DECLARED = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*(?P<name>[\w.:-]{2,40})", re.IGNORECASE)
_XML = re.compile(r"\s*<\?xml(?P<rest>[^>]*)\?>")
_XML_DECLARED = re.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"'](?P<name>[\w.:-]{2,40})")
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_NAMED = {"author": "author", "keywords": "keywords", "description": "description", "date": "date",
          "dc.date": "date", "dcterms.date": "date", "article:published_time": "date"}  # fmt: skip
_DEEPEST = 80
_WRAPPERS = words("a article b big center code div em font i main section small span strong sub sup tt u")
_NUMBER = re.compile(r"^(?:chapter |section |part )?[\d.]+[\s:.-]*", re.IGNORECASE)
_SITE = re.compile(r"\s+[|\u2013\u2014\u00b7\u00bb-]\s+")


def convert(path: Path) -> ConvertedFile:
    """Return an HTML file as Markdown: its main content under the headings it has, at their levels.

    Navigation, tables of contents, page headers and footers, forms, scripts and what is hidden are left out. Images
    are taken from files in the document's own folder and below, and from the file itself; nothing is fetched. The
    encoding is the byte order mark's, the declared one, UTF-8, or told by the text. Raises TextFileFault for what
    cannot be read.
    """
    with path.open("rb") as file:
        data = file.read(MAX_RECORD + 1)
    if len(data) > MAX_RECORD:
        raise TextFileFault(f"The file is longer than {MAX_RECORD // 2**20} MB; split it into smaller ones.")
    if not data.strip():
        raise TextFileFault("The file is empty.")
    text, encoding = _decoded(data)
    return page(text, path.parent, encoding)


def page(text: str, folder: Path, encoding: str = "") -> ConvertedFile:
    """Return the text of a page as Markdown; ``folder`` is where its images may be taken from. Raises TextFileFault."""
    root = _flattened(_parsed(text))
    main = main_content(root)
    if main is None:
        raise TextFileFault("The file is a list of links to other pages; there is nothing to read in it.")
    blocks = _walked(main, folder)
    if not any(block.text.strip() or block.rows or block.picture for block in blocks):
        raise TextFileFault("The file has no text; what a script would show cannot be read.")
    title, blocks = _titled(blocks, _page_title(root))
    return replace(converted(title, blocks, _metadata(root)), encoding=encoding)


def page_blocks(file: Path) -> list[LayoutBlock]:
    """Return the blocks of one page of a book; none where it only leads to others. Raises TextFileFault."""
    text = _decoded(file.read_bytes())[0]
    main = main_content(_flattened(_parsed(text))) if text.strip() else None
    return _walked(main, file.parent) if main is not None else []


def _walked(main: Any, folder: Path) -> list[LayoutBlock]:
    try:
        return HtmlBlocks(folder).blocks(main)
    except RecursionError as error:
        raise TextFileFault("The file's elements are nested too deeply.") from error


def _decoded(data: bytes) -> tuple[str, str]:
    """Return the text of a file, whatever its encoding, and that encoding where it had to be guessed."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return clean(data.decode(encoding, "replace")), ""
    if b"\0" in data[:_SNIFF]:
        raise TextFileFault("This is a binary file, not HTML.")
    declared = _DECLARED.search(data[:_SNIFF]) or _XML_DECLARED.search(data[:_SNIFF])
    for encoding in (declared["name"].decode("ascii", "ignore") if declared else "utf-8", "utf-8"):
        try:
            if codecs.lookup(encoding)._is_text_encoding:
                return clean(data.decode(encoding)), ""
        except (LookupError, ValueError):
            continue
    guessed = guess(data) or "cp1252"
    return clean(data.decode(guessed, "replace")), guessed


def _parsed(text: str) -> Any:
    text = _XML.sub("", text, count=1)
    parser = HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=True)
    try:
        return document_fromstring(text.encode(), parser=parser)
    except (etree.LxmlError, ValueError, AssertionError) as error:
        raise TextFileFault("The HTML file has no text.") from error


def _flattened(root: Any) -> Any:
    """Take elements without a meaning of their own out of what is nested beyond all reason, as unclosed ones are."""
    depths: dict[Any, int] = {}
    for element in list(root.iter()):
        parent = element.getparent()
        above = depths[parent] if parent is not None else 0
        drop = above >= _DEEPEST and element.tag in _WRAPPERS
        depths[element] = above if drop else above + 1
        if drop:
            element.drop_tag()
    return root


def _page_title(root: Any) -> str:
    found = root.find(".//head/title")
    return one_line(text_of(found)) if found is not None else ""


def _metadata(root: Any) -> dict[str, MetadataValue]:
    """What the file's head says of it; a date is kept where it is an ISO date."""
    metadata: dict[str, MetadataValue] = {}
    for element in root.iterfind(".//head/meta"):
        key = _NAMED.get((element.get("name") or element.get("property") or "").lower())
        value = one_line(element.get("content") or "")
        if key == "date":
            value = value[:10] if re.match(r"\d{4}-\d\d-\d\d", value) else ""
        if key and value:
            metadata.setdefault(key, value)
    return metadata


def _titled(blocks: Sequence[LayoutBlock], page: str) -> tuple[str, list[LayoutBlock]]:
    """Return the document's title and the blocks without it.

    It is the only heading of the first level where that stands before all others, else what the head says, without the
    name of the site behind it. Where the head has the name of a later heading, the first is the name of the site.
    """
    headings = [n for n, block in enumerate(blocks) if block.kind == "heading"]
    tops = [n for n in headings if blocks[n].level == 1]
    names = [one_line(blocks[n].text).casefold() for n in headings]
    short = _SITE.split(page)[0] if page else ""
    if len(tops) == 1 and tops[0] == headings[0] and len(blocks) > 1:
        only = tops[0]
        if not _is_site(names, short):
            return one_line(blocks[only].text), [*blocks[:only], *blocks[only + 1 :]]
        return short, list(blocks)
    if short.casefold() in names:
        return short, list(blocks)
    return page or (one_line(blocks[headings[0]].text) if headings else ""), list(blocks)


def _is_site(names: Sequence[str], page: str) -> bool:
    """Whether the first heading names the site: the page's name is not like it, and is in the second."""
    bare = _NUMBER.sub("", page).casefold()
    return bool(bare) and bare not in names[0] and names[0] not in bare and any(bare in name for name in names[1:2])
