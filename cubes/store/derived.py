"""The files of columns beside a catalog: whoever writes a knowledge base leaves them, and readers open them at once.

They are derived. One that is not there, damaged, or of another state of the catalog is made anew from the catalog by
whoever needs it, and left for the next, where the folder can be written.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ..core.columns import Arrays, read_columns, write_columns
from ..core.errors import UsageError
from ..model.ontology import Ontology
from .catalog import Catalog
from .folder_state import digest

__all__ = ["COLUMNS_FOLDER", "COLUMNS_VARIABLE", "DerivedColumns", "columns_wanted"]

COLUMNS_FOLDER = "columns"

COLUMNS_VARIABLE = "MULTICUBE_COLUMNS"
"""Whether files of columns are read and left: "on" where it is not set."""

_ON, _OFF = ("", "on", "true", "yes", "1"), ("off", "false", "no", "0")

_FORMER = ("links.npz",)  # what earlier versions left
_VERSION = 3
"""Raise it whenever columns hold something else than before for the same catalog: what earlier versions left is then
made anew. It covers sections, facts, labels, folding, dates, quantities, BM25, links and HiQA's routes."""


def columns_wanted() -> bool:
    """Return whether the environment wants columns; raises UsageError where it says neither yes nor no."""
    said = os.environ.get(COLUMNS_VARIABLE, "").strip().lower()
    if said not in (*_ON, *_OFF):
        raise UsageError(f"{COLUMNS_VARIABLE}={said} is neither on nor off.")
    return said in _ON


class DerivedColumns:
    """The files of columns of one state of a catalog, under one ontology.

    With ``kept`` False no file is read or left, and everything is made anew.
    """

    def __init__(self, catalog: Catalog, ontology: Ontology, *, kept: bool = True) -> None:
        self._kept = kept
        self._catalog = catalog
        self._ontology = digest(ontology)
        self._folder = catalog.path.with_name(COLUMNS_FOLDER)
        self.state = self._state()

    def columns(self, name: str, make: Callable[[], Arrays]) -> Arrays:
        """Return the columns of this name and state: those kept, or else made now and kept."""
        found = self.read(name)
        return found if found is not None else self.keep(name, make())

    def read(self, name: str) -> Arrays | None:
        """Return the columns of this name and state, where they are kept."""
        return read_columns(self._file(name), self.state) if self._kept else None

    def keep(self, name: str, made: Arrays) -> Arrays:
        """Leave columns for the next, and return them as read back, so that they need no memory.

        Another process may have written to the catalog meanwhile: then nothing of the former state may stay, so this
        is no work for within a transaction, which would not see it.
        """
        if not self._kept or self._state() != self.state or not write_columns(self._file(name), self.state, made):
            return made
        kept = self.read(name)
        if self._state() != self.state:
            with suppress(OSError):
                self._file(name).unlink(missing_ok=True)
        return kept if kept is not None else made

    def forget(self) -> None:
        """Delete every file, of whatever state: nothing of what was removed may stay."""
        shutil.rmtree(self._folder, ignore_errors=True)
        for name in _FORMER:
            with suppress(OSError):
                self._folder.with_name(name).unlink(missing_ok=True)

    def _file(self, name: str) -> Path:
        return self._folder / f"{name}.columns"

    def _state(self) -> str:
        """What tells this state from others: the catalog's, the ontology's, and the version of what columns hold."""
        entries = [self._catalog.meta(key) for key in ("kb_id", "changes", "content")]
        rows = self._catalog.rows(
            "SELECT (SELECT max(number) FROM documents), (SELECT max(number) FROM sections), "
            "(SELECT max(number) FROM facts), (SELECT max(id) FROM corrections)"
        )
        return json.dumps([*entries, *rows[0], self._ontology, _VERSION])
