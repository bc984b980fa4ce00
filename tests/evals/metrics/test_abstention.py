"""Precision and recall of refusing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multicube.evals.metrics.confidence import abstention

HAS, LACKS = True, False


def test_by_hand() -> None:
    asked = [(LACKS, True), (LACKS, True), (LACKS, False), (HAS, True), (HAS, False), (HAS, False)]
    assert abstention(asked) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert abstention([(LACKS, False), (HAS, False)]) == (None, 0.0)
    assert abstention([(HAS, True), (HAS, False)]) == (None, None)  # no refusal could have been right
    assert abstention([]) == (None, None)


@given(st.lists(st.tuples(st.booleans(), st.booleans())))
def test_shares_are_bounded_and_both_count_the_same_refusals(asked: list[tuple[bool, bool]]) -> None:
    precision, recall = abstention(asked)
    right = sum(refused and not has for has, refused in asked)
    if precision is not None:
        assert precision * sum(refused for _, refused in asked) == pytest.approx(right)
    if recall is not None:
        assert recall * sum(not has for has, _ in asked) == pytest.approx(right)
        assert 0 <= recall <= 1
