"""What off-topic documents cost: scores of the same questions without and with them (Hypercube-RAG, Table 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ....agent.engines.encoders.factory import encoder_factory
from ....cubes.core.errors import UsageError
from ...datasets.dataset import Dataset, Question
from ...datasets.load import load_dataset
from ...datasets.merge import merge_corpora
from ...metrics.basic import best_over, bootstrap_interval, f1, mean
from ...metrics.similarity import semantic_scores
from .asking import Sample
from .building import built
from .growing import measure_at
from .kept import Row
from .options import Crowd, Session

__all__ = ["measure", "noise_rows"]

_KIND = "noise"
_METRICS = ("semantic", "f1")
_NONE = {"lost": None, "lost_ci95": None}


def measure(session: Session) -> None:
    """Ask every system the same questions over the corpus alone and among the other documents, and score the answers.

    Questions without an answer cannot be scored so, and are left out. How long it took are rows of growth. Raises
    UsageError where no crowd was given, or none of its questions has an answer.
    """
    crowd = session.options.crowd
    if crowd is None:
        raise UsageError("There is nothing to crowd a data set with; give --crowd DATASET and --among OTHER.")
    read = load_dataset(crowd.dataset)
    whole = replace(read, questions=tuple(question for question in read.questions if question.answerable))
    if not whole.questions:
        raise UsageError(f"No question of {read.name} has an answer to score with; give another --crowd.")
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
    """Yield scores in percent, a row for each system, corpus and metric.

    ``lost`` are the points lost against the smallest corpus, with ``lost_ci95``, the bootstrap interval of the
    differences question by question; None for that corpus itself.
    """
    rows = session.kept.all(_KIND)
    for row in rows:
        about = {name: row[name] for name in ("dataset", "system", "sections", "documents", "failed")}
        alike = [one for one in rows if all(one[name] == row[name] for name in ("dataset", "system", "asked"))]
        first = min(alike, key=lambda one: int(one["documents"]))
        for metric in _METRICS:
            scores = row[metric]
            told = {**about, "questions": len(scores), "metric": metric, "score": _rounded(mean(scores))}
            yield {**told, **(_lost(first[metric], scores, session.options.seed) if first is not row else _NONE)}


def _scored(session: Session, dataset: Dataset, row: Row, *more: object) -> None:
    name = f"{dataset.name} | {row['sections']} | {row['system']}"
    under = session.conditions.asking(dataset, session.options.seed, *more)
    if session.kept.get(_KIND, name, under) is None:
        about = {one: row[one] for one in ("dataset", "system", "sections", "documents", "failed")}
        asked = [question.id for question in dataset.questions]
        found = _scores(session, row["answers"], dataset.questions)
        session.kept.put(_KIND, name, under, {**about, "asked": asked, **found})


def _scores(session: Session, answers: Sequence[str], questions: Sequence[Question]) -> dict[str, list[float]]:
    """The semantic score and F1 of each answer, in percent; a question without an answer scores 0."""
    pairs = list(zip(answers, (question.answers or () for question in questions), strict=True))
    meant = semantic_scores(pairs, encoder_factory(session.options.encoder)().encode)
    words = [best_over(f1, answer, golds) if answer else 0.0 for answer, golds in pairs]
    found = {"semantic": meant, "f1": words}
    return {metric: [round(100 * value, 3) for value in found[metric]] for metric in _METRICS}


def _lost(before: Sequence[float], after: Sequence[float], seed: int) -> dict[str, Any]:
    lost = [one - other for one, other in zip(before, after, strict=True)]
    interval = bootstrap_interval(lost, seed=seed)
    return {"lost": _rounded(mean(lost)), "lost_ci95": interval and [round(bound, 2) for bound in interval]}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _crowded(session: Session, crowd: Crowd, alone: Dataset) -> Dataset:
    """The same questions over a corpus with the others behind it, as many documents as were asked for."""
    corpus = session.options.work / f"{alone.name}-crowded.jsonl"
    merged = merge_corpora(alone, crowd.others, corpus)
    if len(merged.lines) < crowd.size:
        session.say(f"The data sets hold {len(merged.lines):,} documents together, fewer than {crowd.size:,}.")
    corpus.parent.mkdir(parents=True, exist_ok=True)
    corpus.write_text("\n".join(merged.lines[: crowd.size]) + "\n", encoding="utf-8")
    return replace(merged.dataset, name=alone.name)
