"""Knowledge bases of any size, from one that was built: copies of what it holds under other names.

Reading and embedding 100,000 sections takes half an hour; what is measured on them, retrieval and memory, depends on
how many sections, facts, labels and vectors there are, and not on how they came about.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...agent.engines.encoders.factory import encoder_factory
from ...cubes.knowledge.base import KnowledgeBase
from ...cubes.store.vectors import BATCH, PASSAGES, VectorEntry, VectorStore, batches
from .growth import renamer

if TYPE_CHECKING:
    from ...cubes.core.encoding import Encoder

__all__ = ["LABELS_EMBEDDED", "copied"]

LABELS_EMBEDDED = 5_000
"""Labels of a cube that have a vector in a copy; Chroma's time hardly depends on how many there are."""

_NOISE = 0.02
_Rename = Callable[[str], str]


def copied(base: Path, target: Path, size: int, *, seed: int = 0, encoder: str | Encoder | None = None) -> Path:
    """Make a knowledge base of ``size`` sections: ``base`` itself, then copies in which every name is another.

    Labels grow with the sections. Passages get the vectors of what they are copies of, a little moved. Everything is
    looked up once, so that what readers open is there. ``encoder`` is the one that ``base`` was built with.
    """
    target.mkdir(parents=True)
    shutil.copy(base / "catalog.sqlite", target / "catalog.sqlite")
    with closing(sqlite3.connect(target / "catalog.sqlite", isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        kb_id = connection.execute("SELECT value FROM meta WHERE key = 'kb_id'").fetchone()[0]
        connection.execute("BEGIN")
        copies = _grow(connection, size, seed)
        connection.execute("COMMIT")
    _vectors(base, target, str(kb_id), copies, seed)
    with KnowledgeBase.open(target, encoder=encoder_factory(encoder)) as kb:
        kb.retriever.linked("anything", k=1)
        kb.retriever.passages("anything", k=1, mode="bm25")
    return target


def _grow(connection: sqlite3.Connection, size: int, seed: int) -> dict[str, list[str]]:
    """Add renamed copies until there are ``size`` sections, or take some away; section id -> ids of its copies."""
    documents = connection.execute("SELECT * FROM documents ORDER BY number").fetchall()
    sections, facts = _by_owner(connection, "sections", 2), _by_owner(connection, "facts", 1)
    records = [{"title": row[4]} for row in documents]
    count = sum(map(len, sections.values()))
    copies: dict[str, list[str]] = {row[1]: [row[1]] for each in sections.values() for row in each}
    copy = 0
    while count < size:
        copy += 1
        rename = _remembering(renamer(records, seed=seed + copy))
        for row in documents:
            if count >= size:
                break
            count += _copy_document(connection, row, sections.get(row[0], []), facts, (copy, rename), copies)
    return copies


def _copy_document(
    connection: sqlite3.Connection,
    row: Sequence[Any],
    sections: Sequence[Sequence[Any]],
    facts: dict[int, list[Sequence[Any]]],
    how: tuple[int, _Rename],
    copies: dict[str, list[str]],
) -> int:
    """Insert one document with its sections and facts under other names; returns how many sections."""
    copy, rename = how
    _, id, source, record, title, *rest, text = row
    new = [None, f"{id}-{copy}", source, f"{record}-{copy}", rename(title), *rest, text and rename(text)]
    number = connection.execute(_insert("documents", len(new)), new).lastrowid
    for old, section, _, ordinal, path, text, start in sections:
        made = [None, f"{section}-{copy}", number, ordinal, rename(path), rename(text), start]
        place = connection.execute(_insert("sections", len(made)), made).lastrowid
        copies[section].append(f"{section}-{copy}")
        told = [
            (None, place, cube, dimension, rename(subject), relation, rename(value), *spans)
            for _, _, cube, dimension, subject, relation, value, *spans in facts.get(old, ())
        ]
        connection.executemany(_insert("facts", 14), told)
        connection.execute(
            "INSERT INTO extractions SELECT ?, engine, ontology FROM extractions WHERE section = ?", (place, old)
        )
    return len(sections)


def _by_owner(connection: sqlite3.Connection, table: str, column: int) -> dict[int, list[Sequence[Any]]]:
    found: dict[int, list[Sequence[Any]]] = {}
    for row in connection.execute(f"SELECT * FROM {table} ORDER BY number"):
        found.setdefault(row[column], []).append(row)
    return found


def _insert(table: str, columns: int) -> str:
    return f"INSERT INTO {table} VALUES ({', '.join('?' * columns)})"


def _remembering(rename: _Rename) -> _Rename:
    """Facts name the same things again and again; a whole text comes once."""
    known: dict[str, str] = {}

    def renamed(text: str) -> str:
        if len(text) > 200:
            return rename(text)
        if text not in known:
            known[text] = rename(text)
        return known[text]

    return renamed


def _vectors(base: Path, target: Path, kb_id: str, copies: dict[str, list[str]], seed: int) -> None:
    """Fill the vector index of a copy, and note in its catalog what is there."""
    old, new = VectorStore(base, kb_id), VectorStore(target, kb_id)
    rng = np.random.default_rng(seed)
    rows: list[tuple[str, str, str]] = []
    for collection in old.collections():
        entries: list[VectorEntry] = []
        vectors: list[Any] = []
        for entry, vector in _held(old, collection):
            ids = copies.get(entry.id, []) if collection == PASSAGES else [entry.id]
            for n, id in enumerate(ids):
                moved = vector + rng.normal(0, _NOISE, len(vector)) if n else vector
                entries.append(VectorEntry(collection, id, entry.text, entry.dimension, entry.label, entry.keys))
                vectors.append(np.asarray(moved / np.linalg.norm(moved), dtype=np.float32))
        if collection != PASSAGES:
            entries, vectors = entries[:LABELS_EMBEDDED], vectors[:LABELS_EMBEDDED]
        for numbers in batches(range(len(entries)), BATCH):
            new.upsert([entries[n] for n in numbers], np.stack([vectors[n] for n in numbers]))
        rows += [(entry.collection, entry.id, entry.dimension) for entry in entries]
    old.close()
    new.close()
    with closing(sqlite3.connect(target / "catalog.sqlite")) as connection, connection:
        connection.execute("DELETE FROM vectors")
        connection.executemany("INSERT INTO vectors VALUES (?, ?, ?, '')", rows)


def _held(store: VectorStore, collection: str) -> Iterator[tuple[VectorEntry, Any]]:
    """Every vector of a collection."""
    for ids in batches(store.ids(collection), BATCH):
        found = store.get(collection, ids)
        for id, vector, meta in found:
            keys = tuple(json.loads(meta.get("keys", "[]")))
            yield VectorEntry(collection, id, "", meta.get("dimension", ""), meta.get("label", ""), keys), vector
