"""Fitting the engine's probabilities: monotone models, a threshold, and how they do where they were not fitted."""

import random
from pathlib import Path

import numpy as np
import pytest
import yaml
from ending import ends
from multicube.agent.engines.embedded.confidence import ANSWERABLE, RIGHT
from multicube.evals.experiments.calibration.command import app
from multicube.evals.experiments.calibration.fitting import LOST, Record, calibrated, cross_fitted, fit_logistic

NAMES = tuple(dict.fromkeys((*ANSWERABLE, *RIGHT)))


def records(corpus: str, seed: int = 0, count: int = 80) -> list[Record]:
    """Questions of a corpus, whose names it has, and as many of another's; what is sure is mostly right."""
    rng = random.Random(f"{corpus} {seed}")
    found = []
    for number in range(2 * count):
        own = number < count
        signals = {name: rng.random() for name in NAMES}
        signals["told"] = rng.uniform(0.6, 1.0) if own else rng.uniform(0.0, 0.5)
        found.append(
            Record(
                corpus=corpus, asked=corpus if own else "other", id=str(number), answerable=own, answered=True,
                right=float(own and rng.random() < signals["weakest"]), signals=signals,
            )
        )  # fmt: skip
    return found


def test_a_signal_that_speaks_against_has_no_weight() -> None:
    rows = records("a")
    turned = [row.model_copy(update={"signals": {**row.signals, "home": 1 - row.signals["told"]}}) for row in rows]
    model = fit_logistic(turned, ANSWERABLE, lambda row: float(row.answerable), np.ones(len(rows)))
    assert model.weights["home"] == 0.0
    assert model.weights["told"] == max(model.weights.values()) > 1


def test_what_was_fitted_on_one_corpus_holds_on_another() -> None:
    tested = cross_fitted([*records("a", count=300), *records("b", count=300)])
    assert [each.corpus for each in tested] == ["a", "b"]
    for each in tested:
        assert each.own < 0.1
        assert each.foreign["other"] > 0.65
        assert (each.error or 1.0) < 0.3
        assert (each.brier or 1.0) < 0.3


def test_the_threshold_holds_back_few_right_answers() -> None:
    rows = records("a", count=400)
    fitted = calibrated(rows)
    right = [fitted.answerable.probability(row.signals) for row in rows if row.right]
    below = sum(sure < fitted.least for sure in right) / len(right)
    assert LOST / 2 < below <= LOST


def test_a_question_that_found_nothing_counts_as_refused() -> None:
    rows = [row.model_copy(update={"answered": False}) for row in records("b")]
    tested = {each.corpus: each for each in cross_fitted([*records("a"), *rows])}
    assert (tested["b"].own, tested["b"].foreign, tested["b"].error) == (1.0, {"other": 1.0}, None)


def test_the_right_are_told_from_the_wrong_among_the_answered() -> None:
    model = calibrated(records("a", count=300)).right
    assert model.weights["weakest"] == max(model.weights.values())


def test_one_command_fits_and_writes_the_weights(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, target = tmp_path / "records.jsonl", tmp_path / "weights.yaml"
    file.write_text("".join(row.model_dump_json() + "\n" for row in (*records("a"), *records("b"))), encoding="utf-8")
    ends(app, ["fit", str(file), "--target", str(target)])
    said = capsys.readouterr().out
    assert said.startswith("a: refused ")
    assert "% of other; calibration error" in said
    text = target.read_text("utf-8")
    assert "a asked of a" in text.splitlines()[1]
    written = yaml.safe_load(text)
    assert set(written["answerable"]["weights"]) == set(ANSWERABLE)
    assert 0 < written["least"] < 1
    ends(app, ["fit", str(file), "--target", str(target)])
    assert target.read_text("utf-8") == text


def test_signals_are_recorded_with_nothing_held_back(sample_path: Path, tmp_path: Path) -> None:
    out = tmp_path / "records.jsonl"
    ends(app, ["record", "sample", "--kb", str(sample_path), "--limit", "3", "--out", str(out)])
    rows = [Record.model_validate_json(line) for line in out.read_text("utf-8").splitlines()]
    assert [(row.corpus, row.asked, row.answerable) for row in rows] == [("sample", "sample", True)] * 3
    assert all(set(row.signals) == set(NAMES) for row in rows)
    assert sum(row.right for row in rows) >= 2


def test_what_cannot_be_fitted_is_said_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ends(app, ["fit", str(tmp_path / "none.jsonl")], status=2)
    assert "is not there" in capsys.readouterr().err
    file = tmp_path / "own.jsonl"
    file.write_text(records("a")[0].model_dump_json() + "\n", encoding="utf-8")
    ends(app, ["fit", str(file), "--target", str(tmp_path / "t.yaml")], status=2)
    assert "need questions with an answer and questions without" in capsys.readouterr().err
