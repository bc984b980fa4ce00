"""BM25: the scores are rank_bm25's, whatever the corpus."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from multicube.cubes.core.lexical import Bm25Index, tokens, top
from rank_bm25 import BM25Okapi

words = st.sampled_from(["alpha", "beta", "gamma", "delta", "epsilon", "zeta"])
corpora = st.lists(st.lists(words, max_size=12), min_size=1, max_size=12).filter(lambda docs: any(docs))


@given(corpora, st.lists(st.one_of(words, st.just("unknown")), max_size=6))
def test_scores_equal_the_reference(documents: list[list[str]], query: list[str]) -> None:
    expected = BM25Okapi(documents).get_scores(query)
    assert np.allclose(Bm25Index(documents).scores(query), expected, atol=1e-9)


@given(corpora, st.lists(words, min_size=1, max_size=4), st.integers(1, 15))
def test_search_ranks_the_documents_that_hold_a_word(documents: list[list[str]], query: list[str], k: int) -> None:
    scores = BM25Okapi(documents).get_scores(query)
    holding = [n for n, document in enumerate(documents) if set(query) & set(document)]
    index = Bm25Index(documents)
    found = index.search(query, k)
    assert len(found) == min(k, len(holding))
    assert {n for n, _ in found} <= set(holding)
    assert np.allclose([score for _, score in found], sorted((scores[n] for n in holding), reverse=True)[:k])


@pytest.mark.parametrize("k", range(1, 9))
def test_common_words_need_not_be_looked_at_to_find_the_best(k: int) -> None:
    """Many documents, few of which hold the rare words of a query."""
    random = Random(k)
    names = [f"name{n}" for n in range(60)]
    documents = [[*random.choices("abcdefgh", range(1, 9), k=8), random.choice(names)] for _ in range(4_000)]
    index, query = Bm25Index(documents), [*random.sample(names, 2), random.choice("abcdefgh"), "a"]
    allowed = np.array([random.random() < 0.8 for _ in documents])
    scores = index.scores(query)
    holding = [n for n, document in enumerate(documents) if allowed[n] and set(query) & set(document)]
    expected = sorted(holding, key=lambda n: (-scores[n], n))[:k]
    assert index.search(query, k, allowed) == [(n, scores[n]) for n in expected]


def test_only_allowed_documents_are_found() -> None:
    index = Bm25Index([["a", "b"], ["a"], ["c"]])
    assert [n for n, _ in index.search(["a"], 5, np.array([False, True, True]))] == [1]
    assert index.search(["a"], 0) == []


def test_an_empty_corpus_has_no_scores() -> None:
    assert Bm25Index([]).search(["a"], 3) == []
    assert Bm25Index([[], []]).search(["a"], 3) == []


def test_tokens_are_folded_and_leave_out_stop_words() -> None:
    assert tokens("The Café's owner is in São Paulo") == ["cafe", "owner", "sao", "paulo"]


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from([0.0, 0.5, 1.5])), min_size=1),
    st.integers(1, 10),
)
def test_top_is_a_sort_that_stops_early(rows: list[tuple[int, int, float]], k: int) -> None:
    keys = [np.array(column) for column in zip(*rows, strict=True)]
    expected = sorted(range(len(rows)), key=lambda n: (*(-value for value in rows[n]), n))[:k]
    assert top(keys, k).tolist() == expected
