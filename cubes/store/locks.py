"""One process writes a knowledge base at a time, and the others are told which."""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path

from ..core.errors import KnowledgeBaseError, LockedError
from .database import Connection, shared
from .postgres import WRITER, PostgresConnection

__all__ = ["HOLDER_FILE", "LOCK_FILE", "write_lock"]

LOCK_FILE = "writer.lock"
HOLDER_FILE = "writer.json"


@contextmanager
def write_lock(
    folder: Path, *, command: str | None = None, connection: Connection | None = None
) -> Iterator[None]:
    """Hold the right to write the knowledge base of ``folder``; raises LockedError at once where another has it.

    The lock is the operating system's, so that one left by a killed process is free again; the file beside it
    only says who holds it. Where PostgreSQL keeps the catalog it is that server's, and goes with the session: best
    that of the ``connection`` that writes, so that what has lost the lock writes nothing more.
    """
    held = connection if isinstance(connection, PostgresConnection) else shared(folder)
    if held is None:
        with _file_lock(folder, command):
            yield
        return
    with nullcontext() if held is connection else closing(held), ExitStack() as stack:
        try:
            stack.enter_context(held.holding(WRITER))
        except TimeoutError:
            raise _locked(folder, held.holder(WRITER)) from None
        yield


@contextmanager
def _file_lock(folder: Path, command: str | None) -> Iterator[None]:
    from filelock import FileLock, Timeout

    lock = FileLock(str(folder / LOCK_FILE), timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise _locked(folder, _holder(folder)) from None
    except OSError as error:
        raise KnowledgeBaseError(
            f"The knowledge base {folder} cannot be written ({error.strerror or error}); "
            "check the folder's permissions."
        ) from error
    try:
        _sign(folder, command)
        yield
    finally:
        with suppress(OSError):
            (folder / HOLDER_FILE).unlink(missing_ok=True)
        lock.release()


def _locked(folder: Path, holder: str) -> LockedError:
    return LockedError(f"The knowledge base {folder} is being written by {holder}; wait for it to end and try again.")


def _sign(folder: Path, command: str | None) -> None:
    """Leave word of who writes; replaced as a whole, so that nobody reads half of it."""
    holder = {
        "pid": os.getpid(), "host": socket.gethostname(), "command": command or _command(),
        "since": datetime.now(UTC).isoformat(timespec="seconds"),
    }  # fmt: skip
    part = folder / f"{HOLDER_FILE}.{os.getpid()}"
    part.write_text(json.dumps(holder), encoding="utf-8")
    part.replace(folder / HOLDER_FILE)


def _command() -> str:
    name = Path(sys.argv[0]).name if sys.argv and sys.argv[0] else "python"
    return " ".join([name, *sys.argv[1:]])[:200]


def _holder(folder: Path) -> str:
    """Describe who holds the lock; the file may not be written yet, or be gone already."""
    try:
        found = json.loads((folder / HOLDER_FILE).read_text(encoding="utf-8"))
        return f"process {found['pid']} on {found['host']} since {found['since']} ({found['command']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
