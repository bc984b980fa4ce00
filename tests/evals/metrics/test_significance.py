"""Whether two systems differ: against exact tests worked out by hand, by enumeration, and the laws of a p-value."""

from itertools import product
from math import comb
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multicube.evals.metrics.basic import bootstrap_interval, mean
from multicube.evals.metrics.significance import compare, sign_flip_p

differences = st.lists(st.sampled_from([-1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0]), max_size=40)


def _enumerated(values: list[float]) -> float:
    """The definition: of all ways to give the differences their signs, how many are as far out."""
    seen = abs(sum(values))
    sums = [abs(sum(sign * value for sign, value in zip(signs, values, strict=True)))
            for signs in product((-1, 1), repeat=len(values))]
    return sum(each >= seen - 1e-9 for each in sums) / len(sums)


def _mcnemar(better: int, worse: int) -> float:
    """McNemar's exact test: twice the binomial tail of the rarer kind of disagreement."""
    tail = sum(comb(better + worse, k) * 0.5 ** (better + worse) for k in range(min(better, worse) + 1))
    return min(1.0, 2 * tail)


@pytest.mark.parametrize(
    ("values", "p"),
    [
        ([1.0] * 5, 2 / 32),
        ([1.0] * 4 + [-1.0], 12 / 32),
        ([1.0, -1.0], 1.0),
        ([0.0] * 9, 1.0),
        ([], 1.0),
        ([0.5, 1.0], 0.5),
        ([0.5, 0.75, 1.0], 0.25),
    ],
)
def test_small_cases_by_hand(values: list[float], p: float) -> None:
    assert sign_flip_p(values) == pytest.approx(p)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 20))
def test_of_exact_match_it_is_mcnemars_exact_test(better: int, worse: int, same: int) -> None:
    values = [1.0] * better + [-1.0] * worse + [0.0] * same
    assert sign_flip_p(values) == pytest.approx(_mcnemar(better, worse))


@given(st.lists(st.floats(-1, 1).map(lambda value: round(value, 3)), max_size=9))
def test_few_differences_are_enumerated(values: list[float]) -> None:
    assert sign_flip_p(values) == pytest.approx(_enumerated(values))


def test_many_differences_are_drawn_near_the_exact_value() -> None:
    # 10 of 1 and 8 of a half for us, 4 of a half against: the exact value by the sums of two binomials.
    values = [1.0] * 10 + [0.5] * 8 + [-0.5] * 4
    exact = sum(
        comb(10, a) * comb(12, b)
        for a in range(11) for b in range(13)
        if abs((2 * a - 10) + (2 * b - 12) / 2) >= 12 - 1e-9
    ) / 2**22  # fmt: skip
    assert sign_flip_p(values, seed=3) == pytest.approx(exact, abs=0.003)
    assert sign_flip_p(values, seed=3) == sign_flip_p(values, seed=3) > 0


@given(differences, st.integers(0, 3), st.randoms(use_true_random=False))
def test_a_p_value_is_symmetric_bounded_and_knows_no_order(values: list[float], seed: int, random: Random) -> None:
    p = sign_flip_p(values, seed=seed, draws=200)
    shuffled = random.sample(values, len(values))
    assert 0 < p <= 1
    assert sign_flip_p([-value for value in values], seed=seed, draws=200) == p
    assert sign_flip_p(shuffled, seed=seed, draws=200) == p
    assert sign_flip_p([*values, 0.0], seed=seed, draws=200) == p


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_identical_systems_do_not_differ(scores: list[float]) -> None:
    found = compare([(score, score) for score in scores])
    assert found is not None
    assert (found.difference, found.interval, found.p, found.discordant) == (0, (0, 0), 1, 0)


def test_a_comparison_pairs_the_questions_that_both_have_a_score_for() -> None:
    found = compare([(1, 0), (1, 0), (0, 0), (None, 1), (1, None), (1, 1)])
    assert found is not None
    assert (found.questions, found.discordant, found.difference) == (4, 2, 0.5)
    assert found.interval[0] <= 0.5 <= found.interval[1]
    assert found.p == 0.5
    assert compare([(None, 1.0)]) is None
    assert compare([]) is None


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=20))
def test_swapping_the_systems_turns_the_difference_round(pairs: list[tuple[float, float]]) -> None:
    one, other = compare(pairs), compare([(theirs, ours) for ours, theirs in pairs])
    assert one is not None
    assert other is not None
    assert one.p == other.p
    assert one.difference == pytest.approx(-other.difference)
    assert one.interval == pytest.approx((-other.interval[1], -other.interval[0]), abs=1e-9)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40), st.integers(0, 5))
def test_the_bootstrap_interval_contains_the_mean(values: list[float], seed: int) -> None:
    low, high = bootstrap_interval(values, seed=seed) or (1, 0)
    assert low - 1e-9 <= (mean(values) or 0.0) <= high + 1e-9
