"""Replies that were paid for, kept on disk or in PostgreSQL: the same request is answered from here, for nothing."""

from __future__ import annotations

import hashlib
import json
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from .....cubes.core.errors import KnowledgeBaseError
from .....cubes.store.database import Connection, shared
from .....cubes.store.postgres import database_url

__all__ = ["ReplyCache", "reply_key"]

T = TypeVar("T")

_LOG = logging.getLogger(__name__)
_TABLE = "CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, reply TEXT NOT NULL, at REAL NOT NULL)"
_PUT = (
    "INSERT INTO replies VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET reply = excluded.reply, at = excluded.at"
)
_PATIENCE_MS = 20_000


def reply_key(*parts: Any) -> str:
    """Return the key of a request: a digest of everything that may change its reply."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, ensure_ascii=False).encode("utf-8", "replace")).hexdigest()


class ReplyCache:
    """A SQLite file shared by threads and processes.

    A reply outlives the process as soon as `put` returns (only a failing computer can lose the last ones: waiting for
    the disk each time would slow many questions at once). A damaged file is set aside (``cache.sqlite.damaged-1``) and
    made anew, and one that cannot be written costs replies but no run: the cache is never a reason to fail.

    A ``shared`` one is a table in PostgreSQL where the environment names a database: what one server has paid for,
    the others have.
    """

    def __init__(self, path: Path, *, shared: bool = False) -> None:
        self.path = path
        self._shared = shared and database_url() is not None
        self._lock = threading.Lock()
        self._flights: dict[str, tuple[threading.Lock, int]] = {}
        self._connection: Connection | None = None
        self._closed = False

    def get(self, key: str) -> str | None:
        """Return the reply kept under a key; looking makes no file."""
        if self._connection is None and not self._shared and not self.path.exists():
            return None
        rows = self._do(lambda db: db.execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchall())
        return str(rows[0][0]) if rows else None

    def put(self, key: str, reply: str) -> None:
        """Keep a reply."""
        row = (key, reply, time.time())
        self._do(lambda db: db.execute(_PUT, row))

    def __len__(self) -> int:
        rows = self._do(lambda db: db.execute("SELECT count(*) FROM replies").fetchall())
        return int(rows[0][0]) if rows else 0

    @contextmanager
    def flight(self, key: str) -> Iterator[None]:
        """Let one thread at a time ask for a key, so that the next one finds its reply here."""
        with self._lock:
            lock, waiting = self._flights.get(key, (threading.Lock(), 0))
            self._flights[key] = (lock, waiting + 1)
        try:
            with lock:
                yield
        finally:
            with self._lock:
                lock, waiting = self._flights.pop(key)
                if waiting > 1:
                    self._flights[key] = (lock, waiting - 1)

    def discard(self) -> None:
        """Delete everything that is kept, and the file."""
        if self._shared:
            self._do(lambda db: db.execute("DELETE FROM replies"))
            return
        with self._lock:
            self._drop()
            for file in (self.path, *self._beside()):
                with suppress(OSError):
                    file.unlink()

    def close(self) -> None:
        """Close the file; nothing is kept or found afterwards."""
        with self._lock:
            self._closed = True
            self._drop()

    def _do(self, work: Callable[[Connection], T]) -> T | None:
        with self._lock:
            for _ in range(2):
                try:
                    return None if self._closed else work(self._open())
                except sqlite3.OperationalError as error:  # locked for long, a full disk, no permission
                    _LOG.warning("The reply cache %s cannot be used now: %s.", self.path, error)
                    return None
                except sqlite3.DatabaseError as error:
                    _LOG.warning("The reply cache %s is damaged (%s); it is set aside and made anew.", self.path, error)
                    self._set_aside()
                except OSError as error:
                    _LOG.warning("The reply cache %s cannot be made: %s.", self.path, error)
                    return None
                except KnowledgeBaseError as error:
                    _LOG.warning("The reply cache cannot be used now: %s", error)
                    return None
            return None

    def _open(self) -> Connection:
        if self._connection is None and self._shared and (held := shared(self.path.parent)) is not None:
            held.lay_out(_TABLE)
            self._connection = held
        if self._connection is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(
                self.path, timeout=_PATIENCE_MS / 1000, isolation_level=None, check_same_thread=False
            )
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.execute(_TABLE)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _set_aside(self) -> None:
        self._drop()
        number = 1
        while (aside := self.path.with_name(f"{self.path.name}.damaged-{number}")).exists():
            number += 1
        with suppress(OSError):
            self.path.replace(aside)
        for file in self._beside():
            with suppress(OSError):
                file.unlink()

    def _beside(self) -> list[Path]:
        """SQLite's own files beside the database."""
        return [self.path.with_name(self.path.name + ending) for ending in ("-wal", "-shm")]

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
