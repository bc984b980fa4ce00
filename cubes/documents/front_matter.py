"""What of a document only leads to the rest of it, and is no evidence: tables of contents, and a PDF's title page."""

from __future__ import annotations

import re

__all__ = ["is_contents", "is_title_page"]

_LEADERS = re.compile(r".*\w.*?[\s\u00a0]*(?:[.\u2026\u00b7_][\s\u00a0]?){4,}\s*(?:\d{1,4}|[ivxlc]{1,7})\s*$")
_LINK = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(?:[\d.]+\s+)?\[[^\]]+\]\((?![a-z][a-z0-9+.-]*:)[^)]*\)\W*$", re.IGNORECASE)
_NAMED = re.compile(
    r"\W*(?:(?:brief |detailed |short )?(?:table of )?contents|index"
    r"|(?:list|table) of (?:figures|tables|examples|listings))\W*$",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?:\S+\s+){5,}\S+[.!?](?:\s|$)")
_ALL = 0.8
_LINES = 3
_LONGEST_LINE = 100
_TITLE_PAGE = 1_000


def is_contents(heading: str, text: str) -> bool:
    """Whether a text is a table of contents: lines that lead to pages or chapters, or short ones under its heading."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < _LINES:
        return False
    led = sum(bool(_LEADERS.match(line) or _LINK.match(line)) for line in lines)
    if led >= _ALL * len(lines):
        return True
    listed = _NAMED.match(heading) and not _SENTENCE.search(text) and "```" not in text and "|" not in text
    return bool(listed) and max(map(len, lines)) <= _LONGEST_LINE


def is_title_page(text: str) -> bool:
    """Whether what stands before the first heading is names and dates alone."""
    return len(text) <= _TITLE_PAGE and _SENTENCE.search(text) is None
