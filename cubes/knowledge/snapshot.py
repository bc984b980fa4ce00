"""One generation of a knowledge base, loaded piece by piece when it is first asked for."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ..core.columns import Arrays
from ..core.memory import collecting_later
from ..core.records import Section
from ..model.cells import CubeSet
from ..model.corrections import Correction, overlay
from ..model.fact_columns import filed
from ..model.lookups import StoredLabels
from ..model.ontology import Ontology
from ..model.tables import with_tables
from ..retrieval.link_tables import link_columns
from ..store.catalog import Catalog, DocumentInfo
from ..store.contents import StoredDocuments, StoredSections, content_columns
from ..store.derived import DerivedColumns
from ..store.figures import described

if TYPE_CHECKING:
    from ..retrieval.matching import DenseIndex
    from ..retrieval.retriever import Retriever
    from ..smart.perspectives import Perspectives

__all__ = ["Snapshot"]


class Snapshot:
    """Sections, documents, cubes and retrieval of one generation.

    Whoever holds one goes on undisturbed while the knowledge base moves on to the next. ``dense`` opens the
    vector index of this generation. ``stored`` gives the collections in which labels are looked up; without it
    columns are kept, and labels are looked up there. ``given`` is the ontology that texts are read with; in
    ``ontology`` there is a cube for each table as well.
    """

    def __init__(
        self,
        catalog: Catalog,
        ontology: Ontology,
        dense: Callable[[], DenseIndex | None],
        stored: Callable[[], StoredLabels | None] | None = None,
        generation: int | None = None,
        state: str | None = None,
        whole: Ontology | None = None,
    ) -> None:
        self._catalog = catalog
        self._dense = dense
        self._stored = stored
        self._lock = threading.RLock()
        self.given = ontology
        self.ontology = whole or with_tables(ontology, json.loads(catalog.meta("tables") or "[]"))
        self.generation = catalog.number("generation") if generation is None else generation
        self.state = (catalog.meta("content") or "") if state is None else state

    @property
    def is_loaded(self) -> bool:
        """Whether this holds sections and cubes already, so that it stays as it is."""
        return "_arrays" in self.__dict__

    def load(self) -> bool:
        """Load what answers rest on; False where that was written since this was made, so that it is of two states."""
        with self._lock:
            if not self.is_loaded:
                _ = self._arrays, self.descriptions, self.corrections
                return (self._catalog.meta("content") or "") == self.state
        return True

    def without_index(self) -> Snapshot:
        """Return the same generation with nothing loaded and no vector index, so that its files are let go."""
        stored = None if self._stored is None else lambda: None
        return Snapshot(self._catalog, self.given, lambda: None, stored, self.generation, self.state, self.ontology)

    @property
    def sections(self) -> Sequence[Section]:
        """Every section, in order."""
        with self._lock:
            return self._sections

    @property
    def documents(self) -> Mapping[str, DocumentInfo]:
        """Document id -> document, in order."""
        with self._lock:
            return self._documents

    @property
    def sections_by_id(self) -> Mapping[str, Section]:
        """Section id -> section."""
        with self._lock:
            return self._sections.by_id

    @property
    def cubes(self) -> CubeSet:
        """The cubes over the facts as corrected."""
        with self._lock:
            return self._cubes

    @cached_property
    def descriptions(self) -> Mapping[str, str]:
        """What is known of figures besides their captions, by figure id."""
        return described(self._catalog)

    @cached_property
    def corrections(self) -> list[Correction]:
        """The corrections in the order they were made."""
        return self._catalog.corrections()

    @property
    def retriever(self) -> Retriever:
        """Retrieval over this generation."""
        with self._lock:
            return self._retriever

    @cached_property
    def perspectives(self) -> Perspectives | None:
        """The abstractions (SMART) built of this content; None where there are none, or only of another."""
        from ..smart.perspectives import is_kept, kept

        folder = self._catalog.path.parent
        return kept(folder, self.state) if self._catalog.whole and is_kept(folder, self.state) else None

    def leave(self) -> None:
        """Leave for readers what they would otherwise make of the catalog, and nothing of what it was before."""
        with self._lock:
            if self._derived.read("cubes") is None or self._derived.read("links") is None:
                self._derived.forget()
                if self._stored is None:
                    _ = self._arrays
                    self._derived.columns("links", lambda: link_columns(self._sections))

    @cached_property
    def _derived(self) -> DerivedColumns:
        return DerivedColumns(self._catalog, self.ontology, kept=self._stored is None and self._catalog.whole)

    @cached_property
    def _arrays(self) -> Arrays:
        """Documents, sections and cubes of one moment, whatever another process writes meanwhile."""
        with self._catalog.reading():
            kept = self._derived.read("cubes")
            made = self._made() if kept is None else {}
        return kept if kept is not None else self._derived.keep("cubes", made)

    def _made(self) -> Arrays:
        with collecting_later():
            documents, sections = self._catalog.documents(), self._catalog.sections()
            facts = overlay(
                self._catalog.facts(), self._catalog.corrections(), ontology=self.ontology,
                sections={section.id: section for section in sections},
                sources={document.id: document.source for document in documents},
            )  # fmt: skip
            return {**content_columns(documents, sections), **filed(self.ontology, sections, facts)}

    @cached_property
    def _sections(self) -> StoredSections:
        return StoredSections(self._arrays)

    @cached_property
    def _documents(self) -> StoredDocuments:
        return StoredDocuments(self._arrays, self._sections)

    @cached_property
    def _cubes(self) -> CubeSet:
        stored = self._stored() if self._stored is not None else None
        return CubeSet(self.ontology, self._sections, self._arrays, stored)

    @cached_property
    def _retriever(self) -> Retriever:
        from ..retrieval.retriever import Retriever

        return Retriever(
            self._cubes, self._sections, self._dense(), metadata=self.documents, columns=self._derived.columns,
            descriptions=self.descriptions,
        )  # fmt: skip
