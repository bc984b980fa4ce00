"""Asking out of fold: each question goes to an engine whose span reader was not tuned on it.

The readers and ``folds.json``, which gives each question's id its fold, are written by `evals.training`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..agent.embedded.options import EngineOptions
from ..cubes.errors import InputError
from ..graphs.records import LoopSettings, Run
from .datasets import Question

if TYPE_CHECKING:
    from ..agent.facade import MultiCube
    from ..cubes.knowledge import KnowledgeBase

__all__ = ["FoldedAsker", "Readers", "read_readers", "reader_file"]


def reader_file(folder: Path, fold: int | None) -> Path:
    """Return the exported reader that was tuned without a fold (None: the one tuned on all); InputError without it."""
    path = folder / ("reader.onnx" if fold is None else f"fold{fold}.onnx")
    if not path.is_file():
        raise InputError(f"{path} is missing; write it with: python -m multicube.evals.training export.")
    return path


@dataclass(frozen=True, slots=True)
class Readers:
    """The readers in a training's folder, and each question's fold by its id."""

    folder: Path
    folds: Mapping[str, int]

    @property
    def digest(self) -> str:
        """Changes when a reader or a fold does."""
        files = [self.folder / "folds.json", *sorted(self.folder.glob("fold*.onnx"))]
        return hashlib.blake2b(b"".join(file.read_bytes() for file in files), digest_size=16).hexdigest()

    def by_text(self, questions: Iterable[Question]) -> dict[str, int]:
        """Each question's fold by its text, which is all that a system sees.

        One that no reader has learnt from (yes or no) is in the first.
        """
        return {question.question: self.folds.get(question.id, 0) for question in questions}


def read_readers(folder: Path) -> Readers:
    """Read which question is in which fold; InputError says how to make what is missing."""
    path = folder / "folds.json"
    if not path.is_file():
        raise InputError(f"{path} is missing; make it with: python -m multicube.evals.training tune.")
    folds: dict[str, int] = json.loads(path.read_text(encoding="utf-8"))
    for fold in set(folds.values()):
        reader_file(folder, fold)
    return Readers(folder, folds)


class FoldedAsker:
    """One knowledge base, opened once for each fold's reader."""

    def __init__(self, engines: Mapping[int, MultiCube], fold_of: Mapping[str, int]) -> None:
        self._engines = engines
        self._fold_of = fold_of

    def ask(self, question: str, *, settings: LoopSettings | None = None, save: bool = True) -> Run:
        """Answer a question with the reader that was tuned without it."""
        return self.engine(question).ask(question, settings=settings, save=save)

    @property
    def kb(self) -> KnowledgeBase:
        """The knowledge base below."""
        return self._engines[0].kb

    def engine(self, question: str) -> MultiCube:
        """The one whose reader was tuned without a question."""
        return self._engines[self._fold_of.get(question, 0)]

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
        of: Iterable[Question],
    ) -> Iterator[FoldedAsker]:
        """Open a knowledge base for each fold; ``options`` are what else the engine has."""
        with ExitStack() as stack:
            engines = {
                fold: stack.enter_context(
                    open_kb(options.model_copy(update={"reader_file": str(reader_file(readers.folder, fold))}))
                )
                for fold in sorted({0, *readers.folds.values()})
            }
            yield cls(engines, readers.by_text(of))
