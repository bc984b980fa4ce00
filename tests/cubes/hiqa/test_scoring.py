"""Equation 2's properties: what each route and weight does to the order, and what cannot change it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from multicube.cubes.retrieval.hiqa.scoring import fused, normalised, order

SCORES = arrays(np.float64, st.integers(2, 30), elements=st.floats(-1, 1, width=32))
WEIGHT = st.floats(0, 1)


def span(scores: np.ndarray) -> np.ndarray:
    return normalised(scores, float(scores.max()), float(scores.min()))


@settings(max_examples=60, deadline=None)
@given(SCORES)
def test_normalised_scores_lie_between_0_and_1_and_keep_the_order(scores: np.ndarray) -> None:
    made = span(scores)
    assert made.max() == 1.0
    assert made.min() >= 0.0
    assert (np.diff(made[np.argsort(scores, kind="stable")]) >= 0).all()


@settings(max_examples=60, deadline=None)
@given(SCORES, st.floats(0.1, 50), st.floats(-20, 20))
def test_a_routes_own_scale_does_not_matter(scores: np.ndarray, scale: float, shift: float) -> None:
    assert span(scores * scale + shift) == pytest.approx(span(scores), abs=1e-3) or np.ptp(scores) < 1e-3


@settings(max_examples=60, deadline=None)
@given(SCORES, WEIGHT, WEIGHT, st.data())
def test_more_of_anything_never_costs(scores: np.ndarray, alpha: float, beta: float, data: st.DataObject) -> None:
    vector = span(scores)
    words = span(data.draw(arrays(np.float64, len(scores), elements=st.floats(0, 1, width=32))))
    counts = data.draw(arrays(np.int64, len(scores), elements=st.integers(0, 5)))
    before = fused(vector, words, counts, alpha=alpha, beta=beta)
    assert (fused(vector, words, counts + 1, alpha=alpha, beta=beta) >= before).all()
    assert (fused(np.minimum(vector + 0.1, 1), words, counts, alpha=alpha, beta=beta) >= before).all()
    assert (fused(vector, np.minimum(words + 0.1, 1), counts, alpha=alpha, beta=beta) >= before).all()
    assert before.max() <= 1 + beta * np.log(6) + 1e-9


def test_the_weights_choose_the_route() -> None:
    vector, words, counts = np.array([1.0, 0.5, 0.0]), np.array([0.0, 0.5, 1.0]), np.array([0, 3, 0])
    by = lambda alpha, beta: order(fused(vector, words, counts, alpha=alpha, beta=beta), vector, words).tolist()  # noqa: E731
    assert by(1.0, 0.0) == [0, 1, 2]
    assert by(0.0, 0.0) == [2, 1, 0]
    assert by(0.5, 1.0) == [1, 0, 2]


def test_equation_2_by_hand() -> None:
    score = fused(np.array([0.8]), np.array([0.4]), np.array([2]), alpha=0.7, beta=0.3)
    assert score[0] == pytest.approx(0.7 * 0.8 + 0.3 * 0.4 + 0.3 * np.log(3))


def test_a_route_that_tells_nothing_apart_gives_all_the_same() -> None:
    assert normalised(np.array([0.5, 0.5, 0.2]), 0.5, 0.5).tolist() == [1.0, 1.0, 0.0]


def test_ties_are_broken_by_the_cosine_then_words_then_place() -> None:
    flat = np.ones(4)
    assert order(flat, np.array([0.1, 0.3, 0.3, 0.1]), np.array([1.0, 1.0, 2.0, 1.0])).tolist() == [2, 1, 0, 3]
