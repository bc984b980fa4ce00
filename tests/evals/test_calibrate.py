"""Fitting the engine's confidence: a rising line through how often answers of each score are right."""

import random
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from multicube.agent.embedded.confidence import interpolate, probability
from multicube.evals.calibrate import fit, main, scored
from multicube.evals.predictions import HopSummary, Prediction, PredictionLog


def answered(number: int, score: float, right: bool) -> Prediction:
    hops = tuple(HopSummary(number=n, subquery="?", answer="x", confidence=s) for n, s in enumerate((0.99, score), 1))
    return Prediction(
        system="multicube", id=f"q{number}", question="?", gold=("Ada",), answer="Ada" if right else "Bo",
        status="answered", confidence=score, hops=hops,
    )  # fmt: skip


def test_a_line_is_read_between_its_knots_and_level_beyond() -> None:
    knots = ((0.2, 0.1), (0.6, 0.5))
    assert [interpolate(knots, score) for score in (0.0, 0.2, 0.4, 0.6, 1.5)] == pytest.approx(
        [0.1, 0.1, 0.3, 0.5, 0.5]
    )


def test_the_committed_line_rises_and_is_a_probability() -> None:
    line = [probability(score / 20) for score in range(21)]
    assert line == sorted(line)
    assert 0 <= line[0] <= line[-1] <= 1


def test_the_weakest_hop_is_the_score() -> None:
    abstained = Prediction(system="s", id="q", question="?", gold=("Ada",), status="abstained")
    assert scored([answered(1, 0.4, True), abstained], 0.5) == [(0.4, 1.0, 0.5)]


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from([0.0, 1.0]), st.just(1.0)), max_size=200))
def test_more_score_never_means_less_probability(samples: list[tuple[float, float, float]]) -> None:
    line = fit(samples)
    assert [share for _, share in line] == sorted(share for _, share in line)
    assert len({score for score, _ in line}) == len(line)


def test_one_command_fits_and_writes_the_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = random.Random(0)
    rows = [answered(n, score := rng.random(), rng.random() < score * score) for n in range(400)]
    (tmp_path / "out").mkdir()
    PredictionLog(tmp_path / "out" / "predictions.jsonl").replace(rows)
    main_ends([str(tmp_path / "out"), "--target", str(tmp_path / "line.yaml")])
    said = capsys.readouterr().out
    before, after = (float(part) for part in said.split("error ")[1].split(" (")[0].split(" -> "))
    assert after < before / 2
    knots = yaml.safe_load((tmp_path / "line.yaml").read_text("utf-8"))["knots"]
    assert interpolate(tuple(map(tuple, knots)), 0.9) == pytest.approx(0.81, abs=0.1)


def test_what_cannot_be_fitted_is_said_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main_ends([str(tmp_path), "--target", str(tmp_path / "line.yaml")], status=2)
    assert "has no predictions.jsonl" in capsys.readouterr().err


def main_ends(arguments: list[str], status: int = 0) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert (ended.value.code or 0) == status
