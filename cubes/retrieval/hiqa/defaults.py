"""The default weights of multi-route retrieval, from the shape of a collection (HiQA, Multi-Route Retriever).

The paper chooses both by hand: "In well-structured collections with clear hierarchies, we increase α to enhance the
use of augmented meta-information, while in less structured settings, we rely more on word frequency. The keyword bonus
weight β is tailored according to the ratio of document count (|D|) to average page count, increasing β when this ratio
is large". Here that is a rule, the same for every collection:

- structure s = the mean over sections of min(headings above the section below the title, 2) / 2, from 0 (passages) to
  1 (every section two levels deep);  α = 0.4 + 0.2·s
- ratio r = |D| / average pages of a document;  β = 0.1·r / (1 + r), from 0 (one textbook) to 0.1 (very many leaflets)

Both grow steadily with what they depend on, and are bounded, since the route scores are (0 to 1). How far they reach
was measured with the packaged encoder, on questions about manuals and on the look-alike benchmark; a stronger encoder
may deserve a higher α.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...core.records import MetadataValue, Section

__all__ = ["CHARS_PER_PAGE", "CorpusShape", "default_weights", "shape_of"]

CHARS_PER_PAGE = 3_000
"""A page of a document that does not say how many it has, in characters of its text."""

_LOW, _RISE = 0.4, 0.2
_MOST = 0.1
_LEVELS = 2


@dataclass(frozen=True, slots=True)
class CorpusShape:
    """What the default weights depend on: ``structure`` from 0 to 1, number of documents, their mean pages (1 or more).
    """

    structure: float
    documents: int
    pages: float

    @property
    def ratio(self) -> float:
        """|D| to average page count."""
        return self.documents / self.pages


def default_weights(shape: CorpusShape) -> tuple[float, float]:
    """Return α and β for a collection."""
    return _LOW + _RISE * shape.structure, _MOST * shape.ratio / (1 + shape.ratio)


def shape_of(sections: Sequence[Section], pages: Mapping[str, MetadataValue | None] | None = None) -> CorpusShape:
    """Measure a collection; ``pages`` are those that documents (by id) say they have."""
    lengths: dict[str, int] = {}
    depth = 0
    for section in sections:
        lengths[section.document_id] = lengths.get(section.document_id, 0) + len(section.text)
        depth += min(max(len(section.path) - 1, 0), _LEVELS)
    said = pages or {}
    counted = [_pages(said.get(document), length) for document, length in lengths.items()]
    mean = sum(counted) / len(counted) if counted else 1.0
    return CorpusShape(depth / (_LEVELS * len(sections)) if sections else 0.0, len(lengths), mean)


def _pages(said: MetadataValue | None, length: int) -> float:
    if isinstance(said, (int, float)) and not isinstance(said, bool) and said >= 1:
        return float(said)
    return max(1.0, length / CHARS_PER_PAGE)
