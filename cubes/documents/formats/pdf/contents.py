"""A PDF's own tables of contents: its outline (bookmarks), and one that is printed on its first pages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pypdfium2

from .items import Item, TextLine

__all__ = ["ContentsEntry", "number_of", "outline_of", "plain", "printed_contents"]

_MOST_ENTRIES = 20_000
_DEEPEST = 8
_LEADERS = re.compile(
    r"^(?P<title>.*?\w.*?)[\s\u00a0]*(?:(?:[.\u2026\u00b7_][\s\u00a0]?){3,})\s*(?P<page>\d{1,4}|[ivxlc]{1,7})$"
)
_PAGED = re.compile(r"^(?P<title>.*?\w.*?)\s+(?P<page>\d{1,4}|[ivxlc]{1,7})$")
_HEADED = re.compile(
    r"(?:\d+\.?\s+)?(?:(?:brief |detailed |short )?(?:table of )?contents|list of (?:figures|tables|examples|listings)"
    r"|inhalt(?:sverzeichnis)?|sommaire|table des mati\S+|\S+ndice"
    r"|contenido|sum.rio|\u76ee\s*\u5f55|\u76ee\s*\u6b21)\W*$",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?:(?P<word>part|chapter|appendix|annex|section|kapitel|anhang|teil|chapitre|annexe|cap\S+tulo)\s+)?"
    r"(?P<number>(?:\d{1,3}|[A-Z])(?:[.\u2011-]\d{1,3})*|[IVXLC]{1,7})(?P<end>[.:)]|(?=\s|$))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ContentsEntry:
    """A chapter that a table of contents names: its level from 1, and its page in the file where that is known."""

    level: int
    title: str
    page: int | None


def outline_of(document: pypdfium2.PdfDocument) -> list[ContentsEntry]:
    """Return the outline of a PDF in order; one that cannot be read is empty."""
    entries: list[ContentsEntry] = []
    try:
        for bookmark in document.get_toc(max_depth=_DEEPEST):
            title = " ".join(bookmark.get_title().split())
            target = bookmark.get_dest()
            page = target.get_index() if target is not None else None
            if title:
                entries.append(ContentsEntry(bookmark.level + 1, title, page))
            if len(entries) >= _MOST_ENTRIES:
                break
    except (pypdfium2.PdfiumError, ValueError, RecursionError):
        return entries
    return entries


def plain(text: str) -> str:
    """Return text as it is compared: letters and digits alone, in lower case."""
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())


def number_of(text: str) -> tuple[tuple[str, ...], str] | None:
    """Return a heading's number in parts and the rest: "2.1 Use" is (("2", "1"), "Use"); None without a number.

    A letter or a Roman number counts only where a mark or a word ("Appendix A") makes it one.
    """
    found = _NUMBER.match(text)
    if found is None:
        return None
    number, rest = found["number"], text[found.end() :].strip()
    marked = bool(found["word"]) or found["end"] in (".", ":") or "." in number
    if not number[0].isdigit() and (
        number[0].islower() or not (marked or (len(number) == 1 and number != "I" and number != "A"))
    ):
        return None
    if (
        not found["word"]
        and rest
        and not (rest[0].isupper() or not rest[0].isascii() or rest[0] in "\"'(`/$_.-" or rest[0].isalpha())
    ):
        return None
    return tuple(re.split(r"[.\u2011-]", number)), rest


def printed_contents(pages: Sequence[Sequence[Item]]) -> tuple[list[ContentsEntry], set[int]]:
    """Return the chapters that printed tables of contents name, without pages, and the ids of the lines they take.

    A list that ends in page numbers is one where its heading says so, or where leaders run to the numbers on one of
    the first pages; an index at the end is not.
    """
    taken: set[int] = set()
    found: list[tuple[float, str]] = []
    going = False
    for number, page in enumerate(pages):
        lines = [item for item in page if isinstance(item, TextLine)]
        early = number <= max(4, 0.25 * len(pages))
        headed = next((n for n, line in enumerate(lines) if _HEADED.match(line.text.strip())), None)
        zone = _zone(lines, headed, going, early)
        going = bool(zone) and zone[-1] is lines[-1]
        if zone:
            taken.update(id(line) for line in zone)
            figures = headed is not None and re.search(
                "figure|table[s]|listing|example", lines[headed].text, re.IGNORECASE
            )
            if not figures:
                found.extend(_entries(zone))
    return _levelled(found), taken


def _zone(lines: Sequence[TextLine], headed: int | None, going: bool, early: bool) -> list[TextLine]:
    """Return the lines of a page that are a table of contents, its heading included."""
    if headed is None and not going and not early:
        return []
    start = headed if headed is not None and not going else 0
    entries = [n for n in range(start, len(lines)) if _is_entry(lines[n])]
    led = sum(bool(_LEADERS.match(lines[n].text)) for n in entries)
    if len(entries) < 3 or not (headed is not None or going or (led >= 5 and led > 0.5 * len(lines))):
        return []
    if going and entries[0] > 4:
        return []
    if headed is None and not going:
        start = entries[0]
    end = entries[0]
    for n in entries:
        if n - end > 4:
            break
        end = n
    inside = [n for n in entries if n <= end]
    dense = len(inside) >= 0.4 * (end - start)
    rest = lines[end + 1 :]
    if len(rest) <= 2 and all(not line.text.rstrip().endswith(".") for line in rest):
        end = len(lines) - 1
    return list(lines[start : end + 1]) if dense and len(inside) >= 3 else []


def _is_entry(line: TextLine) -> bool:
    if _LEADERS.match(line.text):
        return True
    if len(line.words) < 2 or not _PAGED.match(line.text):
        return False
    last, before = line.words[-1], line.words[-2]
    return last.x0 - before.x1 > 1.2 * line.size and line.x1 > line.column[1] - 0.25 * (line.column[1] - line.column[0])


def _entries(zone: Sequence[TextLine]) -> Iterator[tuple[float, str]]:
    for line in zone:
        matched = _LEADERS.match(line.text) or (_PAGED.match(line.text) if _is_entry(line) else None)
        if matched is not None:
            yield line.x0, matched["title"].strip(" .\u2026\u00b7_")


def _levelled(found: Sequence[tuple[float, str]]) -> list[ContentsEntry]:
    """Give entries their level: by the parts of their number, or by how far they are indented."""
    indents: list[float] = []
    for x, _ in sorted(found):
        if not indents or x - indents[-1] > 6:
            indents.append(x)
    entries = []
    for x, title in found:
        number = number_of(title)
        depth = len(number[0]) if number else 1 + sum(indent < x - 6 for indent in indents)
        entries.append(ContentsEntry(min(depth, _DEEPEST), title, None))
    return entries
