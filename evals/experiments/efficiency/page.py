"""The page of the figures, in the papers' tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ...reports.published import PaperTable, paper_tables
from ...reports.tables import number, table

__all__ = ["growth_table", "noise_rows", "page", "time_rows"]

Figures = Mapping[str, Any]
Rows = Sequence[Mapping[str, Any]]
Name = Callable[[Mapping[str, Any]], str]


def page(figures: Figures) -> str:
    """Return the Markdown page of ``efficiency.json``; a dash is what was not measured."""
    return "\n\n".join(("# Efficiency", _machine(figures["machine"]), *_sections(figures))) + "\n"


def _sections(figures: Figures) -> Iterator[str]:
    for title, said, made, rows in (
        ("Retrieval alone", _RETRIEVAL, _retrieval, figures["retrieval"]),
        ("Whole questions", _QUESTION, _questions, figures["question"]),
        ("Growing corpora", _GROWTH, _growth, figures["growth"]),
        ("Off-topic documents", _NOISE, _noise, figures["noise"]),
        ("Ingest", _INGEST, _ingest, figures["ingest"]),
        ("On the disk", _INDEX, _index, figures["index"]),
        ("Cold start", _COLD, _cold, figures["cold_start"]),
        ("Model calls, tokens and money", _SPENT, _spent, figures["spent"]),
    ):
        if rows:
            yield f"## {title}\n\n{said}{_busy(rows)}\n\n{made(rows)}"


_RETRIEVAL = (
    "Milliseconds of retrieval per question, one question at a time (MultiCube-RAG, Table 3): from each hop's "
    "subquery to its evidence, routing and decomposing included, summed over the hops. "
    "Mean, then median / 95th percentile; the published ones are means on a machine with GPUs."
)
_QUESTION = (
    "Milliseconds per question from the question to its answer (MultiCube-RAG, Table 4). The mean is the time of all "
    "questions together over their number, so that asking several at a time shows; median / 95th percentile are of "
    "each question's own time. CPU is processor time per question. The published ones are means with a hosted model."
)
_GROWTH = (
    "The same questions over growing corpora (Hypercube-RAG, Table 4), each system in a process of its own. Retrieval "
    "and whole questions are medians in milliseconds; ready is the seconds until the first answer in a new process. "
    "By copies under other names, which are not ingested, so that they have no rate, or by documents of other data "
    "sets. Same answers: the share of questions answered as over the smallest corpus at which the same were asked."
)
_NOISE = (
    "The same questions over the corpus alone and among documents that have nothing to do with it (Hypercube-RAG, "
    "Table 5): percent, and points lost, with the 95 % bootstrap interval of the differences question by question."
)
_PUBLISHED_GROWTH = "Published, milliseconds of retrieval; the first three sizes are of the paper's other corpora."
_INGEST = "Building a knowledge base with the embedded engine, in a process of its own."
_INDEX = "Megabytes of a knowledge base by part."
_COLD = "Seconds, the median of several starts; the disk's cache is as it happens to be."
_SPENT = "Per question. The embedded engine asks no model; cached replies were paid for before. A dash is not known."


def _machine(told: Mapping[str, Any]) -> str:
    load = "" if told["load"] is None else f"; load average {told['load']} when this page was written"
    return f"Measured on {told['cpu']}, {told['cores']} cores, {told['system']}, Python {told['python']}{load}."


def _busy(rows: Rows | Mapping[str, Any]) -> str:
    """How busy the machine was while these rows were measured, where that is known of all of them."""
    loads = [row.get("load") for row in rows] if isinstance(rows, list) else []
    known = [load for load in loads if load is not None]
    if not known or len(known) < len(loads):
        return ""
    return f" The load average was {min(known)} to {max(known)} meanwhile."


def _retrieval(rows: Rows) -> str:
    return _wide(rows, "Table 3", _engine, _spread)


def _questions(rows: Rows) -> str:
    return _wide(rows, "Table 4", lambda row: f"{_engine(row)}, {row['concurrency']} at a time", _whole)


def _wide(rows: Rows, printed: str, named: Name, said: Name) -> str:
    """A row for each system, a column for each data set, as the paper has it, and its rows."""
    columns = list(dict.fromkeys((row["dataset"], row["sections"], row["questions"]) for row in rows))
    found: dict[str, dict[Any, str]] = {}
    for row in rows:
        found.setdefault(named(row), {})[row["dataset"], row["sections"], row["questions"]] = said(row)
    head = [f"{name}, {sections:,} sections, {asked} questions" for name, sections, asked in columns]
    ours = [[name, "measured", *(cells.get(one, "–") for one in columns)] for name, cells in found.items()]
    theirs = [[name, "published", *cells] for name, *cells in time_rows(printed, [name for name, _, _ in columns])]
    return table(["system", "", *head], [*ours, *theirs])


def _growth(rows: Rows) -> str:
    head = ["data set", "grown by", "sections", "system", "retrieval", "question", "ready s", "memory MB", "disk MB"]
    head += ["ingest, sections/s", "same answers %"]
    ours = table(
        head,
        [
            [
                row["dataset"],
                row["by"],
                f"{row['sections']:,}",
                row["system"],
                number(row["p50_ms"]),
                number(row["question_p50_ms"]),
                number(row["ready_s"]),
                number(row["peak_rss_mb"], 0),
                number(row["kb_bytes"] / 1e6),
                number(row["ingest_per_s"]),
                number(None if row["same_answers"] is None else 100 * row["same_answers"]),
            ]
            for row in rows
        ],
    )
    published = growth_table()
    return ours if published is None else f"{ours}\n\n{_PUBLISHED_GROWTH}\n\n{table(*published)}"


def _noise(rows: Rows) -> str:
    """A row for each system and metric: the corpus alone, among others, and what that costs; the paper's rows."""
    found: dict[tuple[str, str, str], dict[int, Mapping[str, Any]]] = {}
    for row in rows:
        found.setdefault((row["dataset"], row["metric"], row["system"]), {})[row["documents"]] = row
    sizes = sorted({row["documents"] for row in rows})
    made = []
    for (dataset, metric, system), by_size in found.items():
        scores = [by_size[size]["score"] if size in by_size else None for size in sizes]
        asked = str(max(row["questions"] for row in by_size.values()))
        made.append([system, "measured", dataset, metric, asked, *map(number, scores), _lost(by_size[max(by_size)])])
    for dataset in dict.fromkeys(row["dataset"] for row in rows):
        made += [[name, "published", dataset, "semantic", "–", *cells] for name, *cells in noise_rows(dataset, sizes)]
    head = ["system", "", "data set", "metric", "questions", *(f"{size:,} documents" for size in sizes), "points lost"]
    return table(head, made)


