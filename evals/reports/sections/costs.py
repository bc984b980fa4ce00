"""Accuracy against what it costs: latency, model calls and money, and how both grow with the corpus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..document import Cell, Column, Group, Plot, Section, Series, Table, names, slug
from ..loading import Loaded, figure

__all__ = ["costs"]

_GROWN = (
    ("p50_ms", "time of retrieval, median", "ms"),
    ("peak_rss_mb", "peak memory", "MB"),
    ("kb_mb", "knowledge base on disk", "MB"),
    ("ingest_per_s", "sections read per second", "sections/s"),
)
_TABLES = {
    "retrieval": ("Retrieval alone", ("dataset", "sections", "system", "questions", "mean_ms", "p50_ms", "p95_ms")),
    "question": (
        "Whole questions",
        ("dataset", "sections", "system", "concurrency", "questions", "mean_ms", "p50_ms", "p95_ms"),
    ),
    "growth": (
        "As the corpus grows",
        ("sections", "system", "p50_ms", "peak_rss_mb", "kb_mb", "ingest_per_s"),
    ),
    "noise": ("With off-topic documents added", ("dataset", "system", "sections", "score", "metric")),
    "cold_start": ("From nothing to the first answer, in seconds", ("what", "seconds")),
    "spent": (
        "Language models, per question",
        ("dataset", "system", "requests", "input_tokens", "output_tokens", "usd"),
    ),
}
"""The parts of ``efficiency.json``: a caption, and the keys in the order they are shown."""
_COUNTS = ("sections", "questions", "concurrency", "cached")
_HEADS = {
    "dataset": "data set",
    "mean_ms": "mean ms",
    "p50_ms": "p50 ms",
    "p95_ms": "p95 ms",
    "peak_rss_mb": "peak MB",
    "kb_mb": "MB on disk",
    "ingest_per_s": "sections/s",
    "input_tokens": "tokens in",
    "output_tokens": "tokens out",
    "usd": "US$",
}


def costs(runs: Sequence[Loaded], more: Mapping[str, Any]) -> Section:
    """Plots of accuracy over time and money, then the figures of efficiency: those beside the runs, and ``more``."""
    plots = [*_latency(runs), *_money(runs)]
    measured = {**{slug(run.dataset): run.efficiency for run in runs if run.efficiency}, "apart": more}
    parts: list[Table | Plot | Section] = [*plots, _index(runs, measured.values())]
    parts += [item for place, found in measured.items() for item in _efficiency(found, place)]
    said = [
        "Times are of the machine named under “To repeat it”. Where several processes or questions went side by side "
        "(--jobs, --concurrency in the command there), they are longer than alone."
    ]
    if not any(_spent(run, name) for run in runs for name in run.systems):
        said.append(
            "No language model was asked in these runs, so there are no tokens and no money to set accuracy against."
        )
    return Section("costs", "Cost and speed", said, parts)


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


def _index(runs: Sequence[Loaded], measured: Iterable[Mapping[str, Any]]) -> Table:
    """What building took, and the index by part: as the evaluation counted, else as the measurement of efficiency."""
    sizes: dict[str, Mapping[str, Any]] = {}
    for found in measured:
        sizes.update({name: of_it for name, of_it in (found.get("index") or {}).items() if of_it})
    for run in runs:
        counted = (run.results.ingest or {}).get("index")
        if isinstance(counted, dict) and counted:
            sizes[run.dataset] = counted
    sizes = {run.dataset: sizes[run.dataset] for run in runs if run.dataset in sizes}
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


def _efficiency(found: Mapping[str, Any], place: str) -> Iterator[Table | Plot]:
    for key, (caption, keys) in _TABLES.items():
        rows = [row for row in found.get(key) or () if isinstance(row, dict)]
        if key == "growth":
            grown = [{**row, "kb_mb": _megabytes(row.get("kb_bytes"))} for row in rows]
            for dataset, by in dict.fromkeys((row.get("dataset"), row.get("by")) for row in grown):
                of_it = [row for row in grown if (row.get("dataset"), row.get("by")) == (dataset, by)]
                of_what = "-".join([place, *(slug(str(each)) for each in (dataset, by) if each)])
                yield from _growth(of_it, of_what, _grown(dataset, by))
        elif rows:
            yield _plain(f"{key}-{place}", f"{caption}, measured", rows, keys)


def _grown(dataset: Any, by: Any) -> str:
    """Say of what a corpus grew."""
    said = f" of {dataset}" if dataset else ""
    return f"the corpus{said} grows" + (f" by {by}" if by else "")


def _plain(place: str, caption: str, rows: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> Table:
    kept = [key for key in keys if any(row.get(key) is not None for row in rows)]
    columns = [Column(_HEADS.get(key, key), 4 if key == "usd" else 2 if key.endswith("ms") else 1) for key in kept]
    return Table(place, caption, columns, [Group([[_cell(row.get(key), key) for key in kept] for row in rows])])


def _cell(value: Any, key: str) -> Cell:
    if isinstance(value, int) and key not in _COUNTS:
        return float(value)
    return value if isinstance(value, str | int | float) and not isinstance(value, bool) else None


def _growth(rows: Sequence[Mapping[str, Any]], place: str, grows: str) -> Iterator[Plot]:
    for key, said, unit in _GROWN:
        found = [row for row in rows if isinstance(row.get(key), int | float) and row.get("sections")]
        listed = names([[str(row.get("system")) for row in found]])
        series = [Series(name, _points(found, name, key)) for name in listed]
        if any(len(each.points) > 1 for each in series):
            caption = f"{said} as {grows}, measured"
            table = _plain(f"growth-{key}-{place}-figures", caption, found, ("sections", "system", key))
            yield Plot(
                f"growth-{key}-{place}",
                "lines",
                f"{said.capitalize()} as {grows}",
                "sections",
                unit,
                series,
                table,
                log_x=True,
                percent=False,
            )


def _points(rows: Sequence[Mapping[str, Any]], system: str, key: str) -> list[tuple[float | str, float, str]]:
    places = sorted((float(row["sections"]), float(row[key])) for row in rows if str(row.get("system")) == system)
    return [(x, y, system) for x, y in places]
