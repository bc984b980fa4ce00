"""LegalBench-RAG (Pipitone and Alami 2024): contracts in ``corpus/`` and questions in ``benchmarks/*.json``.

The gold of a question are exactly the characters that answer it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from ..places import inside
from ..reading import items, listed, note, plain_text, strings
from ..sink import BrokenRecordError, Sink

__all__ = ["WITHIN", "corpus_of", "fits", "read"]


WITHIN = "tests"
"""The key under which a file has its records."""


def fits(path: Path, row: Any) -> bool:
    """Whether a file is a benchmark that has a folder of documents beside it."""
    return isinstance(row, Mapping) and {"query", "snippets"} <= row.keys() and corpus_of(path) is not None


def corpus_of(path: Path) -> Path | None:
    """Return the folder of documents that belongs to a benchmark."""
    places = (path.parent.parent / "corpus", path.parent / "corpus")
    return next((place for place in places if place.is_dir()), None)


def read(path: Path, sink: Sink) -> None:
    """Read the documents of the folders that the snippets name, and the questions.

    A snippet whose file leads out of the folder or is not there, or whose characters are not what is said, makes its
    question a broken one.
    """
    folder = corpus_of(path)
    assert folder is not None
    note(folder)
    tops = {top for _, row in items(path, lambda *_: None, within=WITHIN) for top in _tops(row)}
    for file in sorted(file for top in tops for file in (folder / top).rglob("*.txt")):
        with sink.guard(file, ""):
            name = file.relative_to(folder).as_posix()
            if inside(folder, name) is None:
                raise BrokenRecordError("it is a link that leads out of the corpus")
            sink.document(file.stem, plain_text(file), id=name)
    texts = _Texts(folder)
    for place, row in items(path, sink.aside, within=WITHIN):
        with sink.guard(path, place):
            if not isinstance(row, Mapping):
                raise BrokenRecordError("it is not a JSON object")
            parts = [texts.snippet(part, sink) for part in listed(row.get("snippets"), "snippets")]
            spans = [(file, start, end) for file, start, end, _ in parts]
            sink.question(
                row.get("query"), strings([text for *_, text in parts]), snippets=spans,
                supporting=list(dict.fromkeys(file for file, _, _ in spans)), type=_type(row),
            )  # fmt: skip


class _Texts:
    """Reads documents for the spans of snippets; questions about one follow each other."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._last: tuple[str, str] = ("", "")

    def snippet(self, part: object, sink: Sink) -> tuple[str, int, int, str]:
        """Return file, start, end and text of a snippet; BrokenRecordError for one that does not stand there."""
        if not isinstance(part, Mapping):
            raise BrokenRecordError('the field "snippets" is not a list of objects')
        name, span = str(part.get("file_path") or ""), listed(part.get("span"), "snippets.span")
        if inside(self._folder, name) is None:
            raise BrokenRecordError(f"the snippet's file {name[:80]} leads out of the corpus")
        if not sink.holds(name):
            raise BrokenRecordError(f"the snippet's file {name[:80]} is not in the corpus")
        if self._last[0] != name:
            self._last = (name, plain_text(self._folder / name))
        text = self._last[1]
        if len(span) != 2 or not all(type(one) is int for one in span) or not 0 <= span[0] < span[1] <= len(text):
            raise BrokenRecordError(f"the snippet's span {span} does not lie within {name[:80]}")
        said, given = text[span[0] : span[1]], part.get("answer")
        if isinstance(given, str) and given.split() != said.split():
            raise BrokenRecordError(f"the snippet's span {span} in {name[:80]} does not hold its answer")
        return name, span[0], span[1], said


def _tops(row: object) -> Iterator[str]:
    """The folders that a question's snippets are from."""
    for part in row.get("snippets") or [] if isinstance(row, Mapping) else []:
        parts = PurePosixPath(str(part.get("file_path") or "") if isinstance(part, Mapping) else "").parts
        if len(parts) > 1 and parts[0] not in ("..", "/", "."):
            yield parts[0]


def _type(row: Mapping[str, Any]) -> str:
    """The kind of a mini benchmark's question, where tags name it."""
    return next(iter(strings(row.get("tags"))), "")
