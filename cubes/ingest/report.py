"""What an ingest is asked to do, how far it is, and what it did."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict

from ..core.records import Problem
from ..core.spending import CostEstimate, ModelUsage

__all__ = ["IngestOptions", "IngestReport", "IngestTally", "Progress"]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a long step is: ``done`` of ``total`` documents ("read"), or sections where a model reads ("extract").

    Before them come files whose layout has to be understood ("convert": PDF, DOCX, HTML).
    Then come vectors ("embed"). Where a model formats documents, "format" counts the requests for one.
    """

    stage: str
    done: int
    total: int


class IngestReport(BaseModel):
    """What an ingest did, or, with ``dry_run``, would do.

    ``added`` to ``removed`` count documents, ``sections`` and ``facts`` those written now, ``vectors`` those
    embedded. ``reread`` counts documents that another engine or ontology had read, ``retried`` sections that had
    been set aside and are read now. ``missing`` are files that were read once and are gone. ``seconds`` maps stages
    to their time ("scan", "read", "refine", "extract", "store", "embed"). Where a model reads, ``usage`` is
    what it spent, and with ``dry_run`` ``estimate`` what it would.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    removed: int = 0
    reread: int = 0
    retried: int = 0
    sections: int = 0
    facts: int = 0
    vectors: int = 0
    files: int = 0
    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    seconds: dict[str, float] = {}
    dry_run: bool = False
    usage: ModelUsage | None = None
    estimate: CostEstimate | None = None


@dataclass(frozen=True, slots=True)
class IngestOptions:
    """``retry`` reads again where something was set aside, ``prune`` removes documents whose file is gone."""

    dry_run: bool = False
    retry: bool = False
    prune: bool = False


@dataclass(slots=True)
class IngestTally:
    """What is being counted while files are read."""

    counts: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Add the time spent inside to a stage."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[stage] = self.seconds.get(stage, 0.0) + time.perf_counter() - started

    def report(
        self, files: int, *, dry_run: bool, usage: ModelUsage | None, estimate: CostEstimate | None
    ) -> IngestReport:
        """Return what was counted."""
        return IngestReport(
            **dict(self.counts), files=files, problems=tuple(self.problems), warnings=tuple(self.warnings),
            missing=tuple(self.missing), seconds={k: round(v, 3) for k, v in self.seconds.items()},
            dry_run=dry_run, usage=usage, estimate=estimate,
        )  # fmt: skip
