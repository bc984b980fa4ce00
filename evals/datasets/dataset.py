"""Data sets: folders with ``corpus.jsonl``, ``questions.jsonl`` and, at times, ``labels.jsonl``.

The loader is strict on the fields an evaluation needs and lets every other field pass. What it finds wrong it
says in one sentence that names the file and the line.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError

from ...cubes.core.errors import InputError, UsageError

__all__ = [
    "ABOUT",
    "LABELS",
    "CorpusLabels",
    "CorpusRow",
    "Dataset",
    "Question",
    "corpus_records",
    "file_digest",
    "problem_of",
    "read_labels",
    "required_file",
    "resolve_folder",
    "unique_rows",
]

LABELS = "labels.jsonl"
"""The file of the authors' cube labels, where a data set has one."""
ABOUT = "about.json"
"""What a data set was converted from, in the folder of one that was published in another format."""
Text = Annotated[str, StringConstraints(strict=True)]
FilledText = Annotated[str, StringConstraints(strict=True, strip_whitespace=True, min_length=1)]
Hops = Annotated[int | None, BeforeValidator(lambda value: value if type(value) is int and value > 0 else None)]
Offset = Annotated[int, Field(strict=True, ge=0)]
_WRONG = {
    "missing": "is missing",
    "string_type": "must be a string",
    "string_too_short": "must not be empty",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "int_type": "must be a whole number",
}


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class Question(_Row):
    """One question with its gold. Only ``question`` is ever shown to a system; the rest is for scoring.

    ``answers`` are the accepted spellings; an empty list says that the corpus does not hold the answer, and
    refusing is right; None that the answers are not known, and only retrieval is scored. ``supporting`` are the corpus
    ids of the gold passages (empty: not known, retrieval is not scored). ``evidences`` (subject, relation, object) and
    ``decomposition`` (single-hop questions) are the gold chain where a data set has one, in its own form; ``hops`` is
    how many links that chain has, None where it is not known. ``rows`` are the gold of an answer with several parts:
    field to value, or to its accepted spellings. ``snippets`` are (record id, start, end): exactly the characters of
    the record's text that answer. ``keywords`` are the words that an answer has to name (LV-Eval).
    """

    id: FilledText
    question: FilledText
    answers: tuple[Text, ...] | None
    type: Text = ""
    supporting: tuple[Text, ...] = ()
    perspectives: Any = ()
    """Points of view that an answer has to take: key phrases of each, as a list or under ``keys`` (SMART A.5)."""
    evidences: Any = ()
    decomposition: Any = ()
    rows: tuple[Mapping[Text, Text | tuple[Text, ...]], ...] = ()
    hops: Hops = None
    snippets: tuple[tuple[Text, Offset, Offset], ...] = ()
    keywords: tuple[Text, ...] = ()

    @property
    def answerable(self) -> bool:
        """Whether the corpus may hold an answer: not where the data set says that it does not."""
        return self.answers is None or bool(self.answers)


class CorpusLabels(_Row):
    """Cube labels that a data set's authors give for one corpus record: dimension -> label -> count."""

    id: FilledText
    labels: dict[Text, dict[Text, Annotated[int, Field(strict=True)]]]


class CorpusRow(_Row):
    """What is read of a corpus record to check it."""

    id: FilledText
    title: Any = ""


RowT = TypeVar("RowT", Question, CorpusLabels, CorpusRow)


