"""Running times per query: of retrieval alone and of whole questions (MultiCube-RAG, Tables 3 and 4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...datasets.dataset import Dataset
from .asking import ask, milliseconds, sample
from .building import built
from .kept import Row
from .options import Session

__all__ = ["measure", "question_rows", "retrieval_rows", "spent_rows"]

_KIND = "asked"


def measure(session: Session, dataset: Dataset) -> Iterator[None]:
    """Ask every system the sample one question at a time, and for "question" the first one at every concurrency.

    Yields after each.
    """
    options = session.options
    asked = sample(dataset, options.queries, options.seed)
    under = session.conditions.asking(dataset, options.queries, options.seed)
    for system in options.systems:
        for concurrency in _concurrency(session, system):
            name = " | ".join((dataset.name, system, options.engine, str(concurrency)))
            if session.kept.get(_KIND, name, under) is not None:
                continue
            path, _ = built(session, dataset, dataset.name)
            session.say(f"{dataset.name}: {len(asked.questions)} questions, {system}, {concurrency} at a time.")
            found = ask(path, system, asked, concurrency, options.model, options.encoder)
            about = {"dataset": dataset.name, "system": system, "engine": options.engine, "concurrency": concurrency}
            session.kept.put(_KIND, name, under, {**about, **found})
            yield


def retrieval_rows(session: Session) -> Iterator[dict[str, Any]]:
    """Yield milliseconds of retrieval per question, over all its hops, one question at a time.

    It is the time from a hop's subquery to its evidence, routing and decomposing included. With a model these are
    requests, and the time would be the model's; so there is no row then.
    """
    for row in session.kept.all(_KIND):
        if row["concurrency"] == 1 and row["engine"] == "embedded":
            yield {**_about(row), **milliseconds(row["retrieval_ms"]), "hops": _rounded(row["hops"])}


def question_rows(session: Session) -> Iterator[dict[str, Any]]:
    """Yield milliseconds per question.

    As in the paper, the mean is the time of all questions together, divided by their number; median and percentile are
    of each question's own time, which grows where others run beside it. ``cpu_ms`` is processor time.
    """
    for row in session.kept.all(_KIND):
        mean, cpu = (round(1000 * row[name] / len(row["answers"]), 2) for name in ("seconds", "cpu_seconds"))
        times = {**milliseconds(row["ms"]), "mean_ms": mean, "cpu_ms": cpu}
        yield {**_about(row), "concurrency": row["concurrency"], **times}


def spent_rows(session: Session) -> Iterator[dict[str, Any]]:
    """Yield what the timed questions cost, asked one at a time."""
    for row in session.kept.all(_KIND):
        if row["concurrency"] == 1:
            yield {**_about(row), "spent": row["spent"]}


def _about(row: Row) -> Mapping[str, Any]:
    told = {name: row[name] for name in ("dataset", "sections", "system", "engine", "failed")}
    return {**told, "questions": len(row["answers"]), "load": row.get("load")}


def _concurrency(session: Session, system: str) -> list[int]:
    """As in the paper, the other systems are asked one question at a time."""
    options = session.options
    several = system == options.systems[0] and "question" in options.parts
    alone = [1] if "retrieval" in options.parts or not several else []
    return list(dict.fromkeys([*alone, *(options.concurrency if several else [])]))


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)
