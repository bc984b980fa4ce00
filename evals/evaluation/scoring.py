"""From predictions to the figures of ``results.json``: percentages, milliseconds, None where unknown.

`score_run` scores an evaluation, `score_system` one of its systems. Nothing but predictions is needed, and what
`Scoring` holds: so a run can be scored again without asking anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..datasets.dataset import corpus_records
from ..metrics.basic import (
    bootstrap_interval,
    mean,
    percentile,
    perfect_at,
    precision_at,
    precision_classic_at,
    recall_at,
)
from ..metrics.confidence import COVERAGES, abstention, calibration_error, em_at_coverage
from ..metrics.measures import OF_ANSWERS, OF_RETRIEVAL, answer_scores, log_rank, of_snippets, retrieves
from ..metrics.predictions import Prediction, total_spent
from ..metrics.ranks import mean_adequacy
from ..metrics.significance import comparisons
from ..metrics.similarity import Encode, semantic_scores

if TYPE_CHECKING:
    from ..metrics.judge import Verdicts

__all__ = ["Scoring", "record_texts", "score_run", "score_system"]

RetrievalMetric = Callable[[Sequence[str], Iterable[str], int], float | None]
_RETRIEVAL: tuple[tuple[str, RetrievalMetric, tuple[int, ...]], ...] = (
    ("recall", recall_at, (2, 3, 5, 8, 10)),
    ("precision", precision_at, (3, 5)),
    ("perfect", perfect_at, (4, 8)),
)
_OF_RETRIEVAL = (*(name for name, _, _ in _RETRIEVAL), "snippet", "log_rank", *OF_RETRIEVAL, "spent")
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Scoring:
    """How predictions are scored, and what that takes besides them.

    ``seed`` is of the intervals and of drawn signs. Without ``answers`` what is said of them is None: only retrieval
    was evaluated. ``documents`` is the size of the corpus, for the Log-Rank Index; ``texts`` are those of its records
    by id, where gold is characters. ``encode`` embeds, for the semantic score, and ``encoder`` names it; ``verdicts``
    are those of the ``judge``, None where none was asked.
    """

    seed: int = 0
    answers: bool = True
    documents: int | None = None
    texts: Mapping[str, str] = field(default_factory=dict)
    encode: Encode | None = None
    encoder: str | None = None
    verdicts: Verdicts | None = None
    judge: str | None = None

    @property
    def described(self) -> dict[str, Any]:
        """What results say of it, so that they can be made again."""
        return {
            "seed": self.seed, "answers": self.answers, "documents": self.documents,
            "encoder": self.encoder if self.encode is not None else None,
            "judge": self.judge if self.verdicts is not None else None,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Scored:
    """A prediction with its EM and F1; None where the answers are not known."""

    prediction: Prediction
    em: float | None
    f1: float | None

    @classmethod
    def of(cls, prediction: Prediction) -> _Scored:
        return cls(prediction, *(answer_scores(prediction) or (None, None)))


def score_run(answered: Mapping[str, Sequence[Prediction]], scoring: Scoring | None = None) -> dict[str, Any]:
    """Return what ``results.json`` says of all systems: ``systems``, ``comparisons``, and under ``scoring`` how."""
    scoring = scoring or Scoring()
    systems = {name: score_system(rows, scoring) for name, rows in answered.items()}
    if scoring.answers:
        for name, rank in mean_adequacy(_qualities(answered, scoring.verdicts)).items():
            systems[name]["metrics"]["adequacy"] = _round(rank)
    metrics: dict[str, Callable[[Prediction], float | None]] = {}
    if scoring.answers:
        metrics = {"em": lambda row: _Scored.of(row).em, "f1": lambda row: _Scored.of(row).f1}
    metrics["recall@5"] = lambda row: _at(row, recall_at, 5)
    return {
        "systems": systems,
        "comparisons": comparisons(answered, metrics, seed=scoring.seed),
        "scoring": scoring.described,
    }


def record_texts(corpus: Path, predictions: Iterable[Prediction]) -> dict[str, str]:
    """Return the texts of the corpus records in which gold characters are looked for; none where gold is whole."""
    rows = [row for row in predictions if row.gold_snippets]
    wanted = {found.record_id for row in rows for found in row.passages}
    records = corpus_records(corpus) if wanted else ()
    return {str(record["id"]): str(record.get("text") or "") for record in records if record["id"] in wanted}


def score_system(predictions: Sequence[Prediction], scoring: Scoring | None = None) -> dict[str, Any]:
    """Return a system's entry of ``results.json``, exactly with the contract's keys."""
    scoring = scoring or Scoring()
    rows = [_Scored.of(row) for row in predictions]
    times = [row.question_ms for row in predictions if row.question_ms is not None]
    retrieval_times = [row.retrieval_ms for row in predictions if row.retrieval_ms is not None and retrieves(row)]
    scores = {
        **_answers(rows),
        **_retrieval(predictions),
        **_counts(predictions),
        "metrics": _more(rows, times, scoring),
        "retrieval_ms_p50": _round(percentile(retrieval_times, 50)),
        "retrieval_ms_p95": _round(percentile(retrieval_times, 95)),
        "question_ms_p50": _round(percentile(times, 50)),
        "by_type": _by_type(rows),
    }
    return scores if scoring.answers else _unanswered(scores)


def _unanswered(scores: dict[str, Any]) -> dict[str, Any]:
    """Blank what is said of answers."""
    metrics = {key: value if key.startswith(_OF_RETRIEVAL) else None for key, value in scores["metrics"].items()}
    return {**scores, "em": None, "f1": None, "metrics": {**metrics, "by_hops": {}}, "by_type": {}}


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
    return metric(row.retrieved, row.supporting, k) if retrieves(row) else None


def _more(rows: Sequence[_Scored], times: Sequence[float], scoring: Scoring) -> dict[str, Any]:
    """Return what is beside the contract's first figures: intervals, kinds of questions apart, further measures."""
    predictions = [row.prediction for row in rows]
    return {
        **{f"{name}_ci95": _interval(values, scoring.seed) for name, values in _headline(rows).items()},
        **_kinds(rows),
        **_calibration(rows),
        **{
            f"precision_classic@{k}": _percent(mean(_at(row, precision_classic_at, k) for row in predictions))
            for k in (3, 5)
        },
        **{name: _share(predictions, measure) for name, measure in (*OF_RETRIEVAL.items(), *OF_ANSWERS.items())},
        **_of_characters(predictions, scoring),
        "log_rank": _log_rank(predictions, scoring.documents),
        "semantic": _semantic(predictions, scoring),
        "judge": _judged(predictions, scoring.verdicts),
        "adequacy": None,
        "by_hops": _by_hops(rows),
        "hops_mean": _round(mean(float(len(row.hops)) for row in predictions if row.status != "failed")),
        "question_ms_p95": _round(percentile(times, 95)),
        "spent": total_spent(predictions).model_dump() if any(row.usage for row in predictions) else None,
    }


