"""The comparison on a small corpus: what is measured, and what it is told of a wrong wish."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from multicube.cubes.core.errors import UsageError
from multicube.evals.experiments.intents.arms import HQG, LOOP, SINGLE, Answered
from multicube.evals.experiments.intents.drawing import PICTURES, draw
from multicube.evals.experiments.intents.measuring import IntentsQuestion, Scores, ahead, figures, score
from multicube.evals.experiments.intents.running import IntentsOptions, run
from multicube.graphs.records import Evidence

QUESTION = IntentsQuestion(
    id="1",
    question="Which drugs treat Orm, and what are their molecules and side effects?",
    answers=(),
    rows=(
        {"drug": ("Lumavex", "Orvenil"), "molecule": ("lumaidine",), "side effect": ("nausea",)},
        {"drug": ("Perithol",), "molecule": ("perine",), "side effect": ("cough",)},
    ),
)


class Flat:
    fingerprint, dimensions = "flat", 2

    def encode(self, texts):  # type: ignore[no-untyped-def]
        import numpy as np

        return np.full((len(texts), 2), 0.5**0.5, dtype=np.float32)


def section(text: str) -> Evidence:
    return Evidence(section_id="s", document_id="d", record_id="r", title="T", text=text)


def test_columns_are_the_fields_in_the_order_of_the_question() -> None:
    rows = (("Orvenil", "lumaidine", "", "more"), ("Nobody", "perine", "cough", ""))
    answered = Answered(("one", "two"), (section("Lumavex holds lumaidine."),), ("a", "b", "c", "d"), rows)
    found = score(QUESTION, answered, Flat())  # type: ignore[arg-type]
    assert found.irr == pytest.approx(2 / 6)
    assert found.ac == pytest.approx(2 / 6)  # a value counts with the instance it is of
    assert found.aa == pytest.approx(2 / 6)  # of six that were said one is a column that nobody asked for
    assert found.queries == 2
    assert found.relative == pytest.approx(1.0)
    assert score(QUESTION, Answered((), (), (), ()), Flat()).irr == 0.0  # type: ignore[arg-type]


def test_what_an_arm_is_ahead_by_is_of_the_same_questions() -> None:
    ours, theirs = ([Scores(irr, irr, irr, 1.0, 0.5, 3) for irr in shares] for shares in ((0.5, 1.0), (0.5, 0.5)))
    assert ahead(ours, theirs)["irr"]["mean"] == 25.0
    of_all = figures(ours, ["drugs", "genes"])
    assert of_all["irr"]["mean"] == 75.0
    assert of_all["by_kind"]["genes"]["ac"] == 100.0


def test_the_same_sweep_is_the_same_picture(tmp_path: Path) -> None:
    arm = {key: {"mean": 50.0} for key in ("irr", "aa", "ac")}
    swept = {"rrf_k": {40: arm, 60: arm}, "top_k": {5: {HQG: arm}, 10: {HQG: arm}}}
    first, second = ([path.read_bytes() for path in draw(swept, tmp_path / name)] for name in ("a", "b"))
    assert first == second
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == sorted(PICTURES)


def test_arms_are_compared_on_one_knowledge_base(tmp_path: Path) -> None:
    names = (SINGLE, LOOP, HQG)
    results = run(IntentsOptions(2, tmp_path, names=names, sweeps=False, questions=6, limit=4))
    assert tuple(results["arms"]) == names
    assert results["questions"] == 4
    for arm in results["arms"].values():
        assert 0 < arm["irr"]["mean"] <= 100
        assert arm["irr"]["ci95"][0] <= arm["irr"]["mean"] <= arm["irr"]["ci95"][1]
    assert results["arms"][HQG]["queries"] > results["arms"][SINGLE]["queries"] == 1.0
    lines = [json.loads(line) for line in (tmp_path / "answers.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 4 * 3
    assert all(len(line["retrieved"]) <= 10 for line in lines)
    assert all(line["queries"] == [line["question"]] for line in lines if line["arm"] == SINGLE)
    report = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "Retrieval and answers (Table 1)" in report
    assert f"What {HQG} is ahead by" in report


def test_a_wrong_wish_is_told_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match='no arm "loop"'):
        run(IntentsOptions(0, tmp_path / "a", names=("loop",), sweeps=False))
    with pytest.raises(UsageError, match="sweeps need"):
        run(IntentsOptions(0, tmp_path / "b", names=(HQG,)))
    assert not (tmp_path / "a").exists()
