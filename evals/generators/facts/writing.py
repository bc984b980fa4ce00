"""The files of a planted-fact corpus: corpus.jsonl, questions.jsonl, and who is in which group."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random

from .asking import Question, questions
from .people import KINDS, plant
from .prose import passage

__all__ = ["read_questions", "write_facts", "write_questions"]


def write_facts(folder: Path, seed: int) -> int:
    """Write a corpus and its questions, the same for the same seed; returns how many passages there are.

    ``groups.json`` says who is in which group (kind, value, names), for a ceiling; nothing of the product reads it.
    """
    planted, rng = plant(seed), Random(seed + 1)
    told = [(person, kind) for person in planted.people for kind in person.groups]
    rng.shuffle(told)
    records = {(person.name, kind): f"p{number:04d}" for number, (person, kind) in enumerate(told, 1)}
    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        {"id": records[person.name, kind], "title": person.name, "text": passage(person, kind, rng)}
        for person, kind in told
    ]
    _write(folder / "corpus.jsonl", lines)
    write_questions(folder, questions(planted, records))
    groups: dict[str, dict[str, list[str]]] = {kind: {} for kind in KINDS}
    for person, kind in told:
        groups[kind].setdefault(person.groups[kind], []).append(person.name)
    (folder / "groups.json").write_text(json.dumps(groups, indent=1) + "\n", encoding="utf-8")
    return len(lines)


def write_questions(folder: Path, asked: Iterable[Question]) -> int:
    """Write the questions of a corpus; returns how many there are."""
    rows = [question.model_dump() for question in asked]
    _write(folder / "questions.jsonl", rows)
    return len(rows)


def read_questions(folder: Path) -> list[Question]:
    """Read the questions of a corpus back."""
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [Question.model_validate_json(line) for line in lines]


def _write(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