def _kinds(rows: Sequence[_Scored]) -> dict[str, Any]:
    """Score the answered questions, and those that the corpus holds an answer to or none, each apart."""
    answered = [row for row in rows if row.prediction.status == "answered"]
    unanswerable = [row for row in rows if row.prediction.gold == ()]
    answerable = [row for row in rows if row.prediction.gold]
    precision, recall = abstention(
        (bool(row.prediction.gold), row.prediction.status == "abstained") for row in (*answerable, *unanswerable)
    )
    return {
        "answered": len(answered),
        **_named("answered", answered),
        "answered_recall@5": _percent(mean(_at(row.prediction, recall_at, 5) for row in answered)),
        "answerable": len(answerable),
        **_named("answerable", answerable),
        "answerable_refused": _refused(answerable),
        "unanswerable": len(unanswerable),
        "refused": _refused(unanswerable),
        "abstention": {"precision": _percent(precision), "recall": _percent(recall)},
    }


def _named(name: str, rows: Sequence[_Scored]) -> dict[str, float | None]:
    return {f"{name}_{metric}": score for metric, score in _answers(rows).items()}


def _of_characters(predictions: Sequence[Prediction], scoring: Scoring) -> dict[str, float | None]:
    """Score gold characters, where the data set has them."""
    if not any(row.gold_snippets for row in predictions):
        return {}
    predictions = [row for row in predictions if retrieves(row)]
    return {name: _share(predictions, measure) for name, measure in of_snippets(scoring.texts).items()}


