"""The threshold's curve as a picture: F1 and semantic score over tau (Hypercube-RAG, Figure 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

__all__ = ["curve"]

_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 640, 360, 56, 24, 150, 44
_COLOURS = ("#0b6e99", "#b3541e", "#4c7a34", "#7b3f99", "#8a6d00", "#444444")

Points = Sequence[tuple[float, float]]


def curve(title: str, lines: Mapping[str, Points], x_label: str, y_label: str) -> str:
    """Return an SVG of lines, each (x, y) points in ascending order; the y axis fits the points.

    It has a title and a description in words for who does not see it.
    """
    xs = sorted({x for points in lines.values() for x, _ in points})
    ys = [y for points in lines.values() for _, y in points]
    low, high = 5 * (min(ys) // 5), 5 * (max(ys) // 5 + 1)
    wide, tall = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def x_at(x: float) -> float:
        return _LEFT + wide * (x - xs[0]) / ((xs[-1] - xs[0]) or 1)

    def y_at(y: float) -> float:
        return _TOP + tall * (high - y) / (high - low)

    parts = [_text(x_at(x), _HEIGHT - _BOTTOM + 18, f"{x:g}", "middle") for x in xs]
    for step in range(int(high - low) // 5 + 1):
        y = low + 5 * step
        parts.append(
            f'<line x1="{_LEFT}" x2="{_LEFT + wide}" y1="{y_at(y):.1f}" y2="{y_at(y):.1f}" stroke="#ccc"/>'
            + _text(_LEFT - 8, y_at(y) + 4, f"{y:g}", "end")
        )
    for number, (name, points) in enumerate(lines.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        path = " ".join(f"{x_at(x):.1f},{y_at(y):.1f}" for x, y in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x_at(x):.1f}" cy="{y_at(y):.1f}" r="3" fill="{colour}"/>' for x, y in points]
        parts.append(_text(_LEFT + wide + 10, _TOP + 16 + 20 * number, name, "start", colour))
    parts += [
        _text(_LEFT + wide / 2, _HEIGHT - 6, x_label, "middle"),
        _text(_LEFT, 14, y_label, "start"),
    ]
    told = "; ".join(f"{name}: " + ", ".join(f"{x:g} {y:.1f}" for x, y in points) for name, points in lines.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" font-family="sans-serif" '
        f'font-size="12"><title>{escape(title)}</title><desc>{escape(told)}</desc>'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>' + "".join(parts) + "</svg>\n"
    )


def _text(x: float, y: float, text: str, anchor: str, colour: str = "#222") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{escape(text)}</text>'
