"""The collections in Chroma: two per cube for its labels, one for passages, one for augmented sections.

It is derived from the catalog and can be made anew from it at any time. The catalog remembers which vectors
Chroma has acknowledged, so that an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import urlopen

from ..core.errors import CorruptStoreError, KnowledgeBaseError
from ..model.lookups import VALUES, label_collection

if TYPE_CHECKING:
    from ..core.encoding import Vectors

__all__ = [
    "CHROMA_FOLDER",
    "HIQA",
    "PASSAGES",
    "SMART",
    "URL_VARIABLE",
    "VectorEntry",
    "VectorStore",
    "check_server",
    "server_url",
]

CHROMA_FOLDER = "chroma"
PASSAGES = "passages"
HIQA = "hiqa"
"""Collection of the augmented sections of structured documents (HiQA)."""
SMART = "smart"
"""Collection of the abstractions (SMART), by their digests."""
URL_VARIABLE = "MULTICUBE_CHROMA_URL"
BATCH = 1_000
"""Records per upsert; Chroma takes at most 5,461."""
EMBEDDED_BATCH = 128
"""Records per call of embedded Chroma, which keeps Python's lock during the call: about as long as the encoder works on
one batch without the lock, so that embedding goes on beside it."""

_SEARCH_WIDTH = 400
"""How many candidates a search keeps: four times what a fusion asks for, so that it misses next to nothing and the same
question finds the same sections each time. Chroma's own 100 misses one of the nearest 100 in every second question."""
_PATIENCE_S = 3.0
_OVERFETCH = 10
_LEAST = 100

LieOn = Callable[[Sequence[str]], Collection[str]]
"""Says which of some vectors' ids lie on a dimension."""


@dataclass(frozen=True, slots=True)
class VectorEntry:
    """One record to be: what is embedded, and where it goes. Labels have a dimension, passages have none.

    ``keys`` are the labels that a record lists; see `lookups`.
    """

    collection: str
    id: str
    text: str
    dimension: str = ""
    label: str = ""
    keys: tuple[str, ...] = ()

    @property
    def embeds(self) -> bool:
        """Whether its vector means something."""
        return not self.collection.endswith(VALUES)

    def metadata(self) -> dict[str, str] | None:
        """What Chroma keeps beside the vector."""
        if not self.dimension:
            return None
        found = {"dimension": self.dimension, "label": self.label}
        return {**found, "keys": json.dumps(self.keys)} if self.keys else found


def server_url() -> str | None:
    """Return the address of the Chroma server that the environment names, if any."""
    return os.environ.get(URL_VARIABLE, "").strip() or None


