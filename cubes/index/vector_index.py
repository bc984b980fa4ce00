"""Keeping the vector index in step with the catalog, and asking it.

What should be embedded follows from the sections and the cubes' labels; what Chroma has acknowledged stands
in the catalog. The difference is embedded, each distinct text once, and written in batches.
"""

from __future__ import annotations

import secrets
import shlex
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import tee
from typing import NamedTuple

import numpy as np

from ..core.encoding import BatchEncoder, Encoder, Vectors
from ..core.errors import CorruptStoreError, EncoderMismatchError, KnowledgeBaseError
from ..model.lookups import directions, label_collection, stored_dimension
from ..store.catalog import Catalog, text_hash
from ..store.vectors import BATCH, HIQA, PASSAGES, SMART, VectorEntry, VectorStore, batches
from .entries import IndexSource, entries, passage_text, section_of

__all__ = [
    "LAYOUT",
    "IndexSource",
    "VectorIndex",
    "check_encoder",
    "is_indexed",
    "mark_abstracted",
    "mark_changed",
    "passage_text",
    "prune",
    "synchronise",
]

LABELS_AT_ONCE = 2_000
PASSAGES_AT_ONCE = 250
"""Texts embedded and written at a time: enough to gather equal lengths, few enough to show progress."""

_PARTS = 4
"""How many times as many augmented vectors are looked up as sections are wanted: several may be parts of one."""

LAYOUT = "2"
"""Which records there are; the first had none of dates, quantities, and names without their qualifiers."""

Step = Callable[[int, int], None]
EncodeEach = Callable[[Iterable[Sequence[str]]], Iterator[Vectors]]


class _Row(NamedTuple):
    """What the catalog says of one vector; a text hash of None means that Chroma has not acknowledged it."""

    dimension: str
    text_hash: str | None


def mark_changed(catalog: Catalog) -> None:
    """Note, in the transaction that changes documents or corrections, that the index has fallen behind.

    The count of changes may come again where an older catalog is put back; a drawn name for the state does not.
    """
    catalog.bump("changes")
    catalog.set_meta(content=secrets.token_hex(8))


def mark_abstracted(catalog: Catalog) -> None:
    """Note that there are other abstractions (SMART) than before, which are not embedded yet."""
    catalog.set_meta(perspectives=secrets.token_hex(8), indexed=None)


def is_indexed(catalog: Catalog, store: VectorStore) -> bool:
    """Whether the index is in step with the catalog and there; loads neither Chroma nor an encoder."""
    settled = catalog.meta("indexed") == str(catalog.number("changes")) and catalog.meta("layout") == LAYOUT
    in_step = settled and catalog.meta("vectors_at") == store.place
    return in_step and (store.exists() or not catalog.counts()["vectors"])


def check_encoder(catalog: Catalog, encoder: Encoder) -> None:
    """Raise EncoderMismatchError where the knowledge base was embedded with another encoder."""
    known = catalog.meta("encoder")
    if known is not None and known != encoder.fingerprint:
        folder = catalog.path.parent
        name = getattr(encoder, "name", None) or "NAME"  # an encoder handed in by a program has none
        raise EncoderMismatchError(
            f"The knowledge base {folder} was embedded with the encoder '{known}', "
            f"not '{encoder.fingerprint}'; name that one with --encoder, or embed anew: "
            f"multicube rebuild --kb {shlex.quote(str(folder))} --encoder {shlex.quote(name)}"
        )


def synchronise(catalog: Catalog, store: VectorStore, indexed: IndexSource, encoder: Encoder, step: Step) -> int:
    """Bring the index in step with the catalog and return how many vectors were written.

    Can be killed at any moment: a vector is announced in the catalog before it is written and acknowledged
    after, so that the next call finds both what is missing and what may be left over.
    """
    check_encoder(catalog, encoder)
    changes = catalog.number("changes")
    _believe_only_what_is_there(catalog, store)
    catalog.set_meta(encoder=encoder.fingerprint, vectors_at=store.place)
    wanted = {(entry.collection, entry.id): entry for entry in entries(indexed)}
    known = _rows(catalog)
    delete_vectors(catalog, store, [key for key in known if key not in wanted])
    missing = [
        entry for key, entry in wanted.items() if key not in known or known[key].text_hash != text_hash(entry.text)
    ]
    plain, embedded = ([entry for entry in missing if entry.embeds is embeds] for embeds in (False, True))
    _write(catalog, store, plain, partial(map, directions), lambda _, __: None)
    each = encoder.encode_each if isinstance(encoder, BatchEncoder) else partial(map, encoder.encode)
    _write(catalog, store, embedded, each, step)
    catalog.set_meta(indexed=changes, layout=LAYOUT)
    return len(missing)


