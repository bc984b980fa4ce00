"""Accuracy against what it costs: latency, model calls and money."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..document import Cell, Column, Group, Plot, Section, Series, Table, names, slug
from ..loading import Loaded, figure

__all__ = ["costs"]

def costs(runs: Sequence[Loaded]) -> Section:
    """Plots of accuracy over time and money, and what building the knowledge bases took."""
    plots = [*_latency(runs), *_money(runs)]
    said = [
        "Times are of the machine named under “To repeat it”. Where several processes or questions went side by side "
        "(--jobs, --concurrency in the command there), they are longer than alone."
    ]
    if not any(_spent(run, name) for run in runs for name in run.systems):
        said.append(
            "No language model was asked in these runs, so there are no tokens and no money to set accuracy against."
        )
    return Section("costs", "Cost and speed", said, [*plots, _index(runs)])


def _latency(runs: Sequence[Loaded]) -> Iterator[Plot]:
    for run in runs:
        points = [
            (name, ms, em)
            for name in run.named
            if (ms := figure(run.systems[name], "question_ms_p50"))
            and (em := figure(run.systems[name], "em")) is not None
        ]
        if points:
            yield _scatter(run, points, "latency", "time of a question, median (ms)", "question p50 ms")


def _money(runs: Sequence[Loaded]) -> Iterator[Plot]:
    for run in runs:
        points = []
        for name in run.named:
            usd, em = _per_question(run, name, "cost_usd"), figure(run.systems[name], "em")
            if usd and em is not None:
                points.append((name, usd, em))
        if points:
            yield _scatter(run, points, "cost", "cost of a question (US$)", "US$ per question", 6)


def _scatter(
    run: Loaded, points: Sequence[tuple[str, float, float]], kind: str, axis: str, head: str, digits: int = 1
) -> Plot:
    rows: list[list[Cell]] = [[name, x, em] for name, x, em in points]
    table = Table(
        f"{kind}-{slug(run.dataset)}-figures",
        f"{run.dataset}: EM and {axis}, measured ({run.size})",
        [Column("system"), Column(head, digits), Column("EM")],
        [Group(rows)],
    )
    series = [Series(name, [(x, em, name)]) for name, x, em in points]
    return Plot(
        f"{kind}-{slug(run.dataset)}",
        "scatter",
        f"{run.dataset}: EM over {axis}",
        axis,
        "EM (%)",
        series,
        table,
        log_x=True,
    )


def _spent(run: Loaded, name: str) -> Mapping[str, Any]:
    found = (run.systems[name].get("metrics") or {}).get("spent")
    return found if isinstance(found, dict) else {}


def _per_question(run: Loaded, name: str, key: str) -> float | None:
    value = _spent(run, name).get(key)
    return value / run.results.questions if isinstance(value, int | float) and run.results.questions else None


def _index(runs: Sequence[Loaded]) -> Table:
    """What building took, and the size of the index by part."""
    counted = {run.dataset: (run.results.ingest or {}).get("index") for run in runs}
    sizes = {name: parts for name, parts in counted.items() if isinstance(parts, dict)}
    parts = names(sizes.values())
    rows: list[list[Cell]] = []
    for run in runs:
        ingest, of_it = run.results.ingest or {}, sizes.get(run.dataset, {})
        total = ingest.get("kb_bytes")
        rows.append(
            [
                run.dataset,
                run.results.sections,
                *(ingest.get(key) for key in ("seconds", "sections_per_s", "peak_rss_mb")),
                total / 1e6 if isinstance(total, int | float) else None,
                *(_megabytes(of_it.get(part)) for part in parts),
            ]
        )
    heads = (
        "data set",
        "sections",
        "seconds",
        "sections/s",
        "peak MB",
        "MB on disk",
        *(f"{part} MB" for part in parts),
    )
    return Table("ingest", "Building the knowledge base, measured", [Column(head) for head in heads], [Group(rows)])


def _megabytes(size: Any) -> float | None:
    return size / 1e6 if isinstance(size, int | float) else None
