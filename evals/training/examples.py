"""Examples for the span reader: a question, one section, and the answer's place in it or none."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...cubes.folding import fold
from ...cubes.lexical import Bm25Index, tokens, top

__all__ = [
    "Example",
    "Passage",
    "asked",
    "dev_examples",
    "hard_negatives",
    "locate",
    "read_corpus",
    "read_rows",
    "squad_examples",
]


@dataclass(frozen=True, slots=True)
class Passage:
    """One record of a corpus."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Example:
    """What the reader learns from: ``text[start:end]`` answers the question; ``start == end`` says that nothing does.

    ``group`` names the question of a development set that the example comes from, so that folds never share one.
    """

    question: str
    title: str
    text: str
    start: int = 0
    end: int = 0
    group: str = ""
    origin: str = ""

    @property
    def answerable(self) -> bool:
        """Whether the section holds an answer."""
        return self.end > self.start


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of a JSONL file."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def read_corpus(folder: Path) -> dict[str, Passage]:
    """Return a data set's passages by id."""
    rows = read_rows(folder / "corpus.jsonl")
    return {row["id"]: Passage(row["id"], row["title"], row["text"]) for row in rows}


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
        place = locate(row["question"], passage.text, [shortest[len(shortest) // 2]]) or locate(
            row["question"], passage.text, row["answers"]
        )
        if place:
            yield Example(row["question"], passage.title, passage.text, *place, origin="squad")


def dev_examples(folder: Path) -> Iterator[Example]:
    """Gold sections of a development set: its one-hop sub-questions where it has them, else its questions."""
    corpus = read_corpus(folder)
    for row in read_rows(folder / "questions.jsonl"):
        for question, answers, supporting in asked(row):
            for section in supporting:
                passage = corpus[section]
                place = locate(question, passage.text, answers)
                if place:
                    yield Example(question, passage.title, passage.text, *place, row["id"], "dev")
                elif "decomposition" not in row:
                    yield Example(question, passage.title, passage.text, group=row["id"], origin="dev")


def asked(row: dict[str, Any]) -> Iterator[tuple[str, Sequence[str], Sequence[str]]]:
    """Yield the one-hop questions of a record with their answers and gold sections; the whole one where it has none."""
    steps = row.get("decomposition")
    if not steps:
        if fold(row["answers"][0]) not in ("yes", "no"):
            yield row["question"], row["answers"], row["supporting"]
        return
    found = [step["answer"] for step in steps]
    for step in steps:
        question = step["question"]
        for number, answer in enumerate(found, start=1):
            question = question.replace(f"#{number}", answer)
        if " >> " in question:
            subject, relation = question.split(" >> ", 1)
            question = f"What is the {relation} of {subject}?"
        yield question, [step["answer"]], [step["supporting"]]


def hard_negatives(
    examples: Iterable[Example], passages: Sequence[Passage], count: int, seed: int, reach: int = 5
) -> Iterator[Example]:
    """Pair questions with sections that BM25 finds for them and that do not hold the answer."""
    chosen = [e for e in examples if e.answerable]
    random.Random(seed).shuffle(chosen)
    index = Bm25Index(tokens(f"{p.title} {p.text}") for p in passages)
    for example in chosen[:count]:
        answer = fold(example.text[example.start : example.end])
        for at in top([index.scores(tokens(example.question))], reach):
            passage = passages[int(at)]
            if answer not in fold(f"{passage.title} {passage.text}"):
                yield Example(
                    example.question, passage.title, passage.text, group=example.group, origin=example.origin + "-none"
                )
                break
