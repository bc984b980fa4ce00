"""From the items of a PDF to blocks: tables and figures as they are, lines joined to paragraphs, list items and code.

Words that are broken at a line's end are mended (HiQA 3.1).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from ..blocks import LayoutBlock, Picture
from .headings import Heading
from .items import Item, PictureItem, TableItem, TextLine

__all__ = ["blocks_of"]

_BULLET = re.compile(
    r"(?:(?P<dot>[\u2022\u2023\u25e6\u25aa\u25ab\u25cf\u25cb\u25a0\u25a1\u25c6\u2756\u27a2\u2713\u00b7\u2219\uf0b7\uf0a7\uf0d8*]|[\u2013\u2014-](?=\s))\s*"
    r"|(?P<number>\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]|\(?[A-Z]\))\s+)(?=\S)"
)
_END = re.compile(r"[.!?:;\u3002\uff01\uff1f][\"'\u201d\u2019)\]]*$")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_HYPHENED = frozenset(("self", "well", "half", "cross", "ex", "quasi", "vice"))
_NOTE = 0.9  # of the text's size: smaller text at the foot of a page is a note
_WIDE = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")


@dataclass(slots=True)
class _Part:
    """A paragraph, list item or piece of code that is being put together."""

    kind: Literal["paragraph", "item", "code"]
    lines: list[TextLine] = field(default_factory=list)
    text: str = ""
    marker: str = "-"
    left: float = 0.0
    level: int = 1


class _Vocabulary:
    """The words of a document, by which words broken at the end of a line are mended."""

    def __init__(self, pages: Sequence[Sequence[Item]]) -> None:
        self._words: Counter[str] = Counter()
        for page in pages:
            for item in page:
                if isinstance(item, TextLine):
                    text = item.text.lower()
                    self._words.update(_WORD.findall(text.rsplit(" ", 1)[0] if text.endswith("-") else text))

    def join(self, text: str, line: str) -> str:
        """Return text with a line behind it."""
        if not text:
            return line
        if _WIDE.match(text[-1]) and _WIDE.match(line[0]):
            return text + line
        if not (text.endswith("-") and text[-2:-1].isalpha() and line[0].isalpha()):
            return f"{text} {line}"
        left = _WORD.findall(text[:-1])[-1].lower()
        right = found[0].lower() if (found := _WORD.match(line)) else ""
        whole, hyphened = self._words[left + right], self._words[f"{left}-{right}"]
        both = self._words[left] > 1 and self._words[right] > 1 and len(left) > 2 and len(right) > 2
        keep = line[0].isupper() or left in _HYPHENED or hyphened > whole or (both and not whole)
        return text + line if keep else text[:-1] + line


def blocks_of(pages: Sequence[Sequence[Item]], headings: Mapping[int, Heading], size: float) -> list[LayoutBlock]:
    """Return a document's blocks; ``size`` is that of its running text."""
    return list(_Writer(pages, headings, size).blocks())


