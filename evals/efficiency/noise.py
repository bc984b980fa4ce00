"""What off-topic documents cost: scores of the same questions without and with them (Hypercube-RAG, Table 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ...agent.encoders import encoder_factory
from ...cubes.errors import UsageError
from ..datasets import Dataset, Question, load_dataset
from ..merging import merge_corpora
from ..metrics import best_over, f1, mean
from ..semantic import semantic_scores
from .asking import Sample
from .building import built
from .growing import measure_at
from .kept import Row
from .options import Crowd
from .session import Session

__all__ = ["measure", "noise_rows"]

_KIND = "noise"
_METRICS = ("semantic", "f1")


def measure(session: Session) -> None:
    """Ask every system the same questions over the corpus alone and among the other documents, and score the answers.

    How long that took are rows of growth. Raises UsageError where no crowd was given.
    """
    crowd = session.options.crowd
    if crowd is None:
        raise UsageError("There is nothing to crowd a data set with; give --crowd DATASET and --among OTHER.")
    whole = load_dataset(crowd.dataset)
    alone = whole.select(crowd.questions, shuffle=True, seed=session.options.seed)
    chosen = {question.id for question in alone.questions}
    first = next((one for one in whole.questions if one.id not in chosen), alone.questions[0])
    asked = Sample(first.question, tuple(one.question for one in alone.questions))
    for dataset, name in ((alone, alone.name), (_crowded(session, crowd, alone), f"{alone.name}-crowded")):
        more = (crowd.ontology, crowd.questions, crowd.size if dataset.merged else None)
        path, cost = built(session, dataset, name, ontology=crowd.ontology)
        for row in measure_at(session, dataset, path, cost, asked, "documents", *more):
            _scored(session, dataset, {**row, "documents": cost["documents"]}, *more)


def noise_rows(session: Session) -> Iterator[dict[str, Any]]:
    """Yield scores in percent, a row for each system, corpus and metric."""
    for row in session.kept.all(_KIND):
        about = {name: row[name] for name in ("dataset", "system", "sections", "documents", "questions", "failed")}
        for metric in _METRICS:
            yield {**about, "metric": metric, "score": row[metric]}


def _scored(session: Session, dataset: Dataset, row: Row, *more: object) -> None:
    name = f"{dataset.name} | {row['sections']} | {row['system']}"
    under = session.conditions.asking(dataset, session.options.seed, *more)
    if session.kept.get(_KIND, name, under) is None:
        about = {one: row[one] for one in ("dataset", "system", "sections", "documents", "failed")}
        found = _scores(session, row["answers"], dataset.questions)
        session.kept.put(_KIND, name, under, {**about, "questions": len(row["answers"]), **found})


def _scores(session: Session, answers: Sequence[str], questions: Sequence[Question]) -> dict[str, float | None]:
    """The semantic score and F1 of the answers, in percent; an answer that was not given scores 0."""
    asked = zip(answers, (question.answers for question in questions), strict=True)
    pairs = [(answer, golds) for answer, golds in asked if golds is not None]
    meant = semantic_scores(pairs, encoder_factory(session.options.encoder)().encode)
    words = [best_over(f1, answer, golds) if answer else 0.0 for answer, golds in pairs]
    means = {"semantic": mean(meant), "f1": mean(words)}
    return {metric: None if value is None else round(100 * value, 2) for metric, value in means.items()}


def _crowded(session: Session, crowd: Crowd, alone: Dataset) -> Dataset:
    """The same questions over a corpus with the others behind it, as many documents as were asked for."""
    corpus = session.options.work / f"{alone.name}-crowded.jsonl"
    merged = merge_corpora(alone, crowd.others, corpus)
    if len(merged.lines) < crowd.size:
        session.say(f"The data sets hold {len(merged.lines):,} documents together, fewer than {crowd.size:,}.")
    corpus.parent.mkdir(parents=True, exist_ok=True)
    corpus.write_text("\n".join(merged.lines[: crowd.size]) + "\n", encoding="utf-8")
    return replace(merged.dataset, name=alone.name)
