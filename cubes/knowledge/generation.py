"""The collections that one generation of a knowledge base is read from, opened when they are first asked for."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ..core.encoding import Encoder
from ..index import vector_index as indexing
from ..index.store_check import check_layout, check_store
from ..model.lookups import StoredLabels
from ..store.catalog import Catalog
from ..store.vectors import VectorStore

__all__ = ["Generation"]


class Generation:
    """Labels and vectors of one generation, from one store.

    ``columns`` says that labels are read from columns instead of their collections.
    """

    def __init__(
        self, catalog: Catalog, store: VectorStore, encoder: Callable[[], Encoder] | None, *, columns: bool
    ) -> None:
        self._catalog = catalog
        self._store = store
        self._encoder = encoder
        self.columns = columns
        self._lock = threading.Lock()

    def check(self) -> int:
        """Return how many records Chroma holds; raises CorruptStoreError where they are not those of the catalog."""
        if not self.columns:
            check_layout(self._catalog)
        return check_store(self._catalog, self._store)

    def labels(self) -> StoredLabels | None:
        """Return the collections in which labels are looked up; None while they are behind the catalog."""
        if self.columns or not indexing.is_indexed(self._catalog, self._store):
            return None
        return StoredLabels(self._store, self._lock)

    def vectors(self) -> indexing.VectorIndex | None:
        """Return the vector index once it is checked; None without an encoder."""
        self.check()
        if self._encoder is None:
            return None
        encoder = self._encoder()
        indexing.check_encoder(self._catalog, encoder)
        return indexing.VectorIndex(self._catalog, self._store, encoder, self._lock)
