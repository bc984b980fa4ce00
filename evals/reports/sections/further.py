"""The other measures that were taken, and why what is wrong is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..document import Cell, Column, Group, Section, Table, slug
from ..loading import Loaded, figure

__all__ = ["causes", "further"]

_DIGITS = {"log_rank": 3, "adequacy": 2, "spent.cost_usd": 4}
_GROUPS: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...] = (
    (
        "refusing",
        "Abstention: of what was abstained from, how much has no answer; of what has none, how much was abstained from",
        (
            ("precision", "abstention.precision"),
            ("recall", "abstention.recall"),
            ("refused of the unanswerable", "refused"),
            ("refused of the answerable", "answerable_refused"),
        ),
    ),
    (
        "confidence",
        "Confidence: EM among the surest questions, and how far the confidence of answers is off",
        (
            ("surest 25 %", "em_at_coverage.25"),
            ("50 %", "em_at_coverage.50"),
            ("75 %", "em_at_coverage.75"),
            ("all", "em_at_coverage.100"),
            ("calibration error", "calibration_error"),
        ),
    ),
    (
        "citations",
        "Citations: does the cited sentence hold the answer, is every hop cited",
        (("precision", "citation_precision"), ("recall", "citation_recall")),
    ),
    (
        "open",
        "Open answers and answers of several parts",
        (
            ("semantic", "semantic"),
            ("correct (judge)", "judge.correct"),
            ("complete (judge)", "judge.complete"),
            ("word coverage", "word_coverage"),
            ("Acc@0.25", "acc@0.25"),
            ("Acc@0.5", "acc@0.5"),
            ("perspectives", "perspectives"),
            ("IRR", "irr"),
            ("AA", "aa"),
            ("AC", "ac"),
        ),
    ),
    (
        "ranks",
        "Ranks of the gold sections, and adequacy",
        (
            ("log-rank", "log_rank"),
            ("adequacy", "adequacy"),
            ("snippet precision@4", "snippet_precision@4"),
            ("snippet recall@4", "snippet_recall@4"),
            ("snippet recall@16", "snippet_recall@16"),
        ),
    ),
    (
        "models",
        "Language models: what the whole evaluation of a system took",
        (
            ("requests", "spent.requests"),
            ("tokens in", "spent.input_tokens"),
            ("tokens out", "spent.output_tokens"),
            ("US$", "spent.cost_usd"),
        ),
    ),
)


def further(runs: Sequence[Loaded]) -> Section | None:
    """A table for each kind of measure that anything is known of."""
    parts = []
    for run in runs:
        tables = [table for kind in _GROUPS if (table := _table(run, *kind)) is not None]
        if tables:
            parts.append(Section(f"further-{slug(run.dataset)}", run.dataset, (), tables))
    return Section("further", "Further measures", (), parts) if parts else None


def _table(run: Loaded, kind: str, said: str, measures: Sequence[tuple[str, str]]) -> Table | None:
    known = [
        (head, key)
        for head, key in measures
        if any(figure(scores, f"metrics.{key}") is not None for scores in run.systems.values())
    ]
    if not known:
        return None
    rows: list[list[Cell]] = [
        [name, *(figure(run.systems[name], f"metrics.{key}") for _, key in known)] for name in run.named
    ]
    return Table(
        f"{kind}-{slug(run.dataset)}",
        f"{said}, measured",
        [Column("system"), *(Column(head, _DIGITS.get(key, 1)) for head, key in known)],
        [Group(rows)],
    )


def causes(runs: Sequence[Loaded]) -> Section | None:
    """Why the main system's wrong answers are wrong; the page's browser shows each of them."""
    tables = []
    for run in runs:
        census: Mapping[str, Any] = (run.systems[run.main].get("metrics") or {}).get("census") or {}
        rows: list[list[Cell]] = [
            [
                cause,
                found.get("count"),
                ", ".join(f"hop {hop}: {n}" for hop, n in (found.get("by_hop") or {}).items()),
                ", ".join(map(str, (found.get("examples") or ())[:3])),
            ]
            for cause, found in sorted((census.get("causes") or {}).items(), key=lambda each: -each[1].get("count", 0))
        ]
        if rows:
            tables.append(
                Table(
                    f"causes-{slug(run.dataset)}",
                    f"{run.dataset}: why {run.main} is wrong, {census.get('wrong')} questions",
                    [Column("cause"), Column("questions"), Column("at"), Column("examples")],
                    [Group(rows)],
                )
            )
    said = "One cause each, found from the run and the gold after the answer was given."
    return Section("causes", "Why wrong answers are wrong", (said,), tables) if tables else None
