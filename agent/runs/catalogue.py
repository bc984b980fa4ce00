"""The catalogue of a knowledge base's runs: a small row for each, found by words, status and date without its trace."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Any, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from ...cubes.core.errors import UsageError
from ...cubes.core.folding import words
from ...cubes.store.database import Connection
from ...graphs.records import Run, RunStatus

__all__ = ["DDL", "RunFilter", "RunList", "RunSummary", "complete", "delete_run", "insert_run", "listed"]

DDL = """
CREATE TABLE IF NOT EXISTS catalogue (
    id TEXT PRIMARY KEY, started_at TEXT NOT NULL, status TEXT NOT NULL, engine TEXT NOT NULL, ms REAL NOT NULL,
    hops INTEGER NOT NULL, confidence REAL NOT NULL, forked_from TEXT, question TEXT NOT NULL, answer TEXT NOT NULL,
    words TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS catalogue_by_time ON catalogue (started_at DESC);
"""
_FIELDS = ("id", "started_at", "status", "engine", "ms", "hops", "confidence", "forked_from", "question", "answer")
_DATE = re.compile(r"\d{4}(-\d\d(-\d\d)?)?")
_ENTER = (
    f"INSERT INTO catalogue VALUES ({', '.join('?' * (len(_FIELDS) + 1))}) ON CONFLICT (id) DO UPDATE SET "
    f"{', '.join(f'{name} = excluded.{name}' for name in (*_FIELDS[1:], 'words'))}"
)


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RunSummary(_Frozen):
    """A run as a list shows it; ``hops`` is how many it has, ``ms`` how long it took."""

    id: str
    started_at: str
    status: RunStatus
    engine: str = ""
    ms: float = 0.0
    hops: int = 0
    confidence: float = 0.0
    forked_from: str | None = None
    question: str
    answer: str = ""


class RunList(_Frozen):
    """A page of a list of runs, the newest first; ``total`` is how many there are in all."""

    runs: tuple[RunSummary, ...] = ()
    total: int = 0


class RunFilter(_Frozen):
    """Which runs are looked for.

    ``words`` must all stand in the question, the answer, a subquery, a sub-answer or a cited title or sentence; case,
    accents and punctuation do not count, and a word's beginning is enough. ``since`` and ``until`` are days (UTC,
    "2026-11-21"), months or years, both included.
    """

    words: str = ""
    status: RunStatus | None = None
    since: str | None = None
    until: str | None = None

    @classmethod
    def of(
        cls, said: str = "", status: str | None = None, since: str | None = None, until: str | None = None
    ) -> RunFilter:
        """Return what a person asks for; raises UsageError for a status or a date that is none."""
        known = get_args(RunStatus)
        if status is not None and status not in known:
            raise UsageError(f"There is no status '{status}'; use one of: {', '.join(known)}.")
        if said.strip() and not words(said):
            raise UsageError(f"There is no word in '{said}' to search for.")
        for day in (since, until):
            _check_date(day)
        return cls.model_validate({"words": said, "status": status, "since": since, "until": until})

    def condition(self) -> tuple[str, list[Any]]:
        """Return the SQL condition with its parameters."""
        parts, given = ["1 = 1"], list[Any]()
        for word in words(self.words):  # letters and digits alone: nothing that LIKE reads as a pattern
            parts.append("words LIKE ?")
            given.append(f"% {word}%")
        if self.status is not None:
            parts.append("status = ?")
            given.append(self.status)
        if self.since is not None:
            parts.append("started_at >= ?")
            given.append(self.since)
        if self.until is not None:
            parts.append("substr(started_at, 1, ?) <= ?")
            given += [len(self.until), self.until]
        return " AND ".join(parts), given


def insert_run(connection: Connection, run: Run) -> None:
    """Insert or replace a run's row; within the caller's transaction."""
    values = {**run.model_dump(include=set(_FIELDS)), "hops": len(run.hops)}
    connection.execute(_ENTER, [*(values[name] for name in _FIELDS), _words(run)])


def delete_run(connection: Connection, run_id: str) -> None:
    """Remove a run's row; within the caller's transaction."""
    connection.execute("DELETE FROM catalogue WHERE id = ?", (run_id,))


def complete(connection: Connection) -> None:
    """Enter the runs that a version without a catalogue has written; within the caller's transaction."""
    missing = "SELECT id, started_at, question, status, body FROM runs WHERE id NOT IN (SELECT id FROM catalogue)"
    for run_id, started_at, question, status, body in connection.execute(missing).fetchall():
        try:
            run = Run.model_validate_json(body)
        except ValidationError:  # of another version: its row still says what was asked, and when
            run = Run.model_construct(id=run_id, started_at=started_at, question=question, status=status)
        insert_run(connection, run)


def listed(
    connection: Connection, wanted: RunFilter, limit: int, offset: int,
    among: tuple[str, tuple[str, ...]] = ("1 = 1", ()),
) -> RunList:  # fmt: skip
    """Return a page of the runs that are wanted, the newest first; ``among`` is a condition with its parameters."""
    where, given = wanted.condition()
    where, given = f"{where} AND {among[0]}", [*given, *among[1]]
    total = connection.execute(f"SELECT count(*) FROM catalogue WHERE {where}", given).fetchone()[0]
    page = f"FROM catalogue WHERE {where} ORDER BY started_at DESC, rowid DESC LIMIT ? OFFSET ?"
    rows = connection.execute(f"SELECT {', '.join(_FIELDS)} {page}", [*given, limit, offset]).fetchall()
    return RunList(runs=tuple(RunSummary(**dict(zip(_FIELDS, row, strict=True))) for row in rows), total=total)


def _words(run: Run) -> str:
    """Everything of a run that is searched, folded, with a space before each word."""
    return " " + " ".join(word for text in _texts(run) for word in words(text))


def _texts(run: Run) -> Iterator[str]:
    yield from (run.id, run.question, run.answer, run.note)
    for hop in run.hops:
        yield from (hop.subquery, *hop.answers, *hop.cubes)
    for citation in run.citations:
        yield from (citation.title, citation.sentence)


def _check_date(said: str | None) -> None:
    """Raise UsageError for what is neither a day nor a month nor a year."""
    if said is None:
        return
    try:
        if not _DATE.fullmatch(said):
            raise ValueError
        date.fromisoformat(said + "-01-01"[len(said) - 4 :])
    except ValueError:
        raise UsageError(f"'{said}' is not a date; write it as 1998, 1998-05 or 1998-05-31.") from None
