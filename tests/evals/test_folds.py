"""Figures out of fold: no question is asked of a reader that has learnt from it."""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from multicube.agent.embedded.options import EngineOptions
from multicube.cubes.encoding import Encoder
from multicube.cubes.errors import InputError
from multicube.evals.datasets import Question
from multicube.evals.folds import FoldedAsker, Readers, learnt_by_shipped, read_readers, readers_for
from multicube.evals.runner import EvalOptions, evaluate
from multicube.evals.training.differences import KEPT, SHIPPED, rebuilt, text_key, write_differences

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

    def __init__(self, kb: object, *, settings: object = None, engine_options: EngineOptions) -> None:
        self.kb = kb
        self.settings = settings
        self._reader = engine_options.reader_file

    def ask(self, question: str, **settings: Any) -> str:
        return f"{question} {Path(self._reader or '').name}"


@contextmanager
def opened(options: EngineOptions) -> Iterator[Engine]:
    assert not options.backoff
    yield Engine("the knowledge base", engine_options=options)


def test_each_question_goes_to_the_reader_tuned_without_it(training: Path) -> None:
    readers = read_readers(training)
    fold_of = readers.by_text(QUESTIONS)
    with FoldedAsker.opened(opened, EngineOptions(backoff=False), readers, fold_of) as asker:  # type: ignore[arg-type]
        assert [asker.ask(q.question) for q in QUESTIONS] == [
            "Question 0? fold1.onnx",
            "Question 1? fold0.onnx",
            "Question 2? fold0.onnx",
            "Question 3? fold1.onnx",
        ]
        assert asker.kb == "the knowledge base"
        assert {asker.engine(q.question).kb for q in QUESTIONS} == {"the knowledge base"}


def test_questions_that_nobody_learnt_from_are_for_the_shipped_reader(training: Path) -> None:
    unknown = [Question(id="elsewhere:new", question="New?", answers=())]
    assert read_readers(training).by_text(unknown) == {"New?": None}
    asked_of_another = [Question(id="hotpotqa:q0", question="Question 0?", answers=())]
    assert read_readers(training).by_text(asked_of_another) == {"Question 0?": 1}


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


LEARNT = "5ac1324855429964131be178"


def test_learnt_questions_have_readers_of_their_own_unless_others_are_named(
    training: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("multicube.evals.folds.rebuilt", lambda: training)
    learnt = [*QUESTIONS, Question(id=LEARNT, question="Learnt?", answers=("x",))]
    assert learnt_by_shipped(learnt) == 1
    assert readers_for(None, QUESTIONS) is None
    assert readers_for("shipped", learnt) is None
    found, named = readers_for(None, learnt), readers_for(training, QUESTIONS)
    assert found is not None
    assert named is not None
    assert found.folder == named.folder == training


@pytest.fixture
def shipped() -> Path:
    if not SHIPPED.is_file():
        pytest.skip("the reader's file is not here")
    return SHIPPED


def test_an_evaluation_asks_out_of_fold(tmp_path: Path, words_encoder: Encoder, shipped: Path) -> None:
    folder = tmp_path / "readers"
    folder.mkdir()
    for fold in range(2):
        (folder / f"fold{fold}.onnx").symlink_to(shipped)
    (folder / "folds.json").write_text(json.dumps({"unknown": 1}))
    options = EvalOptions("sample", tmp_path / "out", "multicube", 3, encoder=words_encoder, readers=folder)
    results = evaluate(options)
    assert results["systems"]["multicube"]["em"] == 100.0
    assert results["readers"] == "out of fold"
    assert "Out of fold" in (tmp_path / "out" / "report.md").read_text("utf-8")


def test_a_learnt_question_is_known_by_its_words_where_it_has_another_id(shipped: Path) -> None:
    folds = read_readers_of_package()
    assert sum(key.startswith("text:") for key in folds) == sum(not key.startswith("text:") for key in folds) == 191
    known = next(id for id in folds if not id.startswith("text:"))
    under_its_id = Question(id=known, question="Who?", answers=())
    assert learnt_by_shipped([under_its_id, Question(id="mixup-7", question="Who was it?", answers=())]) == 1


def test_words_in_other_spellings_are_one_question() -> None:
    readers = Readers(Path(), {"q0": 0, text_key("Who directed The Salt  Lantern?"): 1})
    asked = [
        Question(id="mixup-7", question="who directed the salt lantern?", answers=()),
        Question(id="q0", question="Who was it?", answers=()),
        Question(id="q9", question="Who else was it?", answers=()),
    ]
    assert readers.learnt(asked) == 2
    assert list(readers.by_text(asked).values()) == [1, 0, 0]


def test_a_reader_is_the_same_after_it_was_kept_as_a_difference(tmp_path: Path) -> None:
    work, kept, cache = tmp_path / "work", tmp_path / "kept", tmp_path / "cache"
    work.mkdir()
    base = bytes(range(256)) * 64
    (work / "reader.onnx").write_bytes(base)
    readers = [bytes((byte + (n % 7 == 0) * fold) % 256 for n, byte in enumerate(base)) for fold in (3, 255)]
    for fold, reader in enumerate(readers):
        (work / f"fold{fold}.onnx").write_bytes(reader)
    (work / "folds.json").write_text('{"q0": 0, "q1": 1}')
    assert len(write_differences(work, kept, work / "reader.onnx")) == 2
    folder = rebuilt(kept, work / "reader.onnx", cache)
    assert [(folder / f"fold{fold}.onnx").read_bytes() for fold in range(2)] == readers
    assert read_readers(folder).folds == {"q0": 0, "q1": 1}

    (folder / "fold1.onnx").write_bytes(b"half written")
    assert (rebuilt(kept, work / "reader.onnx", cache) / "fold1.onnx").read_bytes() == readers[1]
    (kept / "fold0.xz").write_bytes((kept / "fold1.xz").read_bytes())
    with pytest.raises(InputError, match=r"fold0\.xz does not give the reader it should"):
        rebuilt(kept, work / "reader.onnx", tmp_path / "other")
    (work / "reader.onnx").write_bytes(base[:-1] + b"!")
    with pytest.raises(InputError, match=r"is not the reader that .* --readers shipped"):
        rebuilt(kept, work / "reader.onnx", cache)
    (work / "reader.onnx").write_bytes(base[:-1])
    with pytest.raises(InputError, match="export both anew"):
        write_differences(work, kept, work / "reader.onnx")


def test_the_readers_that_come_with_the_package_are_of_the_shipped_one(tmp_path: Path, shipped: Path) -> None:
    digests = json.loads((KEPT / "readers.json").read_text())
    assert hashlib.sha256(shipped.read_bytes()).hexdigest() == digests["reader"]
    fold = lzma.decompress((KEPT / "fold2.xz").read_bytes())
    whole = (np.frombuffer(shipped.read_bytes(), np.uint8) + np.frombuffer(fold, np.uint8)).tobytes()
    assert hashlib.sha256(whole).hexdigest() == digests["fold2"]
    assert set(read_readers_of_package().values()) == set(range(len(digests) - 1))


def read_readers_of_package() -> dict[str, int]:
    folds: dict[str, int] = json.loads((KEPT / "folds.json").read_text())
    return folds
