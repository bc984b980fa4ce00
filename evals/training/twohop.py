"""Two-hop questions out of a reading source that no mixture uses: a data set to fit and measure runs of several hops.

A row of the source has the sentences of two articles behind one another. They are cut where the second article begins,
and both become sections among those of two development sets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...cubes.documents.sections import sentences
from .examples import read_rows

__all__ = ["two_hop"]

_SOURCE = "hotpot-train-halueval"
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


def two_hop(reading: Path, data: Path) -> tuple[list[Row], list[Row]]:
    """Return sections and questions; rows that cannot be cut are left out. Raises InputError for a missing file."""
    sections: list[Row] = []
    questions: list[Row] = []
    for row in read_rows(reading / f"{_SOURCE}.jsonl.gz"):
        halves = _halves(row["passage"])
        ids = [f"h{len(sections) + n:05}" for n in range(len(halves))]
        sections += [{"id": i, "title": _title(half), "text": half} for i, half in zip(ids, halves, strict=True)]
        if halves:
            asked = {"id": row["id"], "question": row["question"], "answers": row["answers"]}
            questions.append({**asked, "type": _SOURCE, "supporting": ids})
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
