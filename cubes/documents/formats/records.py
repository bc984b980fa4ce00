"""What a converter makes of a file."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ...core.records import Figure, MetadataValue

__all__ = ["LAYOUTS", "ConvertedFile", "figure_id", "figure_line", "figures_named"]

LAYOUTS: Mapping[str, str] = {
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".epub": "application/epub+zip",
    ".htm": "text/html",
    ".html": "text/html",
    ".pdf": "application/pdf",
    ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ".rst": "text/x-rst",
}
"""The media types of files whose Markdown is worked out from a layout, by suffix."""

_NAMED = re.compile(r"!\[[^\]]*\]\(figure:(?P<id>[0-9a-f]{32})\)")


@dataclass(frozen=True, slots=True)
class ConvertedFile:
    """A file as Markdown: its chapters under ``#`` headings of their real level, tables as pipe tables, figures.

    ``title`` is the document's own, "" where it has none, and not repeated as a heading of ``text``. Each of
    ``figures`` stands in ``text`` as a line of its own (see `figure_line`). ``metadata`` holds "pages" where there
    are pages, and what the file says of itself (author, date). ``encoding`` is a text file's that is none of
    Unicode's.
    """

    title: str
    text: str
    figures: tuple[Figure, ...] = ()
    metadata: Mapping[str, MetadataValue] = field(default_factory=dict)
    encoding: str = ""


def figure_id(data: bytes) -> str:
    """Return the id of an image: 32 hexadecimal digits that depend on its bytes alone."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def figures_named(text: str) -> list[str]:
    """Return the ids of the figures that a text names, in order, each once."""
    return list(dict.fromkeys(found["id"] for found in _NAMED.finditer(text))) if "](figure:" in text else []


def figure_line(caption: str, id: str) -> str:
    """Return the line by which a text names a figure; brackets and line breaks in a caption become harmless."""
    plain = " ".join(caption.split()).replace("[", "(").replace("]", ")")
    return f"![{plain}](figure:{id})"
