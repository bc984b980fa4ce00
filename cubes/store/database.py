"""How the catalog's file is opened, what its errors say, and the small records it gives out."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Collection, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..core import spending
from ..core.errors import CorruptStoreError, KnowledgeBaseError
from ..core.records import MetadataValue
from .postgres import URL_VARIABLE, PostgresConnection, database_url, namespace

__all__ = [
    "Connection",
    "DocumentInfo",
    "DocumentState",
    "FileState",
    "clean",
    "connect",
    "explained",
    "forget_replies",
    "is_there",
    "publish",
    "published",
    "read_setting",
    "shared",
    "streamed",
    "text_hash",
    "withdraw",
    "write_setting",
]  # fmt: skip

Connection = sqlite3.Connection | PostgresConnection
"""Both are asked in the same plain SQL."""
_BESIDE = "CREATE TABLE IF NOT EXISTS beside (name TEXT PRIMARY KEY, data BLOB NOT NULL)"
"""What else a folder holds besides what can be derived: images, abstractions."""


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """What is known of a document besides its text; ``sections`` are ids in their order."""

    id: str
    source: str
    record_id: str
    title: str
    metadata: Mapping[str, MetadataValue] = field(default_factory=dict)
    sections: tuple[str, ...] = ()
    language: str = "en"
    added_at: str = ""
    media_type: str = "text/plain"
    content_hash: str = ""


@dataclass(frozen=True, slots=True)
class FileState:
    """A file as it was when it was last read completely."""

    size: int
    mtime_ns: int
    read_at_ns: int
    hash: str


@dataclass(frozen=True, slots=True)
class DocumentState:
    """What decides whether a document must be read again."""

    number: int
    content_hash: str
    current: bool


def text_hash(text: str) -> str:
    """Return a short hash by which a changed text is noticed."""
    return hashlib.blake2b(text.encode(errors="replace"), digest_size=8).hexdigest()


def shared(folder: Path) -> PostgresConnection | None:
    """Open a knowledge base's schema where the environment names a PostgreSQL database; None where files keep all."""
    url = database_url()
    return None if url is None else PostgresConnection(url, namespace(folder))


def streamed(connection: Connection, query: str) -> AbstractContextManager[Any]:
    """Run a query whose rows are fetched some at a time, because there are too many to hold."""
    if isinstance(connection, PostgresConnection):
        return connection.in_parts(query)
    return closing(connection.execute(query))


def forget_replies(folder: Path) -> None:
    """Delete the replies of language models that a knowledge base keeps, in its folder and in PostgreSQL."""
    spending.forget_replies(folder)
    if (held := shared(folder)) is not None:
        with closing(held):
            if held.has("replies"):
                held.execute("DELETE FROM replies")
                held.vacuum(["replies"])


def publish(folder: Path, files: Mapping[str, bytes]) -> None:
    """Keep files of a knowledge base's folder in PostgreSQL too, where other servers find them."""
    if files and (held := shared(folder)) is not None:
        with closing(held):
            held.lay_out(_BESIDE)
            put = "INSERT INTO beside VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET data = excluded.data"
            held.executemany(put, files.items())


def published(folder: Path, name: str) -> bytes | None:
    """Return a file that some server has published; None where there is none."""
    if (held := shared(folder)) is None:
        return None
    with closing(held):
        row = held.execute("SELECT data FROM beside WHERE name = ?", (name,)).fetchone() if held.has("beside") else None
    return None if row is None else bytes(row[0])


def withdraw(folder: Path, beginning: str, kept: Collection[str] = ()) -> None:
    """Delete the published files whose names begin so, but those that are kept."""
    if (held := shared(folder)) is not None:
        with closing(held):
            rows = held.execute("SELECT name FROM beside").fetchall() if held.has("beside") else []
            gone = [(name,) for (name,) in rows if name.startswith(beginning) and name not in kept]
            held.executemany("DELETE FROM beside WHERE name = ?", gone)


def read_setting(path: Path) -> bytes | None:
    """Return a file of settings of a knowledge base, from PostgreSQL where that keeps it; None where there is none.

    Raises KnowledgeBaseError where there is one in the folder that does not count, and OSError.
    """
    if database_url() is None:
        with suppress(FileNotFoundError):
            return path.read_bytes()
        return None
    found = published(path.parent, path.name)
    if found is None and path.exists():
        raise KnowledgeBaseError(
            f"{path} does not count where {URL_VARIABLE} says that PostgreSQL keeps the knowledge base; "
            "make it anew with its command, and remove the file."
        )
    return found


def write_setting(path: Path, data: bytes, *, mode: int = 0o644) -> None:
    """Keep a file of settings, wholly or not at all, where `read_setting` finds it."""
    if database_url() is not None:
        publish(path.parent, {path.name: data})
        return
    beside = path.with_name(f"{path.name}.new")
    beside.unlink(missing_ok=True)
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(data)
    beside.replace(path)


def is_there(path: Path) -> bool:
    """Whether there is a catalog: its file, or its tables where PostgreSQL keeps it."""
    held = shared(path.parent)
    if held is None:
        return path.exists()
    with closing(held):
        return held.has("meta")


def connect(path: Path) -> Connection:
    """Open a file as catalogs are opened: transactions by hand, a write-ahead log, 30 s of patience.

    Where PostgreSQL keeps the catalog, the file is only a name.
    """
    held = shared(path.parent)
    if held is not None:
        return held
    connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=30)
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")  # what is removed is overwritten, not only unlinked
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA journal_mode = WAL")
    return connection


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into one sentence that says what to do."""
    try:
        yield
    except sqlite3.ProgrammingError as error:
        raise KnowledgeBaseError(f"The knowledge base {path.parent} is closed; open it again.") from error
    except sqlite3.OperationalError as error:
        raise KnowledgeBaseError(
            f"The catalog {path} cannot be used ({error}); check the disk and the permissions of its folder."
        ) from error
    except sqlite3.DatabaseError as error:
        raise CorruptStoreError(
            f"The catalog {path} is damaged ({error}); "
            f"restore it from a copy, or delete {path.parent} and ingest again."
        ) from error


def clean(text: str) -> str:
    """Replace half characters (lone surrogates from JSON escapes), which UTF-8 cannot hold; lengths stay."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
