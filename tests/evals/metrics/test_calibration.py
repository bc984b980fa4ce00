"""What confidence is worth: the surest first, ties by their mean, bins weighted by what is in them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multicube.evals.metrics.confidence import COVERAGES, calibration_error, em_at_coverage, threshold_for

ROWS = [(0.9, 1), (0.8, 1), (0.4, 0), (0, 0)]
judged = st.lists(st.tuples(st.floats(0, 1), st.sampled_from([0.0, 1.0])), min_size=1, max_size=30)


def test_the_surest_come_first() -> None:
    assert [em_at_coverage(ROWS, share) for share in COVERAGES] == [1.0, 1.0, pytest.approx(2 / 3), 0.5]
    assert em_at_coverage([], 50) is None


def test_equally_sure_ones_count_by_their_mean_whatever_their_order() -> None:
    rows = [(0.5, 1.0), (0.5, 0.0), (0.5, 0.0), (0.5, 1.0)]
    assert em_at_coverage(rows, 25) == em_at_coverage(rows[::-1], 25) == 0.5


@given(judged, st.randoms(use_true_random=False))
def test_all_of_them_are_the_plain_share(rows: list[tuple[float, float]], random: object) -> None:
    assert em_at_coverage(rows, 100) == pytest.approx(sum(right for _, right in rows) / len(rows))
    assert em_at_coverage(rows, 50) == pytest.approx(em_at_coverage(rows[::-1], 50))
    assert 0 <= (calibration_error(rows) or 0) <= 1


def test_calibration_error_by_hand() -> None:
    assert calibration_error([(0.75, 1.0), (0.75, 0.0), (1.0, 1.0)]) == pytest.approx((0.5 + 0.0) / 3)
    assert calibration_error([]) is None


def test_a_threshold_refuses_the_share_wanted_and_no_more() -> None:
    assert threshold_for([0.0] * 9 + [0.8], 0.9) == 0.0
    assert threshold_for([0.0] * 8 + [0.3, 0.8], 0.9) == pytest.approx(0.3001)
    assert threshold_for([0.5, 0.8], 0.9) == pytest.approx(0.8001)
    assert threshold_for([], 0.9) is None
