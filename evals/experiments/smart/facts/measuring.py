"""Answers to planted-fact questions measured: coverage of perspectives and words, accuracy, and length (A.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from .....cubes.smart.trees.encoding_trees import EncodingTree
from .....graphs.records import Evidence
from ....generators.facts.asking import Question
from ....metrics.basic import bootstrap_interval, mean
from ....metrics.similarity import is_accurate, perspective_coverage, word_coverage
from .arms import Arm, Bench

__all__ = ["FIGURES", "against", "answered", "measured", "scores", "summed_up"]

FIGURES = ("perspectives", "words", "acc25", "acc50", "length", "context")
Scores = dict[str, float]
_RESAMPLES = 2_000


def scores(answer: str, context: str, question: Question) -> Scores:
    """Score an answer: shares from 0 to 1, its length in characters, and the perspectives that the context had."""
    gold = question.answers[0]
    keys = [perspective.keys for perspective in question.perspectives]
    return {
        "perspectives": perspective_coverage(answer, keys) or 0.0,
        "words": word_coverage(answer, gold) or 0.0,
        "acc25": float(is_accurate(answer, gold, 0.25)),
        "acc50": float(is_accurate(answer, gold, 0.5)),
        "length": float(len(answer)),
        "context": perspective_coverage(context, keys) or 0.0,
    }


def measured(bench: Bench, arm: Arm, questions: Iterable[Question]) -> Iterator[dict[str, Any]]:
    """Yield each question with the arm's answer and its scores."""
    for question in questions:
        context = arm.context(question.question)
        answer = bench.answer(question.question, context)
        yield {
            "system": arm.name, "id": question.id, "type": question.type, "count": question.count, "answer": answer,
            **scores(answer, _text(context), question),
        }  # fmt: skip


def answered(bench: Bench, trees: Sequence[EncodingTree], questions: Iterable[Question]) -> Scores:
    """Return the mean scores of answers from passages and these trees alone (Table 4)."""
    arm = bench.smart("trees alone", bench.reported(trees), counting=False)
    overall = summed_up(list(measured(bench, arm, questions)))["overall"]
    return {figure: overall[figure]["mean"] for figure in FIGURES}


def summed_up(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return an arm's means by number of perspectives, by form and overall, with 95 % bootstrap intervals."""
    return {
        "system": rows[0]["system"], "questions": len(rows), "overall": _means(rows),
        "by_count": {str(n): _means([r for r in rows if r["count"] == n]) for n in sorted({r["count"] for r in rows})},
        "by_type": {kind: _means([r for r in rows if r["type"] == kind]) for kind in sorted({r["type"] for r in rows})},
    }  # fmt: skip


def against(rows: Sequence[dict[str, Any]], other: Sequence[dict[str, Any]], figure: str) -> dict[str, Any]:
    """Return how much better an arm is than another, as a share of the other's, with a paired bootstrap interval."""
    one, two = (np.array([row[figure] for row in each]) for each in (rows, other))
    drawn = np.random.default_rng(0).integers(0, len(one), (_RESAMPLES, len(one)))
    gains = one[drawn].mean(axis=1) / np.maximum(two[drawn].mean(axis=1), 1e-9) - 1
    low, high = np.percentile(gains, [2.5, 97.5])
    gain = float(one.mean() / max(float(two.mean()), 1e-9) - 1)
    return {"figure": figure, "gain": gain, "interval": [float(low), float(high)]}


def _means(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for figure in FIGURES:
        values = [row[figure] for row in rows]
        found[figure] = {"mean": mean(values), "interval": bootstrap_interval(values, seed=0)}
    return found


def _text(context: Sequence[Evidence]) -> str:
    told = (f"{found.text} {found.explanation}" for each in context for found in each.findings)
    return "\n".join([*told, *(each.text for each in context)])