class VectorStore:
    """The collections of one knowledge base, in its folder or on a Chroma server.

    Each store opens Chroma anew: the embedded client keeps what it has read, so a reader that must see what
    another process wrote opens a new store.
    """

    def __init__(self, folder: Path, kb_id: str) -> None:
        self._folder = folder / CHROMA_FOLDER
        self._url = server_url()
        self._prefix = f"{kb_id}." if self._url else ""
        self._collections: dict[str, Any] = {}
        self._counts: dict[str, int] = {}
        self._client: Any = None

    @property
    def place(self) -> str:
        """Where the vectors are: "embedded", or the server's address."""
        return self._url or "embedded"

    @property
    def database(self) -> Path | None:
        """The file of embedded Chroma; None on a server."""
        return self._folder / "chroma.sqlite3" if self._url is None else None

    def exists(self) -> bool:
        """Whether there may be something to read; a server is only known when it is asked."""
        return self.database is None or self.database.is_file()

    def upsert(self, entries: Sequence[VectorEntry], vectors: Vectors) -> None:
        """Insert or replace vectors of one collection."""
        self._counts.clear()
        size = BATCH if self._url else EMBEDDED_BATCH
        with _explained(self.where):
            collection = self._collection(entries[0].collection, create=True)
            for start in range(0, len(entries), size):
                part = entries[start : start + size]
                collection.upsert(
                    ids=[entry.id for entry in part],
                    embeddings=vectors[start : start + size],
                    metadatas=[entry.metadata() for entry in part] if part[0].dimension else None,
                )

    def delete(self, collection: str, ids: Sequence[str]) -> None:
        """Delete vectors; ids that are not there are passed over."""
        self._counts.clear()
        with _explained(self.where):
            found = self._collection(collection)
            for batch in batches(ids, BATCH) if found is not None else ():
                found.delete(ids=batch)

    def drop(self, collection: str) -> None:
        """Delete a whole collection, if it is there."""
        self._counts.clear()
        with _explained(self.where):
            if self._collection(collection) is not None:
                self._open().delete_collection(self._prefix + collection)
                del self._collections[collection]

    def passages(self, vector: Vectors, k: int) -> list[tuple[str, float]]:
        """Return the ids of the nearest passages with their cosines, best first."""
        return [(id, similarity) for id, similarity, _ in self._query(PASSAGES, vector, k)]

    def passages_of_many(self, vectors: Vectors, k: int) -> list[list[tuple[str, float]]]:
        """Return the nearest passages of each vector, as `passages` does, in one call."""
        return [[(id, cosine) for id, cosine, _ in each] for each in self._queries(PASSAGES, vectors, k)]

    def augmented(self, vector: Vectors, k: int) -> list[tuple[str, float]]:
        """Return the ids of the nearest augmented sections with their cosines, best first."""
        return [(id, similarity) for id, similarity, _ in self._query(HIQA, vector, k)]

    def abstractions(self, vector: Vectors, k: int) -> list[tuple[str, float]]:
        """Return the digests of the nearest abstractions with their cosines, best first."""
        return [(id, similarity) for id, similarity, _ in self._query(SMART, vector, k)]

    def labels(
        self, cube: str, dimension: str, vector: Vectors, k: int, *, lie_on: LieOn | None = None
    ) -> list[tuple[str, float]]:
        """Return the nearest labels of one dimension with their cosines, best first.

        A filter inside Chroma costs up to a hundred times the query, so more is fetched and filtered here;
        only a dimension that none of it lies on is asked for by filter. ``lie_on`` says which ids lie on the dimension,
        where that is known; then metadata, which costs more than finding the nearest, is fetched for those alone.
        """
        collection, many = label_collection(cube), max(_LEAST, k * _OVERFETCH)
        if lie_on is not None:
            near = self._query(collection, vector, many, bare=True)
            fitting = lie_on([id for id, _, _ in near])
            found = self._named(collection, [(id, cosine) for id, cosine, _ in near if id in fitting][:k])
        else:
            near = self._query(collection, vector, many)
            found = [(meta["label"], cosine) for _, cosine, meta in near if meta["dimension"] == dimension]
        if not found:
            near = self._query(collection, vector, k, where={"dimension": dimension})
            found = [(meta["label"], cosine) for _, cosine, meta in near]
        return found[:k]

    def _named(self, collection: str, near: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
        """The labels behind ids, with the cosines that came with these."""
        if not near:
            return []
        with _explained(self.where):
            found = self._collection(collection).get(ids=[id for id, _ in near], include=["metadatas"])
        names = {id: meta["label"] for id, meta in zip(found["ids"], found["metadatas"], strict=True)}
        return [(names[id], cosine) for id, cosine in near if id in names]

    def count(self, collection: str) -> int:
        """Return how many vectors a collection holds; 0 where it is not there."""
        with _explained(self.where):
            found = self._collection(collection)
            return int(found.count()) if found is not None else 0

    def ids(self, collection: str) -> list[str]:
        """Return every id of a collection, sorted."""
        with _explained(self.where):
            found = self._collection(collection)
            if found is None:
                return []
            pages = range(0, found.count(), BATCH)
            return sorted(id for start in pages for id in found.get(include=[], limit=BATCH, offset=start)["ids"])

    def get(self, collection: str, ids: Sequence[str]) -> list[tuple[str, Any, dict[str, str]]]:
        """Return (id, vector, metadata) of those ids that a collection holds."""
        with _explained(self.where):
            held = self._collection(collection)
            if held is None:
                return []
            found = held.get(ids=list(ids), include=["embeddings", "metadatas"])
            return list(zip(found["ids"], found["embeddings"], (m or {} for m in found["metadatas"]), strict=True))

    def records(self, collection: str, ids: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
        """Return what a collection keeps beside the vectors of those ids that it holds.

        Raises CorruptStoreError where the collection is not there.
        """
        if not ids:
            return {}
        with _explained(self.where):
            held = self._collection(collection)
            if held is None:
                raise LookupError(f"there is no collection {collection}")
            found = held.get(ids=list(dict.fromkeys(ids)), include=["metadatas"])
        return dict(zip(found["ids"], found["metadatas"], strict=True))

    def collections(self) -> list[str]:
        """Return the names of this knowledge base's collections, sorted."""
        with _explained(self.where):
            names = [collection.name for collection in self._open().list_collections()]
            return sorted(name.removeprefix(self._prefix) for name in names if name.startswith(self._prefix))

    def clear(self) -> None:
        """Delete everything, so that it can be derived anew."""
        if self._url is None:
            self.close()
            shutil.rmtree(self._folder, ignore_errors=True)
        else:
            for name in self.collections():
                self.drop(name)

    def close(self) -> None:
        """Let go of Chroma's files."""
        client, self._client, self._collections = self._client, None, {}
        self._counts = {}
        if client is not None:
            client.close()

    def __del__(self) -> None:
        if getattr(self, "_client", None) is not None:
            with suppress(Exception):  # at the interpreter's end parts of Chroma may be gone already
                self.close()

    @property
    def where(self) -> str:
        """The folder, or the server's address."""
        return self._url or str(self._folder)

    def _query(
        self, name: str, vector: Vectors, k: int, where: dict[str, str] | None = None, *, bare: bool = False
    ) -> list[tuple[str, float, dict[str, str]]]:
        return next(iter(self._queries(name, vector.reshape(1, -1), k, where, bare=bare)), [])

    def _queries(
        self, name: str, vectors: Vectors, k: int, where: dict[str, str] | None = None, *, bare: bool = False
    ) -> list[list[tuple[str, float, dict[str, str]]]]:
        with _explained(self.where):
            collection = self._collection(name)
            if collection is not None and name not in self._counts:
                self._counts[name] = collection.count()  # takes longer than the query
            count = self._counts.get(name, 0)
            if not count:
                return []
            include = ["distances"] if bare or name in (PASSAGES, HIQA, SMART) else ["distances", "metadatas"]
            found = collection.query(
                query_embeddings=vectors, n_results=min(k, count), where=where, include=include
            )
        metadatas = found["metadatas"] or [[{}] * len(ids) for ids in found["ids"]]
        return [
            [(id, 1.0 - float(distance), meta) for id, distance, meta in zip(*each, strict=True)]
            for each in zip(found["ids"], found["distances"], metadatas, strict=True)
        ]

    def _collection(self, name: str, *, create: bool = False) -> Any:
        """Return a collection, None where it is not there."""
        if name not in self._collections:
            client, full = self._open(), self._prefix + name
            if create:
                nearest = cast(Any, {"hnsw": {"space": "cosine", "ef_search": _SEARCH_WIDTH}})
                made = client.get_or_create_collection(full, embedding_function=None, configuration=nearest)
            elif full in {collection.name for collection in client.list_collections()}:
                made = client.get_collection(full, embedding_function=None)
            else:
                return None
            self._collections[name] = made
        return self._collections[name]

    def _open(self) -> Any:
        if self._client is None:
            self._client = _server(self._url) if self._url is not None else _embedded(self._folder)
        return self._client


def batches(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """Cut items into lists of at most ``size``."""
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def _embedded(folder: Path) -> Any:
    """Open Chroma on a folder with a system of its own.

    `PersistentClient` would share one system, and its stale index, among all clients of a folder.
    """
    from chromadb.api import ServerAPI
    from chromadb.api.client import Client
    from chromadb.config import Settings, System
    from chromadb.telemetry.product import ProductTelemetryClient

    folder.mkdir(parents=True, exist_ok=True)
    system = System(Settings(is_persistent=True, persist_directory=str(folder), anonymized_telemetry=False))
    for part in (ProductTelemetryClient, ServerAPI):
        system.instance(cast(Any, part))
    system.start()
    return Client.from_system(system)


def _server(url: str) -> Any:
    import chromadb
    from chromadb.config import Settings

    host, port, ssl = _address(url)
    return chromadb.HttpClient(host=host, port=port, ssl=ssl, settings=Settings(anonymized_telemetry=False))


def _address(url: str) -> tuple[str, int, bool]:
    """Return the host, the port, and whether it is spoken to over TLS."""
    parts = urlsplit(url if "//" in url else f"//{url}")
    if not parts.hostname:
        raise KnowledgeBaseError(f"{URL_VARIABLE}={url} is not an address; write it as http://host:8000.")
    ssl = parts.scheme == "https"
    return parts.hostname, parts.port or (443 if ssl else 8000), ssl


def check_server() -> None:
    """Raise KnowledgeBaseError where the environment names a Chroma server that does not answer within seconds."""
    if (url := server_url()) is None:
        return
    host, port, ssl = _address(url)
    with _explained(url if "://" in url else f"http://{url}"), suppress(HTTPError):  # a refusal is an answer, too
        urlopen(f"http{'s' * ssl}://{host}:{port}/api/v2/heartbeat", timeout=_PATIENCE_S).close()


class _explained:  # noqa: N801 - reads as a statement
    """Turn Chroma's errors into one sentence that says what to do."""

    def __init__(self, where: str) -> None:
        self._where = where

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if not isinstance(error, Exception) or isinstance(error, KnowledgeBaseError):
            return
        first = (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
        if "://" in self._where:
            message = f"check that it runs and that {URL_VARIABLE} names it"
            raise KnowledgeBaseError(f"The Chroma server {self._where} does not serve ({first}); {message}.") from error
        raise CorruptStoreError(
            f"The vector index in {self._where} cannot be used ({first}); "
            f"derive it anew: multicube rebuild --kb {Path(self._where).parent}"
        ) from error
