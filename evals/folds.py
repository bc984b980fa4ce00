"""Asking out of fold: each question goes to an engine whose span reader was not tuned on it.

The readers and ``folds.json``, which gives each question's id its fold, are written by `evals.training`. Those of the
shipped reader come with the package, as differences from it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..agent.embedded.options import EngineOptions
from ..cubes.errors import InputError
from ..graphs.records import LoopSettings, Run
from .datasets import Question
from .training.differences import FOLDS, KEPT, rebuilt, text_key
from .training.differences import SHIPPED as SHIPPED_READER

if TYPE_CHECKING:
    from ..agent.facade import MultiCube
    from ..cubes.knowledge import KnowledgeBase

__all__ = [
    "IN_FOLD",
    "OUT_OF_FOLD",
    "SHIPPED",
    "FoldedAsker",
    "Readers",
    "learnt_by_shipped",
    "read_readers",
    "reader_file",
    "readers_for",
    "readers_sentence",
]

SHIPPED = "shipped"
"""What ``--readers`` says to ask every question with the shipped reader, learnt from or not."""
OUT_OF_FOLD = "out of fold"
"""What results say where every question that a reader has learnt from was asked of one that has not."""
IN_FOLD = "shipped, in fold"
"""What results say where the shipped reader was asked questions that it has learnt from."""


def reader_file(folder: Path, fold: int | None) -> Path:
    """Return the exported reader that was tuned without a fold (None: the one tuned on all); InputError without it."""
    path = folder / ("reader.onnx" if fold is None else f"fold{fold}.onnx")
    if not path.is_file():
        raise InputError(f"{path} is missing; write it with: python -m multicube.evals.training export.")
    return path


@dataclass(frozen=True, slots=True)
class Readers:
    """The readers in a training's folder, and each question's fold by its id and by its text (`text_key`)."""

    folder: Path
    folds: Mapping[str, int]

    @property
    def digest(self) -> str:
        """Changes when a reader or a fold does."""
        files = [self.folder / FOLDS, *sorted(self.folder.glob("fold*.onnx"))]
        return hashlib.blake2b(b"".join(file.read_bytes() for file in files), digest_size=16).hexdigest()

    def learnt(self, questions: Iterable[Question]) -> int:
        """How many of these the reader that was tuned on all has learnt from."""
        return sum(self._fold(question) is not None for question in questions)

    def by_text(self, questions: Sequence[Question]) -> dict[str, int | None]:
        """Each question's fold by its text, which is all that a system sees.

        One that no reader has learnt from (yes or no) is in the first; None where that is true of all of them: they
        are for the shipped reader.
        """
        other = 0 if self.learnt(questions) else None
        found = {question.question: self._fold(question) for question in questions}
        return {text: other if fold is None else fold for text, fold in found.items()}

    def _fold(self, question: Question) -> int | None:
        """By the id in the question's own data set, whose name is put before it where it is asked of another."""
        own = question.id.rpartition(":")[2]
        return self.folds.get(own, self.folds.get(text_key(question.question)))


def readers_for(named: str | Path | None, questions: Sequence[Question]) -> Readers | None:
    """Return the readers that questions are to be asked with, or None for the shipped one.

    That is so where ``named`` says "shipped", or where it names nothing and the shipped reader has learnt from none of
    the questions. Raises InputError where readers are missing or damaged.
    """
    if named == SHIPPED or (named is None and not SHIPPED_READER.is_file()):
        return None
    if named is not None:
        return read_readers(Path(named))
    return read_readers(rebuilt()) if learnt_by_shipped(questions) else None


def learnt_by_shipped(questions: Sequence[Question]) -> int:
    """How many of the questions the shipped reader has learnt from."""
    return Readers(KEPT, read_folds(KEPT)).learnt(questions)


def readers_sentence(readers: str | None) -> str:
    """Say what `OUT_OF_FOLD` and the like mean; empty where there is nothing to say."""
    if readers == OUT_OF_FOLD:
        return "Out of fold: each question is asked with a span reader that has not learnt from it."
    if readers == IN_FOLD:
        return "In fold: the span reader has learnt from these questions, which flatters the figures."
    return ""


def read_readers(folder: Path) -> Readers:
    """Read which question is in which fold; InputError says how to make what is missing."""
    folds = read_folds(folder)
    for fold in set(folds.values()):
        reader_file(folder, fold)
    return Readers(folder, folds)


def read_folds(folder: Path) -> dict[str, int]:
    """Read the fold of each learnt question's id; InputError says how to make the file."""
    path = folder / FOLDS
    if not path.is_file():
        raise InputError(f"{path} is missing; make it with: python -m multicube.evals.training tune.")
    folds: dict[str, int] = json.loads(path.read_text(encoding="utf-8"))
    return folds


class FoldedAsker:
    """One knowledge base, and for each fold an engine over it with the fold's reader."""

    def __init__(self, engines: Mapping[int | None, MultiCube], fold_of: Mapping[str, int | None]) -> None:
        self._engines = engines
        self._fold_of = fold_of

    def ask(self, question: str, *, settings: LoopSettings | None = None, save: bool = True) -> Run:
        """Answer a question with the reader that was tuned without it."""
        return self.engine(question).ask(question, settings=settings, save=save)

    @property
    def kb(self) -> KnowledgeBase:
        """The knowledge base below."""
        return next(iter(self._engines.values())).kb

    def engine(self, question: str) -> MultiCube:
        """The one whose reader was tuned without a question; any for a question that is none of the data set's."""
        return self._engines[self._fold_of.get(question, next(iter(self._engines)))]

    def over(self, view: KnowledgeBase) -> FoldedAsker:
        """The same readers over a view of the knowledge base (see `MultiCube.over`)."""
        return FoldedAsker({fold: engine.over(view) for fold, engine in self._engines.items()}, self._fold_of)

    @classmethod
    @contextmanager
    def opened(
        cls,
        open_kb: Callable[[EngineOptions], MultiCube],
        options: EngineOptions,
        readers: Readers,
        fold_of: Mapping[str, int | None],
    ) -> Iterator[FoldedAsker]:
        """Open a knowledge base, and engines over it for the folds that ``fold_of`` gives the questions' texts.

        ``options`` are what else the engines have.
        """
        folds = sorted(set(fold_of.values()), key=lambda fold: (fold is None, fold))
        with_readers = {
            fold: options if fold is None else options.model_copy(
                update={"reader_file": str(reader_file(readers.folder, fold))}
            )
            for fold in folds
        }
        with open_kb(with_readers[folds[0]]) as first:
            others = {
                fold: type(first)(first.kb, settings=first.settings, engine_options=with_readers[fold])
                for fold in folds[1:]
            }
            yield cls({folds[0]: first, **others}, fold_of)
