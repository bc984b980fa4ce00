"""Figures out of fold: every development question is asked with the reader that was tuned without it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...agent.embedded.options import EngineOptions
from ...agent.embedded.span import SpanReader
from ...agent.facade import MultiCube
from ..folds import reader_file
from ..metrics import best_over, bootstrap_interval, exact_match, f1, mean, recall_at
from .examples import asked, read_corpus, read_rows

__all__ = ["Score", "ask_all", "read_all", "table"]


@dataclass(frozen=True, slots=True)
class Score:
    """One question's scores; ``fold`` says which reader answered (None: of a set that none was tuned on)."""

    id: str
    fold: int | None
    answer: str
    em: float
    f1: float
    recall: float | None = None


def read_all(folder: Path, work: Path, folds: Mapping[str, int]) -> list[Score]:
    """Ask the one-hop questions of a data set of their gold sections: what the reader can do when all else is right."""
    corpus = read_corpus(folder)
    scores = []
    for fold, rows in _by_fold(folder, folds):
        reader = SpanReader(reader_file(work, fold))
        for row in rows:
            for question, answers, supporting in asked(row):
                sections = [(corpus[s].title, corpus[s].text) for s in supporting]
                found = reader.read(question, sections)
                scores.append(_score(row["id"], fold, found[0].text if found else "", answers))
    return scores


def ask_all(folder: Path, work: Path, folds: Mapping[str, int], predictions: Path) -> list[Score]:
    """Ask a data set's questions whole, of a knowledge base built in the work folder, and write what was answered."""
    kb = work / f"kb-{folder.name}"
    MultiCube.build([folder / "corpus.jsonl"], kb).close()
    scores = []
    with predictions.open("w", encoding="utf-8") as out:
        for fold, rows in _by_fold(folder, folds):
            options = EngineOptions(reader_file=str(reader_file(work, fold)))
            with MultiCube.open(kb, engine_options=options) as engine:
                for row in rows:
                    score, line = _asked_whole(engine, row, fold)
                    scores.append(score)
                    out.write(json.dumps(line, ensure_ascii=False) + "\n")
    return scores


def table(scores: Mapping[str, Sequence[Score]]) -> str:
    """Write scores as a Markdown table: percentages with their 95 % bootstrap intervals."""
    lines = ["| data | questions | EM | F1 | recall@5 |", "| --- | --- | --- | --- | --- |"]
    for name, rows in scores.items():
        cells = [_cell([r.em for r in rows]), _cell([r.f1 for r in rows]), _cell([r.recall for r in rows])]
        lines.append(f"| {name} | {len(rows)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _by_fold(folder: Path, folds: Mapping[str, int]) -> Iterator[tuple[int | None, list[dict[str, Any]]]]:
    """The questions of each fold; of a set that no reader was tuned on, all of them with the reader that is shipped."""
    groups: dict[int | None, list[dict[str, Any]]] = defaultdict(list)
    rows = list(read_rows(folder / "questions.jsonl"))
    tuned = any(row["id"] in folds for row in rows)
    for row in rows:
        # A question without an example (yes or no) was never learnt from: any fold's reader has not seen it.
        groups[folds.get(row["id"], 0) if tuned else None].append(row)
    return iter(sorted(groups.items(), key=lambda pair: pair[0] or 0))


def _asked_whole(engine: MultiCube, row: dict[str, Any], fold: int | None) -> tuple[Score, dict[str, Any]]:
    run = engine.ask(row["question"], save=False)
    recall = recall_at(run.retrieved, row.get("supporting", ()), 5)
    score = _score(row["id"], fold, run.answer, row["answers"], recall)
    line = {
        "id": row["id"], "question": row["question"], "gold": row["answers"], "fold": fold, "answer": run.answer,
        "confidence": run.confidence, "em": score.em, "f1": score.f1, "recall@5": recall, "retrieved": run.retrieved,
        "hops": [{"subquery": hop.subquery, "answers": hop.answers} for hop in run.hops],
    }  # fmt: skip
    return score, line


def _score(question: str, fold: int | None, answer: str, golds: Sequence[str], recall: float | None = None) -> Score:
    em, words = best_over(exact_match, answer, golds), best_over(f1, answer, golds)
    return Score(question, fold, answer, em, words, recall)


def _cell(values: Sequence[float | None]) -> str:
    average, interval = mean(values), bootstrap_interval(values)
    if average is None or interval is None:
        return "–"
    return f"{100 * average:.1f} [{100 * interval[0]:.1f}, {100 * interval[1]:.1f}]"
