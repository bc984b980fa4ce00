"""Running headers, footers and page numbers: lines at the same place of many pages that say the same, or count."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from .items import Item, TextLine

__all__ = ["without_running"]

_LARGER = 1.15  # of the text's size: such a line must say the very same to be a running one
_LARGE = 1.4
_EDGE_LINES = 3  # at the top, and at the bottom, of a page
_ROMAN = re.compile(r"[ivxlcdm]+", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_PAGE = re.compile(
    r"(?:[-\u2013\u2014\[(|\s]*|page\s+|p\.\s*|seite\s+|s\.\s*)(?P<number>\d{1,4}|[ivxlcdm]{1,7})"
    r"(?:\s*(?:/|of|von|de|\|)\s*\d{1,4})?[-\u2013\u2014\])|\s]*",
    re.IGNORECASE,
)
_Place = tuple[bool, int, int]


def without_running(pages: Sequence[Sequence[Item]], size: float) -> list[list[Item]]:
    """Return the pages without what is repeated at their edges; ``size`` is that of the running text.

    Large text is a chapter's heading, however many chapters begin with the same word and a number.
    """
    edges = [[(top, line) for top, line in _edges(page) if line.size < _LARGE * size] for page in pages]
    running = _running(edges, len(pages), _LARGER * size)
    return [[item for item in page if id(item) not in running] for page in pages]


def _edges(page: Sequence[Item]) -> list[tuple[bool, TextLine]]:
    """Return a page's outermost lines, from the edge inwards, and whether they are at its top."""
    lines = [item for item in page if isinstance(item, TextLine)]
    tops, bottoms = _levels(lines)[:_EDGE_LINES], _levels(lines)[::-1][:_EDGE_LINES]
    found = [(True, line) for level in tops for line in level]
    return found + [(False, line) for level in bottoms for line in level]


def _levels(lines: Sequence[TextLine]) -> list[list[TextLine]]:
    levels: list[list[TextLine]] = []
    for line in sorted(lines, key=lambda each: each.y):
        if levels and line.y - levels[-1][-1].y < 2:
            levels[-1].append(line)
        else:
            levels.append([line])
    return levels


def _running(edges: Sequence[Sequence[tuple[bool, TextLine]]], pages: int, large: float) -> set[int]:
    """Return the ids of the lines that are repeated, from one and the same height, on enough pages."""
    enough = 2 if pages <= 4 else max(3, min(6, pages // 20))
    same: dict[tuple[bool, int, str], set[int]] = defaultdict(set)
    counted: Counter[tuple[bool, int, int]] = Counter()
    for number, page in enumerate(edges):
        for top, line in page:
            for place in _places(top, line):
                same[(*place[:2], _shape(line, large))].add(number)
            counted.update((top, offset, round(line.y / 4)) for offset in _offsets(line.text, number))
    running: set[int] = set()
    styles: Counter[_Place] = Counter()
    totals: Counter[_Place] = Counter()
    for number, page in enumerate(edges):
        for top, line in page:
            repeated = any(len(same[(*p[:2], _shape(line, large))]) >= enough for p in _places(top, line))
            number_alone = _PAGE.fullmatch(line.text) is not None
            often = min(enough, pages) if number_alone else max(enough, 3) if line.size < large else pages + 1
            places = ((top, offset, round(line.y / 4)) for offset in _offsets(line.text, number))
            counts = any(counted[place] >= often for place in places)
            totals.update(_places(top, line))
            if (counts and not _body_like(line)) or (repeated and pages > 1 and not _body_like(line)):
                running.add(id(line))
                styles.update(_places(top, line))
    for page in edges:  # what stands where a running line stands on most pages is one, too: a short chapter's title
        for top, line in page:
            if line.size < large and any(styles[p] >= max(enough, 0.6 * totals[p]) for p in _places(top, line)):
                running.add(id(line))
    return running


def _body_like(line: TextLine) -> bool:
    return len(line.text) > 150


def _places(top: bool, line: TextLine) -> list[_Place]:
    """Return the height of a line in steps, both of those it may count to, with its size."""
    size = round(line.size * 2)
    return [(top, round(line.y / 4), size), (top, round((line.y + 2) / 4) + 10_000, size)]


def _shape(line: TextLine, large: float) -> str:
    """Return a text without what changes from page to page: its numbers."""
    text = line.text
    if line.size >= large:
        return text
    words = [word for word in text.split() if not (_ROMAN.fullmatch(word) and len(word) < 6)]
    return _NUMBER.sub("#", " ".join(words)) if any(c.isalpha() for c in text) else "#"


def _offsets(text: str, number: int) -> list[int]:
    """Return what a printed page number is ahead of the page's place in the file, for each number it may be."""
    found = _PAGE.fullmatch(text)
    if found is not None:
        return [_value(found["number"]) - number]
    words = text.split()
    return [_value(word) - number for word in {words[0], words[-1]} if word.isdigit() and len(word) < 5]


def _value(printed: str) -> int:
    return int(printed) if printed.isdigit() else _roman(printed.lower())


def _roman(text: str) -> int:
    values = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
    numbers = [values[char] for char in text]
    return sum(-n if n < max(numbers[at:]) else n for at, n in enumerate(numbers))
