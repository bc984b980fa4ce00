"""The first sections: what was found in short, every system on every data set, and what differs beyond chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ....cubes.core.errors import UsageError
from ...systems import describe
from ..document import Cell, Column, Group, Section, Span, Table, names, slug
from ..loading import Loaded, figure, is_ablation

__all__ = ["in_short", "origins", "spanned", "systems"]

_SIDE_BY_SIDE = (("EM", "em"), ("F1", "f1"), ("recall@5", "recall@5"))
_MEASURES = {"em": "EM", "f1": "F1"}
_ANSWERS = (("EM", "em"), ("F1", "f1"))
_FOUND = ("recall@2", "recall@5", "recall@10", "perfect@4", "perfect@8", "precision@3", "precision@5")


def spanned(scores: Mapping[str, Any], key: str) -> Span:
    """Return a figure with its interval."""
    interval = (scores.get("metrics") or {}).get(f"{key}_ci95")
    low, high = interval if isinstance(interval, list) and len(interval) == 2 else (None, None)
    return Span(figure(scores, key), low, high)


def in_short(runs: Sequence[Loaded]) -> Section:
    """A row per data set: the main system beside the best of the others, and whether the difference is chance."""
    columns = (
        "data set",
        "system",
        "EM",
        "F1",
        "recall@5",
        "best other (EM)",
        "difference in EM",
        "p",
        "failed",
    )
    rows = [_short(run) for run in runs]
    table = Table(
        "in-short",
        "Each data set in a row: measured, all questions counted",
        [Column(name, 3 if name == "p" else 1) for name in columns],
        [Group(rows)],
        "Percentages with the 95 % bootstrap interval; a failed or abstained question counts as wrong. The best "
        "other is the best by EM of the systems that are no ablation. A dash: not measured.",
    )
    return Section("in-short", "In short", [*map(_said, runs)], [table])


def _short(run: Loaded) -> list[Cell]:
    scores = run.systems[run.main]
    other = _best_other(run)
    compared = _comparison(run, other, "em") if other else None
    return [
        run.dataset,
        run.main,
        *(spanned(scores, key) for _, key in _SIDE_BY_SIDE),
        f"{other} ({figure(run.systems[other], 'em'):.1f})" if other else None,
        _difference(run, other, compared),
        compared.get("p") if compared else None,
        _count(scores, "failed"),
    ]


def _difference(run: Loaded, other: str | None, compared: Mapping[str, Any] | None) -> Cell:
    if compared:
        return Span(compared.get("difference"), *(compared.get("ci95") or (None, None)))
    ours, its = figure(run.systems[run.main], "em"), figure(run.systems.get(other or ""), "em")
    return None if ours is None or its is None else ours - its


def _said(run: Loaded) -> str:
    """One sentence that a reader can take away."""
    scores = run.systems[run.main]
    em, failed = figure(scores, "em"), _count(scores, "failed")
    answered = figure(scores, "answered_em")
    said = f"{run.dataset} ({run.size}): {run.main} "
    said += f"answers {em:.1f} % exactly" if em is not None else "was scored on retrieval alone"
    if answered is not None and em is not None and answered != em:
        said += f" ({answered:.1f} % of those that it answered)"
    other = _best_other(run)
    its = figure(run.systems[other], "em") if other else None
    if other and its is not None:
        said += f"; the best other, {other}, {its:.1f} %"
    return said + (f". {failed} questions failed." if failed else ".")


def _best_other(run: Loaded) -> str | None:
    others = [name for name in run.systems if name != run.main and not is_ablation(name)]
    scored = [(em, name) for name in others if (em := figure(run.systems[name], "em")) is not None]
    return max(scored, key=lambda each: each[0])[1] if scored else None


def _comparison(run: Loaded, other: str, metric: str) -> Mapping[str, Any] | None:
    for row in run.results.comparisons or ():
        if (row.get("a"), row.get("b"), row.get("metric")) == (run.main, other, metric):
            return row
    return None


def _count(scores: Mapping[str, Any], key: str) -> int | None:
    value = figure(scores, key)
    return None if value is None else int(value)


def systems(runs: Sequence[Loaded]) -> Section:
    """Every system that is no ablation: side by side over the data sets, then each data set in full."""
    parts = [Section(f"systems-{slug(run.dataset)}", run.dataset, (), list(_of_one(run))) for run in runs]
    beside = [_side_by_side(runs)] if len(runs) > 1 else []
    return Section(
        "systems",
        "Systems",
        ("One run for a data set: the same questions, sections, reader and machine.",),
        [*beside, *parts, _described(runs)],
    )


def _described(runs: Sequence[Loaded]) -> Table:
    rows: list[list[Cell]] = [[name, _says(name)] for name in names(run.named for run in runs)]
    return Table("systems-are", "What the systems are", [Column("system"), Column("what it is")], [Group(rows)])


def _says(name: str) -> str:
    try:
        return describe(name).says
    except UsageError:
        return "not a system of this version"


def _side_by_side(runs: Sequence[Loaded]) -> Table:
    listed = names(run.named for run in runs)
    columns = [Column("system")] + [Column(f"{run.dataset} {name}") for run in runs for name, _ in _SIDE_BY_SIDE]
    rows: list[list[Cell]] = [
        [name, *(figure(run.systems.get(name), key) for run in runs for _, key in _SIDE_BY_SIDE)] for name in listed
    ]
    return Table("systems-side-by-side", "All systems over all data sets, measured", columns, [Group(rows)])


def _of_one(run: Loaded) -> Iterator[Table]:
    place = slug(run.dataset)
    yield _answer_table(run, place)
    yield _retrieval_table(run, place)
    if run.results.comparisons:
        yield _comparisons(run, place)


def _answer_table(run: Loaded, place: str) -> Table:
    heads = (
        "system",
        "EM",
        "F1",
        "EM of the answered",
        "F1 of the answered",
        "answered",
        "abstained",
        "failed",
        "question p50 ms",
        "p95 ms",
    )
    rows: list[list[Cell]] = []
    for name in run.named:
        scores = run.systems[name]
        rows.append(
            [
                name,
                *(spanned(scores, key) for _, key in _ANSWERS),
                figure(scores, "answered_em"),
                figure(scores, "answered_f1"),
                *(_count(scores, key) for key in ("answered", "abstained", "failed")),
                figure(scores, "question_ms_p50"),
                figure(scores, "question_ms_p95"),
            ]
        )
    return Table(
        f"answers-{place}",
        f"{run.dataset}: answers, measured ({run.size})",
        [Column(head) for head in heads],
        [Group(rows)],
        "EM and F1 are over all questions, those that failed or were abstained from as wrong; beside them "
        "the same over the questions answered.",
    )


def _retrieval_table(run: Loaded, place: str) -> Table:
    heads = [Column("system"), *map(Column, _FOUND), Column("retrieval p50 ms"), Column("p95 ms")]
    keys = (*_FOUND, "retrieval_ms_p50", "retrieval_ms_p95")
    rows: list[list[Cell]] = [
        [
            name,
            *(spanned(run.systems[name], key) if key == "recall@5" else figure(run.systems[name], key) for key in keys),
        ]
        for name in run.named
    ]
    return Table(f"retrieval-{place}", f"{run.dataset}: retrieval, measured ({run.size})", heads, [Group(rows)])


def _comparisons(run: Loaded, place: str) -> Table:
    """The main system against each other one that is no ablation: a difference and its p for every measure."""
    rows = [row for row in run.results.comparisons or () if row.get("a") == run.main and row.get("b") in run.named]
    measures = names([str(row.get("metric"))] for row in rows)
    found = {(row.get("b"), str(row.get("metric"))): row for row in rows}
    columns = [Column(f"{run.main} and")]
    for measure in measures:
        columns += [Column(_MEASURES.get(measure, measure)), Column("p", 4)]
    cells: list[list[Cell]] = [
        [other, *(cell for measure in measures for cell in _compared(found.get((other, measure))))]
        for other in names([str(row.get("b"))] for row in rows)
    ]
    return Table(
        f"comparisons-{place}",
        f"{run.dataset}: differences of {run.main} over the same questions, measured",
        columns,
        [Group(cells)],
        "In points, with the paired 95 % bootstrap interval; p of a sign-flip test, not corrected for the number "
        "of comparisons: of twenty systems that are alike, one has p < 0.05. The ablations have theirs below.",
    )


def _compared(row: Mapping[str, Any] | None) -> tuple[Cell, Cell]:
    if row is None:
        return None, None
    return Span(row.get("difference"), *(row.get("ci95") or (None, None))), row.get("p")


def origins(runs: Sequence[Loaded]) -> Section:
    """What the report was made of and how to make it again."""
    parts = [Section(f"origin-{slug(run.dataset)}", run.dataset, (), (), facts=_facts(run)) for run in runs]
    return Section(
        "origin", "To repeat it", ("The same data, code, settings and versions give the same fingerprint.",), parts
    )


def _facts(run: Loaded) -> dict[str, str]:
    parts: Mapping[str, Any] = run.run.get("parts") or {}
    machine: Mapping[str, Any] = run.run.get("machine") or {}
    versions: Mapping[str, Any] = parts.get("versions") or {}
    ingest = run.results.ingest or {}
    facts = {
        "command": str(run.run.get("command") or _command(run)),
        "size": run.size,
        "fingerprint": run.run.get("fingerprint"),
        "version": run.run.get("version"),
        "machine": ", ".join(
            f"{value} cores" if key == "cores" else str(value) for key, value in machine.items() if value
        ),
        "ingest": _ingest(ingest),
        "parts": ", ".join(f"{key} {value}" for key, value in parts.items() if value and not isinstance(value, dict)),
        "packages": ", ".join(f"{name} {number}" for name, number in versions.items()),
        "settings": _settings(run.run.get("settings") or {}),
        "lines not read": str(run.unread) if run.unread else None,
    }
    return {name: str(value) for name, value in facts.items() if value}


def _settings(settings: Mapping[str, Any]) -> str:
    """What of the settings is not the default's, by system."""
    return "; ".join(
        f"{name}: " + ", ".join(f"{key} {value}" for key, value in differ.items())
        for name, differ in settings.items()
        if isinstance(differ, dict) and differ
    )


def _command(run: Loaded) -> str:
    """The command of an evaluation that did not keep it, as far as its results tell."""
    asked: Mapping[str, Any] = run.run.get("asked") or {}
    words = ["multicube eval", run.dataset, "--systems", ",".join(run.systems)]
    words += [f"--{key} {asked[key]}" for key in ("limit", "seed") if asked.get(key)]
    return " ".join([*words, *(["--shuffle"] if asked.get("shuffle") else []), "--out OUT"])


def _ingest(ingest: Mapping[str, Any]) -> str:
    units = (("seconds", "s"), ("sections_per_s", "sections/s"), ("peak_rss_mb", "MB peak memory"))
    said = [f"{ingest[key]:,.1f} {unit}" for key, unit in units if isinstance(ingest.get(key), int | float)]
    size = ingest.get("kb_bytes")
    return ", ".join([*said, f"{size / 1e6:,.1f} MB on disk"] if isinstance(size, int | float) else said)
