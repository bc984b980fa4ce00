"""An evaluation's results in Markdown: systems, comparisons, refusals, ablations, confidence, and what is wrong why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..ablations import ABLATIONS, WHOLE
from .published import document_figures
from .tables import between, number, table

__all__ = ["markdown"]

_HEADER = (
    "system", "EM", "F1", "recall@5", "recall@2", "recall@10", "perfect@4", "perfect@8", "failed", "abstained",
    "retrieval p50 ms", "question p50 ms",
)  # fmt: skip
_FOUND = ("system", "P@3", "R@3", "P@5", "R@5")
_REFUSALS = ("system", "asked", "questions", "refused", "answerable refused", "threshold", "refused there", "EM there")
_ABLATED = ("without", "EM", "EM lost", "F1", "recall@5", "perfect@4", "abstained", "question p50 ms")
_APART = (
    "system", "failed", "abstained", "answered", "EM, all", "EM, answered", "F1, all", "F1, answered",
    "recall@5, all", "recall@5, answered",
)  # fmt: skip
_COMPARED = ("against", "metric", "ahead, points", "p", "questions", "of which differ")
_SURE = ("system", "surest 25 %", "50 %", "75 %", "all", "EM of the answered", "calibration error")
_CENSUS = ("cause", "questions", "at hop", "examples")

Results = Mapping[str, Any]


def markdown(results: Results) -> str:
    """Render ``results.json``: a row per system; a dash is what cannot be computed."""
    ingest = results["ingest"]
    title = (
        f"**{results['dataset']}**: {results['questions']} questions over {results['sections']} sections, "
        f"engine {results['engine']}. Percentages; [95 % bootstrap interval]."
    )
    built = (
        f"Ingest: {number(ingest['seconds'])} s, {number(ingest['sections_per_s'])} sections/s, "
        f"{ingest['kb_bytes'] / 1e6:.1f} MB on disk, {number(ingest['peak_rss_mb'], 0)} MB peak memory."
    )
    systems = results["systems"]
    found = _documents(results["dataset"], systems)
    rows = [_row(name, scores) for name, scores in systems.items() if name not in ABLATIONS]
    rows = rows or [_row(name, scores) for name, scores in systems.items()]
    compared = [_compared(results["comparisons"])] if results.get("comparisons") else []
    return "\n\n".join((title, table(_HEADER, rows), built, *found, *compared, *_sections(systems))) + "\n"


def _row(name: str, scores: Results) -> list[str]:
    return [
        name,
        *(_with_interval(scores, key) for key in ("em", "f1", "recall@5")),
        *(number(scores[key]) for key in ("recall@2", "recall@10", "perfect@4", "perfect@8")),
        str(scores["failed"]),
        str(scores["abstained"]),
        number(scores["retrieval_ms_p50"]),
        number(scores["question_ms_p50"]),
    ]


def _documents(dataset: str, systems: Mapping[str, Results]) -> Iterator[str]:
    """Precision and recall, with the figures printed for the same data; nothing where no gold passages are known."""
    rows = [
        [name, *(number(scores[key]) for key in ("precision@3", "recall@3", "precision@5", "recall@5"))]
        for name, scores in systems.items()
        if scores["recall@3"] is not None
    ]
    if rows:
        printed = [[f"{name}, as printed", *map(number, row)] for name, row in document_figures(dataset).items()]
        yield f"## Precision and recall\n\nOver the documents returned.\n\n{table(_FOUND, [*rows, *printed])}"


def _sections(systems: Mapping[str, Results]) -> Iterator[str]:
    """The further sections, as far as there is something to say in them."""
    if any(scores["failed"] for scores in systems.values()):
        yield _apart(systems)
    named = {name: scores for name, scores in systems.items() if name not in ABLATIONS}
    if any("refusals" in scores["metrics"] or scores["metrics"]["unanswerable"] for scores in named.values()):
        yield _refusals(named)
    if WHOLE in systems and len(named) < len(systems):
        yield _ablations(systems)
    if all(scores["metrics"]["em_at_coverage"] is not None for scores in systems.values()):
        yield _confidence(named or systems)
    first = WHOLE if WHOLE in systems else next(iter(systems))
    if census := systems[first]["metrics"].get("census"):
        yield _census(first, census)


def _apart(systems: Mapping[str, Results]) -> str:
    """What was scored over all questions beside the same over those that were answered."""
    rows = []
    for name, scores in systems.items():
        more = scores["metrics"]
        both = ((scores[key], more[f"answered_{key}"]) for key in ("em", "f1", "recall@5"))
        shares = [number(score) for pair in both for score in pair]
        rows.append([name, *(str(scores[key]) for key in ("failed", "abstained")), _count(more["answered"]), *shares])
    said = (
        "## Failed questions\n\nA question that a system broke off with an error counts as wrong in every figure over "
        "all questions, as a refused one does; beside it, the same over the answered ones alone."
    )
    return f"{said}\n\n{table(_APART, rows)}"


def _compared(lines: Sequence[Results]) -> str:
    rows = [
        [
            line["b"], line["metric"], between(line["difference"], line["ci95"]), _chance(line["p"]),
            str(line["questions"]), str(line["discordant"]),
        ]
        for line in lines
    ]  # fmt: skip
    said = (
        f"## Is {lines[0]['a']} ahead?\n\nOn the same questions, with the 95 % bootstrap interval of the difference; p "
        "is of the sign-flip test (for EM McNemar's exact test), not corrected for the number of comparisons."
    )
    return f"{said}\n\n{table(_COMPARED, rows)}"


def _refusals(systems: Mapping[str, Results]) -> str:
    rows = []
    for name, scores in systems.items():
        more = scores["metrics"]
        if more["unanswerable"]:
            shares = [number(more[key]) for key in ("refused", "answerable_refused")]
            rows.append([name, "its own", str(more["unanswerable"]), *shares, *"–––"])
        rows += [_refusal_row(name, other, found) for other, found in more.get("refusals", {}).items()]
    said = (
        "## Refusals\n\nQuestions whose answers the corpus does not hold, its own or those of another data set: "
        'refusing is right. "Threshold" is the confidence below which an answer would have to be held back for 90 % of '
        "them to be refused; after it, what that would cost of the answerable ones."
    )
    return f"{said}\n\n{table(_REFUSALS, rows)}"


def _refusal_row(name: str, other: str, found: Results) -> list[str]:
    threshold = found["threshold"] or {}
    return [
        name,
        other,
        str(found["questions"]),
        between(found["refused"], found["refused_ci95"]),
        between(found["answerable_refused"], found["answerable_refused_ci95"]),
        number(threshold.get("confidence"), 2),
        number(threshold.get("answerable_refused")),
        number(threshold.get("answerable_em")),
    ]


def _ablations(systems: Mapping[str, Results]) -> str:
    whole = systems[WHOLE]
    rows = [["(the whole)", *_ablation_cells(whole, whole)]]
    rows += [
        [f"{ABLATIONS[name].part}", *_ablation_cells(scores, whole)]
        for name, scores in systems.items()
        if name in ABLATIONS
    ]
    return f"## Ablations\n\nThe same system with one part off each time.\n\n{table(_ABLATED, rows)}"


def _ablation_cells(scores: Results, whole: Results) -> list[str]:
    return [
        _with_interval(scores, "em"),
        number(whole["em"] - scores["em"]) if scores is not whole and scores["em"] is not None else "",
        *(number(scores[key]) for key in ("f1", "recall@5", "perfect@4")),
        str(scores["abstained"]),
        number(scores["question_ms_p50"]),
    ]


def _confidence(systems: Mapping[str, Results]) -> str:
    rows = [
        [
            name,
            *(number(share) for share in scores["metrics"]["em_at_coverage"].values()),
            number(scores["metrics"]["answered_em"]),
            number(scores["metrics"]["calibration_error"]),
        ]
        for name, scores in systems.items()
    ]
    said = (
        "## Confidence\n\nEM among the surest questions (a refused one is the least sure), and how far the "
        "confidence of answers is off."
    )
    return f"{said}\n\n{table(_SURE, rows)}"


def _census(name: str, census: Results) -> str:
    said = (
        f"## Why {name} is wrong\n\n{census['wrong']} questions are; {census['asked_whole']} of them were asked as a "
        "whole. One cause each, found from the run and the gold afterwards."
    )
    rows = [
        [
            cause,
            str(found["count"]),
            ", ".join(f"{hop}: {count}" for hop, count in found["by_hop"].items()),
            ", ".join(found["examples"]),
        ]
        for cause, found in census["causes"].items()
    ]
    return f"{said}\n\n{table(_CENSUS, rows)}" if rows else said


def _with_interval(scores: Results, key: str) -> str:
    return between(scores[key], scores["metrics"][f"{key}_ci95"])


def _chance(p: float) -> str:
    return "< 0.0001" if p < 1e-4 else number(p, 4)


def _count(value: int | None) -> str:
    return "–" if value is None else str(value)