def _believe_only_what_is_there(catalog: Catalog, store: VectorStore) -> None:
    """Forget what was acknowledged by an index that is gone, elsewhere, or another than it was."""
    acknowledged = catalog.rows(
        "SELECT collection, count(*) FROM vectors WHERE text_hash IS NOT NULL GROUP BY collection"
    )
    moved = catalog.meta("vectors_at") not in (None, store.place) or not store.exists()
    with catalog.writing() as connection:
        for collection, count in acknowledged:
            if moved or store.count(collection) < count:
                connection.execute("DELETE FROM vectors WHERE collection = ?", (collection,))


def forget(catalog: Catalog, store: VectorStore) -> None:
    """Delete the whole index, so that it is derived anew; the catalog forgets it first."""
    with catalog.writing() as connection:
        connection.execute("DELETE FROM vectors")
        catalog.set_meta(encoder=None, vectors_at=None, indexed=None)
    store.clear()


def delete_vectors(catalog: Catalog, store: VectorStore, keys: Iterable[tuple[str, str]]) -> None:
    """Delete vectors from Chroma, then from the catalog's list; a collection left empty goes as a whole.

    First the catalog takes back that they were acknowledged, so that it never counts more than there are.
    """
    grouped: dict[str, list[str]] = {}
    for collection, id in keys:
        grouped.setdefault(collection, []).append(id)
    for collection, ids in grouped.items():
        ((held,),) = catalog.rows("SELECT count(*) FROM vectors WHERE collection = ?", collection)
        with catalog.writing() as connection:
            connection.executemany(
                "UPDATE vectors SET text_hash = NULL WHERE collection = ? AND id = ?", [(collection, id) for id in ids]
            )
        if store.exists() and len(ids) == held:
            store.drop(collection)
        elif store.exists():
            store.delete(collection, ids)
        with catalog.writing() as connection:
            connection.executemany(
                "DELETE FROM vectors WHERE collection = ? AND id = ?", [(collection, id) for id in ids]
            )


def prune(catalog: Catalog, store: VectorStore, indexed: IndexSource) -> None:
    """Delete the vectors of what is no longer there, without an encoder.

    A label whose spelling has changed loses its vector as well, because the old spelling must not stay
    behind; the next ingest embeds it. What needs no embedding is written at once.
    """
    in_step = catalog.meta("indexed") is not None
    found = {(entry.collection, entry.id): entry for entry in entries(indexed)}
    wanted = {key: text_hash(entry.text) for key, entry in found.items()}
    known = _rows(catalog)
    delete_vectors(catalog, store, [key for key, row in known.items() if wanted.get(key) != row.text_hash])
    if in_step and store.exists() and catalog.meta("vectors_at") == store.place:
        stale = [key for key in wanted if key not in known or known[key].text_hash != wanted[key]]
        plain = [found[key] for key in stale if not found[key].embeds]
        _write(catalog, store, plain, partial(map, directions), lambda _, __: None)
        if len(plain) == len(stale):
            catalog.set_meta(indexed=catalog.number("changes"), layout=LAYOUT)


def _rows(catalog: Catalog) -> dict[tuple[str, str], _Row]:
    found = catalog.rows("SELECT collection, id, dimension, text_hash FROM vectors")
    return {(collection, id): _Row(dimension, known) for collection, id, dimension, known in found}


def _write(catalog: Catalog, store: VectorStore, missing: Sequence[VectorEntry], each: EncodeEach, step: Step) -> None:
    """Embed and write what is missing. Equal texts come together, so that each is embedded once.

    One group is written while the next is embedded: Chroma leaves a part of the processors idle.
    """
    done = 0
    with ThreadPoolExecutor(1, thread_name_prefix="vectors") as writer:
        writing: Future[int] | None = None
        groups, coming = tee(_grouped(missing))
        for group, distinct in zip(groups, each(map(_texts, coming)), strict=True):
            vectors = _spread(group, distinct)
            if writing is not None:
                done += writing.result()
                step(done, len(missing))
            writing = writer.submit(_store, catalog, store, group, vectors)
        if writing is not None:
            step(done + writing.result(), len(missing))


