"""Reading examples from questions of our own about passages of the data sets (`written.jsonl`).

A model wrote them, from the passages, before the reader was asked any. The file names the passages; the data have
their texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..examples import Passage, locate, read_corpus, read_rows, reading_row, write_rows
from ..mixture import WRITTEN

__all__ = ["write_written"]

_FILE = Path(__file__).with_name("written.jsonl")


def write_written(data: Path, folder: Path, file: Path = _FILE) -> int:
    """Write ``folder/written.jsonl.gz`` in the layout of the reading data, and return how many rows it has.

    ``data`` is the folder of the data sets. Raises InputError where one of them is missing.
    """
    rows = list(_rows(data, file))
    write_rows(folder / f"{WRITTEN}.jsonl.gz", rows)
    return len(rows)


def _rows(data: Path, file: Path) -> Iterator[dict[str, Any]]:
    corpora: dict[str, dict[str, Passage]] = {}
    for number, row in enumerate(read_rows(file)):
        name, answer = row["dataset"], row["answer"]
        if name not in corpora:
            corpora[name] = read_corpus(data / name)
        passage = corpora[name][row["passage"]]
        start = _start(row, passage.text)
        if start >= 0 or not answer:
            id = f"{WRITTEN}-{number:04}"
            yield reading_row(id, row["question"], passage, answer, start, "one hop", WRITTEN)


def _start(row: dict[str, Any], text: str) -> int:
    """Where the answer begins: in its ``context`` where its words stand in several places; -1 where there is none."""
    answer, around = row["answer"], row.get("context", "")
    if not answer:
        return -1
    if around:
        return text.find(around) + around.find(answer) if around in text else -1
    place = locate(row["question"], text, [answer])
    return place[0] if place is not None else -1
