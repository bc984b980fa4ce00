"""Writing the benchmark: a corpus and a hundred questions with several intents, in the layout of every data set."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ....cubes.core.errors import UsageError
from .worlds import DOMAINS, FAR, World

__all__ = ["QUESTIONS", "generate"]

QUESTIONS = 100
_FILES = ("corpus.jsonl", "questions.jsonl", "seed.txt")


def generate(folder: Path, *, seed: int = 0, questions: int = QUESTIONS, far: float = FAR) -> list[Path]:
    """Write ``corpus.jsonl`` and ``questions.jsonl`` into a folder; a seed and a share ``far`` give the same bytes.

    Each question has its topic to itself, so fewer questions make a smaller corpus. Raises UsageError for a number
    that cannot be made, or a folder that holds another data set.
    """
    if questions < len(DOMAINS) * 2:
        raise UsageError(f"--questions {questions} cannot be made; give a number of {len(DOMAINS) * 2} or more.")
    if not 0 <= far <= 1:
        raise UsageError(f"--far {far} is no share; give a number from 0 to 1.")
    paths = [folder / name for name in _FILES]
    if paths[0].exists() and not paths[2].exists():
        raise UsageError(f"{paths[0]} was not generated; give another folder.")
    world = World(seed, far)
    topics = [world.topic(DOMAINS[n % len(DOMAINS)]) for n in range(questions)]
    world.fail(topics)
    folder.mkdir(parents=True, exist_ok=True)
    _write(paths[0], (asdict(passage) for passage in world.shuffled()))
    _write(paths[1], (world.question(topic, n // len(DOMAINS)) for n, topic in enumerate(topics)))
    paths[2].write_text(f"{seed} {far}\n", encoding="utf-8")
    return paths


def _write(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
