"""MuISQA (Li et al. 2025): scientific questions with several answers, each of several parts, over a set of articles.

Its authors had not put the files into their repository when this was written, so the layout is the paper's: questions
with a domain and rows of answers (field to value), and the articles in a folder or file beside them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..reading import items, listed, strings
from ..sink import BrokenRecordError, Sink
from .library import Library, library_of

__all__ = ["fits", "read", "rows_of"]

_ROWS = ("rows", "answers", "labels", "answer")
_GOLD = ("supporting", "documents", "articles", "sources", "source")


def fits(path: Path, row: Any) -> bool:
    """Whether a file has questions whose answers have parts, with articles beside it."""
    asked = isinstance(row, Mapping) and "question" in row and bool(_raw_rows(row))
    return asked and library_of(path) is not None


def read(path: Path, sink: Sink) -> None:
    """Read articles and questions; an answer in words is the first field of each row."""
    library = Library(library_of(path), sink)
    for place, row in items(path, sink.aside):
        with sink.guard(path, place):
            if not isinstance(row, Mapping):
                raise BrokenRecordError("it is not a JSON object")
            rows = rows_of(row)
            firsts = [next(iter(strings(value)), "") for one in rows for value in list(one.values())[:1]]
            gold = [name for field in _GOLD for name in strings(row.get(field))]
            sink.question(
                row.get("question"), ["; ".join(filter(None, firsts))], id=row.get("id"), rows=rows,
                type=str(row.get("domain") or row.get("type") or row.get("subject") or ""),
                supporting=library.find(gold),
            )  # fmt: skip


def rows_of(row: Mapping[str, Any]) -> list[dict[str, str | list[str]]]:
    """Return the rows of a question's answer; BrokenRecordError where there are none that can be used."""
    found = list[dict[str, str | list[str]]]()
    for one in listed(_raw_rows(row), "answers"):
        if not isinstance(one, Mapping):
            raise BrokenRecordError('the field "answers" is not a list of objects')
        kept = dict[str, str | list[str]]()
        for name, value in one.items():
            if said := strings(value):
                kept[str(name)] = said if len(said) > 1 else said[0]
        found.extend([kept] if kept else [])
    if not found:
        raise BrokenRecordError('the field "answers" holds no row')
    return found


def _raw_rows(row: Mapping[str, Any]) -> list[Any]:
    """The first field that holds a list of objects."""
    for name in _ROWS:
        value = row.get(name)
        if isinstance(value, list) and value and any(isinstance(one, Mapping) for one in value):
            return value
    return []
