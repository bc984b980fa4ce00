"""Reciprocal rank fusion by its formula and its properties."""

import random
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from multicube.cubes.retrieval.fusion import rrf

rankings = st.lists(st.lists(st.sampled_from("abcdefgh"), unique=True), max_size=5)


@given(rankings, st.integers(1, 100))
def test_scores_follow_the_formula(lists: list[list[str]], k: int) -> None:
    for item, score in rrf(lists, k):
        exact = sum(Fraction(1, k + ranking.index(item) + 1) for ranking in lists if item in ranking)
        assert abs(score - float(exact)) < 1e-12


@given(rankings)
def test_all_items_come_back_once_by_falling_score(lists: list[list[str]]) -> None:
    fused = rrf(lists)
    assert sorted(item for item, _ in fused) == sorted({item for ranking in lists for item in ranking})
    scores = [score for _, score in fused]
    assert scores == sorted(scores, reverse=True)


@given(rankings, st.randoms(use_true_random=False))
def test_the_order_of_the_lists_does_not_matter(lists: list[list[str]], chance: random.Random) -> None:
    shuffled = list(lists)
    chance.shuffle(shuffled)
    assert rrf(shuffled) == rrf(lists)


@given(st.lists(st.sampled_from("abcdefgh"), unique=True))
def test_a_single_list_keeps_its_order(ranking: list[str]) -> None:
    assert [item for item, _ in rrf([ranking])] == ranking
    assert [item for item, _ in rrf([ranking, ranking])] == ranking


@given(rankings, st.integers(0, 4), st.integers(1, 7))
def test_moving_up_in_one_list_never_lowers_an_item(lists: list[list[str]], which: int, place: int) -> None:
    if which >= len(lists) or place >= len(lists[which]):
        return
    item = lists[which][place]
    before = dict(rrf(lists))[item]
    moved = [list(ranking) for ranking in lists]
    moved[which][place - 1], moved[which][place] = moved[which][place], moved[which][place - 1]
    assert dict(rrf(moved))[item] > before


def test_an_item_standing_twice_counts_where_it_stands_first() -> None:
    assert rrf([["a", "a", "b"]], 60) == [("a", 1 / 61), ("b", 1 / 62)]