def _texts(group: Sequence[VectorEntry]) -> list[str]:
    """Return the texts of a group, each once."""
    return list(dict.fromkeys(entry.text for entry in group))


def _spread(group: Sequence[VectorEntry], distinct: Vectors) -> Vectors:
    """Return a vector for each entry from those of the group's texts."""
    rows = {text: n for n, text in enumerate(_texts(group))}
    return distinct[[rows[entry.text] for entry in group]]


def _store(catalog: Catalog, store: VectorStore, group: Sequence[VectorEntry], vectors: Vectors) -> int:
    """Write a group, collection by collection, and note in the catalog what was acknowledged."""
    members: dict[str, list[int]] = {}
    for n, entry in enumerate(group):
        members.setdefault(entry.collection, []).append(n)
    for numbers in members.values():
        for batch in batches(numbers, BATCH):
            chosen = [group[n] for n in batch]
            _announce(catalog, chosen)
            store.upsert(chosen, vectors[batch])
            _acknowledge(catalog, chosen)
    return len(group)


def _grouped(missing: Sequence[VectorEntry]) -> Iterator[list[VectorEntry]]:
    """Cut into groups to be embedded together, labels first, without parting equal texts."""
    group: list[VectorEntry] = []
    whole = (PASSAGES, HIQA)  # the augmented text of a section is often that of its passage
    for entry in sorted(missing, key=lambda entry: (entry.collection in whole, entry.text)):
        limit = PASSAGES_AT_ONCE if group and group[-1].collection in whole else LABELS_AT_ONCE
        if len(group) >= limit and entry.text != group[-1].text:
            yield group
            group = []
        group.append(entry)
    if group:
        yield group


def _announce(catalog: Catalog, batch: Sequence[VectorEntry]) -> None:
    with catalog.writing() as connection:
        connection.executemany(
            "INSERT INTO vectors VALUES (?, ?, ?, NULL) "
            "ON CONFLICT (collection, id) DO UPDATE SET dimension = excluded.dimension, text_hash = NULL",
            [(e.collection, e.id, e.dimension) for e in batch],
        )


def _acknowledge(catalog: Catalog, batch: Sequence[VectorEntry]) -> None:
    with catalog.writing() as connection:
        connection.executemany(
            "UPDATE vectors SET text_hash = ? WHERE collection = ? AND id = ?",
            [(text_hash(e.text), e.collection, e.id) for e in batch],
        )


