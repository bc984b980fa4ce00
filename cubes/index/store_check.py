"""Whether Chroma holds what the catalog says it does: asked, in milliseconds, when a knowledge base is to be read.

Without it a cache in front of the collections, or a question that asks for none of them, would hide that they are gone.
Chroma's own file is read as the SQLite database that it is, because loading Chroma takes longer than most answers.
"""

from __future__ import annotations

import shlex
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from ..core.errors import CorruptStoreError
from ..store.catalog import Catalog
from ..store.vectors import VectorStore
from .vector_index import LAYOUT

__all__ = ["check_layout", "check_store"]

_TRIES = 3
"""Another process may write between one look and the next."""
_BUSY_S = 2.0
_VECTOR_FILES = ("header.bin", "data_level0.bin")


def check_store(catalog: Catalog, store: VectorStore) -> int:
    """Return how many records the collections hold; raises CorruptStoreError where they are not those of the catalog.

    A state that was written completely has as many records as the catalog lists; one that is being written, or was
    left unfinished, at least those that were acknowledged.
    """
    fault: str | None = None
    for _ in range(_TRIES):
        settled = _settled(catalog)
        listed = dict(catalog.rows("SELECT collection, count(text_hash) FROM vectors GROUP BY collection"))
        fault = _fault(catalog, store, listed, settled=settled)
        if fault is None:
            return sum(listed.values())
    raise CorruptStoreError(f"The vector index of {catalog.path.parent} {fault}; derive it anew: {_rebuild(catalog)}")


def check_layout(catalog: Catalog) -> None:
    """Raise CorruptStoreError where an earlier version wrote the collections, so that labels are missing there."""
    if catalog.meta("vectors_at") is not None and catalog.meta("layout") != LAYOUT:
        raise CorruptStoreError(
            f"The vector index of {catalog.path.parent} was written by an earlier version and lacks dates and short "
            f"names, which are to be looked up there; derive it anew: {_rebuild(catalog)}"
        )


def _fault(catalog: Catalog, store: VectorStore, listed: Mapping[str, int], *, settled: bool) -> str | None:
    """Say what is wrong with the collections, None where nothing is."""
    if not any(listed.values()):
        return None
    if catalog.meta("vectors_at") not in (None, store.place) or not store.exists():
        return f"is not where it should be ({store.where})"
    held, broken = _held(store, listed)
    for collection, count in listed.items():
        found = held.get(collection, 0)
        if collection in broken:
            return f"has lost the vectors of the collection {collection}"
        if found < count or (settled and found > count):
            return f"has {found:,} records in the collection {collection}, and the catalog lists {count:,}"
    return None


def _settled(catalog: Catalog) -> bool:
    return catalog.meta("indexed") == str(catalog.number("changes"))


def _held(store: VectorStore, listed: Mapping[str, int]) -> tuple[dict[str, int], frozenset[str]]:
    """How many records each collection holds, and the collections whose files of vectors are not there."""
    if store.database is not None:
        try:
            return _read(store.database)
        except sqlite3.OperationalError:
            pass  # locked, on a medium that cannot be locked, or of another version: Chroma itself is to say
        except sqlite3.DatabaseError:
            return {}, frozenset(listed)
    return {collection: store.count(collection) for collection in listed}, frozenset()


def _read(database: Path) -> tuple[dict[str, int], frozenset[str]]:
    address = f"{database.resolve().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, timeout=_BUSY_S)) as opened:
        counts = opened.execute(
            "SELECT c.name, (SELECT count(*) FROM embeddings e WHERE e.segment_id = s.id) "
            "FROM segments s JOIN collections c ON c.id = s.collection WHERE s.scope = 'METADATA'"
        ).fetchall()
        stored = opened.execute(
            "SELECT c.name, s.id FROM segments s JOIN collections c ON c.id = s.collection "
            "JOIN max_seq_id m ON m.segment_id = s.id WHERE s.scope = 'VECTOR'"
        ).fetchall()
    return dict(counts), frozenset(name for name, folder in stored if not _is_whole(database.parent / folder))


def _is_whole(folder: Path) -> bool:
    """Whether the files of vectors are there; Chroma writes them after a thousand records, and keeps a log before."""
    return all((folder / name).is_file() and (folder / name).stat().st_size for name in _VECTOR_FILES)


def _rebuild(catalog: Catalog) -> str:
    return f"multicube rebuild --kb {shlex.quote(str(catalog.path.parent))}"
