"""Datasheets as HTML pages with a navigation beside the text, captions, and images in a folder or in the page."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from html import escape
from pathlib import Path

from ..parts import Block, Bullets, Chapter, Datasheet, Figure, Table, captions
from .images import png

__all__ = ["write_html"]


def write_html(sheet: Datasheet, path: Path, *, inline: bool = False) -> None:
    """Write one datasheet; ``inline`` puts its images into the page, otherwise they lie in ``images/``."""
    names = captions(sheet)
    links = "".join(f"<li><a href='#c{c.number}'>{escape(c.heading)}</a></li>" for _, c in sheet.walk())
    body = "\n".join(part for chapter in sheet.chapters for part in _chapter(chapter, 2, names, path, inline))
    path.write_text(
        f"<!DOCTYPE html>\n<html lang='en'>\n<head><meta charset='utf-8'><title>{escape(sheet.title)}</title>"
        "<style>body{font-family:sans-serif} table{border-collapse:collapse}</style></head>\n<body>\n"
        "<header><p>Norvane Semiconductor | Products | Support</p></header>\n"
        f"<nav><ul>{links}</ul></nav>\n<main>\n<h1>{escape(sheet.title)}</h1>\n{body}\n</main>\n"
        "<footer><p>Copyright Norvane Semiconductor. All rights reserved.</p></footer>\n</body>\n</html>\n",
        encoding="utf-8",
    )


def _chapter(
    chapter: Chapter, level: int, names: dict[Table | Figure, str], path: Path, inline: bool
) -> Iterator[str]:
    yield f"<h{level} id='c{chapter.number}'>{escape(chapter.heading)}</h{level}>"
    for block in chapter.blocks:
        yield _block(block, names, path, inline)
    for below in chapter.chapters:
        yield from _chapter(below, level + 1, names, path, inline)


def _block(block: Block, names: dict[Table | Figure, str], path: Path, inline: bool) -> str:
    if isinstance(block, Bullets):
        return "<ul>" + "".join(f"<li>{escape(item)}</li>" for item in block.items) + "</ul>"
    if isinstance(block, Table):
        head = "".join(f"<th>{escape(cell)}</th>" for cell in block.columns)
        rows = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in block.rows)
        caption = f"<caption>{escape(names[block])}</caption>"
        return f"<table>{caption}<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table>"
    if isinstance(block, Figure):
        image = f"<img src='{_source(block, path, inline)}' alt='{escape(block.caption)}'>"
        return f"<figure>{image}<figcaption>{escape(names[block])}</figcaption></figure>"
    return f"<p>{escape(block.text)}</p>"


def _source(figure: Figure, path: Path, inline: bool) -> str:
    data = png(figure.drawing)
    if inline:
        return "data:image/png;base64," + base64.b64encode(data).decode()
    image = path.parent / "images" / f"{path.stem}-{figure.name}.png"
    image.parent.mkdir(exist_ok=True)
    image.write_bytes(data)
    return f"images/{image.name}"