class VectorIndex:
    """Nearest labels and passages (implements `matching.DenseIndex`); opens Chroma and encoder at first use.

    It serves one generation; the next gets an index of its own, because Chroma would go on serving the old.
    """

    def __init__(
        self, catalog: Catalog, store: VectorStore, encoder: Encoder, lock: threading.Lock | None = None
    ) -> None:
        self._catalog = catalog
        self._store = store
        self._encoder = encoder
        self._lock = lock or threading.Lock()
        self._held: set[tuple[str, str]] | None = None
        self._seen: set[str] = set()
        self._own: frozenset[str] | None = None

    def labels(self, cube: str, dimension: str, text: str, k: int) -> Sequence[tuple[str, float]]:
        """Return the ``k`` labels of a dimension nearest to a text, as (label text, cosine), best first."""
        dimension = stored_dimension(cube, dimension)
        if k < 1 or not self._holds(label_collection(cube), dimension):
            return []
        vector = self._encoder.encode([text])[0]

        def lie_on(ids: Sequence[str]) -> set[str]:
            marks = ", ".join("?" * len(ids)) or "NULL"
            query = f"SELECT id FROM vectors WHERE collection = ? AND id IN ({marks}) AND dimension = ?"
            return {id for (id,) in self._catalog.rows(query, label_collection(cube), *ids, dimension)}

        with self._lock:
            return self._store.labels(cube, dimension, vector, k, lie_on=lie_on)

    def passages(self, text: str, k: int) -> Sequence[tuple[str, float]]:
        """Return the ``k`` sections nearest to a text, as (section id, cosine), best first."""
        if k < 1 or not self._holds(PASSAGES):
            return []
        vector = self._encoder.encode([text])[0]
        with self._lock:
            return self._store.passages(vector, k)

    def abstractions(self, text: str, k: int) -> Sequence[tuple[str, float]]:
        """Return the ``k`` abstractions (SMART) nearest to a text, as (digest, cosine), best first."""
        if k < 1 or not self._holds(SMART):
            return []
        vector = self._encoder.encode([text])[0]
        with self._lock:
            return self._store.abstractions(vector, k)

    def passages_of_many(self, texts: Sequence[str], k: int) -> Sequence[Sequence[tuple[str, float]]]:
        """Return the ``k`` sections nearest to each text, as `passages` does; all are embedded at once."""
        if k < 1 or not texts or not self._holds(PASSAGES):
            return [[] for _ in texts]
        vectors = self._encoder.encode(list(texts))
        with self._lock:
            return self._store.passages_of_many(vectors, k)

    def augmented(self, text: str, k: int, also: Sequence[str]) -> Mapping[str, float]:
        """Return the cosines of the ``k`` augmented sections (HiQA) nearest to a text, and of those named.

        A section is as near as the nearest of its parts; without an augmented vector of its own as its passage.
        """
        if k < 1 or not self._holds(PASSAGES):
            return {}
        own = self._own_augmented()
        vector = self._encoder.encode([text])[0]
        with self._lock:
            near: dict[str, float] = {}
            for id, cosine in self._store.augmented(vector, k * _PARTS) if own else ():
                near.setdefault(section_of(id), cosine)  # the best comes first
            near.update(self._plain(vector, k, own))
            missing = [section_id for section_id in also if section_id not in near]
            near.update(self._cosines(HIQA, [i for i in missing if i in own], vector))
            near.update(self._cosines(PASSAGES, [i for i in missing if i not in own], vector))
        kept = frozenset(sorted(near, key=lambda section_id: -near[section_id])[:k]) | frozenset(also)
        return {section_id: cosine for section_id, cosine in near.items() if section_id in kept}

    def _own_augmented(self) -> frozenset[str]:
        """The sections with an augmented vector of their own."""
        if self._own is None:
            held = self._holds(HIQA)
            found = self._catalog.rows("SELECT id FROM vectors WHERE collection = ? AND text_hash IS NOT NULL", HIQA)
            self._own = frozenset(section_of(id) for (id,) in found) if held else frozenset()
        return self._own

    def _plain(self, vector: Vectors, k: int, own: frozenset[str]) -> list[tuple[str, float]]:
        """The nearest passages that stand for their sections: more is asked for while others take their places."""
        total = self._store.count(PASSAGES) if own else k
        wanted, many = min(k, total - len(own)) if own else k, k
        while wanted > 0:
            found = [(i, cosine) for i, cosine in self._store.passages(vector, many) if i not in own]
            if len(found) >= wanted or many >= total:
                return found[:k]
            many = min(many * 4, total)
        return []

    def _cosines(self, collection: str, ids: Sequence[str], vector: Vectors) -> dict[str, float]:
        """The cosines of sections that are not among the nearest."""
        held = [each for batch in batches(ids, BATCH) for each in self._store.get(collection, batch)]
        return {section_id: float(np.dot(vector, other)) for section_id, other, _ in held}

    def _holds(self, collection: str, dimension: str = "") -> bool:
        """Whether a dimension has any vector, as the catalog knows; complains where they cannot be found."""
        with self._lock:
            if self._held is None:
                self._held = self._known()
            held = (collection, dimension) in self._held
            if held and collection not in self._seen:
                if not self._store.count(collection):
                    raise self._lost()
                self._seen.add(collection)
            return held

    def _known(self) -> set[tuple[str, str]]:
        found = self._catalog.rows("SELECT DISTINCT collection, dimension FROM vectors WHERE text_hash IS NOT NULL")
        place = self._catalog.meta("vectors_at")
        if place is None and self._catalog.counts()["sections"]:
            folder = self._catalog.path.parent
            raise KnowledgeBaseError(
                f"The knowledge base {folder} is not embedded yet; run: multicube rebuild --kb {folder}"
            )
        if place not in (None, self._store.place) or (found and not self._store.exists()):
            raise self._lost()
        return {(collection, dimension) for collection, dimension in found}

    def _lost(self) -> CorruptStoreError:
        folder = self._catalog.path.parent
        return CorruptStoreError(
            f"The vector index of {folder} is not where it should be ({self._store.where}); "
            f"derive it anew: multicube rebuild --kb {folder}"
        )
