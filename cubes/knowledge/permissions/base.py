"""A knowledge base as it is for those who may read some of its documents: made of these alone, and only read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, NoReturn, Self

from ...core.errors import UsageError
from ...smart.abstractions import report_on
from ...smart.extracts import ExtractiveReporter
from ...smart.growth import carried_over
from ...smart.perspectives import Perspectives
from ...store.catalog import CATALOG_FILE
from ..base import KnowledgeBase
from ..fact_graph import graph_of
from ..snapshot import Snapshot
from ..status import Status
from .catalog import ReadableCatalog
from .dense import ReadableIndex
from .rules import MayRead

if TYPE_CHECKING:
    from ...model.ontology import Ontology

__all__ = ["ReadableBase"]


class ReadableBase(KnowledgeBase):
    """The documents of a knowledge base that may be read, with cubes, routes and abstractions made of these alone.

    Nothing is filtered at the end: what may not be read is in none of them. Vectors are the whole one's, asked through
    `ReadableIndex`. It follows the whole one when that changes, and must be closed apart.
    """

    _catalog: ReadableCatalog

    def __init__(self, whole: KnowledgeBase, may_read: MayRead) -> None:
        self._whole = whole
        catalog = ReadableCatalog.over(whole.path / CATALOG_FILE, may_read)
        super().__init__(whole.path, catalog, whole._encoder, columns=True)

    def status(self) -> Status:
        """Return what there is of it; what the whole takes on the disk is not said."""
        return replace(super().status(), bytes={})

    def beside(self) -> Self:
        """Refuse: what may be read in part may not be written."""
        self._refuse()

    def _newest(self) -> Snapshot:
        self._catalog.renew()
        return super()._newest()

    def _loading(self, ontology: Ontology) -> Snapshot:
        return _ReadableSnapshot(self, self._whole.settled(), self._catalog, ontology)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        self._refuse()
        yield

    def _refuse(self) -> NoReturn:
        raise UsageError("Some documents of this knowledge base may not be read with these rights, so none is changed.")


class _ReadableSnapshot(Snapshot):
    """One generation of what may be read."""

    def __init__(
        self, readable: ReadableBase, whole: KnowledgeBase, catalog: ReadableCatalog, ontology: Ontology
    ) -> None:
        super().__init__(catalog, ontology, self._near)
        self._readable, self._all = readable, whole

    def _near(self) -> ReadableIndex | None:
        below = self._all.retriever.dense
        return None if below is None else ReadableIndex(below, self.cubes, len(self._all.sections()))

    @cached_property
    def perspectives(self) -> Perspectives | None:
        """The abstractions (SMART) of what may be read, under the trees of the whole; None where there are none.

        Every report is written anew of what may be read: one of the whole says how many there are of what it counts.
        """
        former = self._all.perspectives
        readable = copy(self._readable)
        readable._snapshot = self  # this generation, whichever is the newest by now
        graph = graph_of(readable).without_lonely()
        if former is None or not graph.relations:
            return None
        trees = carried_over(graph, former.leaves, former.trees)
        found = tuple(report_on(graph, trees, ExtractiveReporter(graph)))
        return Perspectives(graph, trees, found, self.state, former.settings)
