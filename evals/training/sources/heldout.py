"""Data sets of the questions that training left out: what the reader and its scorer are measured and fitted on.

The two-hop set is made of a source that no mixture uses. A row of it has the sentences of two articles behind one
another; they are cut where the second begins, and both become sections among those of two development sets.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ....cubes.documents.sections import sentences
from ..examples import Example, is_held_out, read_rows, write_rows
from ..mixture import of_source

__all__ = ["FAMILIES", "write_held_out", "write_two_hop"]

FAMILIES = {
    "web": ("nq-oracle", "qed", "retrieved-nq"),
    "encyclopedia": ("squad", "squad-unanswerable", "squadshifts-wiki"),
    "relations": ("redocred",),
}
"""Sources that belong to one data set: questions that mean something without their passage."""
_OF_FACTS = frozenset({"relations"})
"""Data sets with all of their questions: how sure facts are is fitted to them, and facts are not learnt."""
_SOUND = frozenset({"squad-unanswerable", "squadshifts-wiki"})
"""Sources whose questions without an answer have none in other passages either; asked too, as they are near misses."""

_TWO_HOP = "hotpot-train-halueval"
_AROUND = ("hotpotqa", "musique")
"""Development sets whose sections stand around the questions' own."""
_GOING_ON = re.compile(
    r"(?:He|She|It|They|His|Her|Its|Their|This|These|In|On|At|Prior|After|Although|As|During)\b"
)
"""A sentence that goes on with what the one before speaks of."""
_SUBJECT = re.compile(r" \(| is | was | are | were |, | has | had ")
_LONGEST = 7  # words of a title
_FEW = 4  # sentences of a row, of which the second article begins as early as it may

Row = dict[str, Any]


def write_held_out(name: str, reading: Path, data: Path, target: Path, *, most: int, seed: int = 20) -> None:
    """Write ``target/NAME`` as a data set: all passages of a family's sources, and its questions left out."""
    examples = [e for source in FAMILIES[name] for e in _of(source, reading, data)]
    ids = {text: f"d{n:05}" for n, text in enumerate(dict.fromkeys(e.text for e in examples))}
    titles = {e.text: e.title for e in examples}
    whole = name in _OF_FACTS
    asked = [e for e in examples if (whole or is_held_out(e.question)) and (e.answerable or e.origin in _SOUND)]
    random.Random(seed).shuffle(asked)
    folder = target / name
    write_rows(folder / "corpus.jsonl", ({"id": id, "title": titles[text], "text": text} for text, id in ids.items()))
    write_rows(folder / "questions.jsonl", _questions(asked if whole else asked[:most], ids))


def write_two_hop(reading: Path, data: Path, folder: Path) -> None:
    """Write the two-hop questions of a source that no mixture uses as a data set."""
    sections, questions = _two_hop(reading, data)
    write_rows(folder / "corpus.jsonl", sections)
    write_rows(folder / "questions.jsonl", questions)


def _questions(asked: Sequence[Example], ids: dict[str, str]) -> Iterable[dict[str, object]]:
    for number, e in enumerate(asked):
        yield {
            "id": f"q{number:04}", "question": e.question, "answers": list(e.answers), "type": e.origin,
            "supporting": [ids[e.text]] if e.answerable else [],
        }  # fmt: skip


def _of(source: str, reading: Path, data: Path) -> Iterable[Example]:
    return of_source(source, reading, data)


def _two_hop(reading: Path, data: Path) -> tuple[list[Row], list[Row]]:
    """Return sections and questions; rows that cannot be cut are left out. Raises InputError for a missing file."""
    sections: list[Row] = []
    questions: list[Row] = []
    for row in read_rows(reading / f"{_TWO_HOP}.jsonl.gz"):
        halves = _halves(row["passage"])
        ids = [f"h{len(sections) + n:05}" for n in range(len(halves))]
        sections += [{"id": i, "title": _title(half), "text": half} for i, half in zip(ids, halves, strict=True)]
        if halves:
            asked = {"id": row["id"], "question": row["question"], "answers": row["answers"]}
            questions.append({**asked, "type": _TWO_HOP, "supporting": ids})
    return [*sections, *_around(data)], questions


def _around(data: Path) -> Iterator[Row]:
    for name in _AROUND:
        for row in read_rows(data / name / "corpus.jsonl"):
            yield {"id": f"{name}{row['id']}", "title": row["title"], "text": row["text"]}


def _halves(passage: str) -> list[str]:
    """The two articles of a row; nothing where one of them does not begin with its name."""
    said = [passage[s.start : s.end].strip() for s in sentences(passage)]
    begins = [n for n, sentence in enumerate(said) if not _GOING_ON.match(sentence) and _title(sentence)]
    cuts = [n for n in begins if n]
    if not begins or begins[0] != 0 or not cuts:
        return []
    cut = cuts[0] if len(said) < _FEW else min(cuts, key=lambda n: abs(n - len(said) / 2))
    return [" ".join(said[:cut]), " ".join(said[cut:])]


def _title(text: str) -> str:
    """What a text begins with as its name; "" where that is too long for one."""
    name = _SUBJECT.split(text, maxsplit=1)[0].strip(' "')
    return re.sub(r"^(?:The|A|An) (?=[a-z])", "", name) if len(name.split()) <= _LONGEST else ""
