"""The Log-Rank Index against values computed by hand, and what holds for every ranking."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multicube.evals.metrics.ranks import log_rank_index, log_rank_score


@pytest.mark.parametrize(
    ("rank", "segments", "gamma", "score"),
    [
        (1, 100, 1.0, 1.0),
        (100, 100, 1.0, 0.0),
        (None, 100, 1.0, 0.0),
        (10, 100, 1.0, 0.5),  # 1 - log 10 / log 100
        (2, 8, 1.0, 2 / 3),  # 1 - log 2 / log 8
        (3, 9, 0.5, 1 - math.log(2) / math.log(5)),
        (2, 4, 5.0, 1 - math.log(6) / math.log(16)),
        (1, 1, 1.0, 1.0),
        (None, 1, 1.0, 1.0),
    ],
)
def test_the_score_of_a_rank(rank: int | None, segments: int, gamma: float, score: float) -> None:
    assert log_rank_score(rank, segments, gamma=gamma) == pytest.approx(score)


def test_a_question_scores_the_mean_of_its_gold_segments() -> None:
    ranked = ["a", "b", "c", "d", "e", "f", "g", "h"]
    assert log_rank_index(ranked, ["a", "b"], 8) == pytest.approx((1 + 2 / 3) / 2)
    assert log_rank_index(ranked, ["a", "unranked"], 8) == pytest.approx(0.5)


def test_without_gold_nothing_is_scored() -> None:
    assert log_rank_index(["a"], [], 5) is None


@given(st.integers(2, 3000), st.data(), st.floats(0.01, 100))
def test_a_better_rank_never_scores_less_and_scores_stay_between_0_and_1(
    segments: int, data: st.DataObject, gamma: float
) -> None:
    better = data.draw(st.integers(1, segments - 1))
    worse = data.draw(st.integers(better + 1, segments))
    one, two = (log_rank_score(rank, segments, gamma=gamma) for rank in (better, worse))
    assert 0.0 <= two < one <= 1.0


@given(st.integers(3, 3000), st.data())
def test_a_larger_gamma_falls_faster(segments: int, data: st.DataObject) -> None:
    rank = data.draw(st.integers(2, segments - 1))
    assert log_rank_score(rank, segments, gamma=10) < log_rank_score(rank, segments, gamma=0.1)


@given(st.permutations(["a", "b", "c", "d", "e"]), st.sets(st.sampled_from("abcde"), min_size=1))
def test_a_perfect_ranking_scores_best(ranked: list[str], gold: set[str]) -> None:
    perfect = [*sorted(gold), *(segment for segment in ranked if segment not in gold)]
    best, found = log_rank_index(perfect, gold, 5), log_rank_index(ranked, gold, 5)
    assert best is not None
    assert found is not None
    assert found <= best + 1e-12


@pytest.mark.parametrize(("rank", "segments", "gamma"), [(0, 5, 1.0), (6, 5, 1.0), (1, 5, 0.0), (1, 5, -1.0)])
def test_what_cannot_be_ranked_is_refused(rank: int, segments: int, gamma: float) -> None:
    with pytest.raises(ValueError, match=r"rank|γ"):
        log_rank_score(rank, segments, gamma=gamma)
