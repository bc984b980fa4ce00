"""A small Markdown table of an evaluation's results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["markdown", "table"]

_HEADER = (
    "system", "EM", "F1", "recall@5", "recall@2", "recall@10", "perfect@4", "failed", "abstained",
    "retrieval p50 ms", "question p50 ms",
)  # fmt: skip


def markdown(results: Mapping[str, Any]) -> str:
    """Render ``results.json``: a row per system; a dash is what cannot be computed."""
    ingest = results["ingest"]
    title = (
        f"**{results['dataset']}**: {results['questions']} questions over {results['sections']} sections, "
        f"engine {results['engine']}. Percentages; [95 % bootstrap interval]."
    )
    built = (
        f"Ingest: {_number(ingest['seconds'])} s, {_number(ingest['sections_per_s'])} sections/s, "
        f"{ingest['kb_bytes'] / 1e6:.1f} MB on disk, {_number(ingest['peak_rss_mb'], 0)} MB peak memory."
    )
    rows = [_row(name, scores) for name, scores in results["systems"].items()]
    return "\n\n".join((title, table(_HEADER, rows), built)) + "\n"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Render a Markdown table with aligned columns; every column but the first is right-aligned."""
    widths = [max(3, *(len(cell) for cell in column)) for column in zip(header, *rows, strict=True)]
    rule = [("-" * (width - 1)) + (":" if index else "-") for index, width in enumerate(widths)]
    return "\n".join(_line(cells, widths) for cells in (header, rule, *rows))


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = (
        cell.rjust(width) if index else cell.ljust(width)
        for index, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "| " + " | ".join((first, *others)) + " |"


def _row(name: str, scores: Mapping[str, Any]) -> list[str]:
    more = scores["metrics"]
    return [
        name,
        *(_with_interval(scores[key], more[f"{key}_ci95"]) for key in ("em", "f1", "recall@5")),
        *(_number(scores[key]) for key in ("recall@2", "recall@10", "perfect@4")),
        str(scores["failed"]),
        str(scores["abstained"]),
        _number(scores["retrieval_ms_p50"]),
        _number(scores["question_ms_p50"]),
    ]


def _with_interval(value: float | None, interval: Sequence[float] | None) -> str:
    if value is None or interval is None:
        return _number(value)
    return f"{value:.1f} [{interval[0]:.1f}, {interval[1]:.1f}]"


def _number(value: float | None, digits: int = 1) -> str:
    return "–" if value is None else f"{value:.{digits}f}"
