"""Plots as SVG: scatter, lines and dots, in colours that the colour-blind can tell apart and shapes besides."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from .document import NOTHING, Plot, Series

__all__ = ["STYLE", "as_file", "svg"]

STYLE = """
.plot{font:12px system-ui,sans-serif;--ink:#1d2125;--soft:#565d65;--rule:#dddcd6;--s0:#0072b2;--s1:#b34700;--s2:#007a55;
--s3:#a3437f;--s4:#7a6500;--s5:#4d4d4d}
@media(prefers-color-scheme:dark){.plot{--ink:#e6e8ea;--soft:#a2abb4;--rule:#3a4149;--s0:#6cb8ec;--s1:#f0955a;--s2:#3fc79a;
--s3:#e49ac6;--s4:#dfc94b;--s5:#c4c4c4}}
.plot text{fill:var(--ink)}.plot .soft{fill:var(--soft)}.plot .rule{stroke:var(--rule)}.plot .axis{stroke:var(--soft)}
.plot .lead{stroke:var(--soft);stroke-width:.7}.plot .line{fill:none;stroke-width:2}
.plot .s0{--c:var(--s0)}.plot .s1{--c:var(--s1)}.plot .s2{--c:var(--s2)}.plot .s3{--c:var(--s3)}.plot .s4{--c:var(--s4)}
.plot .s5{--c:var(--s5)}.plot .mark{fill:var(--c);stroke:var(--c)}.plot .line{stroke:var(--c)}
"""
_COLOURS = 6
_WIDTH, _LEFT, _RIGHT, _TOP, _BOTTOM = 640, 52, 20, 30, 46
_TALL, _ROW = 300, 34
_LABEL, _LETTER = 14, 6.4
"""The height of a label and the width of a letter, roughly."""


@dataclass(frozen=True, slots=True)
class _Scale:
    """Where a value stands on an axis from ``start`` to ``end`` in the picture, and the ticks to draw there."""

    low: float
    high: float
    start: float
    end: float
    ticks: Sequence[float]
    log: bool = False

    def __call__(self, value: float) -> float:
        low, high = (math.log10(self.low), math.log10(self.high)) if self.log else (self.low, self.high)
        at = math.log10(value) if self.log else value
        return self.start + (self.end - self.start) * (at - low) / ((high - low) or 1)


def svg(plot: Plot) -> str:
    """Return the plot as an SVG element, which `STYLE` colours; its description says how to read it."""
    height, legend = _height(plot), _legend_rows(plot)
    body = "".join(_DRAW[plot.kind](plot, height, _TOP + 18 * legend))
    said = f"{plot.title}. {plot.y} over {plot.x}: " + "; ".join(_said(series) for series in plot.series[:12])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-labelledby="{plot.id}-t {plot.id}-d"><title id="{plot.id}-t">{escape(plot.title)}</title>'
        f'<desc id="{plot.id}-d">{escape(said)}</desc>{"".join(_legend(plot)) if legend else ""}{body}</svg>'
    )


def as_file(plot: Plot) -> str:
    """Return the plot as a file of its own, light or dark as who looks at it prefers."""
    return (
        svg(plot).replace("<title", f"<style>{STYLE}svg{{background:Canvas;color-scheme:light dark}}</style><title", 1)
        + "\n"
    )


def _said(series: Series) -> str:
    return f"{series.name} " + ", ".join(
        f"{_number(y)} at {x if isinstance(x, str) else _number(x)}" for x, y, _ in series.points
    )


def _height(plot: Plot) -> int:
    rows = len(_categories(plot)) if plot.kind == "dots" else 0
    inner = rows * _ROW if rows else _TALL
    return _TOP + 18 * _legend_rows(plot) + inner + _BOTTOM


def _legend_rows(plot: Plot) -> int:
    return 0 if plot.kind == "scatter" else sum(1 for row in _rows_of_legend(plot) if row)


def _rows_of_legend(plot: Plot) -> list[list[tuple[float, int]]]:
    """Lay the series' names out in rows: where each starts, and which it is."""
    rows: list[list[tuple[float, int]]] = [[]]
    x = float(_LEFT)
    for number, series in enumerate(plot.series):
        wide = 30 + _LETTER * len(series.name)
        if rows[-1] and x + wide > _WIDTH - _RIGHT:
            rows.append([])
            x = float(_LEFT)
        rows[-1].append((x, number))
        x += wide
    return rows


def _legend(plot: Plot) -> Iterator[str]:
    for place, row in enumerate(_rows_of_legend(plot)):
        for x, number in row:
            y = 14 + 18 * place
            yield _mark(x + 6, y, number) + _text(x + 16, y + 4, plot.series[number].name, "start")


def _scatter(plot: Plot, height: int, top: int) -> Iterator[str]:
    """Each point beside its name; names that would lie over each other are moved, with a line to their point."""
    across, up = _scales(plot, height, top)
    yield from _frame(plot, across, up, height)
    taken: list[tuple[float, float, float, float]] = []
    points = [
        (across(float(x)), up(y), name, number) for number, s in enumerate(plot.series) for x, y, name in s.points
    ]
    taken += [(x - 6, y - 6, x + 6, y + 6) for x, y, _, _ in points]
    for x, y, name, number in sorted(points, key=lambda each: each[1]):
        label_x, label_y, anchor = _free(x, y, _LETTER * len(name), taken, top, height - _BOTTOM)
        if abs(label_y - y) >= _LABEL:
            yield f'<line class="lead" x1="{x:.1f}" y1="{y:.1f}" x2="{label_x:.1f}" y2="{label_y:.1f}"/>'
        yield _mark(x, y, number) + _text(label_x, label_y + 4, name, anchor)


def _free(
    x: float, y: float, wide: float, taken: list[tuple[float, float, float, float]], top: float, bottom: float
) -> tuple[float, float, str]:
    """Return where a label lies without touching another, as near as there is room, and take the place."""
    for step in range(40):
        shift = (step + 1) // 2 * (_LABEL if step % 2 else -_LABEL)
        for left, anchor, start in ((x + 9, "start", x + 9), (x - 9 - wide, "end", x - 9)):
            box = (left, y + shift - _LABEL / 2, left + wide, y + shift + _LABEL / 2)
            inside = left >= _LEFT and box[2] <= _WIDTH - 2 and box[1] >= top - _LABEL and box[3] <= bottom
            if inside and not any(_touch(box, other) for other in taken):
                taken.append(box)
                return start, y + shift, anchor
    return x + 9, y, "start"


def _touch(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _lines(plot: Plot, height: int, top: int) -> Iterator[str]:
    across, up = _scales(plot, height, top)
    yield from _frame(plot, across, up, height)
    for number, series in enumerate(plot.series):
        places = [(across(float(x)), up(y)) for x, y, _ in series.points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        yield f'<polyline class="line s{number % _COLOURS}" points="{path}"/>'
        yield from (_mark(x, y, number) for x, y in places)


def _dots(plot: Plot, height: int, top: int) -> Iterator[str]:
    """A row for each category, a mark for each series on it."""
    listed = _categories(plot)
    left = _LEFT + max(_LETTER * len(_short(name)) for name in listed) - 30
    across = (
        _Scale(0, 100, left, _WIDTH - _RIGHT, (0, 25, 50, 75, 100))
        if plot.percent
        else _linear([y for s in plot.series for _, y, _ in s.points], left, _WIDTH - _RIGHT)
    )
    bottom = height - _BOTTOM
    for tick in across.ticks:
        yield _rule(across(tick), top, across(tick), bottom) + _text(
            across(tick), bottom + 16, _number(tick), "middle", "soft"
        )
    for row, name in enumerate(listed):
        y = top + _ROW * (row + 0.5)
        yield _rule(left, y, _WIDTH - _RIGHT, y) + _text(left - 10, y + 4, _short(name), "end")
        for number, series in enumerate(plot.series):
            offset = (number - (len(plot.series) - 1) / 2) * 3
            yield from (_mark(across(value), y + offset, number) for x, value, _ in series.points if str(x) == name)
    yield _text((left + _WIDTH - _RIGHT) / 2, height - 8, plot.y, "middle", "soft")


def _categories(plot: Plot) -> list[str]:
    return list(dict.fromkeys(str(x) for series in plot.series for x, _, _ in series.points))


def _short(name: str) -> str:
    return name if len(name) <= 30 else name[:29] + "…"


def _scales(plot: Plot, height: int, top: int) -> tuple[_Scale, _Scale]:
    xs = [float(x) for series in plot.series for x, _, _ in series.points]
    ys = [y for series in plot.series for _, y, _ in series.points]
    log = plot.log_x and min(xs) > 0
    wide = (_LEFT, _WIDTH - _RIGHT)
    across = _logarithmic(xs, *wide) if log else _counted(xs, *wide) if _all_whole(xs) else _linear(xs, *wide)
    up = _linear([*ys, 0.0], height - _BOTTOM, top)
    if plot.percent:
        up = _Scale(0, 100, height - _BOTTOM, top, (0, 25, 50, 75, 100))
    return across, up


def _all_whole(values: Sequence[float]) -> bool:
    return all(value == int(value) for value in values) and max(values) - min(values) <= 20


def _counted(values: Sequence[float], start: float, end: float) -> _Scale:
    low, high = int(min(values)), int(max(values))
    return _Scale(low - 0.3, high + 0.3, start, end, range(low, high + 1))


def _linear(values: Sequence[float], start: float, end: float) -> _Scale:
    low, high = min(values), max(values)
    step = 10 ** math.floor(math.log10((high - low) or 1))
    step = next((step * times for times in (1, 2, 5, 10) if (high - low) / (step * times) <= 5), step)
    first, last = math.floor(low / step), max(math.ceil(high / step), math.floor(low / step) + 1)
    return _Scale(first * step, last * step, start, end, [step * at for at in range(first, last + 1)])


def _logarithmic(values: Sequence[float], start: float, end: float) -> _Scale:
    low, high = min(values) / 1.3, max(values) * 1.6
    marks = [m * 10.0**power for power in range(-7, 12) for m in (1, 2, 5) if low <= m * 10.0**power <= high]
    if len(marks) < 3:
        marks = [m * 10.0**power for power in range(-7, 12) for m in range(1, 10) if low <= m * 10.0**power <= high]
    while len(marks) > 8:
        marks = marks[::3] if len(marks) > 16 else marks[::2]
    return _Scale(low, high, start, end, marks, log=True)


def _frame(plot: Plot, across: _Scale, up: _Scale, height: int) -> Iterator[str]:
    bottom = height - _BOTTOM
    for tick in up.ticks:
        yield _rule(_LEFT, up(tick), _WIDTH - _RIGHT, up(tick)) + _text(
            _LEFT - 8, up(tick) + 4, _number(tick), "end", "soft"
        )
    for tick in across.ticks:
        yield _text(across(tick), bottom + 16, _number(tick), "middle", "soft")
    yield f'<line class="axis" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{bottom}" y2="{bottom}"/>'
    yield _text(
        (_LEFT + _WIDTH - _RIGHT) / 2, height - 8, plot.x + (", logarithmic" if across.log else ""), "middle", "soft"
    )
    yield _text(4, up.end - 12, plot.y, "start", "soft")


def _number(value: float) -> str:
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= 10 * size or (abs(value) >= size and value % size == 0):
            return f"{value / size:g}{letter}" if value % (size / 10) == 0 else f"{value / size:.1f}{letter}"
    return f"{value:.4g}" if math.isfinite(value) else NOTHING


def _rule(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="rule" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(x: float, y: float, text: str, anchor: str, kind: str = "") -> str:
    of_kind = f' class="{kind}"' if kind else ""
    return f'<text{of_kind} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _mark(x: float, y: float, number: int) -> str:
    """A circle, square, triangle, diamond, cross or ring: the shape tells the series without the colour."""
    kind, shape = number % _COLOURS, (number + number // _COLOURS) % 6
    return f'<g class="mark s{kind}" transform="translate({x:.1f} {y:.1f})">{_SHAPES[shape]}</g>'


_SHAPES = (
    '<circle r="4.2"/>',
    '<rect x="-4" y="-4" width="8" height="8"/>',
    '<path d="M0 -5L5 4H-5Z"/>',
    '<path d="M0 -5.5L5.5 0L0 5.5L-5.5 0Z"/>',
    '<path d="M-4 -4L4 4M-4 4L4 -4" stroke-width="2.4"/>',
    '<circle r="3.6" fill="none" stroke-width="2"/>',
)
_DRAW: dict[str, Callable[[Plot, int, int], Iterator[str]]] = {"scatter": _scatter, "lines": _lines, "dots": _dots}
