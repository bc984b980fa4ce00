"""The parts put together: what is missing is measured, everything that is known is written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...datasets.dataset import Dataset
from ...datasets.load import load_dataset
from ...machine import machine
from ...support import write_whole
from ...systems import parse_names
from . import cold, growing, noise, questions, spent
from .building import BUILT, built
from .kept import held
from .options import Conditions, Options, Say, Session
from .page import page

__all__ = ["FILE", "run"]

FILE = "efficiency.json"


def run(options: Options, say: Say, *, written: Path | None = None) -> dict[str, Any]:
    """Measure what is wanted and not known yet, write ``efficiency.json`` and the page, and return the first's figures.

    Both are written again and again, so that what was measured can be read while the rest is. ``written`` is
    the page's file, ``efficiency.md`` in ``out`` by default. Raises UsageError for what cannot be met, InputError for a
    data set that cannot be read.
    """
    options = replace(options, systems=parse_names(options.systems))
    datasets = [load_dataset(each) for each in options.datasets]
    conditions = Conditions(options.encoder)
    with held(options.out, conditions.still) as kept:
        if kept.left_out:
            say(f"{kept.left_out} figures were measured with other code; what is wanted of them is measured anew.")
        session = Session(options, kept, conditions, say)
        target = written or options.out / "efficiency.md"
        for _ in _measured(session, datasets):
            figures = _figures(session)
            write_whole(options.out / FILE, json.dumps(figures, indent=2, ensure_ascii=False) + "\n")
            write_whole(target, page(figures))
        return figures


def _measured(session: Session, datasets: list[Dataset]) -> Iterator[None]:
    """Measure part by part, cheap ones first; yields whenever there is something new to write."""
    wanted = session.options.parts
    for dataset in datasets:
        if {"retrieval", "question"} & set(wanted):
            yield from questions.measure(session, dataset)
        if "index" in wanted:
            built(session, dataset, dataset.name)
            yield
    if "cold" in wanted:
        cold.measure(session, datasets[0])
        yield
    if "noise" in wanted and (session.options.crowd is not None or len(wanted) == 1):
        noise.measure(session)
        yield
    if "growth" in wanted:
        yield from growing.measure(session, datasets[0])
    spent.measure(session)
    yield


def _figures(session: Session) -> dict[str, Any]:
    timed, built_rows = list(questions.spent_rows(session)), session.kept.all(BUILT)
    stored = [*built_rows, *session.kept.all(growing.STORED)]
    return {
        "machine": machine(),
        "seed": session.options.seed,
        "retrieval": list(questions.retrieval_rows(session)),
        "question": list(questions.question_rows(session)),
        "growth": list(growing.growth_rows(session)),
        "noise": list(noise.noise_rows(session)),
        "index": {str(row["name"]): row["parts"] for row in stored},
        "ingest": [{name: told for name, told in row.items() if name not in ("name", "parts")} for row in built_rows],
        "cold_start": list(cold.cold_rows(session)),
        "spent": list(spent.spent_rows(session, timed)),
    }
