"""What an image is, by its first bytes: its type and its size; and which are worth keeping.

An image comes from a document, so nothing it says of itself is trusted: its type is read from its bytes, and an SVG
drawing is kept only where it can neither run nor load anything.
"""

from __future__ import annotations

import re
import struct

__all__ = ["EXTENSIONS", "MAX_FIGURE", "media_type_of", "size_of", "worth_keeping"]

MAX_FIGURE = 16 * 2**20
"""The largest image that is kept, in bytes."""
_SMALLEST = 24  # pixels: smaller ones are bullets, icons and spacers

EXTENSIONS = {
    "image/bmp": ".bmp",
    "image/gif": ".gif",
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "image/svg+xml": ".svg",
    "image/tiff": ".tif",
    "image/webp": ".webp",
    "image/x-emf": ".emf",
    "image/x-wmf": ".wmf",
}
"""The types of image that are kept, and what their files are called."""

_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"\xd7\xcd\xc6\x9a", "image/x-wmf"),
)
_SVG = re.compile(rb"\s*(?:<\?xml[^>]*>\s*|<!--.*?-->\s*|<!DOCTYPE[^\[>]*>\s*)*<(?:\w+:)?svg[\s>]", re.DOTALL)
_UNSAFE = re.compile(
    rb"<\s*(?:\w+:)?(?:script|foreignObject|iframe|embed|object|handler|set|animate\w*)\b|\son\w+\s*=|<!ENTITY|<!DOCTYPE[^>]*\["
    rb"|<\?xml-stylesheet|@import|javascript:|(?:href|src)\s*=\s*[\"']\s*(?!#|data:image/(?:png|jpeg|gif))"
    rb"|url\(\s*[\"']?\s*(?!#|data:image/(?:png|jpeg|gif))",
    re.IGNORECASE,
)
_LENGTH = re.compile(rb"<(?:\w+:)?svg[^>]*?\s(?P<name>width|height)\s*=\s*[\"']\s*(?P<value>\d+)")
_VIEW_BOX = re.compile(rb"<(?:\w+:)?svg[^>]*?\sviewBox\s*=\s*[\"']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+(\d+)[\d.]*[\s,]+(\d+)")


def media_type_of(data: bytes) -> str | None:
    """Return the type of an image that can be kept; None for what is none, and for SVG that is not safe to show."""
    for signature, media_type in _SIGNATURES:
        if data.startswith(signature):
            return media_type
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    if data[:4] == b"\x01\0\0\0" and data[40:44] == b" EMF":
        return "image/x-emf"
    if _SVG.match(data[:4_096]) and not _UNSAFE.search(data):
        return "image/svg+xml"
    return None


def worth_keeping(data: bytes) -> bool:
    """Whether an image is within bounds and no bullet, icon or spacer; one whose size is unknown is kept."""
    if not 0 < len(data) <= MAX_FIGURE:
        return False
    size = size_of(data)
    return size is None or min(size) >= _SMALLEST


def size_of(data: bytes) -> tuple[int, int] | None:
    """Return an image's width and height in pixels (an SVG drawing's in its units); None where they are not found."""
    if data.startswith(b"\x89PNG") and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    if data.startswith(b"GIF8") and len(data) >= 10:
        width, height = struct.unpack("<HH", data[6:10])
        return width, height
    if data.startswith(b"BM") and len(data) >= 26:
        width, height = struct.unpack("<ii", data[18:26])
        return width, abs(height)
    if data.startswith(b"\xff\xd8"):
        return _jpeg_size(data)
    return _svg_size(data[:4_096]) if _SVG.match(data[:4_096]) else None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Walk a JPEG's segments to the one that begins a frame."""
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        at += 2 + max(length, 2)
    return None


def _svg_size(head: bytes) -> tuple[int, int] | None:
    found = {match["name"]: int(match["value"]) for match in _LENGTH.finditer(head)}
    if len(found) == 2:
        return found[b"width"], found[b"height"]
    box = _VIEW_BOX.search(head)
    return (int(box[1]), int(box[2])) if box else None
