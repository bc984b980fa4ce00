"""Where a reader puts what it finds: the own layout's files, identical passages merged, broken records set aside."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO

from pydantic import ValidationError

from ..dataset import LABELS, Question, problem_of

__all__ = ["ASIDE", "BrokenRecordError", "Sink"]

ASIDE = "set-aside.jsonl"
"""Where the records stand that could not be used: file, place and reason of each."""
_KEPT = ("id", "question", "answers")


class BrokenRecordError(ValueError):
    """A record cannot be used; the text says why, to be read after its place."""


class Sink:
    """Writes ``corpus.jsonl``, ``questions.jsonl`` and, where there is need, ``set-aside.jsonl`` into ``folder``.

    Use it as a context manager. Nothing is kept of a passage but a hash, so a corpus may be larger than the memory.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._pooled: dict[bytes, str] = {}
        self._ids: set[str] = set()
        self._question_ids: set[str] = set()
        self._files: dict[str, TextIO] = {}
        self.records = 0
        self.questions = 0
        self.asides: list[str] = []

    def __enter__(self) -> Self:
        for name in ("corpus.jsonl", "questions.jsonl"):
            self._file(name)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for stream in self._files.values():
            stream.close()

    def document(
        self, title: object, text: object, *, id: str | None = None, metadata: Mapping[str, object] | None = None
    ) -> str:
        """Add a corpus record and return its id.

        Without an ``id`` records with the same title and text are one, numbered as they come, so that the same source
        always gives the same ids. Raises BrokenRecordError for a record without text, or an id used before.
        """
        name, said = _text(title or "", "title"), _text(text, "text")
        if not said.strip():
            raise BrokenRecordError("the text is empty" + (f' under the title "{name[:80]}"' if name else ""))
        key = hashlib.blake2b(f"{name}\0{said}".encode(), digest_size=16).digest()
        if id is None and key in self._pooled:
            return self._pooled[key]
        if id is not None and id in self._ids:
            raise BrokenRecordError(f'the id "{id}" was already used')
        given = id if id is not None else f"d{len(self._pooled):05d}"
        self._pooled.setdefault(key, given)
        self._ids.add(given)
        row = {"id": given, "title": name, "text": said}
        kept = {name: value for name, value in (metadata or {}).items() if value not in (None, "", [])}
        self._write("corpus.jsonl", {**row, "metadata": kept} if kept else row)
        self.records += 1
        return given

    def holds(self, id: str) -> bool:
        """Whether a record of the corpus has this id."""
        return id in self._ids

    def question(self, question: object, answers: Sequence[str] | None, *, id: object = None, **gold: Any) -> None:
        """Add a question; without an ``id`` it is named by its number.

        ``answers`` and ``gold`` are fields of `Question`. Raises BrokenRecordError where they cannot be used.
        """
        named = f"q{self.questions + len(self.asides) + 1:05d}" if id in (None, "") else _text(str(id), "id")
        if named in self._question_ids:
            raise BrokenRecordError(f'the id "{named}" was already used')
        listed = None if answers is None else list(dict.fromkeys(_answer(one) for one in answers))
        asked = _text(question, "question").strip()
        row = {"id": named, "question": asked, "answers": listed, **gold}
        row = {name: value for name, value in row.items() if name in _KEPT or value not in (None, "", (), [])}
        try:
            checked = Question.model_validate_json(json.dumps(row))
        except ValidationError as error:
            raise BrokenRecordError(problem_of(error)) from error
        self._question_ids.add(checked.id)
        self._write("questions.jsonl", row)
        self.questions += 1

    def labels(self, id: str, labels: Mapping[str, Mapping[str, int]]) -> None:
        """Add the authors' cube labels of a record: dimension -> label -> count."""
        self._write(LABELS, {"id": id, "labels": labels})

    def aside(self, path: Path, place: str, reason: str) -> None:
        """Set a record aside: say which, and why."""
        said = " ".join(reason.split()).rstrip(".")
        self.asides.append(f"{path.name}{place}: {said}")
        self._write(ASIDE, {"file": path.name, "place": place.lstrip(":, "), "reason": said})

    @contextmanager
    def guard(self, path: Path, place: str) -> Iterator[None]:
        """Set the record of this place aside where it turns out to be broken, and go on."""
        try:
            yield
        except BrokenRecordError as error:
            self.aside(path, place, str(error))

    def _file(self, name: str) -> TextIO:
        if name not in self._files:
            self._files[name] = (self._folder / name).open("w", encoding="utf-8")
        return self._files[name]

    def _write(self, name: str, row: Mapping[str, object]) -> None:
        try:
            line = json.dumps(row, ensure_ascii=False)
            line.encode()
        except UnicodeEncodeError:  # half a surrogate pair, in a place that nothing reads
            line = json.dumps(row)
        self._file(name).write(line + "\n")


def _answer(value: object) -> str:
    return _text(str(value) if isinstance(value, int | float) else value, "answer")


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise BrokenRecordError(f"the {name} is not a text")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise BrokenRecordError(f"the {name} is not valid UTF-8") from error
    return value
