"""From predictions to the contract's figures, against a table computed by hand."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from multicube.evals.predictions import Prediction
from multicube.evals.report import markdown, table
from multicube.evals.scoring import answer_scores, score_system

CONTRACT = {
    *("em", "f1", "recall@2", "recall@3", "recall@5", "recall@8", "recall@10", "precision@3", "precision@5"),
    *("perfect@4", "perfect@8", "failed", "abstained", "metrics", "by_type"),
    *("retrieval_ms_p50", "retrieval_ms_p95", "question_ms_p50"),
}


def prediction(number: int, **fields: Any) -> Prediction:
    given_fields: dict[str, Any] = {
        "system": "s",
        "id": f"q{number}",
        "question": "?",
        "gold": ("Ada Lovelace",),
        "status": "answered",
        **fields,
    }
    return Prediction(**given_fields)


TWO, ONE = {"supporting": ("x", "y")}, {"supporting": ("x",)}
BY_HAND = [
    prediction(
        1,
        type="a",
        answer="ada lovelace",
        retrieved=("x", "n", "y"),
        question_ms=10.0,
        retrieval_ms=1.0,
        **TWO,
    ),
    prediction(2, type="a", answer="Ada", retrieved=("n", "m"), question_ms=20.0, retrieval_ms=3.0, **TWO),
    prediction(3, type="b", status="abstained", retrieved=("x",), question_ms=30.0, retrieval_ms=5.0, **ONE),
    prediction(4, type="b", status="failed", error="RuntimeError: no.", **ONE),
    prediction(5, type="u", gold=(), status="abstained", question_ms=40.0, retrieval_ms=7.0),
]


def test_every_figure_by_hand() -> None:
    scores = score_system(BY_HAND)
    assert set(scores) == CONTRACT
    assert scores["em"] == pytest.approx(100 * 2 / 5)
    assert scores["f1"] == pytest.approx(100 * (1 + 2 / 3 + 0 + 0 + 1) / 5, abs=1e-3)
    assert scores["recall@2"] == pytest.approx(100 * (0.5 + 0 + 1 + 0) / 4)
    assert scores["recall@3"] == pytest.approx(100 * (1 + 0 + 1 + 0) / 4)
    assert scores["precision@3"] == pytest.approx(100 * (2 / 3 + 0 + 1 + 0) / 4, abs=1e-3)
    assert scores["perfect@4"] == pytest.approx(50)
    assert (scores["failed"], scores["abstained"]) == (1, 2)
    assert scores["retrieval_ms_p50"] == 4.0
    assert scores["question_ms_p50"] == 25.0
    more = scores["metrics"]
    assert more["answered"] == 2
    assert more["answered_em"] == 50.0
    assert more["answered_f1"] == pytest.approx(100 * (1 + 2 / 3) / 2, abs=1e-3)
    assert more["precision_classic@3"] == pytest.approx(100 * (2 / 3 + 0 + 1 / 3 + 0) / 4, abs=1e-3)
    assert more["refused"] == 100.0
    assert more["em_ci95"][0] <= scores["em"] <= more["em_ci95"][1]


def test_types_are_broken_down() -> None:
    by_type = score_system(BY_HAND)["by_type"]
    f1 = pytest.approx(83.3333)
    assert by_type["a"] == {
        "questions": 2,
        "em": 50.0,
        "f1": f1,
        "recall@5": 50.0,
        "failed": 0,
        "abstained": 0,
    }
    assert by_type["b"]["failed"] == 1
    assert by_type["u"]["recall@5"] is None
    assert score_system([prediction(1)])["by_type"] == {}


def test_without_gold_passages_retrieval_is_null() -> None:
    scores = score_system([prediction(1, answer="Ada Lovelace", retrieved=("x",))])
    assert scores["em"] == 100.0
    for name, value in scores.items():
        if "@" in name:
            assert value is None
    assert scores["metrics"]["refused"] is None
    assert scores["retrieval_ms_p50"] is None
    assert scores["metrics"]["recall@5_ci95"] is None


def test_an_unanswerable_question_is_right_only_when_refused() -> None:
    assert answer_scores(prediction(1, gold=(), status="abstained")) == (1.0, 1.0)
    assert answer_scores(prediction(1, gold=(), answer="Ada")) == (0.0, 0.0)
    assert answer_scores(prediction(1, gold=(), status="failed")) == (0.0, 0.0)


def test_an_abstained_question_is_wrong_even_if_nothing_is_left_of_its_gold() -> None:
    assert answer_scores(prediction(1, gold=("The",), status="abstained")) == (0.0, 0.0)


def test_wrong_gold_lowers_every_figure() -> None:
    right = [prediction(n, answer="Ada Lovelace", supporting=("x",), retrieved=("x", "y")) for n in range(10)]
    wrong = [row.model_copy(update={"gold": ("Babbage",), "supporting": ("z",)}) for row in right]
    good, bad = score_system(right), score_system(wrong)
    for name in ("em", "f1", "recall@2", "recall@5", "precision@3", "perfect@4"):
        assert bad[name] < good[name], name


@settings(max_examples=20)
@given(st.lists(st.sampled_from(BY_HAND), min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_questions_does_not_matter(rows: list[Prediction], random: Any) -> None:
    shuffled = random.sample(rows, len(rows))
    first, second = score_system(rows), score_system(shuffled)
    first.pop("metrics"), second.pop("metrics")  # the resampling follows the order
    assert first == second


def test_the_report_shows_intervals_and_dashes() -> None:
    results = {
        "dataset": "toy", "questions": 5, "sections": 9, "engine": "embedded",
        "systems": {"s": score_system(BY_HAND), "t": score_system([prediction(1)])},
        "ingest": {"seconds": None, "sections_per_s": None, "kb_bytes": 2_000_000, "peak_rss_mb": 99.6},
    }  # fmt: skip
    text = markdown(results)
    assert "**toy**: 5 questions over 9 sections" in text
    assert "| 40.0 [" in text
    assert "–" in text
    assert "2.0 MB on disk, 100 MB peak memory" in text


def test_a_table_is_aligned() -> None:
    assert table(("name", "n"), [("a", "1"), ("long name", "20")]) == (
        "| name      |   n |\n| --------- | --: |\n| a         |   1 |\n| long name |  20 |"
    )
