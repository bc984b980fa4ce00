"""Gold characters: precision and recall of what was retrieved, by cases counted by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multicube.evals.metrics.predictions import Passage, Prediction, Snippet
from multicube.evals.metrics.snippets import snippet_precision_at, snippet_recall_at

TEXTS = {"d": "0123456789abcdefghij", "e": "The party  shall\nnot disclose the secret to others."}


def retrieved(*passages: tuple[str, str], gold: tuple[tuple[str, int, int], ...]) -> Prediction:
    return Prediction(
        system="s", id="q", question="?", gold=None, status="answered", answer="x",
        passages=tuple(Passage(record_id=record, text=text) for record, text in passages),
        gold_snippets=tuple(Snippet(record_id=r, start=s, end=e) for r, s, e in gold),
    )  # fmt: skip


def shares(row: Prediction, k: int) -> tuple[float | None, float | None]:
    return snippet_precision_at(row, TEXTS, k), snippet_recall_at(row, TEXTS, k)


def test_characters_are_counted_once() -> None:
    row = retrieved(("d", "01234"), ("d", "34567"), ("e", "The party"), gold=(("d", 3, 8), ("e", 40, 50)))
    assert shares(row, 1) == (pytest.approx(2 / 5), pytest.approx(2 / 15))
    assert shares(row, 2) == (pytest.approx(5 / 8), pytest.approx(5 / 15))
    assert shares(row, 9) == (pytest.approx(5 / 17), pytest.approx(5 / 15))


def test_spaces_may_be_others_and_what_stands_nowhere_is_no_gold() -> None:
    gold = (("e", 0, 20),)
    assert shares(retrieved(("e", "The party shall not"), gold=gold), 1) == (1.0, pytest.approx(1.0))
    assert shares(retrieved(("e", "The secret party"), gold=gold), 1) == (0.0, 0.0)
    assert shares(retrieved(gold=gold), 1) == (0.0, 0.0)
    assert shares(retrieved(("e", "The party"), gold=()), 1) == (None, None)


@given(
    st.lists(st.tuples(st.integers(0, 19), st.integers(1, 20)), max_size=5),
    st.lists(st.tuples(st.integers(0, 19), st.integers(1, 20)), min_size=1, max_size=5),
)
def test_it_is_the_arithmetic_of_sets_of_characters(found: list[tuple[int, int]], gold: list[tuple[int, int]]) -> None:
    text = TEXTS["d"]  # every piece of it stands there once
    pieces = [(start, min(20, start + length)) for start, length in found]
    wanted = [(start, min(20, start + length)) for start, length in gold]
    row = retrieved(*(("d", text[s:e]) for s, e in pieces), gold=tuple(("d", s, e) for s, e in wanted))
    read, right = ({at for s, e in spans for at in range(s, e)} for spans in (pieces, wanted))
    assert snippet_recall_at(row, TEXTS, 5) == pytest.approx(len(read & right) / len(right))
    assert snippet_precision_at(row, TEXTS, 5) == pytest.approx(len(read & right) / len(read) if read else 0)
