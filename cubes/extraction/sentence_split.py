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
_SHORT = re.compile(r"\b[A-Z][a-z]{0,2}\.\s*$")


def section_sentences(section: Section) -> list[Span]:
    """Return the section's sentences in order: of its prose, not its tables' rows, figures and code."""
    spans = _prose(section.text, sentences(section.text))
    title = split_qualifier(section.title)[0]
    if len(spans) < 2:
        return spans
    spans = _bracketed(section.text, spans)
    spans = _after_initials(section.text, spans, frozenset(title.lower().split()))
    marked = any(mark in title for mark in ".!?")
    return _joined(section.text, spans, _places(section.text, title) if marked else [])


def _prose(text: str, spans: list[Span]) -> list[Span]:
    code = [found.span() for found in _CODE.finditer(text)] if "```" in text or "~~~" in text else []
    return [
        span
        for span in spans
        if not text.startswith(("|", "!["), span.start) and not any(start <= span.start < end for start, end in code)
    ]


def _bracketed(text: str, spans: list[Span]) -> list[Span]:
    """A sentence does not end inside brackets that close soon."""
    joined = [spans[0]]
    for span in spans[1:]:
        last = joined[-1]
        before = text[last.start : last.end]
        if (
            before.count("(") > before.count(")")
            and last.end - text.rfind("(", 0, last.end) < 160
            and ")" in text[span.start : span.start + 160]
        ):
            joined[-1] = Span(last.start, span.end)
        else:
            joined.append(span)
    return joined


def _after_initials(text: str, spans: list[Span], title: frozenset[str]) -> list[Span]:
    """ "Carl Th. Dreyer": a shortened given name ends no sentence in front of a word of the title."""
    joined = [spans[0]]
    for span in spans[1:]:
        following = text[span.start : span.end].split(maxsplit=1)[0].strip(",.").lower()
        if following in title and _SHORT.search(text, joined[-1].start, joined[-1].end):
            joined[-1] = Span(joined[-1].start, span.end)
        else:
            joined.append(span)
    return joined


def _places(text: str, title: str) -> list[tuple[int, int]]:
    """Where the title stands, spaces inside it being free ("¿ Quién" for "¿Quién")."""
    found: list[tuple[int, int]] = []
    bare = title.replace(" ", "")
    squeezed = [i for i, c in enumerate(text) if not c.isspace()]
    flat = "".join(text[i] for i in squeezed)
    at = flat.find(bare)
    while at >= 0:
        found.append((squeezed[at], squeezed[at + len(bare) - 1] + 1))
        at = flat.find(bare, at + len(bare))
    return found


def _joined(text: str, spans: list[Span], places: list[tuple[int, int]]) -> list[Span]:
    """Drop the borders inside a title, and behind one where the sentence plainly goes on."""
    joined = [spans[0]]
    for span in spans[1:]:
        border = joined[-1].end
        inside = any(start < border < end for start, end in places)
        behind = text[span.start] == "(" and any(end <= border <= end + 1 for _, end in places)
        goes_on = text[span.start].islower() and text[border - 1] in '!?)"”'
        if inside or behind or goes_on:
            joined[-1] = Span(joined[-1].start, span.end)
        else:
            joined.append(span)
    return joined
