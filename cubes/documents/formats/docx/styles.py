"""What a DOCX paragraph is: its heading level, its list, whether it is bold, a title, a caption or of a contents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from docx.oxml.ns import qn

__all__ = ["Style", "Styles", "is_on"]

_HEADING = re.compile(r"heading\s*(\d)\b", re.IGNORECASE)
_CONTENTS = re.compile(r"(?:toc|table of figures|index)\s*(?:\d|heading)?$", re.IGNORECASE)
_FURTHEST = 20  # how long a chain of styles is followed
_BODY = 9


@dataclass(frozen=True, slots=True)
class Style:
    """What a paragraph's style and its own properties come to.

    ``level`` is the heading level from 1, 0 for body text; ``list_id`` and ``depth`` (None: as the list says for the
    style) name its list, ``list_id`` "" where it is in none.
    """

    name: str
    id: str
    level: int
    list_id: str
    depth: int | None
    bold: bool

    @property
    def is_title(self) -> bool:
        """Whether it is the document's title."""
        return self.name == "title"

    @property
    def is_caption(self) -> bool:
        """Whether it names a table or a figure."""
        return self.name == "caption" or self.name.endswith(" caption")

    @property
    def is_contents(self) -> bool:
        """Whether it is a line of a table of contents or an index, which repeats what stands elsewhere."""
        return _CONTENTS.match(self.name) is not None


class Styles:
    """The styles of a document, each with what it inherits."""

    def __init__(self, root: Any | None) -> None:
        styles = root.iterfind(qn("w:style")) if root is not None else ()
        self._styles = {style.get(qn("w:styleId"), ""): style for style in styles}
        self._default = next(
            (
                id
                for id, style in self._styles.items()
                if style.get(qn("w:type")) == "paragraph" and style.get(qn("w:default")) in ("1", "true")
            ),
            "",
        )

    def of(self, paragraph: Any) -> Style:
        """Return what a paragraph's own properties and its style's say."""
        own = paragraph.find(qn("w:pPr"))
        named = _value(own, "w:pStyle") or self._default
        chain = list(self._chain(named))
        properties = [own, *(style.find(qn("w:pPr")) for style in chain)]
        list_id, depth = _list(properties)
        return Style(
            name=_name(chain[0]) if chain else "",
            id=named,
            level=self._level(properties, chain),
            list_id=list_id,
            depth=depth,
            bold=next((on for style in chain if (on := is_on(style.find(qn("w:rPr")), "w:b")) is not None), False),
        )

    def _chain(self, id: str) -> Iterator[Any]:
        """Yield a style and those it is based on."""
        for _ in range(_FURTHEST):
            style = self._styles.get(id)
            if style is None:
                return
            yield style
            id = _value(style, "w:basedOn")

    @staticmethod
    def _level(properties: list[Any], chain: list[Any]) -> int:
        """An outline level anywhere, or a style whose name is, or is based on, "heading n"."""
        for given in properties:
            outline = _value(given, "w:outlineLvl")
            if outline.isdigit():
                return int(outline) + 1 if int(outline) < _BODY else 0
        named = (_HEADING.match(_name(style)) for style in chain)
        return next((int(found[1]) for found in named if found), 0)


def is_on(properties: Any | None, name: str) -> bool | None:
    """Whether a property such as bold is switched on; None where it is not mentioned."""
    found = None if properties is None else properties.find(qn(name))
    return None if found is None else found.get(qn("w:val"), "1") not in ("0", "false", "off", "none")


def _list(properties: list[Any]) -> tuple[str, int | None]:
    """Return the list a paragraph is in, and its level where that is said; a list "0" takes it out of its style's."""
    depth: int | None = None
    for given in properties:
        numbered = None if given is None else given.find(qn("w:numPr"))
        if numbered is None:
            continue
        level = _value(numbered, "w:ilvl")
        depth = int(level) if depth is None and level.isdigit() else depth
        if list_id := _value(numbered, "w:numId"):
            return ("" if list_id == "0" else list_id), depth
    return "", None


def _name(style: Any) -> str:
    return _value(style, "w:name").lower()


def _value(element: Any | None, name: str) -> str:
    found = None if element is None else element.find(qn(name))
    return "" if found is None else str(found.get(qn("w:val"), ""))
