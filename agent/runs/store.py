"""`runs.sqlite`, or PostgreSQL: LangGraph's checkpoints and the finished traces of a knowledge base's runs."""

from __future__ import annotations

import copy
import re
import sqlite3
import threading
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from ...cubes.core.errors import KnowledgeBaseError, UsageError
from ...cubes.store.database import Connection, shared
from ...cubes.store.postgres import PostgresConnection
from ...graphs.records import Run
from . import catalogue, checkpoints

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

__all__ = ["RunStore", "new_run_id"]

_DDL = """
CREATE TABLE IF NOT EXISTS runs (
    id TEXT PRIMARY KEY, started_at TEXT NOT NULL, question TEXT NOT NULL, status TEXT NOT NULL, body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS runs_by_time ON runs (started_at DESC);
CREATE TABLE IF NOT EXISTS owners (run TEXT PRIMARY KEY, owner TEXT NOT NULL) WITHOUT ROWID;
"""

_TABLES = ("runs", "catalogue", "checkpoints", "checkpoint_blobs", "checkpoint_writes")
"""What holds text of runs in PostgreSQL."""

_SECTION = re.compile(r'"([0-9a-f]{16}):\d+"')
"""A section's id as a trace has it; what stands before the colon is its document's."""

# Moving the log into the file waits for the disk, tens of milliseconds: every few hundred questions, not every twenty.
_PAGES_AHEAD = 10_000


def new_run_id() -> str:
    """Return a short id that a person can type a prefix of."""
    return uuid.uuid4().hex[:12]


