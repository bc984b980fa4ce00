"""The images of a page that lie beside or in it; nothing is fetched, nothing outside its folder is read."""

from __future__ import annotations

import base64
import binascii
from copy import deepcopy
from pathlib import Path
from typing import Any
from urllib.parse import unquote, unquote_to_bytes, urlsplit

from lxml import etree

from ..blocks import Picture, one_line
from ..images import EXTENSIONS, MAX_FIGURE, media_type_of, size_of, worth_keeping
from .content import words

__all__ = ["picture_at", "picture_of"]

_SVG = "http://www.w3.org/2000/svg"
_LEAST_DRAWING = 48  # units: smaller inline drawings are icons
# An HTML parser writes all names small; in a file of its own, SVG must have them as they are.
_MIXED = {
    name.lower(): name
    for name in words(
        """viewBox preserveAspectRatio gradientUnits gradientTransform spreadMethod patternUnits
        patternTransform patternContentUnits clipPathUnits maskUnits markerWidth markerHeight markerUnits refX refY
        textLength lengthAdjust startOffset pathLength stdDeviation linearGradient radialGradient clipPath textPath"""
    )
}


def picture_of(element: Any, folder: Path) -> Picture | None:
    """Return the image that an ``img`` or ``svg`` element shows; None for an icon, and for what may not be read.

    An ``img`` may name a file in ``folder`` or below, by a relative path, or hold its data itself.
    """
    if element.tag == "svg":
        return _picture(_drawing(element), _described(element))
    return picture_at(element.get("src") or "", folder, _described(element))


def picture_at(source: str, folder: Path, description: str) -> Picture | None:
    """Return the image that a document in ``folder`` means by ``source``; None as for `picture_of`."""
    return _picture(_source(source, folder), description)


def _picture(data: bytes | None, description: str) -> Picture | None:
    if data is None or not worth_keeping(data):
        return None
    media_type = media_type_of(data)
    if media_type not in EXTENSIONS:
        return None
    return Picture(data, media_type, description)


def _described(element: Any) -> str:
    if element.tag == "svg":
        return one_line(element.get("aria-label") or element.findtext("{*}title") or element.findtext("title") or "")
    return one_line(element.get("alt") or element.get("title") or "")


def _source(source: str, folder: Path) -> bytes | None:
    source = source.strip()
    if source[:5].lower() == "data:":
        return _inline(source)
    try:
        parts = urlsplit(source)
        if parts.scheme or parts.netloc or not parts.path or parts.path.startswith("/"):
            return None
        return _file(folder, unquote(parts.path))
    except ValueError:
        return None


def _file(folder: Path, name: str) -> bytes | None:
    """Return a file of the document's folder tree, within bounds."""
    try:
        root = folder.resolve()
        path = (root / name).resolve()
        if not path.is_relative_to(root) or not path.is_file() or path.stat().st_size > MAX_FIGURE:
            return None
        return path.read_bytes()
    except (OSError, ValueError):
        return None


def _inline(source: str) -> bytes | None:
    head, comma, body = source.partition(",")
    if not comma or len(body) > 2 * MAX_FIGURE:
        return None
    if not head.lower().endswith(";base64"):
        return unquote_to_bytes(body)
    try:
        return base64.b64decode(unquote(body).encode("ascii", "ignore"), validate=False)
    except (binascii.Error, ValueError):
        return None


def _drawing(element: Any) -> bytes | None:
    """Return an SVG drawing in the page as a file of its own."""
    drawing = deepcopy(element)
    drawing.tail = None
    for each in drawing.iter(etree.Element):
        each.tag = _MIXED.get(each.tag, each.tag)
        for name in [name for name in each.attrib if name in _MIXED]:
            each.set(_MIXED[name], each.attrib.pop(name))
    data: bytes = etree.tostring(drawing, encoding="utf-8")
    if b"xmlns=" not in data.split(b">", 1)[0]:
        data = data.replace(b"<svg", f'<svg xmlns="{_SVG}"'.encode(), 1)
    size = size_of(data)
    return data if size is not None and min(size) >= _LEAST_DRAWING else None
