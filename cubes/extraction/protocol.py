"""What the ingest pipeline asks of an extraction engine (MultiCube-RAG eq. 6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from ..core.records import Document, Fact, Section
from ..core.spending import CostEstimate, ModelUsage

__all__ = ["Estimator", "Extractor", "PaidExtractor"]


class Extractor(Protocol):
    """Reads a section once for all dimensions of all cubes."""

    @property
    def version(self) -> str:
        """Name and version ("embedded/1"); a change makes earlier extractions out of date."""

    def prepare(self, documents: Sequence[Document]) -> None:
        """Look at the documents about to be read (titles are names), before the first `extract`."""

    def extract(self, section: Section, document: Document) -> Sequence[Fact]:
        """Return the facts of one section, each with the exact span its value came from.

        Raises SectionError for a section that is to be set aside; any other MultiCubeError ends the ingest.
        """


class Estimator(Protocol):
    """Adds up what reading sections would cost."""

    def add(self, section: Section, document: Document) -> None:
        """Count a section in."""

    def total(self) -> CostEstimate:
        """Return what the sections so far come to."""


@runtime_checkable
class PaidExtractor(Extractor, Protocol):
    """An extractor that asks a model, so that each section takes its time and its price.

    `extract` may be called by several threads. What was paid for must not be lost with the process: asking again for
    a section whose facts were not stored yet costs nothing.
    """

    @property
    def concurrency(self) -> int:
        """How many sections to read at a time."""

    @property
    def spent(self) -> ModelUsage:
        """What this extractor has spent."""

    def estimator(self, earlier: ModelUsage) -> Estimator:
        """Return what estimates an ingest; ``earlier`` is what this engine spent on this knowledge base before."""

    def finished(self) -> None:
        """Everything is stored; what was kept for the case of an interruption is not needed any more."""