@dataclass(frozen=True, slots=True)
class Dataset:
    """A data set as it was read. ``questions`` are those chosen, in order; the file holds ``total``.

    ``titles`` are the folded titles of the corpus. ``merged`` is the file of the corpus where others were merged into
    it.
    """

    name: str
    folder: Path
    questions: tuple[Question, ...]
    total: int
    corpus_ids: frozenset[str]
    corpus_digest: str
    questions_digest: str
    titles: frozenset[str] = frozenset()
    merged: Path | None = None

    @property
    def corpus(self) -> Path:
        """The file of documents: the only one that a knowledge base is built from."""
        return self.merged or self.folder / "corpus.jsonl"

    def select(self, limit: int | None, *, shuffle: bool = False, seed: int = 0) -> Dataset:
        """Keep the first ``limit`` questions or, with ``shuffle``, a random sample, in file order."""
        if limit is None:
            return self
        if limit < 1:
            raise UsageError(f"--limit {limit} leaves no question; give a number of 1 or more.")
        kept = _sample(self.questions, limit, seed) if shuffle else self.questions[:limit]
        return replace(self, questions=kept)

    def gold_outside_corpus(self) -> tuple[tuple[str, str], ...]:
        """Return (question id, gold passage id) where the corpus lacks the passage: it can never be found."""
        return tuple((q.id, gold) for q in self.questions for gold in q.supporting if gold not in self.corpus_ids)


def read_labels(folder: str | Path) -> tuple[CorpusLabels, ...]:
    """Read the authors' cube labels of a data set; UsageError where it has none."""
    return tuple(unique_rows(required_file(resolve_folder(folder), LABELS), CorpusLabels))


def corpus_records(corpus: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of a corpus as they stand; one without an id of its own is an error."""
    for row, (_, value) in zip(unique_rows(corpus, CorpusRow), _lines(corpus), strict=True):
        yield {**value, "id": row.id}


def resolve_folder(folder: str | Path) -> Path:
    """Return the data set's folder; UsageError where there is none."""
    root = Path(folder).expanduser()
    if root.is_dir():
        return root
    if str(folder) == "sample":
        return Path(__file__).parents[1] / "sample"
    named = Path(os.environ.get("MULTICUBE_DATA", "../shared/data")) / root
    if named.is_dir():
        return named
    raise UsageError(
        f"There is no data set folder at {root}; give a folder that holds corpus.jsonl and questions.jsonl, "
        'or "sample" for the bundled one.'
    )


def required_file(root: Path, name: str) -> Path:
    """Return a file of a data set's folder; UsageError where it is not there."""
    path = root / name
    if not path.is_file():
        raise UsageError(f"The data set folder {root} has no {name}; add it or give another folder.")
    return path


def problem_of(error: ValidationError) -> str:
    """Say in words which field of a record is wrong, and how."""
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    wrong = _WRONG.get(first["type"]) or ("must be a list" if first["type"] == "tuple_type" else first["msg"])
    return f'the field "{where}" {wrong}'


def _sample(questions: Sequence[Question], size: int, seed: int) -> tuple[Question, ...]:
    chosen = random.Random(seed).sample(range(len(questions)), min(size, len(questions)))
    return tuple(questions[index] for index in sorted(chosen))


def unique_rows(path: Path, model: type[RowT]) -> Iterator[RowT]:
    """Yield the file's rows; a second use of an id is an error that names both lines."""
    seen: dict[str, int] = {}
    for number, value in _lines(path):
        row = _parse(path, number, value, model)
        if row.id in seen:
            raise InputError(
                f'{path}:{number}: the id "{row.id}" was already used on line {seen[row.id]}; '
                "give every record its own."
            )
        seen[row.id] = number
        yield row


def _lines(path: Path) -> Iterator[tuple[int, Any]]:
    with path.open("rb") as stream:
        for number, raw in enumerate(stream, start=1):
            if not raw.strip():
                continue
            yield number, _decode(path, number, raw)


def _decode(path: Path, number: int, raw: bytes) -> Any:
    try:
        return json.loads(raw.decode("utf-8-sig" if number == 1 else "utf-8"))
    except UnicodeDecodeError as error:
        raise InputError(f"{path}:{number}: the line is not valid UTF-8; save the file as UTF-8.") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}:{number}: the line is not valid JSON; mend or remove it.") from error


def _parse(path: Path, number: int, value: Any, model: type[RowT]) -> RowT:
    if not isinstance(value, dict):
        raise InputError(f"{path}:{number}: the line is not a JSON object; write one record per line.")
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise InputError(f"{path}:{number}: {problem_of(error)}; mend the record.") from error


def file_digest(path: Path) -> str:
    """Return the hash of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "blake2b").hexdigest()[:32]
