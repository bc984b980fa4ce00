"""Folders beside a knowledge base for what a system indexes besides: made once, whichever process comes first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock

from ...cubes.errors import UsageError

if TYPE_CHECKING:
    from ...cubes.knowledge import KnowledgeBase

__all__ = ["beside", "folder_beside"]


def folder_beside(kb: KnowledgeBase, name: str) -> Path:
    """Return where a system keeps what it indexes: "kb-smart" beside "kb"."""
    return kb.path.with_name(f"{kb.path.name}-{name}")


@contextmanager
def beside(kb: KnowledgeBase, name: str) -> Iterator[Path]:
    """Hold a system's folder while it is filled; another process waits, and finds it filled.

    Raises UsageError where nothing can be written there.
    """
    folder = folder_beside(kb, name)
    try:
        with FileLock(folder.with_name(f"{folder.name}.lock")):
            yield folder
    except PermissionError as error:
        raise UsageError(
            f"The system {name} keeps its index in {folder}, which cannot be written; move the knowledge base to where "
            "it can."
        ) from error
