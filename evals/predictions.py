"""What an evaluation keeps of each answered question, and the file that lets a killed one continue."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from functools import reduce
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from ..graphs.records import Hop, Run, Spent
from .datasets import Question

__all__ = ["HopSummary", "Prediction", "PredictionLog", "failure", "from_run", "total_spent"]

Status = Literal["answered", "abstained", "failed"]


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class HopSummary(_Record):
    """A hop without the texts of its evidence: ``retrieved`` are corpus ids in rank order."""

    number: int
    subquery: str
    cubes: tuple[str, ...] = ()
    components: tuple[str, ...] = ()
    retrieved: tuple[str, ...] = ()
    fallback: str | None = None
    answer: str = ""
    answers: tuple[str, ...] = ()
    status: str = ""
    confidence: float = 0.0
    sentence: str = ""
    retrieval_ms: float = 0.0


class Prediction(_Record):
    """One system's answer to one question, beside its gold.

    ``retrieved`` are corpus ids in rank order, each once. ``confidence`` is the engine's probability that the answer
    is right, 0 where there is none; ``stopped`` says why its loop ended. ``error`` is the one sentence of a failed
    question. ``retrieval_ms`` is the sum over the hops; both times are None for a failed question. ``usage`` is what a
    language model cost, None where none was asked.
    """

    system: str
    id: str
    question: str
    type: str = ""
    gold: tuple[str, ...]
    supporting: tuple[str, ...] = ()
    answer: str = ""
    status: Status
    confidence: float = 0.0
    note: str = ""
    stopped: str = ""
    error: str | None = None
    retrieved: tuple[str, ...] = ()
    hops: tuple[HopSummary, ...] = ()
    question_ms: float | None = None
    retrieval_ms: float | None = None
    usage: Spent | None = None


def from_run(system: str, question: Question, run: Run, ranking: Iterable[str], ms: float) -> Prediction:
    """Keep what scoring and reading need of a run that took ``ms`` milliseconds."""
    if run.status in ("failed", "paused", "running"):
        return failure(system, question, run.note or "The run ended without an answer.")
    answered = run.status == "answered" and bool(run.answer.strip())
    return Prediction(
        **_given(system, question),
        answer=run.answer if answered else "",
        status="answered" if answered else "abstained",
        confidence=round(run.confidence, 4) if answered else 0.0,
        note=run.note,
        stopped=run.stopped,
        retrieved=tuple(dict.fromkeys(ranking)),
        hops=tuple(_summary(hop) for hop in run.hops),
        question_ms=round(ms, 3),
        retrieval_ms=round(sum(hop.retrieval_ms for hop in run.hops), 3),
        usage=_spent(run),
    )


def total_spent(predictions: Iterable[Prediction]) -> Spent:
    """Return what the language models cost in all."""
    return reduce(Spent.plus, (row.usage for row in predictions if row.usage is not None), Spent())


def _spent(run: Run) -> Spent | None:
    if not (run.usage.requests or run.usage.cached):
        return None
    return Spent(**run.usage.model_dump(exclude={"stages"}))


def failure(system: str, question: Question, error: str) -> Prediction:
    """Record that a system failed on a question, with the sentence that says why."""
    return Prediction(**_given(system, question), status="failed", error=error)


class PredictionLog:
    """``predictions.jsonl``: one line per system and question, written as soon as it is known.

    A process killed while writing leaves at most one broken last line, which `load` drops.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self) -> list[Prediction]:
        """Read the whole predictions and rewrite the file without what is broken."""
        kept = self.read()
        if self.path.exists():
            self.replace(kept)
        return kept

    def read(self) -> list[Prediction]:
        """Read the whole predictions and leave the file as it is."""
        lines = self.path.read_bytes().splitlines() if self.path.exists() else []
        return [row for row in map(_read, lines) if row is not None]

    def append(self, prediction: Prediction) -> None:
        """Write one prediction through to the disk."""
        with self.path.open("a", encoding="utf-8") as stream:
            stream.write(_line(prediction))
            stream.flush()
            os.fsync(stream.fileno())

    def replace(self, predictions: Iterable[Prediction]) -> None:
        """Put exactly these predictions into the file, all or nothing."""
        scratch = self.path.with_suffix(".jsonl.part")
        with scratch.open("w", encoding="utf-8") as stream:
            stream.writelines(map(_line, predictions))
        scratch.replace(self.path)


def _given(system: str, question: Question) -> dict[str, Any]:
    return {
        "system": system,
        "id": question.id,
        "question": question.question,
        "type": question.type,
        "gold": question.answers,
        "supporting": question.supporting,
    }


def _summary(hop: Hop) -> HopSummary:
    evidence = hop.evidence
    return HopSummary(
        number=hop.number,
        subquery=hop.subquery,
        cubes=hop.cubes,
        components=tuple(f"{part.cube}.{part.dimension} = {part.entity}" for part in hop.components),
        retrieved=tuple(dict.fromkeys(found.record_id for found in evidence)),
        fallback=hop.fallback,
        answer=hop.answer,
        answers=hop.answers,
        status=hop.status,
        confidence=round(hop.confidence, 4),
        sentence=hop.fact.sentence if hop.fact else "",
        retrieval_ms=round(hop.retrieval_ms, 3),
    )


def _line(prediction: Prediction) -> str:
    return json.dumps(prediction.model_dump(mode="json"), ensure_ascii=False) + "\n"


def _read(line: bytes) -> Prediction | None:
    try:
        return Prediction.model_validate_json(line)
    except (ValidationError, ValueError):
        return None
