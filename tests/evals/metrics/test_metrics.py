"""Metrics against cases computed by hand, and the laws they must keep."""

import re
import string
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multicube.evals.metrics.basic import (
    best_over,
    bootstrap_interval,
    exact_match,
    f1,
    mean,
    normalise,
    percentile,
    perfect_at,
    precision_at,
    precision_classic_at,
    recall_at,
)

ids = st.lists(st.sampled_from([f"d{n}" for n in range(12)]), max_size=15)
depths = st.integers(1, 12)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("The Prairie King", "prairie king"),
        ("  An   Ode, to the Sea!  ", "ode to sea"),
        ("O'Neill's", "oneills"),
        ("U.S.", "us"),
        ("Anthem", "anthem"),
        ("12 May 1976.", "12 may 1976"),
        ("the", ""),
        ("Łódź–Widzew", "łódź–widzew"),
    ],
)
def test_normalisation_is_the_official_one(raw: str, expected: str) -> None:
    assert normalise(raw) == expected


@pytest.mark.parametrize(
    ("prediction", "gold", "em", "score"),
    [
        ("The Prairie King", "prairie king", 1.0, 1.0),
        ("King", "The Prairie King", 0.0, 2 / 3),
        ("Barack Hussein Obama", "Barack Obama", 0.0, 0.8),
        ("Paris", "London", 0.0, 0.0),
        ("no", "no", 1.0, 1.0),
        ("no doubt", "no", 0.0, 0.0),
        ("yes", "yes indeed", 0.0, 0.0),
        ("noanswer", "noanswer given", 0.0, 0.0),
        ("new new york", "new york", 0.0, 0.8),
        ("the", "The", 1.0, 1.0),
        ("", "Paris", 0.0, 0.0),
    ],
)
def test_exact_match_and_f1_by_hand(prediction: str, gold: str, em: float, score: float) -> None:
    assert exact_match(prediction, gold) == em
    assert f1(prediction, gold) == pytest.approx(score)


def test_the_best_alias_counts() -> None:
    golds = ["Granville Stanley Hall", "Stanley Hall"]
    assert best_over(exact_match, "stanley hall", golds) == 1.0
    assert best_over(f1, "G. Stanley Hall", golds) == pytest.approx(0.8)
    assert best_over(f1, "anything", []) == 0.0


def test_retrieval_by_hand() -> None:
    ranked, gold = ["a", "x", "a", "b", "y", "c"], ["a", "b", "z"]
    assert recall_at(ranked, gold, 2) == pytest.approx(1 / 3)
    assert recall_at(ranked, gold, 3) == pytest.approx(2 / 3)  # distinct: a, x, b
    assert precision_at(ranked, gold, 3) == pytest.approx(2 / 3)
    assert precision_at(["a", "b"], gold, 5) == 1.0
    assert precision_classic_at(["a", "b"], gold, 5) == pytest.approx(2 / 5)
    assert perfect_at(ranked, ["a", "b"], 3) == 1.0
    assert perfect_at(ranked, gold, 8) == 0.0


def test_what_cannot_be_computed_is_none_and_never_zero() -> None:
    for metric in (recall_at, precision_at, precision_classic_at, perfect_at):
        assert metric(["a"], [], 5) is None
        assert metric([], ["a"], 5) == 0.0
    assert mean([]) is None
    assert mean([None, None]) is None
    assert mean([None, 1.0, 0.0]) == 0.5
    assert percentile([], 50) is None
    assert bootstrap_interval([None]) is None


def test_percentiles_are_interpolated() -> None:
    assert percentile([1, 2, 3, 4], 50) == 2.5
    assert percentile([10, 20], 95) == pytest.approx(19.5)


def test_the_interval_holds_the_mean_and_repeats_with_its_seed() -> None:
    values = [1.0] * 60 + [0.0] * 40
    low, high = bootstrap_interval(values, seed=7) or (0, 0)
    # The normal approximation of a share of .6 over 100 questions is .504 to .696.
    assert low == pytest.approx(0.504, abs=0.03)
    assert high == pytest.approx(0.696, abs=0.03)
    assert bootstrap_interval(values, seed=7) == (low, high)
    assert bootstrap_interval([1.0, 1.0, None]) == (1.0, 1.0)


def _official_normalise(text: str) -> str:
    """HotpotQA's hotpot_evaluate_v1.py, step by step."""
    text = "".join(ch for ch in text.lower() if ch not in set(string.punctuation))
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())


def _official_f1(prediction: str, gold: str) -> float:
    said, wanted = _official_normalise(prediction), _official_normalise(gold)
    if said in ("yes", "no", "noanswer") and said != wanted:
        return 0.0
    if wanted in ("yes", "no", "noanswer") and said != wanted:
        return 0.0
    common = sum((Counter(said.split()) & Counter(wanted.split())).values())
    if not common:
        return 0.0
    precision, recall = common / len(said.split()), common / len(wanted.split())
    return 2 * precision * recall / (precision + recall)


answers = st.lists(
    st.sampled_from(["yes", "no", "noanswer", "the", "a", "New", "York", "1976", "O'Neill", "St.", ","]),
    max_size=5,
).map(" ".join)


@given(answers | st.text(max_size=20), answers | st.text(max_size=20))
def test_f1_is_the_official_scripts_arithmetic(prediction: str, gold: str) -> None:
    if not _official_normalise(gold):  # the script divides nothing by nothing; SQuAD 2.0 compares
        return
    assert normalise(prediction) == _official_normalise(prediction)
    assert f1(prediction, gold) == pytest.approx(_official_f1(prediction, gold))


@given(answers, answers)
def test_f1_is_symmetric_bounded_and_at_least_exact_match(left: str, right: str) -> None:
    score = f1(left, right)
    assert score == pytest.approx(f1(right, left))
    assert 0.0 <= exact_match(left, right) <= score <= 1.0


@given(ids, st.sets(st.sampled_from([f"d{n}" for n in range(12)]), min_size=1), depths)
def test_retrieval_metrics_agree_with_each_other(ranked: list[str], gold: set[str], k: int) -> None:
    recall, precision = recall_at(ranked, gold, k), precision_at(ranked, gold, k)
    classic, perfect = precision_classic_at(ranked, gold, k), perfect_at(ranked, gold, k)
    assert recall is not None
    assert precision is not None
    assert classic is not None
    assert recall * len(gold) == pytest.approx(classic * k)
    assert classic <= precision <= 1.0
    assert recall <= (recall_at(ranked, gold, k + 1) or 0.0)
    assert perfect == float(gold <= set(dict.fromkeys(ranked)) and recall == 1.0)


@given(ids, st.sets(st.sampled_from([f"d{n}" for n in range(12)]), min_size=1), depths)
def test_repeating_a_document_changes_nothing(ranked: list[str], gold: set[str], k: int) -> None:
    doubled = [name for name in ranked for _ in range(2)]
    assert recall_at(doubled, gold, k) == recall_at(ranked, gold, k)
    assert precision_at(doubled, gold, k) == precision_at(ranked, gold, k)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.integers(0, 5))
def test_an_interval_lies_within_the_values(values: list[float], seed: int) -> None:
    low, high = bootstrap_interval(values, seed=seed, resamples=50) or (0, 0)
    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9
