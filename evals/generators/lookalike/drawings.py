"""The drawings of the datasheets: pins, blocks, an application circuit and a measured curve."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .parts import Box, Curve, Drawing, Label, Line

__all__ = ["application_circuit", "block_diagram", "pinout", "typical_curve"]


def pinout(part: str, names: Sequence[str]) -> Drawing:
    """The package from above, its pins on both sides."""
    left, right = names[: math.ceil(len(names) / 2)], names[math.ceil(len(names) / 2) :]
    height = 30 + 24 * len(left)
    shapes: list[Line | Box | Label | Curve] = [Box(110, 10, 120, height, part)]
    for place, name in enumerate(left):
        y = height - 12 - 24 * place
        shapes += [Line(90, y, 110, y), Label(20, y - 4, f"{place + 1}  {name}")]
    for place, name in enumerate(reversed(right)):
        y = height - 12 - 24 * place
        shapes += [Line(230, y, 250, y), Label(258, y - 4, f"{name}  {len(names) - place}")]
    return Drawing(340, height + 20, tuple(shapes))


def block_diagram(power_good: bool) -> Drawing:
    """Reference, error amplifier, pass transistor and the protections."""
    blocks = [
        (10, 120, "Reference"),
        (130, 120, "Error amplifier"),
        (260, 120, "Pass transistor"),
        (10, 20, "Undervoltage lockout"),
        (130, 20, "Thermal shutdown"),
        (260, 20, "Power-good" if power_good else "Current limit"),
    ]
    boxes = [Box(x, y, 110, 50, text) for x, y, text in blocks]
    wires = [Line(120, 145, 130, 145), Line(240, 145, 260, 145), Line(370, 145, 390, 145)]
    ups = [Line(x, 70, x, 120) for x in (65, 185, 315)]
    return Drawing(430, 190, (*boxes, *wires, *ups, Label(392, 141, "OUT"), Label(262, 176, "IN")))


def application_circuit(part: str, cin: str, cout: str) -> Drawing:
    """The regulator between its two capacitors."""
    return Drawing(
        400,
        150,
        (
            Box(140, 50, 120, 70, part),
            Line(20, 100, 140, 100),
            Line(260, 100, 380, 100),
            Line(80, 100, 80, 40),
            Line(320, 100, 320, 40),
            Line(20, 20, 380, 20),
            Line(200, 50, 200, 20),
            Box(60, 30, 40, 10),
            Box(300, 30, 40, 10),
            Label(20, 106, "IN"),
            Label(360, 106, "OUT"),
            Label(86, 60, cin),
            Label(326, 60, cout),
        ),
    )


def typical_curve(typical: float) -> Drawing:
    """A current that grows with the temperature, on two axes."""
    points = tuple(
        (50 + 2 * step, 30 + 90 * (0.35 + 0.55 * (step / 150) ** 2 + 0.03 * math.sin(step / 9 + typical)))
        for step in range(0, 151, 3)
    )
    ticks = [Line(50 + 50 * n, 26, 50 + 50 * n, 30) for n in range(7)]
    labels = [Label(40 + 50 * n, 12, str(-50 + 25 * n)) for n in range(7)]
    axes = (Line(50, 30, 50, 140), Line(50, 30, 360, 30))
    return Drawing(400, 160, (*axes, *ticks, *labels, Label(54, 132, "I(Q), µA"), Curve(points)))