class RunStore:
    """Keeps every run: its checkpoints while it is under way, its trace afterwards.

    Opening is cheap and imports no LangGraph until a checkpointer is asked for. Safe to use from several threads.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._connection = _connect(path)
        self._saver: BaseCheckpointSaver[Any] | None = None
        self._owner: str | None = None

    def owned(self, owner: str) -> RunStore:
        """Return the runs of one owner in this store: no others are found, and what is saved there is theirs."""
        other = copy.copy(self)
        other._owner, other.checkpointer = owner, self.checkpointer  # type: ignore[method-assign]
        return other

    @property
    def _theirs(self) -> tuple[str, tuple[str, ...]]:
        """The condition on runs that are found here, with its parameters."""
        if self._owner is None:
            return "1 = 1", ()
        return "id IN (SELECT run FROM owners WHERE owner = ?)", (self._owner,)

    def checkpointer(self) -> BaseCheckpointSaver[Any]:
        """Return LangGraph's checkpointer beside the runs; only our own record types are read back from it."""
        with self._lock:
            if self._saver is None:
                beside = self._connection if isinstance(self._connection, PostgresConnection) else None
                made = checkpoints.in_file(_file(self._path)) if beside is None else checkpoints.in_postgres(beside)
                self._saver = made
            return self._saver

    def save(self, run: Run) -> None:
        """Insert or replace a run."""
        with self._lock, self._connection:
            self._connection.execute(
                "INSERT INTO runs VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
                "started_at = excluded.started_at, question = excluded.question, status = excluded.status, "
                "body = excluded.body",
                (run.id, run.started_at, run.question, run.status, run.model_dump_json()),
            )
            catalogue.insert_run(self._connection, run)
            # What the whole store's reader goes on with may quote what the owner may not read.
            self._connection.execute("DELETE FROM owners WHERE run = ?", (run.id,))
            if self._owner is not None:
                self._connection.execute("INSERT INTO owners VALUES (?, ?)", (run.id, self._owner))

    def recent(self, limit: int) -> list[Run]:
        """Return the newest runs first, without those of another version that cannot be read."""
        theirs, given = self._theirs
        with self._lock:
            rows = self._connection.execute(
                f"SELECT body FROM runs WHERE {theirs} ORDER BY started_at DESC, rowid DESC LIMIT ?", (*given, limit)
            ).fetchall()
        return [run for row in rows if (run := _read(row[0])) is not None]

    def search(self, wanted: catalogue.RunFilter, limit: int, offset: int = 0) -> catalogue.RunList:
        """Return a page of the runs that are wanted, the newest first, without reading their traces."""
        with self._lock, self._connection:
            catalogue.complete(self._connection)
            return catalogue.listed(self._connection, wanted, limit, offset, self._theirs)

    def delete(self, run_id: str) -> None:
        """Remove a run, its trace and its checkpoints for good."""
        self.checkpointer().delete_thread(run_id)
        with self._lock, self._connection:
            self._connection.execute("DELETE FROM runs WHERE id = ?", (run_id,))
            self._connection.execute("DELETE FROM owners WHERE run = ?", (run_id,))
            catalogue.delete_run(self._connection, run_id)

    def quoting(self, is_meant: Callable[[str], bool]) -> list[str]:
        """Return the ids of the runs that hold text of a document, by its id, that is meant."""
        with self._lock:
            theirs, given = self._theirs
            query = f"SELECT id, body FROM runs WHERE {theirs} ORDER BY started_at"
            rows = self._connection.execute(query, given).fetchall()
        return [run_id for run_id, body in rows if any(map(is_meant, set(_SECTION.findall(body))))]

    def purge(self, run_ids: Sequence[str]) -> None:
        """Remove runs as `delete` does, and what the file still holds of them in the space that became free."""
        for run_id in run_ids:
            self.delete(run_id)
        if isinstance(self._connection, PostgresConnection):
            self._connection.vacuum(_TABLES)
            return
        with self._lock, suppress(sqlite3.OperationalError):  # someone else is writing: the space is used again later
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def find(self, run_id: str | None) -> Run:
        """Return a run by id or unique prefix; the latest where none is named.

        Raises UsageError where no run or several runs fit, or the one that fits cannot be read.
        """
        theirs, given = self._theirs
        if run_id is None or run_id == "latest":
            with self._lock:
                newest = self._connection.execute(
                    f"SELECT body FROM runs WHERE {theirs} ORDER BY started_at DESC, rowid DESC", given
                )
                latest = next((found for row in newest if (found := _read(row[0])) is not None), None)
            if latest is None:
                raise UsageError("There are no runs yet; ask a question first.")
            return latest
        with self._lock:
            rows = self._connection.execute(
                f"SELECT body FROM runs WHERE substr(id, 1, ?) = ? AND {theirs} ORDER BY id LIMIT 2",
                (len(run_id), run_id, *given),
            ).fetchall()
        if not rows:
            raise UsageError(f"There is no run '{run_id}'.", listed_by="multicube trace")
        if len(rows) > 1:
            raise UsageError(f"More than one run begins with '{run_id}'; give more of its id.")
        run = _read(rows[0][0])
        if run is None:
            raise UsageError(
                f"Run '{run_id}' was kept by a version whose traces this one cannot read; ask its question again."
            )
        return run

    def close(self) -> None:
        """Close both connections; those of an owner's runs are the whole store's."""
        if self._owner is not None:
            return
        with self._lock:
            if self._saver is not None:
                checkpoints.close(self._saver)
                self._saver = None
            self._connection.close()


def _read(body: str) -> Run | None:
    """Read a run; None where another version kept it in a form of its own."""
    try:
        return Run.model_validate_json(body)
    except ValidationError:
        return None


def _connect(path: Path) -> Connection:
    held = shared(path.parent)
    if held is None:
        return _file(path)
    held.lay_out(_DDL + catalogue.DDL)
    return held


def _file(path: Path) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(path, check_same_thread=False, timeout=30)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute(f"PRAGMA wal_autocheckpoint={_PAGES_AHEAD}")
        connection.executescript(_DDL + catalogue.DDL)
    except sqlite3.Error as error:
        raise KnowledgeBaseError(
            f"The traces in {path} cannot be opened ({error}); move the file away to start anew."
        ) from error
    return connection