def _log_rank(predictions: Sequence[Prediction], documents: int | None) -> float | None:
    return None if documents is None else _round(mean(log_rank(row, documents) for row in predictions))


def _semantic(predictions: Sequence[Prediction], scoring: Scoring) -> float | None:
    pairs = [(row.answer, row.gold) for row in predictions if row.gold]
    return None if scoring.encode is None else _percent(mean(semantic_scores(pairs, scoring.encode)))


def _judged(predictions: Sequence[Prediction], verdicts: Verdicts | None) -> dict[str, Any]:
    """Share judged correct and complete; an answer without a usable verdict is counted apart."""
    found = [_verdict(row, verdicts or {}) for row in predictions if row.gold and verdicts is not None]
    known = [each for each in found if each is not None]
    return {
        "correct": _percent(mean(correct for correct, _ in known)),
        "complete": _percent(mean(complete for _, complete in known)),
        "judged": len(known),
        "unjudged": len(found) - len(known),
    }


def _verdict(row: Prediction, verdicts: Verdicts) -> tuple[float, float] | None:
    """Return whether an answer is correct and complete; one that was not given is neither."""
    if row.status != "answered":
        return 0.0, 0.0
    verdict = verdicts.get((row.system, row.id))
    if verdict is None or verdict.correct is None or verdict.complete is None:
        return None
    return float(verdict.correct), float(verdict.complete)


def _qualities(
    answered: Mapping[str, Sequence[Prediction]], verdicts: Verdicts | None
) -> dict[str, dict[str, float]]:
    """Return how good the judge finds each answer, 0 to 2; no quality without one."""
    if verdicts is None:
        return {}
    judged = {name: {row.id: _verdict(row, verdicts) for row in rows if row.gold} for name, rows in answered.items()}
    return {name: {id: sum(each) for id, each in found.items() if each is not None} for name, found in judged.items()}


def _headline(rows: Sequence[_Scored]) -> Mapping[str, list[float | None]]:
    """Return the figures that get an interval, question by question."""
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
    known = [(row.prediction, row.em) for row in rows if row.em is not None]
    judged = [(row.confidence, em) for row, em in known]
    answered = [(row.confidence, em) for row, em in known if row.status == "answered"]
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
    types = sorted({row.prediction.type for row in rows})
    return _by(rows, {name: name or "untyped" for name in types}, "type") if types != [""] else {}


def _by_hops(rows: Sequence[_Scored]) -> dict[str, dict[str, Any]]:
    """Break the scores down by the number of gold hops; a question of which it is not known is in no group."""
    counts = {row.prediction.hops_gold for row in rows} - {None}
    return _by(rows, {count: str(count) for count in sorted(filter(None, counts))}, "hops_gold")


def _by(rows: Sequence[_Scored], groups: Mapping[Any, str], of: str) -> dict[str, dict[str, Any]]:
    return {
        name: _slice([row for row in rows if getattr(row.prediction, of) == value])
        for value, name in groups.items()
    }


def _slice(rows: Sequence[_Scored]) -> dict[str, Any]:
    predictions = [row.prediction for row in rows]
    return {
        "questions": len(rows),
        **_answers(rows),
        "recall@5": _percent(mean(_at(row, recall_at, 5) for row in predictions)),
        **_counts(predictions),
    }


def _share(predictions: Iterable[Prediction], measure: Callable[[Prediction], float | None]) -> float | None:
    return _percent(mean(measure(row) for row in predictions))


def _percent(share: float | None) -> float | None:
    return None if share is None else round(100 * share, _DIGITS)


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)
