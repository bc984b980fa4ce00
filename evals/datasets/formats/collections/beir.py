"""BEIR (Thakur et al. 2021): ``corpus.jsonl``, ``queries.jsonl`` and relevance judgements in ``qrels/*.tsv``.

The answers are not known: only what is retrieved can be scored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..reading import first_item, items, table
from ..sink import BrokenRecordError, Sink

__all__ = ["files_of", "fits", "read"]

_HEADER = 3


def fits(path: Path, _: Any) -> bool:
    """Whether a file has judgements, with corpus and queries beside its folder."""
    if path.suffix != ".tsv" or path.parent.name != "qrels":
        return False
    rows = [first_item(file) for file in files_of(path)]
    return len(rows) == 2 and all(isinstance(row, Mapping) and "_id" in row for row in rows)


def files_of(path: Path) -> tuple[Path, ...]:
    """Return corpus and queries of a file of judgements, as far as they are there."""
    root = path.parent.parent
    named = ((root / f"{name}.jsonl", root / f"{name}.jsonl.gz") for name in ("corpus", "queries"))
    return tuple(found for pair in named for found in [next((p for p in pair if p.is_file()), None)] if found)


def read(path: Path, sink: Sink) -> None:
    """Read the corpus, and the queries that the judgements speak of; a score above 0 makes a passage gold."""
    corpus, queries = files_of(path)
    for place, row in items(corpus, sink.aside):
        with sink.guard(corpus, place):
            if not isinstance(row, Mapping) or row.get("_id") is None:
                raise BrokenRecordError('the field "_id" is missing')
            sink.document(row.get("title"), row.get("text"), id=str(row["_id"]))
    judged = _judged(path, sink)
    for place, row in items(queries, sink.aside):
        with sink.guard(queries, place):
            if not isinstance(row, Mapping) or row.get("_id") is None:
                raise BrokenRecordError('the field "_id" is missing')
            if gold := judged.get(str(row["_id"])):
                sink.question(row.get("text"), None, id=str(row["_id"]), supporting=gold)


def _judged(path: Path, sink: Sink) -> dict[str, list[str]]:
    """The relevant passages of each query."""
    found = dict[str, list[str]]()
    for place, cells in table(path, delimiter="\t"):
        with sink.guard(path, place):
            query, passage, score = _cells(cells)
            if passage == "corpus-id" or cells[0] == "query-id":
                continue
            if not score.lstrip("-").replace(".", "", 1).isdigit():
                raise BrokenRecordError("the score is not a number")
            if float(score) > 0:
                found.setdefault(query, []).append(passage)
    return {query: list(dict.fromkeys(passages)) for query, passages in found.items()}


def _cells(cells: Sequence[str]) -> tuple[str, str, str]:
    """Query, passage and score; TREC's own form has a column between query and passage."""
    if len(cells) == _HEADER:
        return cells[0], cells[1], cells[2]
    if len(cells) == _HEADER + 1:
        return cells[0], cells[2], cells[3]
    raise BrokenRecordError("the row has not three cells")
