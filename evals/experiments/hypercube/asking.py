"""Asking every variant every question, question by question, with a log that a later run goes on from."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TextIO

from ....agent.facade import MultiCube
from ...datasets.dataset import Question
from ...metrics.basic import best_over, f1, mean, percentile
from ...metrics.similarity import Encode, semantic_scores
from .variants import Variant

__all__ = ["Answered", "Score", "ask", "scores"]

_STEP = 10  # questions between two words of progress

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Answered:
    """What one variant said to one question; times in milliseconds."""

    variant: str
    question: str
    answer: str
    retrieved: tuple[str, ...]
    retrieval_ms: float


@dataclass(frozen=True, slots=True)
class Score:
    """A variant's figures: questions asked, shares of 0 to 1, the median time of retrieval in milliseconds."""

    questions: int
    f1: float
    semantic: float
    answered: float
    retrieval_ms: float


def ask(
    kb: MultiCube, variants: Sequence[Variant], questions: Sequence[Question], log: Path, say: Say
) -> list[Answered]:
    """Return every variant's answer to every question; those in ``log`` are taken from there.

    All variants are asked one question before the next one comes: what several of them retrieve is read once. An
    interrupt (Ctrl-C) ends the asking, and the questions that all variants were asked count.
    """
    known = {(row.question, row.variant): row for row in _logged(log)}
    log.parent.mkdir(parents=True, exist_ok=True)
    done: list[Answered] = []
    with log.open("a", encoding="utf-8") as stream:
        if log.stat().st_size and not log.read_bytes().endswith(b"\n"):  # a run was killed while it wrote a line
            stream.write("\n")
        try:
            for number, question in enumerate(questions):
                if number % _STEP == 0:
                    say(f"{log.stem}: {number} of {len(questions)} questions")
                rows = [known.get((question.id, each.name)) or _kept(kb, each, question, stream) for each in variants]
                done += rows
        except KeyboardInterrupt:
            say(f"{log.stem}: stopped after {len(done) // len(variants)} of {len(questions)} questions")
    return done


def scores(rows: Sequence[Answered], questions: Sequence[Question], encode: Encode) -> Mapping[str, Score]:
    """Return the figures of each variant, in the order in which they were asked."""
    golds = {question.id: question.answers or () for question in questions}
    meant = semantic_scores([(row.answer, golds[row.question]) for row in rows], encode)
    by_variant: dict[str, list[tuple[Answered, float]]] = {}
    for row, semantic in zip(rows, meant, strict=True):
        by_variant.setdefault(row.variant, []).append((row, semantic))
    return {
        variant: Score(
            len(told),
            mean(best_over(f1, row.answer, golds[row.question]) if row.answer else 0.0 for row, _ in told) or 0.0,
            mean(semantic for _, semantic in told) or 0.0,
            mean(float(bool(row.answer)) for row, _ in told) or 0.0,
            percentile((row.retrieval_ms for row, _ in told), 50) or 0.0,
        )
        for variant, told in by_variant.items()
    }


def _kept(kb: MultiCube, variant: Variant, question: Question, stream: TextIO) -> Answered:
    row = _asked(kb, variant, question)
    stream.write(json.dumps(asdict(row), ensure_ascii=False) + "\n")
    stream.flush()
    return row


def _asked(kb: MultiCube, variant: Variant, question: Question) -> Answered:
    run = kb.ask(question.question, settings=variant.settings, save=False)
    spent = sum(hop.retrieval_ms for hop in run.hops)
    return Answered(variant.name, question.id, run.answer, tuple(run.retrieved[:10]), round(spent, 3))


def _logged(log: Path) -> Iterator[Answered]:
    """The rows of an earlier run; a line that was cut off is asked again."""
    for line in log.read_text(encoding="utf-8").splitlines() if log.is_file() else ():
        try:
            row = json.loads(line)
            yield Answered(**{**row, "retrieved": tuple(row["retrieved"])})
        except (ValueError, TypeError, KeyError):
            continue