def _lost(row: Mapping[str, Any]) -> str:
    low, high = row["lost_ci95"] or (None, None)
    return number(row["lost"]) if low is None else f"{number(row['lost'])} [{number(low)}, {number(high)}]"


def _ingest(rows: Rows) -> str:
    head = ["data set", "documents", "sections", "seconds", "sections/s", "CPU seconds", "peak memory MB", "disk MB"]
    return table(
        head,
        [
            [
                row["dataset"],
                f"{row['documents']:,}",
                f"{row['sections']:,}",
                number(row["seconds"]),
                number(row["sections_per_s"]),
                number(row["cpu_seconds"]),
                number(row["peak_rss_mb"], 0),
                number(row["kb_bytes"] / 1e6),
            ]
            for row in rows
        ],
    )


def _index(index: Mapping[str, Mapping[str, int]]) -> str:
    """A row for each part; what is below a thousandth of every index is told in one row."""
    totals = {name: sum(parts.values()) for name, parts in index.items()}
    names = dict.fromkeys(part for parts in index.values() for part in parts)
    large = [one for one in names if any(parts.get(one, 0) * 1000 >= totals[name] for name, parts in index.items())]
    rows = [[one, *(number(_megabytes(parts.get(one)), 2) for parts in index.values())] for one in large]
    rest = [sum(size for part, size in parts.items() if part not in large) for parts in index.values()]
    rows.append(["all else", *(number(size / 1e6, 2) for size in rest)])
    rows.append(["**together**", *(number(total / 1e6, 2) for total in totals.values())])
    return table(["part", *index], rows)


