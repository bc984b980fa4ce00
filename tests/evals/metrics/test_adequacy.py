"""Adequacy by rank (HiQA B.2)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multicube.evals.metrics.ranks import adequacy, mean_adequacy


def test_adequacy_is_k_plus_one_minus_the_rank() -> None:
    assert adequacy({"one": 0.9, "two": 0.5, "three": 0.1}) == {"one": 3, "two": 2, "three": 1}
    assert adequacy({"one": 0.5, "two": 0.5, "three": 0.9}) == {"one": 1.5, "two": 1.5, "three": 3}


@given(st.dictionaries(st.text(min_size=1), st.floats(0, 1), min_size=1, max_size=6))
def test_adequacy_shares_out_the_same_sum(scores: dict[str, float]) -> None:
    methods = len(scores)
    assert sum(adequacy(scores).values()) == pytest.approx(methods * (methods + 1) / 2)


def test_the_mean_is_over_the_questions_that_all_systems_have_a_quality_for() -> None:
    judged = {"one": {"q1": 2.0, "q2": 0.0, "q3": 2.0}, "two": {"q1": 1.0, "q2": 0.0}}
    assert mean_adequacy(judged) == {"one": 1.75, "two": 1.25}  # (2 + 1.5) / 2 and (1 + 1.5) / 2
    assert mean_adequacy({"one": {"q1": 2.0}}) == {"one": None}  # alone there is no rank
    assert mean_adequacy({"one": {"q1": 2.0}, "two": {}}) == {"one": None, "two": None}
