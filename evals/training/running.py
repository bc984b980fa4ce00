"""One training in one folder: what it reads and how it trains stay the same, however often it is killed."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ...cubes.core.errors import InputError
from ..support import write_whole
from .examples import Example, read_rows, write_rows
from .export import export
from .mixture import Pair, mixed
from .network import load_model
from .train import Schedule, train

__all__ = ["Training", "exported", "run"]


@dataclass(frozen=True, slots=True)
class Training:
    """What a reader learns from, and how; ``start`` is the reader it goes on from (None: the packaged MiniLM),
    ``teacher`` one that it learns to agree with, too, ``own`` the folder of the sources that the project makes (None:
    without them)."""

    reading: Path
    data: Path
    share: float = 1.0
    start: Path | None = None
    teacher: Path | None = None
    own: Path | None = None
    schedule: Schedule = field(default_factory=Schedule)


def run(training: Training, work: Path, *, report: Callable[[str], None] = print) -> Path:
    """Train and export ``work/reader.onnx``; goes on where an earlier run of the same training was killed.

    Raises InputError where the data are missing, or where the folder holds another training.
    """
    work.mkdir(parents=True, exist_ok=True)
    model = load_model(training.start)
    _claim(work / "training.json", training)
    weights = work / "reader.pt"
    if weights.is_file() and not weights.with_suffix(".checkpoint").is_file():
        report(f"{weights} is trained already; delete {work} to train it anew.")
    else:
        teacher = None if training.teacher is None else load_model(training.teacher)
        pairs = _pairs(work / "mixture.jsonl.gz", training, report)
        train(model, pairs, training.schedule, weights, teacher=teacher, report=report)
    return exported(weights, work / "reader.onnx", report=report)


def exported(weights: Path, target: Path, *, report: Callable[[str], None] = print) -> Path:
    """Export weights and tell the file's size and fingerprint."""
    export(load_model(weights), target)
    report(f"{target}  {target.stat().st_size:,} bytes  sha256 {_digest(target)}")
    return target


def _claim(path: Path, training: Training) -> None:
    """Keep which training the folder is of, or see that it is the same: a checkpoint is of no use to another."""
    others = {"start": training.start, "teacher": training.teacher}
    digests = {name: None if path is None else _digest(path) for name, path in others.items()}
    wanted = {**asdict(training.schedule), "share": training.share, **digests}
    if not path.is_file():
        write_whole(path, json.dumps(wanted, indent=2) + "\n")
        return
    held = json.loads(path.read_text(encoding="utf-8"))
    if other := [name for name in wanted if held.get(name) != wanted[name]]:
        raise InputError(f"{path.parent} holds a training with another {other[0]}; name another folder with --work.")


def _pairs(path: Path, training: Training, report: Callable[[str], None]) -> list[Pair]:
    """Return what is trained on: written once, so that a run that goes on reads the same."""
    if not path.is_file():
        made = mixed(
            training.reading, training.data, seed=training.schedule.seed, share=training.share, own=training.own
        )
        write_rows(path, ({"pair": [asdict(example) for example in pair]} for pair in made))
    pairs = [tuple(_example(row) for row in pair["pair"]) for pair in read_rows(path)]
    counts = Counter(pair[0].origin for pair in pairs)
    report(f"{len(pairs)} questions: " + ", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    return pairs


def _example(row: Mapping[str, Any]) -> Example:
    return Example(**{**row, "answers": tuple(row["answers"])})


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
