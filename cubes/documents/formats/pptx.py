"""PPTX presentations as Markdown: each slide is a chapter; lists, tables, charts, images and notes stand below it.

The library is python-pptx (MIT).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pptx

from ..textfiles import TextFileFault
from .archives import check_package, properties
from .blocks import LayoutBlock, Picture, SpannedCell, converted, grid_of, one_line
from .images import media_type_of, worth_keeping
from .records import ConvertedFile

__all__ = ["convert"]

_DEEPEST = 8


def convert(path: Path) -> ConvertedFile:
    """Return a presentation as Markdown; hidden slides are left out. Raises TextFileFault for what cannot be read."""
    check_package(path, "PPTX", "[Content_Types].xml")
    try:
        presentation = pptx.Presentation(str(path))
        slides = [slide for slide in presentation.slides if slide.element.get("show") != "0"]
        blocks = [block for number, slide in enumerate(slides, start=1) for block in _slide(slide, number)]
        metadata = properties(presentation.core_properties) | {"pages": len(slides)}
        title = one_line(presentation.core_properties.title or "")
    except Exception as error:  # whatever the library meets in a file that is not as it should be
        raise TextFileFault("The PPTX file is damaged; open it in a presentation program and save it anew.") from error
    if not any(block.kind != "heading" or block.text.strip() for block in blocks):
        raise TextFileFault("The PPTX file has no text.")
    headings = [block.text for block in blocks if block.kind == "heading" and block.text]
    return converted(title if _telling(title) else next(iter(headings), ""), blocks, metadata)


def _telling(title: str) -> bool:
    """Whether a title is the author's and not the program's own."""
    return bool(title) and title.casefold() not in ("powerpoint presentation", "presentation")


def _slide(slide: Any, number: int) -> Iterator[LayoutBlock]:
    title = slide.shapes.title
    name = one_line(title.text_frame.text) if title is not None else ""
    yield LayoutBlock("heading", name or f"Slide {number}", 1)
    for shape in slide.shapes:
        if title is None or shape.shape_id != title.shape_id:
            yield from _shape(shape, number, 0)
    if slide.has_notes_slide and (frame := slide.notes_slide.notes_text_frame) is not None and frame.text.strip():
        yield LayoutBlock("paragraph", f"Notes: {frame.text.strip()}")


def _shape(shape: Any, number: int, depth: int) -> Iterator[LayoutBlock]:
    if hasattr(shape, "shapes"):
        for inner in shape.shapes if depth < _DEEPEST else ():
            yield from _shape(inner, number, depth + 1)
    elif getattr(shape, "has_table", False) and shape.has_table:
        yield LayoutBlock("table", rows=_table(shape.table))
    elif getattr(shape, "has_chart", False) and shape.has_chart:
        yield from _chart(shape.chart)
    elif shape.has_text_frame:
        yield from _text(shape)
    elif (picture := _picture(shape, number)) is not None:
        yield LayoutBlock("figure", picture=picture)


def _text(shape: Any) -> Iterator[LayoutBlock]:
    """The paragraphs of a shape; several of them in a placeholder are a list."""
    written = [(one_line(part.text), part.level) for part in shape.text_frame.paragraphs if part.text.strip()]
    listed = shape.is_placeholder and len(written) > 1
    for text, level in written:
        yield LayoutBlock("item", text, level + 1) if listed or level else LayoutBlock("paragraph", text)


def _table(table: Any) -> tuple[tuple[str, ...], ...]:
    rows = [
        [
            SpannedCell(
                one_line(cell.text), cell.span_width, cell.span_height
            ) for cell in row.cells if not cell.is_spanned
        ]
        for row in table.rows
    ]
    return grid_of(rows, 1 if table.first_row else 0)


def _chart(chart: Any) -> Iterator[LayoutBlock]:
    """A chart as the table of its numbers."""
    name = one_line(chart.chart_title.text_frame.text) if chart.has_title and chart.chart_title.has_text_frame else ""
    for plot in chart.plots:
        series = [(one_line(each.name or ""), list(each.values)) for each in plot.series]
        labels = [one_line(str(category)) for category in plot.categories]
        rows = [(label, *(_number(values, n) for _, values in series)) for n, label in enumerate(labels)]
        if rows:
            yield LayoutBlock("table", name, rows=(("", *(title for title, _ in series)), *rows))


def _number(values: list[Any], at: int) -> str:
    return f"{values[at]:g}" if at < len(values) and values[at] is not None else ""


def _picture(shape: Any, number: int) -> Picture | None:
    """The image of a shape; a linked one is not fetched."""
    try:
        data = shape.image.blob
    except (AttributeError, KeyError, ValueError):
        return None
    media_type = media_type_of(data)
    if media_type is None or not worth_keeping(data):
        return None
    said = shape._element.xpath(".//p:cNvPr/@descr")
    return Picture(data, media_type, one_line(said[0]) if said else "", number)
