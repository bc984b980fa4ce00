"""Draw `docs/cube.svg`: one cube of the bundled sample, with the cell that a subquery activates.

Run it from the repository's root after `make demo`: ``.venv/bin/python docs/cube_picture.py demo-kb``.
"""

from __future__ import annotations

import sys
from html import escape
from pathlib import Path

from multicube import MultiCube

FILMS = ("The Salt Lantern", "Nine Doors of Winter", "Blue Apothecary")
PHRASES = ("directed by", "composed by", "written by")
SIZE, DEPTH = 120, 0.45


def main(kb_path: str) -> None:
    """Write the picture; the labels, dates and the activated cell are read from the knowledge base."""
    with MultiCube.open(kb_path) as kb:
        cube = kb.kb.cubes["cultural_product"]
        dates = [_date(cube, film) for film in FILMS]
        active = sorted(cube.cell({"name": FILMS[0], "to_person": PHRASES[0]}))
        record = kb.kb.section(active[0]).record_id
    Path("docs/cube.svg").write_text(_svg(dates, record), encoding="utf-8")


def _date(cube: object, film: str) -> str:
    facts = cube.facts(subject=film, dimension="date")  # type: ignore[attr-defined]
    return str(facts[0].value) if facts else "-"


def _point(x: float, y: float, z: float) -> tuple[float, float]:
    """Oblique projection: x to the right, y down, z into the page."""
    return 190 + x * SIZE + z * SIZE * DEPTH, 120 + y * SIZE * 0.6 - z * SIZE * DEPTH * 0.6


def _svg(dates: list[str], record: str) -> str:
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 820 440" font-family="sans-serif" font-size="13">',
        '<rect width="820" height="440" fill="#ffffff"/>',
    ]
    for z in reversed(range(3)):
        parts += [_cell(x, y, z) for y in reversed(range(3)) for x in range(3)]
    parts += [_text(*_point(x + 0.1, 3.3, 0), phrase) for x, phrase in enumerate(PHRASES)]
    parts += [_text(10, _point(0, y + 0.6, 0)[1], film) for y, film in enumerate(FILMS)]
    parts += [_text(*_point(3.08, 3.0, z + 0.3), date) for z, date in enumerate(dates)]
    parts += [
        _text(10, 70, "Culture Product name (subject)", "#333"),
        _text(190, 385, "Product relation (to Person)", "#333"),
        _text(690, 290, "Date", "#333"),
        _text(
            10,
            420,
            f"activated cell: The Salt Lantern x {dates[0]} x directed by -> section {record}",
            "#b3261e",
        ),
    ]
    return "\n".join([*parts, "</svg>"])


def _cell(x: int, y: int, z: int) -> str:
    active = (x, y, z) == (0, 0, 0)
    corners = [_point(x, y, z), _point(x + 1, y, z), _point(x + 1, y + 1, z), _point(x, y + 1, z)]
    top = [_point(x, y, z), _point(x + 1, y, z), _point(x + 1, y, z + 1), _point(x, y, z + 1)]
    side = [
        _point(x + 1, y, z),
        _point(x + 1, y, z + 1),
        _point(x + 1, y + 1, z + 1),
        _point(x + 1, y + 1, z),
    ]
    fill = "#f7c5c0" if active else "#eef3fb"
    return "".join(
        f'<polygon points="{" ".join(f"{a:.0f},{b:.0f}" for a, b in face)}" fill="{fill}" stroke="#5b7db1"/>'
        for face in (corners, top, side)
    )


def _text(x: float, y: float, text: str, colour: str = "#1c3a63") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" fill="{colour}">{escape(text)}</text>'


if __name__ == "__main__":
    main(sys.argv[1])
