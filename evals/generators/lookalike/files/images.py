"""The drawings as PNG images, for the formats that show images."""

from __future__ import annotations

from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from ..parts import Box, Curve, Drawing, Label, Line

__all__ = ["png"]

_SCALE = 2
_INK = "black"


def png(drawing: Drawing) -> bytes:
    """Draw on white, two pixels a point."""
    image = Image.new("RGB", (int(drawing.width * _SCALE), int(drawing.height * _SCALE)), "white")
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(9 * _SCALE)

    def at(x: float, y: float) -> tuple[float, float]:
        return x * _SCALE, (drawing.height - y) * _SCALE

    for shape in drawing.shapes:
        if isinstance(shape, Line):
            pen.line([at(shape.x1, shape.y1), at(shape.x2, shape.y2)], fill=_INK, width=_SCALE)
        elif isinstance(shape, Label):
            pen.text(at(shape.x, shape.y), shape.text, fill=_INK, font=font, anchor="ls")
        elif isinstance(shape, Curve):
            pen.line([at(*point) for point in shape.points], fill="darkblue", width=_SCALE + 1)
        elif isinstance(shape, Box):
            upper, lower = at(shape.x, shape.y + shape.height), at(shape.x + shape.width, shape.y)
            pen.rectangle([upper, lower], outline=_INK, width=_SCALE)
            middle = at(shape.x + shape.width / 2, shape.y + shape.height / 2)
            pen.text(middle, shape.text, fill=_INK, font=font, anchor="mm")
    written = BytesIO()
    image.save(written, "PNG", optimize=True)
    return written.getvalue()
