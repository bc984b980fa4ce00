"""The runs that a knowledge base keeps: listed, searched, shown, exported and removed."""

from __future__ import annotations

import copy
from functools import cached_property
from typing import TYPE_CHECKING, Literal, Self

from ...cubes.core.errors import UsageError
from ...graphs.records import Run
from ..runs.store import RunStore

if TYPE_CHECKING:
    from ...cubes.knowledge.base import KnowledgeBase
    from ..runs.catalogue import RunList

__all__ = ["FORMATS", "ExportFormat", "RunHistory", "exported"]

ExportFormat = Literal["json", "mermaid", "html"]
FORMATS: dict[str, str] = {"json": "application/json", "mermaid": "text/vnd.mermaid", "html": "text/html"}
"""The formats that a run is exported in, with their media types."""


class RunHistory:
    """What keeps its runs in a knowledge base's folder."""

    kb: KnowledgeBase

    @cached_property
    def _store(self) -> RunStore:
        return RunStore(self.kb.path / "runs.sqlite")

    @property
    def run_store(self) -> RunStore:
        """Where the runs are kept."""
        return self._store

    def owned(self, owner: str, store: RunStore) -> Self:
        """Return the same with the runs of one owner in a store: it finds no others, and keeps its own as theirs."""
        other = copy.copy(self)
        self.__dict__["_store"], other.__dict__["_store"] = store, store.owned(owner)
        return other

    def runs(self, limit: int = 50) -> list[Run]:
        """Return the newest runs first."""
        return self._store.recent(limit)

    def search_runs(
        self,
        words: str = "",
        *,
        status: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int = 50,
        offset: int = 0,
    ) -> RunList:
        """Return a page of the catalogue of runs, the newest first, and how many fit in all.

        ``words`` must all stand in a run's question, subqueries, answers or citations; ``since`` and ``until`` are
        days, months or years. Raises UsageError for a status or a date that is none.
        """
        from ..runs.catalogue import RunFilter

        return self._store.search(RunFilter.of(words, status, since, until), limit, offset)

    def trace(self, run_id: str | None = None) -> Run:
        """Return a run by id or unique prefix, or the latest one."""
        return self._store.find(run_id)

    def export_run(self, run_id: str | None = None, format: ExportFormat = "json") -> str:
        """Return a run as JSON, as a Mermaid flowchart, or as a page of its own (HTML)."""
        return exported(self._store.find(run_id), format)

    def delete_run(self, run_id: str) -> Run:
        """Remove a run with its trace and checkpoints, and return what it was; an id or a unique prefix names it."""
        if not run_id.strip():
            raise UsageError("Say which run is to be removed.")
        run = self._store.find(run_id)
        self._store.delete(run.id)
        return run


def exported(run: Run, format: str) -> str:
    """Return a run in one of `FORMATS`; raises UsageError for another."""
    if format == "json":
        return run.model_dump_json(indent=2) + "\n"
    if format == "mermaid":
        from ..views.mermaid import mermaid

        return mermaid(run)
    if format == "html":
        from ..views.trace_page import trace_page

        return trace_page(run)
    raise UsageError(f"A run cannot be exported as '{format}'; use one of: {', '.join(FORMATS)}.")
