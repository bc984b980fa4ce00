"""The figures over questions: index, extremes, pools of documents."""

import pytest
from multicube.evals.experiments.lookalike.ablation import GoldRanks, pools_of, rank_figures
from multicube.evals.generators.lookalike.questions import LookalikeQuestion


def asked(id: str, *documents: str) -> LookalikeQuestion:
    return LookalikeQuestion(id=id, question=f"{id}?", answers=("x",), type="table", supporting=documents)


def test_the_index_of_a_question_and_the_best_it_could_be() -> None:
    row = GoldRanks(asked("q", "a"), (1, 4, None), 16)
    assert row.index == pytest.approx((1 + 0.5 + 0) / 3)  # 1 - log 4 / log 16
    assert row.ideal == pytest.approx((1 + 0.75 + 1 - 0.396240625) / 3)
    assert row.at(10.0) < row.index < row.at(0.1)


def test_figures_over_questions_and_documents() -> None:
    rows = [
        GoldRanks(asked("one", "a"), (1,), 16),
        GoldRanks(asked("two", "a"), (4,), 16),
        GoldRanks(asked("three", "b"), (16,), 16),
        GoldRanks(asked("four", "a", "b"), (None, 1), 16),
    ]
    found = rank_figures(rows)
    assert found["mean"] == pytest.approx((1 + 0.5 + 0 + 0.5) / 4)
    assert (found["min"], found["max"]) == (0.0, 1.0)
    assert found["document_min"] == pytest.approx(0.25)  # of b: 0 and 0.5
    assert found["lost"] == 1
    assert found["first@1"] == 50.0
    assert found["lowest"][0] == "three"


def test_a_pool_holds_the_document_asked_about_and_grows_by_others() -> None:
    documents = [f"d{n}" for n in range(12)]
    questions = [asked(f"q{n}", f"d{n}") for n in range(12)]
    pools = [pools_of(questions, documents, size) for size in (1, 5, 12)]
    for n, question in enumerate(questions):
        small, middle, large = (pool[question.question] for pool in pools)
        assert small == {f"d{n}"}
        assert small < middle < large == set(documents)
        assert len(middle) == 5
    assert len(set(pools[1].values())) > 6
