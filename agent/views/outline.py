"""A document's tree of chapters (HiQA 3.2) and its figures, as lines for a terminal and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from rich.text import Text

from ...cubes.documents.formats.records import figures_named
from .text import clean

if TYPE_CHECKING:
    from ...cubes.core.records import Section
    from ...cubes.store.figures import FigureInfo

__all__ = ["chapters", "chapters_json", "figure_facts", "figure_lines"]


def chapters(sections: Sequence[Section]) -> Iterator[Text]:
    """Render the tree: every chapter once, below the one it is part of, with the length of its own text."""
    for path, own in _tree(sections):
        line = Text("  " * (len(path) - 1)).append(clean(path[-1]), style="bold" if len(path) == 1 else "default")
        characters = sum(len(section.text) for section in own)
        pieces = f", {len(own)} sections" if len(own) > 1 else ""
        if own:
            line.append(f"  ({characters:,} characters{pieces})", style="dim")
        yield line
        for id in _figures(own):
            yield Text(f"{'  ' * len(path)}[figure {id[:8]}]", style="dim")


def chapters_json(sections: Sequence[Section]) -> list[dict[str, Any]]:
    """Return the tree as records: heading path (the title first), sections, characters of its own text, figures."""
    return [
        {
            "path": list(path),
            "sections": [section.id for section in own],
            "characters": sum(len(section.text) for section in own),
            "figures": _figures(own),
        }
        for path, own in _tree(sections)
    ]


def figure_facts(figure: FigureInfo) -> dict[str, Any]:
    """Return what is known of a figure, and its file."""
    return {
        "id": figure.id,
        "caption": figure.caption,
        "description": figure.description,
        "media_type": figure.media_type,
        "page": figure.page,
        "path": str(figure.path),
    }


def figure_lines(figures: Sequence[FigureInfo]) -> Iterator[Text]:
    """Render figures, one a line: what each shows, its page, its file."""
    for figure in figures:
        said = clean(figure.caption or figure.description or "no caption")
        page = f", page {figure.page}" if figure.page is not None else ""
        yield Text(f"  figure {figure.id[:8]}: {said}{page}: ").append(clean(str(figure.path)), style="cyan")


def _tree(sections: Sequence[Section]) -> Iterator[tuple[tuple[str, ...], list[Section]]]:
    """Yield each chapter with its own sections, those without text of their own included.

    A chapter whose heading comes again later is another one.
    """
    above: tuple[str, ...] = ()
    own: list[Section] = []
    for section in sections:
        path = section.path or ("",)
        if path == above:
            own.append(section)
            continue
        if above:
            yield above, own
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(above, path, strict=False)))
        for depth in range(shared + 1, len(path)):
            yield path[:depth], []
        above, own = path, [section]
    if above:
        yield above, own


def _figures(sections: Sequence[Section]) -> list[str]:
    return [id for section in sections for id in figures_named(section.text)]
