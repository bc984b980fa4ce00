"""Where in a document's text its pages begin, kept with its metadata, and on which pages a section stands."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from ...core.records import MetadataValue, Section

__all__ = ["PAGE_STARTS", "pages_of", "told", "written"]

PAGE_STARTS = "page_starts"
"""The name of the metadata that holds them: the offset of each page in the document's text, as numbers in a row."""


def written(starts: Sequence[int]) -> dict[str, MetadataValue]:
    """Return the metadata of a document whose pages begin there; none where it has no pages."""
    return {PAGE_STARTS: " ".join(map(str, starts))} if starts else {}


def told(metadata: Mapping[str, MetadataValue]) -> dict[str, MetadataValue]:
    """Return a document's metadata as people are shown it: without where its pages begin."""
    return {name: value for name, value in metadata.items() if name != PAGE_STARTS}


def pages_of(section: Section, metadata: Mapping[str, MetadataValue]) -> tuple[tuple[int, int], ...]:
    """Return where in a section's text each of its pages begins, and the page's number from 1; () without pages."""
    starts = [int(start) for start in str(metadata.get(PAGE_STARTS, "")).split()]
    if not starts:
        return ()
    first = max(bisect_right(starts, section.start), 1)
    within = range(section.start + 1, section.start + len(section.text))
    return ((0, first), *((start - section.start, n) for n, start in enumerate(starts, 1) if start in within))