def _cold(rows: Rows) -> str:
    return table(["what", "seconds"], [[row["what"], number(row["seconds"], 2)] for row in rows])


def _spent(rows: Rows) -> str:
    head = ["data set", "system", "questions", "requests", "cached", "input tokens", "output tokens", "USD"]
    return table(
        head,
        [
            [
                row["dataset"],
                _engine(row),
                str(row["questions"]),
                *(number(row[name]) for name in ("requests", "cached", "input_tokens", "output_tokens")),
                number(row["usd"], 5),
            ]
            for row in rows
        ],
    )


def _megabytes(size: int | None) -> float | None:
    return None if size is None else size / 1e6


def _engine(row: Mapping[str, Any]) -> str:
    """The system's name, with the model where one thought."""
    engine = row["engine"]
    return str(row["system"]) if engine in (None, "embedded") else f"{row['system']} ({engine})"


def _whole(row: Mapping[str, Any]) -> str:
    failed = f", {row['failed']} failed" if row["failed"] else ""
    return f"{_spread(row)}, CPU {number(row['cpu_ms'])}{failed}"


def _spread(row: Mapping[str, Any]) -> str:
    return f"{number(row['mean_ms'])}, {number(row['p50_ms'])} / {number(row['p95_ms'])}"


def time_rows(name: str, datasets: Sequence[str]) -> list[list[str]]:
    """Return the rows of MultiCube-RAG's Table 3 or 4 in milliseconds: name, then a cell for each of our data sets.

    The first row says how many documents the paper's data sets have. Nothing where none of ours is of their kind.
    """
    printed = _printed("MultiCube-RAG", name)
    names = [printed.data_like(dataset) for dataset in datasets] if printed is not None else []
    if printed is None or not any(names):
        return []
    sizes = [printed.data[name].documents if name else None for name in names]
    rows = [["documents in the paper", *("–" if size is None else f"{size:,}" for size in sizes)]]
    for system, cells in printed.rows.items():
        by_data = dict(zip(printed.data, cells, strict=True))
        rows.append([system, *(_milliseconds(by_data.get(name or "")) for name in names)])
    return rows


def noise_rows(dataset: str, sizes: Sequence[int]) -> list[list[str]]:
    """Return the rows of Hypercube-RAG's Table 5: name, its score at each size of ours, and its loss.

    Nothing where our data set or our sizes are others.
    """
    printed = _printed("Hypercube-RAG", "Table 5")
    data = printed.data_like(dataset) if printed is not None else None
    wanted = [f"{size:,} documents" for size in sizes]
    if printed is None or data is None or not set(wanted) <= set(printed.measures):
        return []
    rows = []
    for system, cells in printed.printed(data):
        told = dict(zip(printed.measures, cells, strict=True))
        rows.append([system, *(number(told[name]) for name in (*wanted, "loss"))])
    return rows


def growth_table() -> tuple[list[str], list[list[str]]] | None:
    """Return head and rows of Hypercube-RAG's Table 4, milliseconds of retrieval; its sizes are of its own corpora."""
    printed = _printed("Hypercube-RAG", "Table 4")
    if printed is None:
        return None
    rows = [[system, *map(number, cells)] for data in printed.data for system, cells in printed.printed(data)]
    return ["published", *printed.measures], rows


def _printed(paper: str, number: str) -> PaperTable | None:
    return next((each for each in paper_tables() if (each.paper, each.number) == (paper, number)), None)


def _milliseconds(cells: Sequence[float | None] | None) -> str:
    """One value in seconds."""
    return "–" if not cells or cells[0] is None else f"{1000 * cells[0]:,.0f}"
