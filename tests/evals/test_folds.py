"""Figures out of fold: no question is asked of a reader that has learnt from it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from multicube.agent.embedded.options import EngineOptions
from multicube.cubes.encoding import Encoder
from multicube.cubes.errors import InputError
from multicube.evals.datasets import Question
from multicube.evals.folds import FoldedAsker, read_readers
from multicube.evals.runner import EvalOptions, evaluate

QUESTIONS = [Question(id=f"q{n}", question=f"Question {n}?", answers=("x",)) for n in range(4)]


@pytest.fixture
def training(tmp_path: Path) -> Path:
    """What a training leaves behind; the third question taught nobody anything."""
    for fold in range(2):
        (tmp_path / f"fold{fold}.onnx").write_bytes(bytes([fold]))
    (tmp_path / "folds.json").write_text(json.dumps({"q0": 1, "q1": 0, "q3": 1, "elsewhere": 0}))
    return tmp_path


class Engine:
    """Says which reader it was opened with."""

    def __init__(self, reader: str | None) -> None:
        self.kb = self
        self._reader = reader

    def ask(self, question: str, **settings: Any) -> str:
        return f"{question} {Path(self._reader or '').name}"


@contextmanager
def opened(options: EngineOptions) -> Iterator[Engine]:
    assert not options.backoff
    yield Engine(options.reader_file)


def test_each_question_goes_to_the_reader_tuned_without_it(training: Path) -> None:
    readers = read_readers(training)
    with FoldedAsker.opened(opened, EngineOptions(backoff=False), readers, QUESTIONS) as asker:  # type: ignore[arg-type]
        assert [asker.ask(q.question) for q in QUESTIONS] == [
            "Question 0? fold1.onnx",
            "Question 1? fold0.onnx",
            "Question 2? fold0.onnx",
            "Question 3? fold1.onnx",
        ]
        assert asker.kb is not None


def test_other_readers_are_another_evaluation(training: Path) -> None:
    before = read_readers(training).digest
    assert read_readers(training).digest == before
    (training / "fold1.onnx").write_bytes(b"other")
    assert read_readers(training).digest != before


@pytest.mark.parametrize(("missing", "stage"), [("folds.json", "tune"), ("fold1.onnx", "export")])
def test_what_is_missing_is_named_with_what_makes_it(training: Path, missing: str, stage: str) -> None:
    (training / missing).unlink()
    with pytest.raises(InputError, match=f"{missing} is missing.*evals.training {stage}"):
        read_readers(training)


def test_an_evaluation_asks_out_of_fold(tmp_path: Path, words_encoder: Encoder) -> None:
    import multicube.agent.embedded.span as span

    shipped = Path(span.__file__).parent / "reader" / "reader.onnx"
    if not shipped.is_file():
        pytest.skip("the reader's file is not here")
    folder = tmp_path / "readers"
    folder.mkdir()
    for fold in range(2):
        (folder / f"fold{fold}.onnx").symlink_to(shipped)
    (folder / "folds.json").write_text(json.dumps({"unknown": 1}))
    options = EvalOptions("sample", tmp_path / "out", "multicube", 3, encoder=words_encoder, readers=folder)
    assert evaluate(options)["systems"]["multicube"]["em"] == 100.0
