"""The sentences of a section, kept whole where a title with a mark of its own would split them ("Oh!
What a Nurse!").
"""

from __future__ import annotations

import re

from ..core.folding import split_qualifier
from ..core.records import Section, Span
from ..core.sentences import sentences

__all__ = ["section_sentences"]

_CODE = re.compile(r"^ {0,3}(?P<fence>`{3,}|~{3,}).*?(?:^ {0,3}(?P=fence)|\Z)", re.MULTILINE | re.DOTALL)
_BRACKET = 160  # characters within which a bracket closes


def section_sentences(section: Section) -> list[Span]:
    """Return the section's sentences in order: of its prose, not its tables' rows, figures and code."""
    text, title = section.text, split_qualifier(section.title)[0]
    code = [found.span() for found in _CODE.finditer(text)] if "```" in text or "~~~" in text else []
    marked = title if any(mark in title for mark in ".!?") else ""
    joined: list[Span] = []
    for span in sentences(text):
        if text.startswith(("|", "!["), span.start) or any(start <= span.start < end for start, end in code):
            continue
        if joined and _goes_on(text, joined[-1], span, marked):
            joined[-1] = Span(joined[-1].start, span.end)
        else:
            joined.append(span)
    return joined


def _goes_on(text: str, last: Span, span: Span, marked: str) -> bool:
    """Whether no sentence ends between two spans: in brackets, inside a ``marked`` title."""
    before, behind = text[last.start : last.end], text[span.start : span.end]
    opened = before.count("(") > before.count(")") and last.end - text.rfind("(", 0, last.end) < _BRACKET
    if opened and ")" in behind[:_BRACKET]:
        return True
    flat, border = "".join(before.split()), "".join(marked.split())
    cuts = (at for at in range(1, len(border) + 1) if flat.endswith(border[:at]) and border[at - 1] in ".!?")
    return any("".join(behind.split()).startswith(border[at:] or "(") for at in cuts)
