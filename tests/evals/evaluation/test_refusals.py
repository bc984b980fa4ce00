"""Questions without an answer here: which they are, what refusing them counts, and that scores stay apart."""

import json
from pathlib import Path
from typing import Any

import pytest
from multicube.cubes.core.encoding import Encoder
from multicube.cubes.core.errors import UsageError
from multicube.evals.datasets.load import load_dataset
from multicube.evals.evaluation.refusals import foreign_questions, refusal_scores
from multicube.evals.evaluation.runner import EvalOptions, evaluate
from multicube.evals.metrics.predictions import Prediction


@pytest.fixture
def other(tmp_path: Path) -> Path:
    path = tmp_path / "other"
    path.mkdir()
    corpus = [
        {"id": "d1", "title": "The Zinc Parade", "text": "The Zinc Parade is a film directed by Udo Brack."},
        {"id": "d2", "title": "the salt lantern", "text": "A film of the sample, by title."},
    ]
    questions = [
        {"id": "q1", "question": "Who directed The Zinc Parade?", "answers": ["Udo Brack"], "supporting": ["d1"]},
        {"id": "q2", "question": "Who directed The Salt Lantern?", "answers": ["x"], "supporting": ["d2"]},
        {"id": "q3", "question": "Who?", "answers": ["x"]},
    ]
    for name, rows in (("corpus", corpus), ("questions", questions)):
        (path / f"{name}.jsonl").write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_only_questions_whose_passages_are_not_here_are_asked(other: Path) -> None:
    foreign = foreign_questions(load_dataset("sample"), other)
    assert [(q.id, q.answers, q.supporting) for q in foreign.questions] == [("other:q1", (), ())]
    with pytest.raises(UsageError, match="No question of sample is foreign"):
        foreign_questions(load_dataset("sample"), "sample")


def row(number: int, **fields: Any) -> Prediction:
    return Prediction(
        **{"system": "s", "id": f"q{number}", "question": "?", "gold": (), "status": "abstained", **fields}
    )


def test_refusals_by_hand() -> None:
    foreign = [*(row(n) for n in range(8)), row(8, answer="x", status="answered", confidence=0.3)]
    foreign.append(row(9, answer="y", status="answered", confidence=0.9))
    own = [
        row(1, gold=("Ada",), answer="Ada", status="answered", confidence=0.8),
        row(2, gold=("Ada",), answer="Bo", status="answered", confidence=0.2),
        row(3, gold=("Ada",)),
        row(4),
    ]
    found = refusal_scores(foreign, own)
    assert found["refused"] == 80.0
    assert found["refused_ci95"][0] < 80 < found["refused_ci95"][1]
    assert (found["answerable"], found["answerable_refused"]) == (3, pytest.approx(100 / 3, abs=1e-3))
    assert found["threshold"] == {
        "confidence": pytest.approx(0.3001),
        "answerable_refused": pytest.approx(200 / 3, abs=1e-3),
        "answerable_em": pytest.approx(100 / 3, abs=1e-3),
    }


def test_an_evaluation_reports_them_apart(other: Path, tmp_path: Path, words_encoder: Encoder) -> None:
    out = tmp_path / "out"
    options = EvalOptions("sample", out, "multicube", 6, encoder=words_encoder, refusals=(other,))
    scores = evaluate(options)["systems"]["multicube"]
    assert scores["metrics"]["refusals"]["other"]["questions"] == 1
    assert scores["metrics"]["refusals"]["other"]["refused"] in (0.0, 100.0)
    assert scores["metrics"]["unanswerable"] == 0
    assert len((out / "predictions.jsonl").read_text("utf-8").splitlines()) == 6
    assert [json.loads(line)["id"] for line in (out / "refusals.jsonl").read_text("utf-8").splitlines()] == ["other:q1"]
    assert "| multicube | other |" in " ".join((out / "report.md").read_text("utf-8").split())
