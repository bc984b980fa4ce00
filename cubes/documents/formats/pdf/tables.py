"""Tables on a page: those drawn with rules, and those that only stand aligned under a caption."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..blocks import SpannedCell, grid_of
from .items import Box, Shape, TableItem, Word, around, line_of, rows_of, starts_caption, text_of

__all__ = ["tables_in"]

_NEAR = 3.0  # points within which two lines meet
_MOST_RULES = 4_000
_MOST_EDGES = 120
_CELL_GAP = 0.65  # of a font's size: a wider gap may lie between columns


@dataclass(frozen=True, slots=True)
class _Rules:
    across: list[Box]
    down: list[Box]


def tables_in(words: Sequence[Word], shapes: Sequence[Shape], page: int) -> list[TableItem]:
    """Return the tables of a page from its words and what is drawn on it, from the top."""
    rules = _rules(shapes)
    tables: list[TableItem] = []
    lying: list[Box] = []
    for group in _joined(rules):
        table = _gridded(group, words, page)
        if table is not None:
            tables.append(table)
        else:
            lying.extend(group.across)
    free = [word for word in words if not _inside(word, tables)]
    tables.extend(_between(lying, free, page))
    free = [word for word in words if not _inside(word, tables)]
    tables.extend(_aligned(free, tables, page))
    return sorted(tables, key=lambda table: table.box.y0)


def _inside(word: Word, tables: Iterable[TableItem]) -> bool:
    return any(table.box.holds(*word.middle, margin=1.0) for table in tables)


# rules.


def _rules(shapes: Sequence[Shape]) -> _Rules:
    """Collect lines across and down, the sides of frames and filled cells included; pieces of one line are joined."""
    across: list[Box] = []
    down: list[Box] = []
    for shape in shapes[:_MOST_RULES]:
        b = shape.box
        if shape.kind == "across":
            across.append(b)
        elif shape.kind == "down":
            down.append(b)
        elif shape.kind == "frame":
            across.extend((Box(b.x0, b.y0, b.x1, b.y0), Box(b.x0, b.y1, b.x1, b.y1)))
            down.extend((Box(b.x0, b.y0, b.x0, b.y1), Box(b.x1, b.y0, b.x1, b.y1)))
    turned = [Box(b.y0, b.x0, b.y1, b.x1) for b in down]
    return _Rules(_merged(across), [Box(b.y0, b.x0, b.y1, b.x1) for b in _merged(turned)])


def _merged(lines: Sequence[Box]) -> list[Box]:
    """Join lines across that lie on one level and touch."""
    levels: list[list[Box]] = []
    for line in sorted(lines, key=lambda b: b.y0 + b.y1):
        if levels and abs((levels[-1][-1].y0 + levels[-1][-1].y1) - (line.y0 + line.y1)) < 2.4:
            levels[-1].append(line)
        else:
            levels.append([line])
    merged: list[Box] = []
    for level in levels:
        level.sort(key=lambda b: b.x0)
        last = level[0]
        for line in level[1:]:
            if line.x0 <= last.x1 + _NEAR:
                last = Box(last.x0, min(last.y0, line.y0), max(last.x1, line.x1), max(last.y1, line.y1))
            else:
                merged.append(last)
                last = line
        merged.append(last)
    return [line for line in merged if line.width > 6]


def _joined(rules: _Rules) -> list[_Rules]:
    """Group the lines that meet."""
    lines = [*rules.across, *rules.down]
    groups = list(range(len(lines)))

    def root(n: int) -> int:
        while groups[n] != n:
            groups[n] = groups[groups[n]]
            n = groups[n]
        return n

    for n, across in enumerate(rules.across):
        for m, down in enumerate(rules.down, start=len(rules.across)):
            if across.meets(down, _NEAR):
                groups[root(n)] = root(m)
    found: dict[int, _Rules] = {}
    for n, line in enumerate(lines):
        group = found.setdefault(root(n), _Rules([], []))
        (group.across if n < len(rules.across) else group.down).append(line)
    return list(found.values())


def _edges(values: Iterable[float]) -> list[float]:
    edges: list[float] = []
    for value in sorted(values):
        if not edges or value - edges[-1] > _NEAR:
            edges.append(value)
    return edges


# tables with rules across and down.


def _gridded(rules: _Rules, words: Sequence[Word], page: int) -> TableItem | None:
    """Read a table whose columns are ruled; a frame around text is none."""
    if len(rules.down) < 1 or len(rules.across) < 2:
        return None
    box = around([*rules.across, *rules.down])
    xs = _edges([(b.x0 + b.x1) / 2 for b in rules.down] + [box.x0, box.x1])
    ys = _edges([(b.y0 + b.y1) / 2 for b in rules.across] + [box.y0, box.y1])
    if len(xs) < 3 or len(ys) < 2 or len(xs) > _MOST_EDGES or len(ys) > _MOST_EDGES * 4:
        return None
    held = [word for word in words if box.holds(*word.middle)]
    bands = _bands(xs, ys, held)
    rows = []
    for top, bottom, inner in bands:
        rows.append(_spanned(xs, (top, bottom), rules.down, inner))
    laid = [row for row in rows if any(cell.text for cell in row)]
    filled = sum(bool(cell.text) for row in laid for cell in row)
    if len(laid) < 2 or filled < 0.3 * sum(len(row) for row in laid) or filled < 4:
        return None
    headers = _headers(laid, held, bands)
    return TableItem(page, box, list(grid_of(laid, headers)), tuple(xs))


def _bands(xs: Sequence[float], ys: Sequence[float], words: Sequence[Word]) -> list[tuple[float, float, list[Word]]]:
    """Divide a table into rows at its rules; where these go around all rows only, where the first column begins."""
    bands = []
    loose = len(ys) <= 3
    for top, bottom in pairwise(ys):
        inner = [word for word in words if top <= word.middle[1] < bottom]
        starts = _row_starts(xs, inner) if loose else []
        if len(starts) > 1:
            cuts = [top, *starts[1:], bottom]
            for start, end in pairwise(cuts):
                bands.append((start, end, [word for word in inner if start <= word.middle[1] < end]))
        else:
            bands.append((top, bottom, inner))
    return bands


def _row_starts(xs: Sequence[float], words: Sequence[Word]) -> list[float]:
    """Return where rows begin that no rule divides: the lines with something in the first column and in another."""
    starts = []
    for row in rows_of(words):
        columns = {sum(edge <= word.middle[0] for edge in xs) for word in row}
        if 1 in columns and len(columns) > 1:
            starts.append(min(word.y - word.size for word in row))
    return starts


def _spanned(
    xs: Sequence[float], band: tuple[float, float], down: Sequence[Box], words: Sequence[Word]
) -> list[SpannedCell]:
    """Return the cells of a row; where no rule divides two columns, a cell covers both."""
    middle = (band[0] + band[1]) / 2
    cells: list[SpannedCell] = []
    start = 0
    for n in range(1, len(xs)):
        last = n == len(xs) - 1
        if last or any(abs((b.x0 + b.x1) / 2 - xs[n]) <= _NEAR and b.y0 - 1 <= middle <= b.y1 + 1 for b in down):
            inner = [word for word in words if xs[start] <= word.middle[0] < xs[n]]
            cells.append(SpannedCell(_text(inner), n - start))
            start = n
    return cells


def _headers(
    rows: Sequence[Sequence[SpannedCell]], words: Sequence[Word], bands: Sequence[tuple[float, float, list[Word]]]
) -> int:
    """Return how many rows are the header: one, or as many as are bold where others are not, or that span others."""
    filled = [inner for _, _, inner in bands if inner]
    bold = [all(word.font.bold for word in inner) for inner in filled]
    if not words or all(bold):
        return 1
    count = next((n for n, each in enumerate(bold) if not each), 0)
    if count == 0 and len(rows) > 2 and any(cell.columns > 1 and cell.text for cell in rows[0]):
        return 2 if len(rows[0]) > 1 else 1
    return min(max(count, 1), 3, len(rows) - 1)


def _text(words: Sequence[Word]) -> str:
    """Return a cell's text; a word that is broken at a line's end is mended."""
    text = ""
    for row in rows_of(words):
        line = line_of(row, 0).text
        broken = text.endswith("-") and text[-2:-1].isalpha() and line[:1].islower()
        text = text[:-1] + line if broken else f"{text} {line}"
    return text.strip()


# tables with rules across only, and without.


def _between(lines: Sequence[Box], words: Sequence[Word], page: int) -> list[TableItem]:
    """Read tables that stand between rules of one width."""
    tables: list[TableItem] = []
    for group in _stacks(lines):
        table = _ruled_across(group, words, page)
        if table is not None:
            tables.append(table)
            continue
        for first, second, *rest in (group[n:] for n in range(len(group) - 2)):
            if table is None and rest and (table := _ruled_across([first, second, rest[0]], words, page)):
                tables.append(table)
    return [t for n, t in enumerate(tables) if not any(t.box.meets(o.box, -4) for o in tables[:n])]


def _stacks(lines: Sequence[Box]) -> list[list[Box]]:
    """Group rules that begin and end alike, from the top."""
    stacks: list[list[Box]] = []
    for line in sorted(lines, key=lambda b: b.y0):
        for stack in stacks:
            if abs(stack[0].x0 - line.x0) < _NEAR and abs(stack[0].x1 - line.x1) < _NEAR:
                stack.append(line)
                break
        else:
            stacks.append([line])
    return [stack for stack in stacks if len(stack) > 1 and stack[0].width > 60]


def _ruled_across(rules: Sequence[Box], words: Sequence[Word], page: int) -> TableItem | None:
    box = Box(rules[0].x0 - 2, rules[0].y0, rules[0].x1 + 2, rules[-1].y1)
    held = [word for word in words if box.holds(*word.middle)]
    rows = rows_of(held)
    code = sum(word.font.mono for word in held) > 0.7 * len(held)
    if len(rules) < 3 or not 2 <= len(rows) <= 400 or code:
        return None  # two rules may frame anything; under a caption it is found without them
    gaps = _gaps(rows)
    if not gaps or _prose(rows, gaps):
        return None
    under = next((rule.y0 for rule in rules[1:-1] if any(row[0].y < rule.y0 for row in rows)), None)
    headers = sum(row[0].y < under for row in rows) if under is not None else 1
    return _table(rows, gaps, min(headers, len(rows) - 1), box, page)


def _aligned(words: Sequence[Word], tables: Sequence[TableItem], page: int) -> list[TableItem]:
    """Read tables without any rule: rows that stand aligned right below or above a caption."""
    rows = rows_of(words)
    found: list[TableItem] = []
    for n, row in enumerate(rows):
        if starts_caption(line_of(row, page).text) != "table":
            continue
        y = row[0].y
        if any(t.box.y0 - 45 < y < t.box.y1 + 45 for t in [*tables, *found]):
            continue
        for near in (rows[n + 1 :], rows[:n][::-1]):
            table = _aligned_rows(near, y, page)
            if table is not None:
                found.append(table)
                break
    return found


def _aligned_rows(near: Sequence[list[Word]], y: float, page: int) -> TableItem | None:
    taken: list[list[Word]] = []
    waiting: list[list[Word]] = []
    for row in near[:80]:
        size = row[0].size
        if abs(row[0].y - y) > (4 if not taken else 2.6) * size:
            break
        y = row[0].y
        if len(_cells(row)) > 1:
            taken.extend([*waiting, row] if taken else [row])
            waiting = []
        elif len(waiting) > (1 if taken else 3):
            break
        else:
            waiting.append(row)
    taken.sort(key=lambda each: each[0].y)
    gaps = _gaps(taken) if len(taken) > 1 else []
    if not gaps or _prose(taken, gaps):
        return None
    box = around(word.box for row in taken for word in row)
    return _table(taken, gaps, 1, box, page)


def _cells(row: Sequence[Word]) -> list[list[Word]]:
    cells = [[row[0]]]
    for last, word in pairwise(row):
        if word.x0 - last.x1 > _CELL_GAP * max(last.size, word.size):
            cells.append([])
        cells[-1].append(word)
    return cells


def _gaps(rows: Sequence[Sequence[Word]]) -> list[float]:
    """Return the middles of the stretches that hardly any row covers: what lies between columns."""
    spans = [(c[0].x0, c[-1].x1) for row in rows for c in _cells(row)]
    left, right = min(s[0] for s in spans), max(s[1] for s in spans)
    allowed = max(1, len(rows) // 8) if len(rows) > 3 else 0
    covered = [0] * (int(right - left) + 2)
    for start, end in spans:
        for x in range(int(start - left), int(end - left) + 1):
            covered[x] += 1
    gaps, begin = [], None
    for x, count in enumerate([*covered, allowed + 1]):
        if count <= allowed and begin is None:
            begin = x
        elif count > allowed and begin is not None:
            if begin > 0 and x - begin >= 4 and x < len(covered):
                gaps.append(left + (begin + x) / 2)
            begin = None
    return gaps


def _prose(rows: Sequence[Sequence[Word]], gaps: Sequence[float]) -> bool:
    """Whether what stands between the gaps is running text in columns."""
    long = sum(len(cell) >= 6 for row in rows for cell in _cells(row))
    alone = sum(len(_cells(row)) == 1 for row in rows)
    return len(rows) > 6 and (long > 1.1 * len(rows) or alone > 0.6 * len(rows)) and len(gaps) < 3


def _table(
    rows: Sequence[Sequence[Word]], gaps: Sequence[float], headers: int, box: Box, page: int
) -> TableItem | None:
    """Put the words of each row into the columns between the gaps; lines that go on a cell are joined to its row."""
    laid: list[list[str]] = []
    for n, row in enumerate(rows):
        cells: list[list[Word]] = [[] for _ in range(len(gaps) + 1)]
        for cell in _cells(row):
            first = sum(gap <= cell[0].x0 + 1 for gap in gaps)
            last = sum(gap <= cell[-1].x1 - 1 for gap in gaps)
            for word in cell:
                at = sum(gap <= word.middle[0] for gap in gaps)
                cells[first if first == last else at].append(word)
        texts = [text_of(cell) for cell in cells]
        if laid and n > headers and _goes_on(texts, laid[-1]):
            laid[-1] = [f"{a} {b}".strip() for a, b in zip(laid[-1], texts, strict=True)]
        else:
            laid.append(texts)
    if len(laid) < 2:
        return None
    headers = min(max(headers, 1), len(laid) - 1)
    grid = grid_of([[SpannedCell(text) for text in row] for row in laid], headers)
    return TableItem(page, box, list(grid), tuple(gaps))


def _goes_on(texts: Sequence[str], above: Sequence[str]) -> bool:
    """Whether a line holds more of the row above: nothing in the first column, and little, no number, elsewhere."""
    filled = [text for text in texts[1:] if text]
    words = not any(text[:1].isdigit() for text in filled)
    return not texts[0] and bool(filled) and len(filled) <= max(1, len(texts) // 2) and words and bool(any(above))
