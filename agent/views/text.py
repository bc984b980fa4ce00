"""Making text from documents and people safe to print: no control characters, no bidirectional tricks."""

from __future__ import annotations

import re

__all__ = ["clean", "clean_block", "shorten"]

# C0 and C1 controls, DEL, line separators, and the marks that reorder or hide what a terminal shows.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
_SPACES = re.compile(r"\s+")


def clean(text: str) -> str:
    """Return one printable line: white space runs become one space, control characters disappear."""
    return _UNSAFE.sub("", _SPACES.sub(" ", text)).strip()


def clean_block(text: str) -> str:
    """Return printable text that keeps its line breaks."""
    unified = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", "    ")
    return _UNSAFE.sub("", unified)


def shorten(text: str, width: int) -> str:
    """Return `clean` text of at most ``width`` characters, cut at a word where one is near."""
    line = clean(text)
    if len(line) <= width:
        return line
    cut = line[: width - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > width * 2 // 3 else cut).rstrip() + "…"
