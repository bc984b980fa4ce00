"""What a converter makes of a file."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..records import Figure, MetadataValue

__all__ = ["Converted", "figure_id", "figure_line"]


@dataclass(frozen=True, slots=True)
class Converted:
    """A file as Markdown: its chapters under ``#`` headings of their real level, tables as pipe tables, figures.

    ``title`` is the document's own, "" where it has none, and not repeated as a heading of ``text``. Each of
    ``figures`` stands in ``text`` as a line of its own (see `figure_line`). ``metadata`` holds "pages" where there
    are pages, and what the file says of itself (author, date).
    """

    title: str
    text: str
    figures: tuple[Figure, ...] = ()
    metadata: Mapping[str, MetadataValue] = field(default_factory=dict)


def figure_id(data: bytes) -> str:
    """Return the id of an image: 32 hexadecimal digits that depend on its bytes alone."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def figure_line(caption: str, id: str) -> str:
    """Return the line by which a text names a figure; brackets and line breaks in a caption become harmless."""
    plain = " ".join(caption.split()).replace("[", "(").replace("]", ")")
    return f"![{plain}](figure:{id})"
