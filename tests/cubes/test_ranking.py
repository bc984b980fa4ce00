"""Coverage ranking (Hypercube-RAG eq. 6-7): tiers first, then frequency, then the lexical score."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from multicube.cubes.core.lexical import Scores
from multicube.cubes.model.labels import Ordinals
from multicube.cubes.retrieval.ranking import ComponentCover, RankedSection, rank

LEXICAL = np.array([0.0, 1.0, 0.5, 1.0, 0.25, 0.5, 2.0, 0.0, 1.0, 0.5])
counts = st.dictionaries(st.integers(0, 9), st.integers(1, 4))
components = st.lists(counts, min_size=1, max_size=4)


def covers(parts: list[dict[int, int]]) -> list[ComponentCover]:
    return [
        ComponentCover(
            np.array(sorted(part), dtype=np.int64), np.array([part[n] for n in sorted(part)], dtype=np.int64)
        )
        for part in parts
    ]


def lexical(ordinals: Ordinals) -> Scores:
    return np.asarray(LEXICAL[ordinals])


def ranked(parts: list[dict[int, int]], k: int = 20, *, top_tier_only: bool = False) -> list[RankedSection]:
    return rank(covers(parts), k, lexical, top_tier_only=top_tier_only)


@given(components, st.integers(1, 12))
def test_the_order_is_coverage_then_frequency_then_lexical_then_place(parts: list[dict[int, int]], k: int) -> None:
    def key(n: int) -> tuple[int, int, float, int]:
        holding = [part[n] for part in parts if n in part]
        return (-len(holding), -sum(holding), -LEXICAL[n], n)

    expected = sorted({n for part in parts for n in part}, key=key)[:k]
    assert [each.ordinal for each in ranked(parts, k)] == expected


@given(components)
def test_tiers_never_interleave_and_a_component_counts_once(parts: list[dict[int, int]]) -> None:
    covered = [each.covered for each in ranked(parts)]
    assert covered == sorted(covered, reverse=True)
    assert all(1 <= each.covered == sum(each.ordinal in part for part in parts) for each in ranked(parts))


@given(components)
def test_ties_are_broken_by_frequency_and_then_lexically(parts: list[dict[int, int]]) -> None:
    found = ranked(parts)
    for better, worse in pairwise(found):
        if better.covered == worse.covered:
            assert (better.frequency, better.lexical) >= (worse.frequency, worse.lexical)


@given(components, st.integers(1, 12))
def test_the_top_tier_alone_is_the_head_of_the_full_ranking(parts: list[dict[int, int]], k: int) -> None:
    full, head = ranked(parts, k), ranked(parts, k, top_tier_only=True)
    assert head == [each for each in full if each.covered == full[0].covered]


def test_nothing_covered_or_nothing_wanted_is_an_empty_ranking() -> None:
    assert rank([], 5, lexical) == []
    assert ranked([{}], 5) == []
    assert ranked([{1: 1}], 0) == []
