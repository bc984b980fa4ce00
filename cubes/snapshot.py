"""One generation of a knowledge base, loaded piece by piece when it is first asked for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from .catalog import Catalog, DocumentInfo
from .cells import CubeSet
from .corrections import overlay
from .memory import collecting_later
from .ontology import Ontology
from .records import Section

if TYPE_CHECKING:
    from .matching import DenseIndex
    from .retrieval import Retriever

__all__ = ["Snapshot"]


class Snapshot:
    """Sections, documents, cubes and retrieval of one generation.

    Whoever holds one goes on undisturbed while the knowledge base moves on to the next. ``dense`` opens the
    vector index of this generation.
    """

    def __init__(
        self,
        catalog: Catalog,
        ontology: Ontology,
        dense: Callable[[], DenseIndex | None],
        generation: int | None = None,
    ) -> None:
        self._catalog = catalog
        self._dense = dense
        self._lock = threading.RLock()
        self.ontology = ontology
        self.generation = catalog.number("generation") if generation is None else generation

    def without_index(self) -> Snapshot:
        """Return the same generation with nothing loaded and no vector index, so that its files are let go."""
        return Snapshot(self._catalog, self.ontology, lambda: None, self.generation)

    @property
    def sections(self) -> Sequence[Section]:
        """Every section, in order."""
        with self._lock:
            return self._content[0]

    @property
    def documents(self) -> Mapping[str, DocumentInfo]:
        """Document id -> document, in order."""
        with self._lock:
            return self._content[1]

    @property
    def sections_by_id(self) -> Mapping[str, Section]:
        """Section id -> section."""
        with self._lock:
            return self._sections_by_id

    @property
    def cubes(self) -> CubeSet:
        """The cubes over the facts as corrected."""
        with self._lock:
            return self._cubes

    @property
    def retriever(self) -> Retriever:
        """Retrieval over this generation."""
        with self._lock:
            return self._retriever

    @cached_property
    def _content(self) -> tuple[Sequence[Section], Mapping[str, DocumentInfo]]:
        """Sections and documents of one moment, whatever another process writes meanwhile."""
        with collecting_later(), self._catalog.reading():
            documents = {document.id: document for document in self._catalog.documents()}
            return self._catalog.sections(), documents

    @cached_property
    def _sections_by_id(self) -> Mapping[str, Section]:
        return {section.id: section for section in self.sections}

    @cached_property
    def _cubes(self) -> CubeSet:
        sections = self._sections_by_id
        sources = {document.id: document.source for document in self.documents.values()}
        corrections = self._catalog.corrections()
        with collecting_later():
            found = self._catalog.facts()
            facts = overlay(found, corrections, ontology=self.ontology, sections=sections, sources=sources)
            return CubeSet.build(self.ontology, self.sections, facts)

    @cached_property
    def _retriever(self) -> Retriever:
        from .linktables import LINKS_FILE
        from .retrieval import Retriever

        kept = self._catalog.path.with_name(LINKS_FILE)
        return Retriever(self._cubes, self.sections, self._dense(), metadata=self.documents, links_file=kept)
