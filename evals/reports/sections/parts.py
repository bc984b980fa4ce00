"""What each part is worth: ablations, cubes left out, and how many turns of the loop are allowed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ...ablations import ABLATIONS
from ..document import Cell, Column, Group, Plot, Section, Series, Table, names, slug
from ..loading import Loaded, figure, is_ablation
from .overview import spanned

__all__ = ["parts"]

_LIMIT = re.compile(r"limit-(\d+)")
_CUBE, _PRESET = "no-cube:", "preset:"


def parts(runs: Sequence[Loaded]) -> Section | None:
    """The section, or None where no system is an ablation."""
    items: list[Table | Plot | Section] = [*_ablations(runs), *_cubes(runs), *_limits(runs)]
    said = "The same system with one part off each time; points lost are those of the whole minus those without it."
    return Section("parts", "What each part is worth", (said,), items) if items else None


def _ablations(runs: Sequence[Loaded]) -> list[Table]:
    tables = []
    for run in runs:
        left_out = [name for name in run.systems if _is_part(name)]
        if left_out and not is_ablation(run.main):
            tables.append(_without(run, left_out, "ablations", "without each part"))
    return tables


def _is_part(name: str) -> bool:
    return is_ablation(name) and not name.startswith((_CUBE, _PRESET)) and not _LIMIT.fullmatch(name)


def _without(run: Loaded, left_out: Sequence[str], kind: str, said: str) -> Table:
    whole = run.systems[run.main]
    heads = (
        "without",
        "EM",
        "EM lost",
        "p",
        "F1",
        "F1 lost",
        "recall@5",
        "perfect@4",
        "abstained",
        "failed",
        "question p50 ms",
    )
    rows = [_row("(the whole)", whole, whole, None)]
    rows += [_row(_said(name), run.systems[name], whole, _p(run, name)) for name in left_out]
    return Table(
        f"{kind}-{slug(run.dataset)}",
        f"{run.dataset}: {said}, measured ({run.size})",
        [Column(head, 3 if head == "p" else 1) for head in heads],
        [Group(rows)],
    )


def _said(name: str) -> str:
    if name.startswith(_CUBE):
        return f"{name.removeprefix(_CUBE).partition('@')[0]} cube"
    return f"{ABLATIONS[name].part} ({name})" if name in ABLATIONS else name


def _row(label: str, scores: Mapping[str, Any], whole: Mapping[str, Any], p: float | None) -> list[Cell]:
    counts = [None if (found := figure(scores, key)) is None else int(found) for key in ("abstained", "failed")]
    return [
        label,
        spanned(scores, "em"),
        _lost(scores, whole, "em"),
        p,
        figure(scores, "f1"),
        _lost(scores, whole, "f1"),
        figure(scores, "recall@5"),
        figure(scores, "perfect@4"),
        *counts,
        figure(scores, "question_ms_p50"),
    ]


def _lost(scores: Mapping[str, Any], whole: Mapping[str, Any], key: str) -> float | None:
    ours, all_of_it = figure(scores, key), figure(whole, key)
    return None if scores is whole or ours is None or all_of_it is None else all_of_it - ours


def _p(run: Loaded, name: str) -> float | None:
    for row in run.results.comparisons or ():
        if (row.get("a"), row.get("b"), row.get("metric")) == (run.main, name, "em"):
            return row.get("p")
    return None


def _cubes(runs: Sequence[Loaded]) -> list[Table]:
    """One table for all data sets, in the shape of MultiCube-RAG's Table 5; a preset's cubes are a group."""
    listed = names([name for name in run.systems if name.startswith(_CUBE)] for run in runs)
    among = [run for run in runs if any(name in run.systems for name in listed)]
    columns = [Column("without")] + [Column(f"{run.dataset} {head}") for run in among for head in ("EM", "F1")]
    groups = []
    for preset in names([[_preset(name) for name in listed]]):
        wholes = [run.systems.get(f"{_PRESET}{preset}" if preset else run.main) for run in among]
        rows = [_cube_row("(the whole)", wholes)]
        rows += [_cube_row(_said(name), [run.systems.get(name) for run in among])
                 for name in listed if _preset(name) == preset]  # fmt: skip
        said = f"measured, of the cubes that the paper builds for {preset}" if preset else "measured, of all cubes"
        groups.append(Group(rows, said, "measured"))
    note = "A dash: that data set was not asked so."
    return [Table("without-cubes", "Without each cube", columns, groups, note)] if listed else []


def _preset(name: str) -> str:
    return name.partition("@")[2]


def _cube_row(label: str, found: Sequence[Mapping[str, Any] | None]) -> list[Cell]:
    return [label, *(figure(scores, key) for scores in found for key in ("em", "f1"))]


def _limits(runs: Sequence[Loaded]) -> list[Plot]:
    series, rows = [], []
    for run in runs:
        limits = sorted((int(found[1]), name) for name in run.systems if (found := _LIMIT.fullmatch(name)))
        points = [
            (float(limit), em, f"at most {limit}")
            for limit, name in limits
            if (em := figure(run.systems[name], "em")) is not None
        ]
        if points:
            series.append(Series(run.dataset, points))
        rows += [_limit_row(run, limit, name) for limit, name in limits]
    if not series:
        return []
    heads = ("data set", "turns at most", "EM", "F1", "recall@5", "abstained", "question p50 ms")
    table = Table(
        "limits-figures", "How many turns the loop may take, measured", [Column(head) for head in heads], [Group(rows)]
    )
    return [
        Plot("limits", "lines", "EM over the iteration limit", "turns of the loop at most", "EM (%)", series, table)
    ]


def _limit_row(run: Loaded, limit: int, name: str) -> list[Cell]:
    keys = ("em", "f1", "recall@5", "abstained", "question_ms_p50")
    return [run.dataset, limit, *(figure(run.systems[name], key) for key in keys)]
