"""The segments that a variant retrieves, and which of them hold what a question needs: mapped by span.

A gold place is a quote within a chapter. It is looked for in the text of the ingested document, and the segment that
holds most of it is the gold one; so variants that cut the text otherwise are measured by the same gold.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from ....cubes.core.records import Document, Section, Span
from ....cubes.core.sentences import sentences
from ...generators.lookalike.questions import GoldSection

__all__ = ["CHUNK_TOKENS", "Library", "fixed_chunks", "gold_segments"]

CHUNK_TOKENS = 400
"""The size of a fixed chunk, as in the paper's Figure 2; a token is reckoned as four characters."""

_CHARS_PER_TOKEN = 4
_DROPPED = re.compile(r"[\s|*\\]")


@dataclass(frozen=True)
class Library:
    """The ingested documents with their natural chapters."""

    documents: Mapping[str, Document]
    sections: Sequence[Section]

    def span(self, gold: GoldSection) -> Span | None:
        """Where a gold place stands in its document's text; None where ingestion lost it."""
        document = self.documents.get(gold.document)
        if document is None:
            return None
        heading = _squeezed(gold.path[-1])[0] if gold.path else ""
        own = [s for s in self.sections if s.record_id == gold.document]
        first = [s for s in own if s.path and _squeezed(s.path[-1])[0] == heading]
        for section in (*first, *own):
            found = _find(section.text, gold.quote)
            if found is not None:
                return Span(section.start + found.start, section.start + found.end)
        return _find(document.text, gold.quote)


def gold_segments(
    segments: Sequence[Section], library: Library, golds: Sequence[GoldSection]
) -> tuple[list[str], list[GoldSection]]:
    """Return the ids of the segments that hold these places, each once, and the places that none holds."""
    found: dict[str, None] = {}
    lost: list[GoldSection] = []
    for gold in golds:
        span = library.span(gold)
        own = [segment for segment in segments if segment.record_id == gold.document]
        best = max(own, key=lambda each: _shared(each, span), default=None) if span is not None else None
        if span is None or best is None or not _shared(best, span):
            lost.append(gold)
        else:
            found[best.id] = None
    return list(found), lost


def fixed_chunks(documents: Sequence[Document], tokens: int = CHUNK_TOKENS) -> list[Section]:
    """Cut documents into chunks of at most so many tokens, at sentence ends where there are any, blind to chapters."""
    return [
        replace(
            _whole(document),
            id=f"{document.id}:chunk{ordinal}",
            ordinal=ordinal,
            text=document.text[span.start : span.end],
            start=span.start,
        )
        for document in documents
        for ordinal, span in enumerate(_cut(document.text, tokens * _CHARS_PER_TOKEN))
    ]


def _whole(document: Document) -> Section:
    return Section(document.id, document.id, document.record_id, 0, (), document.text)


def _cut(text: str, most: int) -> list[Span]:
    ends = [span.end for span in sentences(text)]
    spans, start = list[Span](), 0
    while start < len(text):
        inside = [end for end in ends if start < end <= start + most]
        end = len(text) if start + most >= len(text) else inside[-1] if inside else start + most
        spans.append(Span(start, end))
        start = end
    return spans


def _shared(segment: Section, span: Span | None) -> int:
    if span is None:
        return 0
    return max(0, min(segment.start + len(segment.text), span.end) - max(segment.start, span.start))


def _find(text: str, quote: str) -> Span | None:
    """Find a quote, whatever spaces, table bars and ways of writing a letter its file's format has put into it."""
    squeezed, places = _squeezed(text)
    wanted = _squeezed(quote)[0]
    at = squeezed.find(wanted)
    if at < 0 or not wanted:
        return None
    return Span(places[at], places[at + len(wanted) - 1] + 1)


@lru_cache(maxsize=20_000)
def _squeezed(text: str) -> tuple[str, list[int]]:
    """A text without spaces and marks, and where each of its characters stood."""
    letters: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text):
        if _DROPPED.match(letter):
            continue
        for folded in unicodedata.normalize("NFKC", letter):
            letters.append("-" if folded in "‐‑–—−" else folded)
            places.append(place)
    return "".join(letters), places
