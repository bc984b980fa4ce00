"""Data sets of the questions that training left out: what the reader and its scorer are measured and fitted on."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from pathlib import Path

from .examples import Example, is_held_out
from .mixture import of_source
from .twohop import two_hop

__all__ = ["FAMILIES", "write_held_out", "write_two_hop"]

FAMILIES = {
    "web": ("nq-oracle", "qed", "retrieved-nq"),
    "encyclopedia": ("squad", "squad-unanswerable", "squadshifts-wiki"),
}
"""Sources that belong to one data set: questions that mean something without their passage."""
_SOUND = frozenset({"squad-unanswerable", "squadshifts-wiki"})
"""Sources whose questions without an answer have none in other passages either; asked too, as they are near misses."""


def write_held_out(name: str, reading: Path, data: Path, target: Path, *, most: int, seed: int = 20) -> None:
    """Write ``target/NAME`` as a data set: all passages of a family's sources, and its questions left out."""
    examples = [e for source in FAMILIES[name] for e in _of(source, reading, data)]
    ids = {text: f"d{n:05}" for n, text in enumerate(dict.fromkeys(e.text for e in examples))}
    titles = {e.text: e.title for e in examples}
    asked = [e for e in examples if is_held_out(e.question) and (e.answerable or e.origin in _SOUND)]
    random.Random(seed).shuffle(asked)
    folder = target / name
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "corpus.jsonl", ({"id": id, "title": titles[text], "text": text} for text, id in ids.items()))
    _write(folder / "questions.jsonl", _questions(asked[:most], ids))


def write_two_hop(reading: Path, data: Path, folder: Path) -> None:
    """Write the two-hop questions of a source that no mixture uses as a data set (see `twohop`)."""
    sections, questions = two_hop(reading, data)
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "corpus.jsonl", sections)
    _write(folder / "questions.jsonl", questions)


def _questions(asked: Sequence[Example], ids: dict[str, str]) -> Iterable[dict[str, object]]:
    for number, e in enumerate(asked):
        yield {
            "id": f"q{number:04}", "question": e.question, "answers": list(e.answers), "type": e.origin,
            "supporting": [ids[e.text]] if e.answerable else [],
        }  # fmt: skip


def _of(source: str, reading: Path, data: Path) -> Iterable[Example]:
    return of_source(source, reading, data)


def _write(path: Path, rows: Iterable[dict[str, object]]) -> None:
    with path.open("w", encoding="utf-8") as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
