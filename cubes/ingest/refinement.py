"""What may improve a converted document before it is divided: HiQA's Markdown Formatter, figures described (A.5)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from ..core.records import Document
from ..core.spending import CostEstimate, ModelUsage
from ..documents.folders import kind_by_name
from ..documents.formats.records import LAYOUTS
from .report import Progress

__all__ = ["IngestRefinement", "RefinedDocument", "Refiner", "has_layout"]


@dataclass(frozen=True, slots=True)
class RefinedDocument:
    """A document as a refiner leaves it, and a sentence for each thing it had to leave as it was."""

    document: Document
    warnings: tuple[str, ...] = ()


class Refiner(Protocol):
    """Rewrites a document's text, or says more about its figures; it asks a model, so that each takes time and money.

    What was paid for must not be lost with the process: refining the same document again costs nothing.
    """

    @property
    def version(self) -> str:
        """What is done, with which model and prompts; another version refines a document anew."""
        ...

    @property
    def spent(self) -> ModelUsage:
        """What this refiner has spent."""
        ...

    def refine(self, document: Document, step: Callable[[int, int], None]) -> RefinedDocument:
        """Return the document refined; ``step`` is told how many of how many requests are done.

        What cannot be used is left as it was and said in a warning. Raises a MultiCubeError that has nothing to do
        with this document (a cap, an endpoint that is gone), which ends the ingest.
        """
        ...

    def add_estimate(self, document: Document) -> None:
        """Count in what refining a document would cost; nothing is sent."""
        ...

    def estimate(self) -> CostEstimate:
        """Return what the documents counted in come to."""
        ...


class IngestRefinement:
    """A refiner at work in one ingest; without one everything is left as it is."""

    def __init__(self, refiner: Refiner | None, *, dry_run: bool) -> None:
        self._refiner, self._dry_run = refiner, dry_run

    @property
    def version(self) -> str:
        """What refines; "" where nothing does."""
        return self._refiner.version if self._refiner is not None else ""

    def marked(self, document: Document) -> Document:
        """Return a document that is to be refined with a content hash that is not the plain one's."""
        if self._refiner is None or not _refinable(document):
            return document
        both = f"{document.content_hash}\0{self._refiner.version}".encode()
        return replace(document, content_hash=hashlib.blake2b(both, digest_size=16).hexdigest())

    def refined(self, document: Document, progress: Callable[[Progress], None]) -> RefinedDocument:
        """Return a document refined; where nothing is to be changed, only what that would cost is counted."""
        if self._refiner is None or not _refinable(document):
            return RefinedDocument(document)
        if self._dry_run:
            self._refiner.add_estimate(document)
            return RefinedDocument(document)
        return self._refiner.refine(document, lambda done, total: progress(Progress("format", done, total)))

    def spent(self, beside: ModelUsage | None) -> ModelUsage | None:
        """Return what was spent, with what was spent beside it."""
        if self._refiner is None or beside is None:
            return beside
        return beside.plus(self._refiner.spent)

    def estimate(self, beside: CostEstimate | None) -> CostEstimate | None:
        """Return what it would cost, with what else would."""
        if self._refiner is None or beside is None:
            return beside
        return beside.plus(self._refiner.estimate())


def _refinable(document: Document) -> bool:
    """Whether a document's text came from a layout; one that was written as text says all that there is."""
    return document.media_type in LAYOUTS.values()


def has_layout(file: Path) -> bool:
    """Whether a file, by its name, holds a document whose text comes from a layout."""
    return kind_by_name(file) in LAYOUTS