class _Writer:
    """Goes through a document's items and puts lines together."""

    def __init__(self, pages: Sequence[Sequence[Item]], headings: Mapping[int, Heading], size: float) -> None:
        self._pages, self._headings, self._size = pages, headings, size
        self._vocabulary = _Vocabulary(pages)
        self._pitch = _pitches(pages)
        self._done: list[LayoutBlock | _Part] = []
        self._part: _Part | None = None
        self._skip: set[int] = set()
        self._items: list[_Part] = []

    def blocks(self) -> Iterator[LayoutBlock]:
        """Yield the blocks in order."""
        for page in self._pages:
            for n, item in enumerate(page):
                if not isinstance(item, TextLine):
                    self._close()
                    self._done.append(_other(item))
                elif id(item) not in self._skip:
                    self._line(item, next((i for i in page[n + 1 :] if isinstance(i, TextLine)), None))
        self._close()
        for done in self._done:
            yield done if isinstance(done, LayoutBlock) else _block(done)

    def _close(self) -> None:
        if self._part is not None:
            self._done.append(self._part)
            self._part = None

    def _line(self, line: TextLine, after: TextLine | None) -> None:
        heading = self._headings.get(id(line))
        if heading is not None:
            self._close()
            self._items = []
            self._skip.update(heading.lines)
            self._done.append(LayoutBlock("heading", heading.text, heading.level, page=line.page + 1))
        elif self._is_code(line, after):
            self._code(line)
        elif (marked := _BULLET.match(line.text)) and self._may_be_item(line, marked):
            self._item(line, marked)
        elif not self._goes_on(line, after):
            self._close()
            if not self._resumes(line):
                self._part = _Part("paragraph", [line], line.text, left=line.x0)
                self._items = self._items if self._items and line.x0 > self._items[0].left + 4 else []
        else:
            assert self._part is not None  # `_goes_on` has seen it
            self._part.text = self._vocabulary.join(self._part.text, line.text)
            self._part.lines.append(line)

    # code.

    def _is_code(self, line: TextLine, after: TextLine | None) -> bool:
        """Whether a line is code: all of it in a font of one width, and not just such words within a paragraph."""
        if not line.mono:
            return False
        part = self._part
        if part is None or part.kind == "code" or not self._tight(part.lines[-1], line):
            return True
        return after is not None and after.mono and self._tight(line, after) and bool(_END.search(part.text))

    def _code(self, line: TextLine) -> None:
        part = self._part
        if part is not None and part.kind == "code":
            last = part.lines[-1]
            if last.page == line.page and 0 < line.y - last.y < 4 * line.size:
                blank = line.y - last.y > 1.7 * self._pitch_of(line)
                if blank:
                    part.text += "\n"
                part.lines.append(line)
                return
        self._close()
        if (
            self._done
            and isinstance(before := self._done[-1], _Part)
            and before.kind == "code"
            and self._next_page(before, line)
        ):
            before.lines.append(line)
            self._part = self._done.pop()  # type: ignore[assignment]
            return
        self._part = _Part("code", [line])

    @staticmethod
    def _next_page(part: _Part, line: TextLine) -> bool:
        return part.lines[-1].page == line.page - 1

    # lists.

    def _may_be_item(self, line: TextLine, marked: re.Match[str]) -> bool:
        """Whether a line that begins with a bullet or number begins an item, and is no such line of a paragraph."""
        if marked["dot"] and marked["dot"] not in "-*\u2013\u2014\u00b7":
            return True
        part = self._part
        if part is None or not self._tight(part.lines[-1], line):
            return True
        apart = len(line.words) > 1 and line.words[1].x0 - line.words[0].x1 > 0.2 * line.size
        if part.kind == "item":
            return apart and any(abs(each.left - line.x0) < 3 for each in self._items)
        return apart and (line.x0 > part.left + 4 or bool(_END.search(part.text)))

    def _item(self, line: TextLine, marked: re.Match[str]) -> None:
        self._close()
        self._items = [item for item in self._items if item.left < line.x0 - 3]
        level = len(self._items) + 1
        marker = marked["number"].strip("()") if marked["number"] else "-"
        if marker != "-" and not marker[0].isdigit():
            marker, text = "-", line.text
        else:
            text = line.text[marked.end() :]
            marker = marker.rstrip(").") + "." if marker != "-" else marker
        self._part = _Part("item", [line], text, marker, line.x0, min(level, 6))
        self._items.append(self._part)

    # paragraphs.

    def _pitch_of(self, line: TextLine) -> float:
        return self._pitch.get(line.size, 1.2 * line.size)

    def _tight(self, last: TextLine, line: TextLine) -> bool:
        """Whether a line follows another as lines of one paragraph do."""
        return last.page == line.page and 0 < line.y - last.y <= 1.3 * max(self._pitch_of(line), 1.1 * line.size)

    def _goes_on(self, line: TextLine, after: TextLine | None) -> bool:
        part = self._part
        if part is None or part.kind == "code":
            return False
        last = part.lines[-1]
        if abs(last.size - line.size) > 0.12 * last.size or not self._tight(last, line):
            return False
        if part.kind == "item":
            return line.x0 > part.left + 2
        left, right = line.column
        if abs(line.x0 - last.x0) > 2 and len(part.lines) > 1 and line.x0 > last.x0 + 0.7 * line.size:
            return not (_END.search(part.text) or after is None or after.x0 < line.x0 - 2)
        indented = line.x0 > last.x0 + 0.7 * line.size
        returns = after is not None and after.x0 < line.x0 - 0.7 * line.size and self._tight(line, after)
        if indented and _END.search(part.text) and (returns or last.x1 < right - 2 * line.size):
            return False
        short = last.x1 < right - 0.3 * (right - left)
        if line.bold != last.bold and short:
            return False
        return not (short and _END.search(part.text) and line.text[0].isupper())

    def _resumes(self, line: TextLine) -> bool:
        """Go on with the paragraph that the page or column before broke off, past notes and figures between."""
        note = line.size < _NOTE * self._size
        for back in range(len(self._done) - 1, max(-1, len(self._done) - 12), -1):
            before = self._done[back]
            if isinstance(before, LayoutBlock):
                if before.kind == "heading":
                    return False
                continue
            if before.kind == "code" or before.lines[-1].size < _NOTE * self._size != note:
                continue
            last = before.lines[-1]
            moved = last.page == line.page - 1 or (
                last.page == line.page and (line.y <= last.y or line.x0 > last.column[1])
            )
            broken = before.text.endswith("-") or not _END.search(before.text)
            full = last.x1 > last.column[1] - 0.15 * (last.column[1] - last.column[0])
            begins = (
                line.text[0].islower()
                or line.text[0] in "(\"'\u201c"
                or (full and line.x0 < line.column[0] + 0.7 * line.size)
            )
            if not moved or not broken or not begins or abs(last.size - line.size) > 0.5:
                return False
            self._part = self._done.pop(back)  # type: ignore[assignment]
            assert self._part is not None
            self._part.text = self._vocabulary.join(self._part.text, line.text)
            self._part.lines.append(line)
            if back < len(self._done):  # what stood between goes behind the paragraph's end
                between = self._done[back:]
                del self._done[back:]
                self._done.append(self._part)
                self._done.extend(between)
                self._done.remove(self._part)
                self._done.insert(back, self._part)
                self._part = None
            return True
        return False


