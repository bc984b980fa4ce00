"""The images that a Markdown file shows, from files beside it or in it; its text names them as figures."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

from ...core.records import Figure
from .blocks import one_line
from .html.images import picture_at
from .markup import code_lines
from .records import figure_id, figure_line

__all__ = ["with_figures"]

_IMAGE = re.compile(
    r"""!\[(?P<alt>(?:[^\[\]\\]|\\.)*)\]\(\s*
    (?:<(?P<bracketed>[^<>\n]*)>|(?P<plain>[^\s()<>]+(?:\([^\s()]*\)[^\s()<>]*)*))
    (?:\s+(?:"(?P<double>[^"\n]*)"|'(?P<single>[^'\n]*)'))?\s*\)
    | <img\s(?P<tag>[^<>]*)>""",
    re.VERBOSE | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(
    r"""\b(?P<name>src|alt|title)\s*=\s*(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)')""", re.IGNORECASE
)


def with_figures(text: str, folder: Path) -> tuple[str, tuple[Figure, ...]]:
    """Return a Markdown text in which images are figures, and these; what may not or cannot be read stays as it is.

    An image's caption is its title, else its alternative text. Code is left alone.
    """
    figures: dict[str, Figure] = {}

    def named(found: re.Match[str]) -> str:
        figure = _figure(found, folder)
        if figure is None:
            return found[0]
        return figure_line(figures.setdefault(figure.id, figure).caption, figure.id)

    lines = (line if is_code else _IMAGE.sub(named, line) for line, is_code in code_lines(text))
    return "\n".join(lines), tuple(figures.values())


def _figure(found: re.Match[str], folder: Path) -> Figure | None:
    """The figure that an image of the text shows; None for an icon, and for what may not be read."""
    source, alt, title = _of_tag(found["tag"]) if found["tag"] else _of_image(found)
    picture = picture_at(source, folder, one_line(alt))
    if picture is None:
        return None
    caption = one_line(title) or picture.description
    described = picture.description if picture.description != caption else ""
    return Figure(figure_id(picture.data), caption, picture.media_type, picture.data, described)


def _of_image(found: re.Match[str]) -> tuple[str, str, str]:
    return found["bracketed"] or found["plain"] or "", found["alt"], found["double"] or found["single"] or ""


def _of_tag(tag: str) -> tuple[str, str, str]:
    held = {m["name"].lower(): unescape(m["double"] or m["single"] or "") for m in _ATTRIBUTE.finditer(tag)}
    return held.get("src", ""), held.get("alt", ""), held.get("title", "")
