"""A larger corpus to search: the data set's own with those of other data sets merged into it.

What stands in several of them under the same title is one document. The data set's own record is the one that stays,
so the gold ids of its questions stay valid; another's id is credited through it.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...cubes.core.errors import UsageError
from ...cubes.core.folding import fold
from .dataset import Dataset, Question, corpus_records, required_file, resolve_folder

__all__ = ["Merged", "merge_corpora"]


@dataclass(frozen=True, slots=True)
class Merged:
    """The data set over the merged corpus, and the lines of that corpus; ``twins`` maps ids to the one that stays."""

    dataset: Dataset
    lines: tuple[str, ...]
    twins: Mapping[str, str]


def merge_corpora(dataset: Dataset, others: Sequence[str | Path], target: Path) -> Merged:
    """Merge the corpora of other data set folders into that of ``dataset``; it is to be written to ``target``.

    Another corpus's ids get its name before them, since data sets number alike. Raises UsageError for a folder that
    is not there or is named twice.
    """
    standing: dict[tuple[str, str], str] = {}
    twins: dict[str, str] = {}
    kept: list[dict[str, Any]] = []
    folders = _distinct(dataset, [resolve_folder(other) for other in others])
    for record in _all_records(dataset, folders):
        first = standing.setdefault(_content(record), record["id"])
        if first == record["id"]:
            kept.append(record)
        else:
            twins[record["id"]] = first
    lines = tuple(json.dumps(record, ensure_ascii=False, sort_keys=True) for record in kept)
    merged = replace(
        dataset,
        name="+".join((dataset.name, *(name for name, _ in folders))),
        questions=tuple(_credited(question, twins) for question in dataset.questions),
        corpus_ids=frozenset((*standing.values(), *twins)),
        corpus_digest=hashlib.blake2b("\n".join(lines).encode(), digest_size=16).hexdigest(),
        titles=frozenset(fold(str(record.get("title", ""))) for record in kept),
        merged=target,
    )
    return Merged(merged, lines, twins)


def _distinct(dataset: Dataset, folders: Sequence[Path]) -> list[tuple[str, Path]]:
    """Name the folders, refusing one that is there already; the names tell their ids apart."""
    names = [dataset.folder.resolve().name, *(folder.resolve().name for folder in folders)]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"The corpus of {twice} is in already; name each data set once.")
    return list(zip(names[1:], folders, strict=True))


def _all_records(dataset: Dataset, folders: Sequence[tuple[str, Path]]) -> Iterator[dict[str, Any]]:
    yield from corpus_records(dataset.corpus)
    for name, folder in folders:
        corpus = required_file(folder, "corpus.jsonl")
        for record in corpus_records(corpus):
            yield {**record, "id": f"{name}:{record['id']}"}


def _content(record: Mapping[str, Any]) -> tuple[str, str]:
    """What makes two records one: title and text, however they are spaced."""
    return _plain(record.get("title")), _plain(record.get("text"))


def _plain(value: object) -> str:
    return " ".join(unicodedata.normalize("NFC", str(value or "")).split())


def _credited(question: Question, twins: Mapping[str, str]) -> Question:
    gold = tuple(dict.fromkeys(twins.get(one, one) for one in question.supporting))
    return question if gold == question.supporting else question.model_copy(update={"supporting": gold})
