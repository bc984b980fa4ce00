"""Datasheets as Markdown: the control that needs no conversion, and shows what the conversion of the others costs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..parts import Block, Bullets, Chapter, Datasheet, Figure, Table, captions

__all__ = ["markdown", "write_markdown"]


def write_markdown(sheet: Datasheet, path: Path) -> None:
    """Write one datasheet."""
    path.write_text(f"---\ntitle: {sheet.title}\n---\n{markdown(sheet)}", encoding="utf-8")


def markdown(sheet: Datasheet) -> str:
    """Return the text of a datasheet without its title; a figure is its caption."""
    names = captions(sheet)
    return "\n\n".join(part for chapter in sheet.chapters for part in _chapter(chapter, 1, names)) + "\n"


def _chapter(chapter: Chapter, level: int, names: dict[Table | Figure, str]) -> Iterator[str]:
    yield f"{'#' * level} {chapter.heading}"
    for block in chapter.blocks:
        yield _block(block, names)
    for below in chapter.chapters:
        yield from _chapter(below, level + 1, names)


def _block(block: Block, names: dict[Table | Figure, str]) -> str:
    if isinstance(block, Bullets):
        return "\n".join(f"- {item}" for item in block.items)
    if isinstance(block, Table):
        rows = (block.columns, ("---",) * len(block.columns), *block.rows)
        return f"{names[block]}\n\n" + "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return f"*{names[block]}*" if isinstance(block, Figure) else block.text
