"""HiQA's tables over the variants: Log-Rank Index and accuracy (Table 2), budgets (Table 7), more documents (Figure 2).
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...generators.lookalike.questions import LookalikeQuestion
from ...metrics.basic import bootstrap_interval, f1, mean, percentile
from ...metrics.predictions import Prediction
from ...metrics.ranks import GAMMA, adequacy, log_rank_score
from .accuracy import accuracy
from .arms import Arm
from .segments import Library, gold_segments

__all__ = ["GoldRanks", "accuracy_figures", "adequacy_figures", "pools_of", "rank_all", "rank_figures", "scored"]

_GAMMAS = (0.1, 10.0)
"""Other γ, to show that the order of the variants does not hang on one."""


@dataclass(frozen=True, slots=True)
class GoldRanks:
    """One question under one variant: the ranks of its gold segments among all; None is a gold place that was lost."""

    question: LookalikeQuestion
    ranks: tuple[int | None, ...]
    segments: int

    @property
    def index(self) -> float:
        """The Log-Rank Index."""
        return self.at(GAMMA)

    @property
    def ideal(self) -> float:
        """What the index would be with all gold segments first: below 1 where there are several."""
        return statistics.fmean(log_rank_score(n, self.segments) for n, _ in enumerate(self.ranks, start=1))

    def at(self, gamma: float) -> float:
        """The index under another γ."""
        return statistics.fmean(log_rank_score(rank, self.segments, gamma=gamma) for rank in self.ranks)


def rank_all(
    arm: Arm,
    library: Library,
    questions: Sequence[LookalikeQuestion],
    pools: Mapping[str, frozenset[str]] | None = None,
) -> list[GoldRanks]:
    """Rank all segments for each question, or those of its pool of documents, and score where its gold stands.

    A gold place that ingestion lost has no segment, and counts as one that is not ranked.
    """
    return [_rank(arm, library, question, (pools or {}).get(question.question)) for question in questions]


def _rank(arm: Arm, library: Library, question: LookalikeQuestion, pool: frozenset[str] | None) -> GoldRanks:
    gold, lost = gold_segments(arm.segments, library, question.gold_sections)
    ranked = [arm.segments[each.ordinal].id for each in arm.rank(question.question, pool)]
    among = len(arm.segments) if pool is None else sum(s.record_id in pool for s in arm.segments)
    places = {segment: place for place, segment in enumerate(ranked, start=1)}
    return GoldRanks(question, (*(places.get(each) for each in gold), *(None for _ in lost)), among)


def rank_figures(rows: Sequence[GoldRanks], *, seed: int = 0) -> dict[str, Any]:
    """Mean, extremes and spread of the index over the questions, and over the documents that they are of."""
    values = [row.index for row in rows]
    documents: dict[str, list[float]] = {}
    for row in rows:
        for document in row.question.supporting:
            documents.setdefault(document, []).append(row.index)
    means = [statistics.fmean(each) for each in documents.values()]
    interval = bootstrap_interval(values, seed=seed)
    return {
        "gamma": GAMMA,
        "mean": _round(mean(values)),
        "mean_ci95": None if interval is None else [_round(bound) for bound in interval],
        "max": _round(max(values)),
        "min": _round(min(values)),
        "p5": _round(percentile(values, 5)),
        "std": _round(statistics.pstdev(values)),
        "document_min": _round(min(means)),
        "document_std": _round(statistics.pstdev(means)),
        "ideal": _round(mean(row.ideal for row in rows)),
        "gammas": {
            str(gamma): [_round(mean(row.at(gamma) for row in rows)), _round(min(row.at(gamma) for row in rows))]
            for gamma in _GAMMAS
        },
        "first@1": _round(100 * sum(1 in row.ranks for row in rows) / len(rows), 1),
        "lost": sum(rank is None for row in rows for rank in row.ranks),
        "lowest": [row.question.id for row in sorted(rows, key=lambda row: row.index)[:5]],
        "by_named": _grouped({row.question.id: row.question.named for row in rows}, rows),
        "by_type": _grouped({row.question.id: row.question.type for row in rows}, rows),
    }


def _grouped(groups: Mapping[str, str], rows: Sequence[GoldRanks]) -> dict[str, float | None]:
    names = dict.fromkeys(groups.values())
    return {
        name: _round(mean(row.index for row in rows if groups[row.question.id] == name)) for name in names
    }


def scored(questions: Sequence[LookalikeQuestion], predictions: Sequence[Prediction]) -> list[float]:
    """Return the accuracy of each prediction, in the order of the questions."""
    return [
        accuracy(question, row.answer, row.retrieved[0] if row.retrieved else "")
        for question, row in zip(questions, predictions, strict=True)
    ]


def accuracy_figures(
    questions: Sequence[LookalikeQuestion], predictions: Sequence[Prediction], *, seed: int = 0
) -> dict[str, Any]:
    """Accuracy in percent with its interval, by kind of question, and what went unanswered."""
    scores = scored(questions, predictions)
    interval = bootstrap_interval(scores, seed=seed)
    kinds = dict.fromkeys(question.type for question in questions)
    statuses = [row.status for row in predictions]
    return {
        "accuracy": _percent(mean(scores)),
        "accuracy_ci95": None if interval is None else [_percent(bound) for bound in interval],
        "questions": len(scores),
        "right": sum(score == 1 for score in scores),
        "half": sum(score == 0.5 for score in scores),
        "abstained": statuses.count("abstained"),
        "failed": statuses.count("failed"),
        "by_type": {
            kind: _percent(mean(s for q, s in zip(questions, scores, strict=True) if q.type == kind))
            for kind in kinds
        },
    }


def adequacy_figures(
    questions: Sequence[LookalikeQuestion], answered: Mapping[str, Sequence[Prediction]]
) -> dict[str, float | None]:
    """Mean adequacy of each method: (K + 1) − rank, ranked by accuracy and then by word F1 with the gold answer.

    The paper's annotators rank by clarity; this is their automatic stand-in.
    """
    judged = {name: scored(questions, rows) for name, rows in answered.items()}
    found: dict[str, list[float]] = {name: [] for name in answered}
    for n, question in enumerate(questions):
        quality = {
            name: 10 * judged[name][n] + max(f1(rows[n].answer, gold) for gold in question.answers)
            for name, rows in answered.items()
        }
        for name, score in adequacy(quality).items():
            found[name].append(score)
    return {name: _round(mean(scores), 2) for name, scores in found.items()}


def pools_of(
    questions: Sequence[LookalikeQuestion], documents: Sequence[str], size: int, *, seed: int = 0
) -> dict[str, frozenset[str]]:
    """For each question about one document: that one and others by chance, ``size`` in all; larger pools hold smaller.
    """
    pools = {}
    for question in questions:
        own = question.supporting[0]
        others = sorted(set(documents) - {own})
        random.Random(f"{question.id} {seed}").shuffle(others)
        pools[question.question] = frozenset((own, *others[: size - 1]))
    return pools


def _round(value: float | None, digits: int = 4) -> float | None:
    return None if value is None else round(value, digits)


def _percent(value: float | None) -> float | None:
    return None if value is None else round(100 * value, 2)
