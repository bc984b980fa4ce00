"""Every variant asked every question, and what came of it; a run that was stopped goes on from its log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ....agent.app.facade import MultiCube
from ....graphs.records import Run
from ...datasets.dataset import Question
from ...evaluation.asking import ask_all
from ...evaluation.readings import shared
from ...metrics.basic import best_over, f1, mean, percentile
from ...metrics.predictions import Prediction, PredictionLog
from ...metrics.similarity import Encode, semantic_scores
from .variants import Variant

__all__ = ["Score", "ask", "scores"]

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Score:
    """A variant's figures: questions asked, shares of 0 to 1, the median time of retrieval in milliseconds."""

    questions: int
    f1: float
    semantic: float
    answered: float
    retrieval_ms: float


@dataclass(frozen=True, slots=True)
class _System:
    """A variant as a system that the harness asks."""

    kb: MultiCube
    variant: Variant

    @property
    def name(self) -> str:
        return self.variant.name

    def answer(self, question: str) -> Run:
        return self.kb.ask(question, settings=self.variant.settings, save=False)

    def ranking(self, run: Run) -> Sequence[str]:
        return run.retrieved[:10]


def ask(
    kb: MultiCube, variants: Sequence[Variant], questions: Sequence[Question], log: Path, say: Say
) -> Mapping[str, list[Prediction]]:
    """Return every variant's answers; those in ``log`` are taken from there. What variants read alike is read once."""
    predictions = PredictionLog(log)
    kept, answered = predictions.load(), dict[str, list[Prediction]]()
    with shared():
        for variant in variants:
            say(f"{log.stem}: {len(questions)} questions, {variant.name}")
            answered |= ask_all([_System(kb, variant)], questions, predictions, kept=kept)
    return answered


def scores(answered: Mapping[str, Sequence[Prediction]], encode: Encode) -> Mapping[str, Score]:
    """Return the figures of each variant, in the order in which they were asked."""
    return {
        variant: Score(
            len(rows),
            mean(best_over(f1, row.answer, row.gold or ()) if row.answer else 0.0 for row in rows) or 0.0,
            mean(semantic_scores([(row.answer, row.gold or ()) for row in rows], encode)) or 0.0,
            mean(float(bool(row.answer)) for row in rows) or 0.0,
            percentile((row.retrieval_ms for row in rows if row.retrieval_ms is not None), 50) or 0.0,
        )
        for variant, rows in answered.items()
    }
