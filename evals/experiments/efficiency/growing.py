"""Time and memory by the size of the corpus (Hypercube-RAG, Table 4, and beyond it).

The corpus grows by copies of itself under other names, so that the questions keep their answers and every section is as
much work as the first ones are. Each system has a process of its own at each size.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ....cubes.core.errors import UsageError
from ...datasets.dataset import Dataset, corpus_records
from ...generators.copies import copied
from ...generators.growth import write_corpus
from ...machine import index_bytes
from .asking import Sample, ask_alone, milliseconds, sample
from .building import apart, build, built
from .kept import Row
from .options import Session

if TYPE_CHECKING:
    from ....cubes.core.encoding import Encoder

__all__ = ["STORED", "By", "growth_rows", "measure", "measure_at"]

STORED = "stored"
"""The kind of figure that says what a grown knowledge base takes on the disk; it is removed again."""
_KIND = "grown"
By = Literal["copies", "documents"]


def measure(session: Session, dataset: Dataset) -> Iterator[None]:
    """Measure a data set at its own size and at every size that was asked for, smallest first; yields after each.

    Raises UsageError for a size at which none of the questions has its documents.
    """
    options = session.options
    path, cost = built(session, dataset, dataset.name)
    own = int(cost["sections"])
    for size in sorted({own, *options.sizes}):
        at = Path(f"{path}-{size}")
        if size == own:
            measure_at(session, dataset, path, cost, sample(dataset, options.queries, options.seed))
        elif size > own:
            _copied(session, dataset, path, at, size)
        else:
            _part(session, dataset, at, size)
        yield


def measure_at(
    session: Session, dataset: Dataset, path: Path, cost: Row, asked: Sample, by: By = "copies", *more: object
) -> list[Row]:
    """Ask every system the same questions over one knowledge base, whose building cost that much; a row for each.

    ``by`` says what the corpus grows by, ``more`` what the figures depend on besides.
    """
    size, under, rows = cost["sections"], _under(session, dataset, *more), []
    for system in session.options.systems:
        name = _name(dataset, by, size, system)
        row = session.kept.get(_KIND, name, under)
        if row is None:
            session.say(f"{dataset.name}: {size:,} sections, {len(asked.questions)} questions, {system}.")
            found = apart(ask_alone, path, system, asked, encoder=session.options.encoder)
            told = {"dataset": dataset.name, "by": by, "system": system, **found, "asked": asked.questions}
            told |= {one: cost[one] for one in ("sections", "kb_bytes", "sections_per_s")}
            row = session.kept.put(_KIND, name, under, told)
        rows.append(row)
    return rows


def growth_rows(session: Session) -> Iterator[dict[str, Any]]:
    """Yield a row for each size and system: retrieval per question, whole questions, memory, disk, ingest rate.

    ``same_answers`` is the share of questions (0 to 1) answered as over the smallest corpus at which the same were
    asked, None there; ``ready_s`` the seconds to the first answer in a new process. ``ingest_per_s`` is None where
    the knowledge base was copied.
    """
    rows = session.kept.all(_KIND)
    for row in sorted(rows, key=lambda one: (one["dataset"], one["by"], one["sections"])):
        yield {
            **{name: row[name] for name in ("dataset", "by", "sections", "system")},
            "questions": len(row["asked"]),
            **milliseconds(row["retrieval_ms"]),
            "question_p50_ms": milliseconds(row["ms"])["p50_ms"],
            "ready_s": row["ready_s"],
            "peak_rss_mb": row["peak_rss_mb"],
            "kb_bytes": row["kb_bytes"],
            "ingest_per_s": row["sections_per_s"],
            "same_answers": _same(row, rows),
            "load": row.get("load"),
        }


def _copied(session: Session, dataset: Dataset, base: Path, target: Path, size: int) -> None:
    """Grow by copies; what they take is noted, and they are removed again."""
    if _complete(session, dataset, size):
        return
    session.say(f"Growing {dataset.name} to {size:,} sections.")
    _clear(target)
    made = apart(_copy, base, target, size, session.options.seed, encoder=session.options.encoder)
    _stored(session, dataset, size, made)
    measure_at(session, dataset, target, made, sample(dataset, session.options.queries, session.options.seed))
    _clear(target)


def _part(session: Session, dataset: Dataset, target: Path, size: int) -> None:
    """The first sections alone, and the questions whose documents they hold."""
    records = list(islice(corpus_records(dataset.corpus), size))
    held = {record["id"] for record in records}
    within = tuple(one for one in dataset.questions if one.supporting and held.issuperset(one.supporting))
    if not within:
        raise UsageError(f"The first {size} documents of {dataset.name} answer none of its questions; ask for more.")
    if _complete(session, dataset, size):
        return
    _clear(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    corpus = write_corpus(target.with_name(f"{target.name}.jsonl"), iter(records))
    session.say(f"Building a knowledge base of the first {size:,} documents of {dataset.name}.")
    cost = apart(build, corpus, target, None, encoder=session.options.encoder)
    _stored(session, dataset, size, cost)
    few = sample(replace(dataset, questions=within), session.options.queries, session.options.seed)
    measure_at(session, dataset, target, {**cost, "sections": size}, few)
    _clear(target)
    corpus.unlink()


def _copy(base: Path, target: Path, size: int, seed: int, encoder: str | Encoder | None) -> dict[str, Any]:
    copied(base, target, size, seed=seed, encoder=encoder)
    parts = index_bytes(target)
    return {"sections": size, "sections_per_s": None, "kb_bytes": sum(parts.values()), "parts": parts}


def _stored(session: Session, dataset: Dataset, size: int, made: Row) -> None:
    """Note what a knowledge base takes on the disk that is removed after it was measured."""
    name = f"{dataset.name}, {size:,} sections"
    session.kept.put(STORED, name, _under(session, dataset), {"name": name, "parts": made["parts"]})


def _complete(session: Session, dataset: Dataset, size: int) -> bool:
    """Whether every system was measured at a size before."""
    under = _under(session, dataset)
    names = [_name(dataset, "copies", size, system) for system in session.options.systems]
    return all(session.kept.get(_KIND, name, under) is not None for name in names)


def _under(session: Session, dataset: Dataset, *more: object) -> str:
    return session.conditions.asking(dataset, session.options.queries, session.options.seed, *more)


def _name(dataset: Dataset, by: By, size: int, system: str) -> str:
    return f"{dataset.name} | {by} | {size} | {system}"


def _same(row: Row, rows: Sequence[Row]) -> float | None:
    """The share of a row's questions that are answered as at the smallest size at which the same were asked."""
    others = [one for one in rows if all(one[name] == row[name] for name in ("dataset", "by", "system"))]
    before = [one for one in others if one["sections"] < row["sections"] and list(one["asked"]) == list(row["asked"])]
    if not before:
        return None
    first = min(before, key=lambda one: int(one["sections"]))
    same: list[bool] = [one == other for one, other in zip(row["answers"], first["answers"], strict=True)]
    return round(sum(same) / len(same), 3)


def _clear(path: Path) -> None:
    shutil.rmtree(path, ignore_errors=True)
