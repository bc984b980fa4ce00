"""From predictions to the figures of ``results.json``: percentages, milliseconds, None where unknown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .calibration import COVERAGES, calibration_error, em_at_coverage
from .metrics import (
    best_over,
    bootstrap_interval,
    exact_match,
    f1,
    mean,
    percentile,
    perfect_at,
    precision_at,
    precision_classic_at,
    recall_at,
)
from .predictions import Prediction

__all__ = ["answer_scores", "score_system"]

RetrievalMetric = Callable[[Sequence[str], Iterable[str], int], float | None]
_RETRIEVAL: tuple[tuple[str, RetrievalMetric, tuple[int, ...]], ...] = (
    ("recall", recall_at, (2, 3, 5, 8, 10)),
    ("precision", precision_at, (3, 5)),
    ("perfect", perfect_at, (4, 8)),
)
_RETRIEVAL_NAMES = tuple(name for name, _, _ in _RETRIEVAL)
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class _Scored:
    prediction: Prediction
    em: float
    f1: float


def answer_scores(prediction: Prediction) -> tuple[float, float]:
    """EM and F1 of one question, 0 to 1.

    A failed question scores 0, and so does an abstained one unless the data set says that the corpus holds no
    answer: then abstaining is what scores 1 (as in SQuAD 2.0).
    """
    if prediction.status == "failed":
        return 0.0, 0.0
    if not prediction.gold:
        refused = float(prediction.status == "abstained")
        return refused, refused
    if prediction.status == "abstained":
        return 0.0, 0.0
    answer, gold = prediction.answer, prediction.gold
    return best_over(exact_match, answer, gold), best_over(f1, answer, gold)


def score_system(predictions: Sequence[Prediction], *, seed: int = 0, answers: bool = True) -> dict[str, Any]:
    """Return a system's entry of ``results.json``, exactly with the contract's keys.

    Without ``answers`` what is said of them is None: only retrieval was evaluated.
    """
    rows = [_Scored(row, *answer_scores(row)) for row in predictions]
    times = [row.question_ms for row in predictions if row.question_ms is not None]
    retrieval_times = [row.retrieval_ms for row in predictions if row.retrieval_ms is not None]
    scores = {
        **_answers(rows),
        **_retrieval(predictions),
        **_counts(predictions),
        "metrics": _more(rows, times, seed),
        "retrieval_ms_p50": _round(percentile(retrieval_times, 50)),
        "retrieval_ms_p95": _round(percentile(retrieval_times, 95)),
        "question_ms_p50": _round(percentile(times, 50)),
        "by_type": _by_type(rows),
    }
    return scores if answers else _unanswered(scores)


def _unanswered(scores: dict[str, Any]) -> dict[str, Any]:
    """Blank what is said of answers."""
    metrics = {key: value if key.startswith(_RETRIEVAL_NAMES) else None for key, value in scores["metrics"].items()}
    return {**scores, "em": None, "f1": None, "metrics": metrics, "by_type": {}}


def _answers(rows: Sequence[_Scored]) -> dict[str, float | None]:
    return {"em": _percent(mean(row.em for row in rows)), "f1": _percent(mean(row.f1 for row in rows))}


def _counts(predictions: Sequence[Prediction]) -> dict[str, int]:
    statuses = [row.status for row in predictions]
    return {"failed": statuses.count("failed"), "abstained": statuses.count("abstained")}


def _retrieval(predictions: Sequence[Prediction]) -> dict[str, float | None]:
    return {
        f"{name}@{k}": _percent(mean(_at(row, metric, k) for row in predictions))
        for name, metric, depths in _RETRIEVAL
        for k in depths
    }


def _at(row: Prediction, metric: RetrievalMetric, k: int) -> float | None:
    return metric(row.retrieved, row.supporting, k)


def _more(rows: Sequence[_Scored], times: Sequence[float], seed: int) -> dict[str, Any]:
    """Return what the contract leaves open: intervals, kinds of questions apart, calibration, classical precision."""
    answered = [row for row in rows if row.prediction.status == "answered"]
    unanswerable = [row for row in rows if not row.prediction.gold]
    answerable = [row for row in rows if row.prediction.gold]
    return {
        **{f"{name}_ci95": _interval(values, seed) for name, values in _headline(rows).items()},
        "answered": len(answered),
        "answered_em": _percent(mean(row.em for row in answered)),
        "answered_f1": _percent(mean(row.f1 for row in answered)),
        "answerable": len(answerable),
        "answerable_em": _percent(mean(row.em for row in answerable)),
        "answerable_f1": _percent(mean(row.f1 for row in answerable)),
        "answerable_refused": _refused(answerable),
        "unanswerable": len(unanswerable),
        "refused": _refused(unanswerable),
        **_calibration(rows),
        **{
            f"precision_classic@{k}": _percent(mean(_at(row.prediction, precision_classic_at, k) for row in rows))
            for k in (3, 5)
        },
        "hops_mean": _round(mean(float(len(row.prediction.hops)) for row in rows if row.prediction.status != "failed")),
        "question_ms_p95": _round(percentile(times, 95)),
    }


def _headline(rows: Sequence[_Scored]) -> Mapping[str, list[float | None]]:
    return {
        "em": [row.em for row in rows],
        "f1": [row.f1 for row in rows],
        **{
            f"{name}@{k}": [_at(row.prediction, metric, k) for row in rows]
            for name, metric, depths in _RETRIEVAL
            if name != "precision"
            for k in depths
        },
    }


def _calibration(rows: Sequence[_Scored]) -> dict[str, Any]:
    """Return the risk-coverage line, refused questions last, and the calibration error of what was answered."""
    judged = [(row.prediction.confidence, row.em) for row in rows]
    answered = [(row.prediction.confidence, row.em) for row in rows if row.prediction.status == "answered"]
    return {
        "em_at_coverage": {str(share): _percent(em_at_coverage(judged, share)) for share in COVERAGES},
        "calibration_error": _percent(calibration_error(answered)),
    }


def _refused(rows: Sequence[_Scored]) -> float | None:
    return _percent(mean(float(row.prediction.status == "abstained") for row in rows))


def _interval(values: Sequence[float | None], seed: int) -> list[float] | None:
    found = bootstrap_interval(values, seed=seed)
    return None if found is None else [round(100 * bound, _DIGITS) for bound in found]


def _by_type(rows: Sequence[_Scored]) -> dict[str, dict[str, Any]]:
    """Break the scores down by question type; empty where the data set has no types."""
    types = {row.prediction.type for row in rows}
    if types <= {""}:
        return {}
    return {name or "untyped": _slice([row for row in rows if row.prediction.type == name]) for name in sorted(types)}


def _slice(rows: Sequence[_Scored]) -> dict[str, Any]:
    predictions = [row.prediction for row in rows]
    return {
        "questions": len(rows),
        **_answers(rows),
        "recall@5": _percent(mean(_at(row, recall_at, 5) for row in predictions)),
        **_counts(predictions),
    }


def _percent(share: float | None) -> float | None:
    return None if share is None else round(100 * share, _DIGITS)


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)
