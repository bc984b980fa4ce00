"""From predictions to the contract's figures, against a table computed by hand."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from multicube.evals.evaluation.scoring import Scoring, score_run, score_system
from multicube.evals.metrics.measures import answer_scores
from multicube.evals.metrics.predictions import CitationSummary, HopSummary, Passage, Prediction, Snippet
from multicube.evals.reports.results import markdown, table

CONTRACT = {
    *("em", "f1", "recall@2", "recall@3", "recall@5", "recall@8", "recall@10", "precision@3", "precision@5"),
    *("perfect@4", "perfect@8", "failed", "abstained", "metrics", "by_type"),
    *("retrieval_ms_p50", "retrieval_ms_p95", "question_ms_p50"),
}


def prediction(number: int, **fields: Any) -> Prediction:
    given_fields: dict[str, Any] = {
        "system": "s",
        "id": f"q{number}",
        "question": "?",
        "gold": ("Ada Lovelace",),
        "status": "answered",
        **fields,
    }
    return Prediction(**given_fields)


TWO, ONE = {"supporting": ("x", "y")}, {"supporting": ("x",)}
BY_HAND = [
    prediction(
        1,
        type="a",
        answer="ada lovelace",
        retrieved=("x", "n", "y"),
        question_ms=10.0,
        retrieval_ms=1.0,
        **TWO,
    ),
    prediction(2, type="a", answer="Ada", retrieved=("n", "m"), question_ms=20.0, retrieval_ms=3.0, **TWO),
    prediction(3, type="b", status="abstained", retrieved=("x",), question_ms=30.0, retrieval_ms=5.0, **ONE),
    prediction(4, type="b", status="failed", error="RuntimeError: no.", **ONE),
    prediction(5, type="u", gold=(), status="abstained", question_ms=40.0, retrieval_ms=7.0),
]


def test_every_figure_by_hand() -> None:
    scores = score_system(BY_HAND)
    assert set(scores) == CONTRACT
    assert scores["em"] == pytest.approx(100 * 2 / 5)
    assert scores["f1"] == pytest.approx(100 * (1 + 2 / 3 + 0 + 0 + 1) / 5, abs=1e-3)
    assert scores["recall@2"] == pytest.approx(100 * (0.5 + 0 + 1 + 0) / 4)
    assert scores["recall@3"] == pytest.approx(100 * (1 + 0 + 1 + 0) / 4)
    assert scores["precision@3"] == pytest.approx(100 * (2 / 3 + 0 + 1 + 0) / 4, abs=1e-3)
    assert scores["perfect@4"] == pytest.approx(50)
    assert (scores["failed"], scores["abstained"]) == (1, 2)
    assert scores["retrieval_ms_p50"] == 4.0
    assert scores["question_ms_p50"] == 25.0
    more = scores["metrics"]
    assert more["answered"] == 2
    assert more["answered_em"] == 50.0
    assert more["answered_f1"] == pytest.approx(100 * (1 + 2 / 3) / 2, abs=1e-3)
    assert more["precision_classic@3"] == pytest.approx(100 * (2 / 3 + 0 + 1 / 3 + 0) / 4, abs=1e-3)
    assert more["refused"] == 100.0
    assert more["em_ci95"][0] <= scores["em"] <= more["em_ci95"][1]


def test_types_are_broken_down() -> None:
    by_type = score_system(BY_HAND)["by_type"]
    f1 = pytest.approx(83.3333)
    assert by_type["a"] == {
        "questions": 2,
        "em": 50.0,
        "f1": f1,
        "recall@5": 50.0,
        "failed": 0,
        "abstained": 0,
    }
    assert by_type["b"]["failed"] == 1
    assert by_type["u"]["recall@5"] is None
    assert score_system([prediction(1)])["by_type"] == {}


def test_without_gold_passages_retrieval_is_null() -> None:
    scores = score_system([prediction(1, answer="Ada Lovelace", retrieved=("x",))])
    assert scores["em"] == 100.0
    for name, value in scores.items():
        if "@" in name:
            assert value is None
    assert scores["metrics"]["refused"] is None
    assert scores["retrieval_ms_p50"] is None
    assert scores["metrics"]["recall@5_ci95"] is None


def test_an_unanswerable_question_is_right_only_when_refused() -> None:
    assert answer_scores(prediction(1, gold=(), status="abstained")) == (1.0, 1.0)
    assert answer_scores(prediction(1, gold=(), answer="Ada")) == (0.0, 0.0)
    assert answer_scores(prediction(1, gold=(), status="failed")) == (0.0, 0.0)


def test_an_abstained_question_is_wrong_even_if_nothing_is_left_of_its_gold() -> None:
    assert answer_scores(prediction(1, gold=("The",), status="abstained")) == (0.0, 0.0)


def _rich(number: int, **fields: Any) -> Prediction:
    """A question with gold of every kind, answered rightly."""
    said = f"Ada Lovelace wrote note {number}."
    return prediction(
        number,
        answer="Ada Lovelace",
        supporting=("x",),
        retrieved=("x", "y"),
        hops=(HopSummary(number=1, subquery="Who?", answer="Ada Lovelace", status="answered"),),
        citations=(CitationSummary(record_id="x", sentence=said, hop=1),),
        rows=({"who": "Ada Lovelace", "note": str(number)},),
        gold_rows=({"person": ("Ada Lovelace", "Ada"), "note": (str(number),)},),
        gold_perspectives=(("ada",), ("countess", "lovelace")),
        passages=(Passage(record_id="x", title="Notes", text=said),),
        gold_snippets=(Snippet(record_id="x", start=0, end=len(said)),),
        hops_gold=1,
        **fields,
    )


def _wrong(row: Prediction) -> Prediction:
    """The same answer beside wrong gold of every kind."""
    return row.model_copy(
        update={
            "gold": ("Charles Babbage",),
            "supporting": ("z",),
            "gold_rows": ({"person": ("Babbage",), "note": ("engine",)},),
            "gold_perspectives": (("babbage",), ("engine",)),
            "gold_snippets": (Snippet(record_id="z", start=0, end=9),),
        }
    )


TEXTS = {"x": "Ada Lovelace wrote note 1.", "z": "Something else is said here."}
LESS = (
    *("answered_em", "answered_f1", "answerable_em", "answerable_f1", "answered_recall@5", "precision_classic@3"),
    *("word_coverage", "acc@0.25", "acc@0.5", "perspectives", "irr", "aa", "ac", "log_rank", "semantic"),
    *("citation_gold_precision", "citation_gold_recall", "snippet_precision@1", "snippet_recall@1"),
)


def test_wrong_gold_lowers_every_figure_that_depends_on_it() -> None:
    right = [_rich(1).model_copy(update={"id": f"q{n}"}) for n in range(10)]
    scoring = Scoring(documents=50, texts=TEXTS, encode=_letters, encoder="letters")
    good, bad = (score_system(rows, scoring) for rows in (right, [_wrong(row) for row in right]))
    for name in ("em", "f1", "recall@2", "recall@5", "precision@3", "precision@5", "perfect@4", "perfect@8"):
        assert bad[name] < good[name], name
    for name in LESS:
        assert bad["metrics"][name] < good["metrics"][name], name
    assert bad["metrics"]["em_at_coverage"]["25"] < good["metrics"]["em_at_coverage"]["25"]
    assert bad["metrics"]["by_hops"]["1"]["em"] < good["metrics"]["by_hops"]["1"]["em"]
    # What looks at the run alone stays.
    assert bad["metrics"]["citation_precision"] == good["metrics"]["citation_precision"] == 100.0


def _letters(texts: Sequence[str]) -> list[list[float]]:
    """Embeds a text by how often each letter is in it."""
    return [[float(text.lower().count(letter)) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]


def test_the_further_measures_by_hand() -> None:
    half = _rich(2, type="t").model_copy(
        update={"answer": "Ada wrote of it", "rows": ({"person": "ada", "note": "3"},), "hops_gold": 2}
    )
    rows = [_rich(1), half, prediction(3, status="failed", supporting=("x",), hops_gold=2)]
    scores = score_system(rows, Scoring(documents=10, texts=TEXTS))["metrics"]
    assert scores["word_coverage"] == pytest.approx(100 * (1 + 1 / 2 + 0) / 3, abs=1e-3)
    assert scores["acc@0.25"] == pytest.approx(100 * 2 / 3, abs=1e-3)  # one of the four words said is gold
    assert scores["acc@0.5"] == pytest.approx(100 / 3, abs=1e-3)
    assert scores["perspectives"] == 75.0
    assert scores["irr"] == 100.0
    assert scores["aa"] == scores["ac"] == 75.0
    assert scores["log_rank"] == pytest.approx((1 + 1 + 0) / 3, abs=1e-4)
    assert scores["citation_precision"] == 100.0
    assert list(scores["by_hops"]) == ["1", "2"]
    assert (scores["by_hops"]["2"]["questions"], scores["by_hops"]["2"]["failed"]) == (2, 1)
    assert scores["spent"] is scores["semantic"] is scores["adequacy"] is None


def test_what_the_data_set_cannot_give_is_null() -> None:
    scores = score_system([prediction(1, answer="Ada Lovelace")], Scoring(documents=9))["metrics"]
    for name in ("irr", "aa", "ac", "perspectives", "semantic", "log_rank", "adequacy", "citation_precision"):
        assert scores[name] is None, name
    assert scores["abstention"] == {"precision": None, "recall": None}
    assert scores["judge"] == {"correct": None, "complete": None, "judged": 0, "unjudged": 0}
    assert scores["by_hops"] == {}
    assert not any(name.startswith("snippet") for name in scores)


def test_a_system_that_retrieves_nothing_by_what_it_is_has_no_retrieval_to_score() -> None:
    told = {"type": "t", "retrieval_ms": 0.01, "question_ms": 1.0}
    none = [_rich(n, **told).model_copy(update={"system": "none", "retrieved": (), "passages": ()}) for n in range(3)]
    empty = [row.model_copy(update={"system": "hypercube"}) for row in none]
    run = score_run({"none": none, "hypercube": empty}, Scoring(documents=9, texts=TEXTS))
    nothing, found = run["systems"]["none"], run["systems"]["hypercube"]
    named = [name for name in found if name.startswith(("recall", "precision", "perfect"))]
    more = ["log_rank", "irr", "answered_recall@5", "precision_classic@3", "snippet_recall@4"]
    assert [found[name] for name in named] == [0.0] * len(named)
    assert [found["metrics"][name] for name in more] == [0.0] * len(more)
    assert [nothing[name] for name in (*named, "retrieval_ms_p50")] == [None] * (len(named) + 1)
    assert [nothing["metrics"][name] for name in (*more, "recall@5_ci95")] == [None] * (len(more) + 1)
    assert nothing["by_type"]["t"]["recall@5"] is None
    assert nothing["em"] == found["em"]
    assert {line["metric"] for line in run["comparisons"]} == {"em", "f1"}
    ingest = {"seconds": None, "sections_per_s": None, "kb_bytes": 1, "peak_rss_mb": None}
    about = {"dataset": "d", "questions": 3, "sections": 1, "engine": "embedded", "ingest": ingest}
    (row,) = [line for line in markdown({**about, **run}).splitlines() if line.startswith("| none ")][:1]
    assert [cell.strip() for cell in row.split("|")[4:9]] == ["–"] * 5


def test_rankings_are_compared_to_the_depth_that_all_have() -> None:
    deep = prediction(1, supporting=("gold",), retrieved=(*(f"r{n}" for n in range(10)), "gold"))
    assert score_system([deep], Scoring(documents=50))["metrics"]["log_rank"] == 0.0


def test_answers_that_are_not_known_are_not_scored() -> None:
    rows = [prediction(n, gold=None, answer="Ada", supporting=("x",), retrieved=("x",), type="t") for n in range(3)]
    scores = score_system(rows)
    assert (scores["em"], scores["f1"], scores["recall@5"]) == (None, None, 100.0)
    assert (scores["by_type"]["t"]["em"], scores["metrics"]["answered_em"]) == (None, None)
    assert (scores["metrics"]["answerable"], scores["metrics"]["unanswerable"]) == (0, 0)
    assert (scores["metrics"]["refused"], scores["metrics"]["word_coverage"]) == (None, None)
    assert scores["metrics"]["calibration_error"] is None
    assert [line["metric"] for line in score_run({"a": rows, "b": rows})["comparisons"]] == ["recall@5"]


def test_a_run_for_retrieval_alone_says_nothing_of_answers() -> None:
    scored = score_run({"a": [_rich(1)], "b": [_rich(1)]}, Scoring(answers=False, documents=9, texts=TEXTS))
    scores = scored["systems"]["a"]
    assert scores["em"] is scores["metrics"]["word_coverage"] is scores["metrics"]["citation_recall"] is None
    assert (scores["recall@5"], scores["metrics"]["irr"], scores["metrics"]["snippet_recall@1"]) == (100, 100, 100)
    assert (scores["by_type"], scores["metrics"]["by_hops"]) == ({}, {})
    assert [line["metric"] for line in scored["comparisons"]] == ["recall@5"]


def test_every_system_is_compared_with_the_whole_one_or_the_first() -> None:
    right, wrong = [_rich(n) for n in range(6)], [_wrong(_rich(n)) for n in range(6)]
    lines = score_run({"bm25": wrong, "multicube": right, "dense": right})["comparisons"]
    assert [(line["a"], line["b"], line["metric"]) for line in lines] == [
        ("multicube", other, metric) for other in ("bm25", "dense") for metric in ("em", "f1", "recall@5")
    ]
    assert lines[0]["difference"] == 100.0
    assert lines[0]["ci95"] == [100.0, 100.0]
    assert lines[0]["p"] == pytest.approx(2 / 2**6, abs=1e-6)
    assert (lines[3]["difference"], lines[3]["p"], lines[3]["discordant"]) == (0.0, 1.0, 0)
    assert score_run({"bm25": wrong, "dense": right})["comparisons"][0]["a"] == "bm25"
    assert score_run({"bm25": wrong})["comparisons"] == []
    many = score_run({"a": [_rich(n) for n in range(60)], "b": [_wrong(_rich(n)) for n in range(60)]})["comparisons"]
    assert many[0]["p"] == pytest.approx(2 / 2**60, rel=1e-3)  # small, and never rounded to nothing


@settings(max_examples=20)
@given(st.lists(st.sampled_from(BY_HAND), min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_questions_does_not_matter(rows: list[Prediction], random: Any) -> None:
    shuffled = random.sample(rows, len(rows))
    first, second = score_system(rows), score_system(shuffled)
    first.pop("metrics"), second.pop("metrics")  # the resampling follows the order
    assert first == second


def test_the_report_shows_intervals_and_dashes() -> None:
    results = {
        "dataset": "toy", "questions": 5, "sections": 9, "engine": "embedded",
        "systems": {"s": score_system(BY_HAND), "t": score_system([prediction(1)])},
        "ingest": {"seconds": None, "sections_per_s": None, "kb_bytes": 2_000_000, "peak_rss_mb": 99.6},
    }  # fmt: skip
    text = markdown(results)
    assert "**toy**: 5 questions over 9 sections" in text
    assert "| 40.0 [" in text
    assert "–" in text
    assert "2.0 MB on disk, 100 MB peak memory" in text


def test_a_table_is_aligned() -> None:
    assert table(("name", "n"), [("a", "1"), ("long name", "20")]) == (
        "| name      |   n |\n| --------- | --: |\n| a         |   1 |\n| long name |  20 |"
    )
