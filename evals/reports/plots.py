"""Plots as SVG, drawn by matplotlib: the same figures give the same bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from io import StringIO
from itertools import cycle
from pathlib import Path
from typing import Any

from ...cubes.core.errors import UsageError
from ..support import write_whole
from .document import Plot

__all__ = ["Points", "can_draw", "draw_lines", "svg"]

_COLOURS = ("#0072b2", "#b34700", "#007a55", "#a3437f", "#7a6500", "#4d4d4d")
_MARKERS = ("o", "s", "^", "D", "X", "v", "P")
_ROW = 0.32
"""Inches for a row of a plot by categories."""

Points = Sequence[tuple[float, float]]


def can_draw() -> bool:
    """Whether matplotlib is there; a report without it has tables alone."""
    return find_spec("matplotlib") is not None


def svg(plot: Plot) -> str:
    """Draw a plot of a report; colours and marks together tell the series apart. UsageError without matplotlib."""
    rows = list(dict.fromkeys(str(x) for series in plot.series for x, _, _ in series.points))
    by_category = plot.kind == "dots"
    figure, panel = _figure((7.2, 1.2 + _ROW * len(rows) if by_category else 3.6))
    for series, marker, colour in zip(plot.series, cycle(_MARKERS), cycle(_COLOURS), strict=False):
        xs, ys = [x for x, _, _ in series.points], [y for _, y, _ in series.points]
        across, up = (ys, [rows.index(str(x)) for x in xs]) if by_category else (xs, ys)
        panel.plot(across, up, marker=marker, color=colour, label=series.name, ls="-" if plot.kind == "lines" else "")
    if by_category:
        panel.set_yticks(range(len(rows)), rows)
        panel.invert_yaxis()
        panel.set(xlabel=plot.y, **({"xlim": (0, 100)} if plot.percent else {}))
    else:
        panel.set(xlabel=plot.x, ylabel=plot.y, ylim=(0, 100 if plot.percent else None))
        if plot.log_x and all(x > 0 for series in plot.series for x, _, _ in series.points if not isinstance(x, str)):
            panel.set_xscale("log")
    panel.grid(color="#dddcd6", linewidth=0.6)
    figure.legend(loc="outside right upper", fontsize=8, frameon=False)
    return _saved(figure, plot.title)


def draw_lines(
    path: Path, lines: Mapping[str, Points], x: str, y: str, *, title: str = "", top: float | None = None
) -> Path:
    """Write a plot of lines, each (x, y) points in ascending order; the y axis ends at ``top``, or fits the points.

    Raises UsageError without matplotlib.
    """
    figure, panel = _figure((6.4, 3.4))
    for name, points in lines.items():
        panel.plot([at for at, _ in points], [value for _, value in points], marker="o", label=name)
    panel.set(xlabel=x, ylabel=y, title=title, xticks=sorted({at for points in lines.values() for at, _ in points}))
    if top is not None:
        panel.set_ylim(0, top)
    panel.legend(fontsize=8, frameon=False)
    write_whole(path, _saved(figure, title or path.stem))
    return path


def _figure(size: tuple[float, float]) -> tuple[Any, Any]:
    try:
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure
    except ImportError as error:
        raise UsageError(f"There is no {error.name} to draw with: pip install 'multicube-rag[plots]'.") from error
    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasSVG(figure)
    return figure, figure.subplots()


def _saved(figure: Any, title: str) -> str:
    from matplotlib import rc_context

    text = StringIO()
    with rc_context({"svg.hashsalt": title, "svg.fonttype": "none"}):
        figure.savefig(text, format="svg", metadata={"Date": None, "Title": title})
    return text.getvalue()