def _pitches(pages: Sequence[Sequence[Item]]) -> dict[float, float]:
    """Return how far lines of each size mostly are apart."""
    apart: dict[float, Counter[float]] = {}
    for page in pages:
        lines = [item for item in page if isinstance(item, TextLine)]
        for last, line in pairwise(lines):
            if last.size == line.size and 0.9 * line.size < line.y - last.y < 2.2 * line.size:
                apart.setdefault(line.size, Counter())[round((line.y - last.y) * 2) / 2] += 1
    return {size: counts.most_common(1)[0][0] for size, counts in apart.items()}


def _other(item: TableItem | PictureItem) -> LayoutBlock:
    if isinstance(item, TableItem):
        return LayoutBlock("table", item.caption, rows=tuple(item.rows), page=item.page + 1)
    picture = Picture(item.data, item.media_type, item.labels, item.page + 1)
    return LayoutBlock("figure", item.caption, picture=picture, page=item.page + 1)


def _block(part: _Part) -> LayoutBlock:
    page = part.lines[0].page + 1
    if part.kind == "code":
        return LayoutBlock("code", _laid_out(part.lines), page=page)
    if part.kind == "item":
        return LayoutBlock("item", part.text, part.level, part.marker, page=page)
    return LayoutBlock("paragraph", part.text, page=page)


def _laid_out(lines: Sequence[TextLine]) -> str:
    """Set code in columns as it stood on the page, empty lines included."""
    width = max((word.x1 - word.x0) / len(word.text) for line in lines for word in line.words[:1]) or 5.0
    widths = sorted((word.x1 - word.x0) / len(word.text) for line in lines for word in line.words)
    width = widths[len(widths) // 2] or width
    left = min(line.x0 for line in lines)
    rows: list[str] = []
    for n, line in enumerate(lines):
        if n and lines[n - 1].page == line.page and line.y - lines[n - 1].y > 1.9 * line.size:
            rows.append("")
        row = ""
        for word in line.words:
            at = round((word.x0 - left) / width)
            gap = min(at, 200) - len(row)
            touching = bool(row) and word.x0 - line.words[0].x0 < 0
            row += (" " * max(gap, 0 if not row or touching else int(gap >= 0))) + word.text
        rows.append(row)
    return "\n".join(rows)
