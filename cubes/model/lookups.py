"""Looking labels up in their cube's Chroma collections: by id, for names and phrases as for dates, amounts and years.

Two collections hold a cube's labels. That of names and phrases has their embeddings and answers by likeness too. That
of values has what is only ever asked for by id: dates and quantities, the names that labels add a qualifier to, and
the years that dates lie in. Chroma wants a vector of these as well; theirs means nothing.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..core.encoding import Vectors
from .labels import TableLabelSearch, label_kind
from .ontology import Dimension
from .table_ids import is_inside

__all__ = [
    "VALUES",
    "RecordReader",
    "StoredLabels",
    "directions",
    "group_id",
    "label_collection",
    "label_id",
    "stored_dimension",
    "value_collection",
]

_BY_VALUE = ("date", "quantity")
VALUES = ".values"
"""How the name of every collection ends that is looked up by id alone."""
_INSIDE = "tables"


class RecordReader(Protocol):
    """What reads records by id; `VectorStore` does."""

    def records(self, collection: str, ids: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
        """Return what a collection keeps beside the vectors of those ids that it holds."""
        ...


def label_collection(cube: str) -> str:
    """Return the name of the collection that holds a cube's names and phrases, with their embeddings."""
    return f"cube.{_home(cube)}.labels"


def value_collection(cube: str) -> str:
    """Return the name of the collection that holds what is looked up of a cube by id alone."""
    return f"cube.{_home(cube)}{VALUES}"


def stored_dimension(cube: str, dimension: str) -> str:
    """Return what the records of a cube's collections call a dimension."""
    return dimension if _home(cube) == cube else f"{cube}.{dimension}"


def _home(cube: str) -> str:
    """The cube whose collections hold a cube's labels: all tables inside documents share theirs, for a manual may have
    hundreds, and every collection takes a while to make."""
    return _INSIDE if is_inside(cube) else cube


def label_id(dimension: str, key: str) -> str:
    """Return the id of a label's record."""
    return _digest(dimension, key)


def group_id(dimension: str, name: str) -> str:
    """Return the id of the record that lists the labels of a name that they add a qualifier to, or of a year."""
    return _digest(dimension, "", name)  # no key is empty, so no label has such an id


def directions(texts: Sequence[str]) -> Vectors:
    """Return a vector for each text that means nothing; they differ, for equal ones are slow to index."""
    found = (int.from_bytes(hashlib.blake2b(text.encode(errors="replace"), digest_size=4).digest()) for text in texts)
    angles = np.fromiter(found, dtype=np.float64, count=len(texts)) * (2 * np.pi / 2**32)
    return np.stack((np.cos(angles), np.sin(angles)), axis=1).astype(np.float32)


@dataclass(frozen=True, slots=True)
class StoredLabels:
    """The labels of a knowledge base as its collections hold them; ``lock`` is for whoever asks the same store."""

    store: RecordReader
    lock: threading.Lock

    def records(self, collection: str, ids: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
        """Return what a collection keeps beside the vectors of those ids that it holds."""
        with self.lock:
            return self.store.records(collection, ids)

    def search(self, cube: str, dimension: Dimension, own: TableLabelSearch) -> StoredLabelSearch:
        """Return what looks up the labels of one dimension; ``own`` knows their numbers."""
        by_value = label_kind(dimension) in _BY_VALUE
        collection = value_collection(cube) if by_value else label_collection(cube)
        return StoredLabelSearch(self, collection, value_collection(cube), stored_dimension(cube, dimension.id), own)


@dataclass(frozen=True, slots=True)
class StoredLabelSearch:
    """Looks up the labels of one dimension (implements `labels.LabelSearch`)."""

    records: RecordReader
    labels: str
    groups: str
    dimension: str
    own: TableLabelSearch

    def keyed(self, keys: Sequence[str]) -> int | None:
        """Return the label with the first of these keys that is one."""
        ids = {key: label_id(self.dimension, key) for key in keys if key}
        found = self.records.records(self.labels, list(ids.values()))
        return self.own.keyed([key for key in keys if ids.get(key) in found])

    def adding_to(self, base: str) -> Sequence[int]:
        """Return the labels that are a name with a qualifier."""
        return self._listed([base]) if any(True for _ in self.own.bases()) else ()

    def of_years(self, years: Sequence[int]) -> Sequence[int]:
        """Return the labels that are dates in these years, one year after the other."""
        return self._listed([str(year) for year in years])

    def _listed(self, names: Sequence[str]) -> list[int]:
        """The labels that the records of these names list."""
        ids = [group_id(self.dimension, name) for name in names]
        found = self.records.records(self.groups, ids)
        keys = [key for each in ids if each in found for key in json.loads(found[each]["keys"])]
        return [number for key in keys if (number := self.own.keyed([key])) is not None]


def _digest(*parts: str) -> str:
    return hashlib.blake2b("\0".join(parts).encode(errors="replace"), digest_size=12).hexdigest()
