"""What the ingest pipeline asks of an extraction engine (MultiCube-RAG eq. 6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ..records import Document, Fact, Section

__all__ = ["Extractor"]


class Extractor(Protocol):
    """Reads a section once for all dimensions of all cubes."""

    @property
    def version(self) -> str:
        """Name and version ("embedded/1"); a change makes earlier extractions out of date."""
        ...

    def prepare(self, documents: Sequence[Document]) -> None:
        """Look at the documents about to be read (titles are names), before the first `extract`."""
        ...

    def extract(self, section: Section, document: Document) -> Sequence[Fact]:
        """Return the facts of one section, each with the exact span its value came from."""
        ...
