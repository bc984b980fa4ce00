"""Corpora that are a folder of documents (Markdown, text, HTML, DOCX, PDF), and how data names the files of one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from .....cubes.core.folding import fold
from .....cubes.core.records import Problem
from .....cubes.documents.folders import kind_by_name
from .....cubes.documents.loaders import SUPPORTED, load
from ..reading import items, note
from ..sink import BrokenRecordError, Sink

__all__ = ["Library", "library_of"]

_FOLDERS = ("documents", "docs", "articles", "papers", "pdfs", "corpus")
_FILES = ("corpus.jsonl", "corpus.json", "documents.jsonl", "documents.json")
_RECORDS = (".json", ".jsonl", ".csv")


def library_of(path: Path) -> Path | None:
    """Return the folder or file of documents that stands beside a question file."""
    named = [path.with_name(name) for name in (*_FOLDERS, *_FILES)]
    return next((one for one in named if one != path and (one.is_dir() or one.is_file())), None)


class Library:
    """The documents of a data set by every name that a question may give them: id, path, file name, title."""

    def __init__(self, place: Path | None, sink: Sink) -> None:
        self._sink = sink
        self._named: dict[str, str] = {}
        for names, title, text in _documents(place, sink) if place is not None else ():
            self.add(names, title, text)

    def add(self, names: Iterable[str], title: str, text: str) -> str:
        """Add a document and return its id."""
        known = [name for name in names if name]
        id = self._sink.document(title, text, id=known[0] if known else None)
        for name in (*known, title):
            self._named.setdefault(fold(name), id)
        return id

    def find(self, names: Iterable[str]) -> list[str]:
        """Return the ids of the documents that are named; a name that none has stays what it is."""
        return list(dict.fromkeys(self._named.get(fold(name), name) for name in names))


def _documents(place: Path, sink: Sink) -> Iterator[tuple[list[str], str, str]]:
    if place.is_file():
        for where, row in items(place, sink.aside):
            with sink.guard(place, where):
                if not isinstance(row, dict):
                    raise BrokenRecordError("it is not a JSON object")
                id = row.get("id", row.get("doc_id", row.get("_id")))
                text = row.get("text", row.get("content", row.get("body")))
                yield [str(id)] if id is not None else [], str(row.get("title") or ""), text or ""
        return
    note(place)
    for file in sorted(file for file in place.rglob("*") if kind_by_name(file) in SUPPORTED and file.is_file()):
        name = file.relative_to(place).as_posix()
        note(file)
        for found in load(file):
            if isinstance(found, Problem):
                sink.aside(file, f":{found.line}" if found.line else "", found.message)
                continue
            with sink.guard(file, ""):
                own = [found.record_id] if file.suffix.lower() in _RECORDS else [name, file.name, file.stem]
                yield own, found.title, found.text
