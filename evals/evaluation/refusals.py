"""Questions of another data set, asked of a corpus that does not hold their answers: refusing is what is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...cubes.core.errors import UsageError
from ...cubes.core.folding import fold
from ..datasets.dataset import Dataset, Question, corpus_records
from ..datasets.load import load_dataset
from ..metrics.basic import bootstrap_interval, mean
from ..metrics.confidence import abstention, threshold_for
from ..metrics.measures import answer_scores
from ..metrics.predictions import Prediction

__all__ = ["WANTED", "foreign_questions", "refusal_scores"]

WANTED = 0.9
"""The share of questions without an answer that should be refused; a threshold of confidence is given for it."""


def foreign_questions(
    dataset: Dataset, other: str | Path, *, limit: int | None = None, shuffle: bool = False, seed: int = 0
) -> Dataset:
    """Return the other data set's questions none of whose gold passages is in the searched corpus, by title.

    Their gold is dropped, since here nothing is right but refusing. A question whose gold passages are not known is
    left out. Raises UsageError where none remains.
    """
    asked = load_dataset(other)
    titles = {str(record["id"]): fold(str(record.get("title", ""))) for record in corpus_records(asked.corpus)}
    foreign = tuple(
        _without_gold(asked.name, question)
        for question in asked.questions
        if question.supporting and not any(titles.get(gold, "") in dataset.titles for gold in question.supporting)
    )
    if not foreign:
        raise UsageError(
            f"No question of {asked.name} is foreign to the corpus: each has a gold passage there, or none is known; "
            "name another data set."
        )
    return Dataset(
        asked.name, asked.folder, foreign, len(foreign), asked.corpus_ids, "", asked.questions_digest
    ).select(limit, shuffle=shuffle, seed=seed)


def refusal_scores(foreign: Sequence[Prediction], own: Sequence[Prediction], *, seed: int = 0) -> dict[str, Any]:
    """Return how much of what has no answer was refused, and of what has one, in percent with intervals.

    ``threshold`` is the least confidence an answer would need for `WANTED` of the foreign questions to be refused,
    with what it would cost: the share of answerable questions refused, and the EM left of them. ``abstention`` is the
    precision and recall of refusing over both.
    """
    answerable = [row for row in own if row.gold]
    asked = [*((False, row) for row in foreign), *((True, row) for row in answerable)]
    precision, recall = abstention((has_answer, row.status == "abstained") for has_answer, row in asked)
    return {
        "questions": len(foreign),
        **_share("refused", foreign, seed),
        "answerable": len(answerable),
        **_share("answerable_refused", answerable, seed),
        "abstention": {
            "precision": None if precision is None else round(100 * precision, 4),
            "recall": None if recall is None else round(100 * recall, 4),
        },
        "threshold": _threshold(foreign, answerable),
    }


def _without_gold(name: str, question: Question) -> Question:
    gone: Mapping[str, Any] = {"answers": (), "supporting": (), "evidences": (), "decomposition": ()}
    return question.model_copy(update={"id": f"{name}:{question.id}", "type": "foreign", **gone})


def _share(name: str, rows: Sequence[Prediction], seed: int) -> dict[str, Any]:
    refused = [float(row.status == "abstained") for row in rows]
    share, interval = mean(refused), bootstrap_interval(refused, seed=seed)
    return {
        name: None if share is None else round(100 * share, 4),
        f"{name}_ci95": None if interval is None else [round(100 * bound, 4) for bound in interval],
    }


def _threshold(foreign: Sequence[Prediction], answerable: Sequence[Prediction]) -> dict[str, Any] | None:
    least = threshold_for([row.confidence for row in foreign if row.status != "failed"], WANTED)
    if least is None or not answerable:
        return None
    kept = [row for row in answerable if row.status == "answered" and row.confidence >= least]
    return {
        "confidence": least,
        "answerable_refused": round(100 * (1 - len(kept) / len(answerable)), 4),
        "answerable_em": round(100 * sum((answer_scores(row) or (0.0,))[0] for row in kept) / len(answerable), 4),
    }
