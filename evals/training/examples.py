"""Examples for the span reader: a question, one section, and the answer's place in it or none."""

from __future__ import annotations

import gzip
import json
import random
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...cubes.core.errors import InputError
from ...cubes.core.folding import fold
from ...cubes.core.lexical import Bm25Index, tokens, top

__all__ = [
    "Example",
    "Passage",
    "hard_negatives",
    "is_drawn",
    "is_held_out",
    "locate",
    "read_corpus",
    "read_rows",
    "reading_examples",
    "reading_row",
    "squad_examples",
    "write_rows",
]

_HELD_OUT = 25  # one question in so many is kept for measuring


@dataclass(frozen=True, slots=True)
class Passage:
    """One record of a corpus."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Example:
    """What the reader learns from: ``text[start:end]`` answers the question; ``start == end`` says that nothing does.

    ``origin`` names the source. ``answers`` are all the answers that count as right.
    """

    question: str
    title: str
    text: str
    start: int = 0
    end: int = 0
    origin: str = ""
    answers: tuple[str, ...] = ()

    @property
    def answerable(self) -> bool:
        """Whether the section holds an answer."""
        return self.end > self.start


def is_drawn(question: str, one_in: int) -> bool:
    """Whether a question is one of so many; decided by its words alone."""
    return zlib.crc32(fold(question).encode("utf-8")) % one_in == 0


def is_held_out(question: str) -> bool:
    """Whether a question is kept out of training, to measure with."""
    return is_drawn(question, _HELD_OUT)


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of a JSONL file, packed by gzip or not; raises InputError where it is missing."""
    if not path.is_file():
        raise InputError(f"{path} is missing; name the folders of the training data with --reading and --data.")
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write records as a JSONL file all or nothing, packed by gzip where it is called so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    packed = path.suffix == ".gz"
    with gzip.open(part, "wt", 5, encoding="utf-8") if packed else part.open("w", encoding="utf-8") as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    part.replace(path)


def read_corpus(folder: Path) -> dict[str, Passage]:
    """Return a data set's passages by id."""
    rows = read_rows(folder / "corpus.jsonl")
    return {row["id"]: Passage(row["id"], row["title"], row["text"]) for row in rows}


def reading_examples(folder: Path, source: str) -> list[Example]:
    """Return the examples of one source (``SOURCE.jsonl.gz``); raises InputError where the file is missing."""
    return [_example(row) for row in read_rows(folder / f"{source}.jsonl.gz")]


def reading_row(
    id: str, question: str, passage: Passage, answer: str, start: int, kind: str, source: str
) -> dict[str, Any]:
    """Return an example as a record of a source's file; no ``answer`` where the passage has none."""
    return {
        "id": id, "question": question, "title": passage.title, "passage": passage.text,
        "answers": [answer] if answer else [], "start": start, "kind": kind, "source": source,
    }  # fmt: skip


def _example(row: Mapping[str, Any]) -> Example:
    answers, start = tuple(row["answers"]), int(row["start"])
    end = start + len(answers[0]) if answers and start >= 0 else 0
    return Example(row["question"], row["title"], row["passage"], max(start, 0), end, row["source"], answers)


def locate(question: str, text: str, answers: Sequence[str]) -> tuple[int, int] | None:
    """Find an answer's place: of several, the one whose surroundings share most words with the question."""
    asked = set(tokens(question))
    best: tuple[float, int, int] | None = None
    lowered = text.lower()
    for answer in answers:
        wanted = answer.lower()
        at = lowered.find(wanted) if len(lowered) == len(text) and wanted else -1
        while at >= 0:
            end = at + len(wanted)
            whole = not (at and text[at - 1].isalnum()) and not (end < len(text) and text[end].isalnum())
            around = set(tokens(text[max(0, at - 120) : end + 120]))
            score = len(asked & around) + (2.0 if whole else 0.0) - at / 10_000
            if whole and (best is None or score > best[0]):
                best = (score, at, end)
            at = lowered.find(wanted, at + 1)
    return best[1:] if best else None


def squad_examples(folder: Path) -> Iterator[Example]:
    """SQuAD's development questions over their own sections; unanswerable ones have no span."""
    corpus = read_corpus(folder)
    for row in read_rows(folder / "questions.jsonl"):
        passage = corpus[row["supporting"][0]]
        if not row["answers"]:
            yield Example(row["question"], passage.title, passage.text, origin="squad-unanswerable")
            continue
        shortest = sorted(row["answers"], key=len)
        middle = shortest[len(shortest) // 2]
        place = locate(row["question"], passage.text, [middle]) or locate(
            row["question"], passage.text, row["answers"]
        )
        if place:
            answers = tuple(row["answers"])
            yield Example(row["question"], passage.title, passage.text, *place, "squad", answers)


def hard_negatives(
    examples: Iterable[Example], passages: Sequence[Passage], *, seed: int, most: int = 1, reach: int = 8
) -> Iterator[tuple[Example, ...]]:
    """Put beside each question up to ``most`` sections that BM25 finds for it and that do not hold the answer."""
    rng = random.Random(seed)
    index = Bm25Index(tokens(f"{p.title} {p.text}") for p in passages)
    for example in examples:
        answers = [fold(answer) for answer in example.answers]
        near = [passages[int(at)] for at in top([index.scores(tokens(example.question))], reach)]
        lacking = [p for p in near if not any(a in fold(f"{p.title} {p.text}") for a in answers)]
        chosen: list[Passage] = []
        while lacking and len(chosen) < most:
            # Mostly the nearest: a section further down teaches less.
            chosen.append(lacking.pop(min(int(rng.expovariate(0.7)), len(lacking) - 1)))
        if chosen:
            missing = (Example(example.question, p.title, p.text, origin=f"{example.origin}-none") for p in chosen)
            yield example, *missing
