"""Reading Markdown pipe tables out of a section's text: title, column labels, rows (HiQA A.4).

A table's cells stay where they are, for the reader; retrieval looks at its title and labels alone
(`augment.augmented_text`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from ...core.records import Span

__all__ = ["MarkdownTable", "is_table_name", "row_spans", "tables_in"]

_DIVIDER = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_FENCE = re.compile(r" {0,3}(?:`{3,}|~{3,})")
_BAR = re.compile(r"(?<!\\)\|")
_NAMED = re.compile(
    r"(?:table|tab\.|tabelle|tableau|tabla)[ \t]+(?=[\w.-]*[\dIVX])[\w.-]{1,12}(?:[ \t]*[:.|–—-]|[ \t]|$)",
    re.IGNORECASE,
)
_BOLD = re.compile(r"(?P<mark>\*\*|__|\*|_)(?P<name>\S(?:.*\S)?)(?P=mark):?$")
_EMPHASIS = re.compile(r"\*\*|__|(?<!\w)[*_]|[*_](?!\w)|`")
_LONGEST_TITLE = 250


@dataclass(frozen=True, slots=True)
class MarkdownTable:
    """A table as it stands in a text; its first column holds the rows' labels.

    ``span`` covers the table's lines, from the header to the last row, ``named`` the line of its title, where it has
    one. Every row has as many cells as there are columns. A piece of a long table that was cut off from its header has
    no ``columns``.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    span: Span
    named: Span | None = None

    def records(self) -> Iterator[dict[str, str]]:
        """Yield each row as column label -> cell; nothing for a piece without a header."""
        for row in self.rows if self.columns else ():
            yield dict(zip(self.columns, row, strict=True))


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    start: int
    end: int


def tables_in(text: str) -> list[MarkdownTable]:
    """Return the tables of a text, in order; fenced code holds none.

    A table's title is the line before it ("Table 3: Absolute maximum ratings", or a line in bold), or a line behind it
    that calls itself a table's.
    """
    if "|" not in text:
        return []
    lines, found, n = _lines(text), list[MarkdownTable](), 0
    taken = -1  # the last line that belongs to a table already, as a row or as its title
    while n < len(lines):
        block = _block(lines, n)
        if block is None:
            n += 1
            continue
        header, rows = block
        last = n + (2 if header else 0) + len(rows) - 1
        at = _title_line(lines, n, last, taken)
        named = None if at is None else Span(lines[at].start, lines[at].end)
        title = "" if at is None else _plain(lines[at].text)
        found.append(_table(title, header, rows, Span(lines[n].start, lines[last].end), named))
        taken = last if at is None else max(last, at)
        n = last + 1
    return found


def row_spans(text: str, table: MarkdownTable) -> Iterator[tuple[Span, tuple[Span, ...]]]:
    """Yield the line of each row of a text's table, and where its cells stand in it, without the space around them."""
    start = table.span.start
    for n, line in enumerate(text[table.span.start : table.span.end].split("\n")):
        end = start + len(line)
        if n > 1 or not table.columns:
            opens = start + len(line) - len(line.lstrip())
            bars = [*(bar.end() for bar in _BAR.finditer(text, opens, end)), end + 1]
            edges = bars if text.startswith("|", opens) else [opens, *bars]
            yield Span(start, end), tuple(_stripped(text, *pair) for pair in pairwise(edges))
        start = end + 1


def _stripped(text: str, start: int, behind: int) -> Span:
    cell = text[start : behind - 1]
    start += len(cell) - len(cell.lstrip())
    return Span(start, start + len(cell.strip()))


def is_table_name(line: str) -> bool:
    """Whether a line calls itself a table's title: "Table 3: Ratings", "**Table II**"."""
    return _NAMED.match(_plain(line)) is not None


def _lines(text: str) -> list[_Line]:
    """Return the lines outside fenced code; those within are blank."""
    lines, start, fence = [], 0, ""
    for line in text.split("\n"):
        matched = _FENCE.match(line)
        inside = bool(fence) or matched is not None
        if matched is not None:
            mark = matched.group().strip()
            fence = mark if not fence else "" if mark.startswith(fence) else fence
        lines.append(_Line("" if inside else line, start, start + len(line)))
        start += len(line) + 1
    return lines


def _block(lines: Sequence[_Line], n: int) -> tuple[list[str], list[list[str]]] | None:
    """Read the table that begins at a line: its header and its rows; None where none begins."""
    first = lines[n].text
    if "|" not in first:
        return None
    header = _cells(first)
    behind = lines[n + 1].text if n + 1 < len(lines) else ""
    if "-" in behind and _DIVIDER.match(behind) and "|" in behind and len(_cells(behind)) == len(header):
        rows = [_cells(line.text) for line in takewhile(_is_row, lines[n + 2 :])]
        return header, rows
    loose = [_cells(line.text) for line in takewhile(_is_walled, lines[n:])]
    if len(loose) > 1 and len(loose[0]) > 1 and all(len(row) == len(loose[0]) for row in loose):
        return [], loose
    return None


def _is_row(line: _Line) -> bool:
    return "|" in line.text and bool(line.text.strip())


def _is_walled(line: _Line) -> bool:
    """Whether a line begins and ends with a bar, as a row does that lost its header."""
    bare = line.text.strip()
    return len(bare) > 1 and bare.startswith("|") and bare.endswith("|") and not _DIVIDER.match(bare)


def _cells(line: str) -> list[str]:
    bare = line.strip().removeprefix("|")
    parts = _BAR.split(bare)
    if len(parts) > 1 and not parts[-1].strip():
        parts.pop()
    return [_EMPHASIS.sub("", part).replace("\\|", "|").replace("<br>", " ").strip() for part in parts]


def _table(
    title: str, header: Sequence[str], rows: Sequence[Sequence[str]], span: Span, named: Span | None
) -> MarkdownTable:
    width = len(header) or max((len(row) for row in rows), default=0)
    filled = tuple((*row, *[""] * width)[:width] for row in rows)
    return MarkdownTable(title, tuple(header), filled, span, named)


def _title_line(lines: Sequence[_Line], first: int, last: int, taken: int) -> int | None:
    """Return which line names the table of lines ``first`` to ``last``."""
    before = next((n for n in range(first - 1, max(first - 3, taken, -1), -1) if lines[n].text.strip()), None)
    if before is not None and _is_title(lines[before].text):
        return before
    behind = next((n for n in range(last + 1, min(last + 3, len(lines))) if lines[n].text.strip()), None)
    if behind is None or not is_table_name(lines[behind].text):
        return None
    then = next((n for n in range(behind + 1, min(behind + 3, len(lines))) if lines[n].text.strip()), None)
    return None if then is not None and _block(lines, then) is not None else behind  # else it is the next table's


def _is_title(line: str) -> bool:
    bare = line.strip()
    return len(bare) <= _LONGEST_TITLE and (_BOLD.match(bare) is not None or is_table_name(bare))


def _plain(line: str) -> str:
    return _EMPHASIS.sub("", line).strip()
