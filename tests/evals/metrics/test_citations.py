"""Citations: whether the cited sentence says the answer, whether every hop is cited, and whether gold is."""

from typing import Any

import pytest
from multicube.evals.metrics.citations import citation_precision, citation_recall, gold_cited, right_cited
from multicube.evals.metrics.predictions import CitationSummary, HopSummary, Prediction

BOTH = ("Ann Lee", "Bo Day")
FIRST = HopSummary(number=1, subquery="Who directed it?", answer="Ann Lee", answers=BOTH, status="answered")
SECOND = HopSummary(number=2, subquery="Where was Ann Lee born?", answer="Oslo", status="answered")


def cited(record: str, sentence: str, hop: int) -> CitationSummary:
    return CitationSummary(record_id=record, sentence=sentence, hop=hop)


def answered(*citations: CitationSummary, **more: Any) -> Prediction:
    fields: dict[str, Any] = {
        "system": "s", "id": "q", "question": "?", "gold": ("Oslo",), "supporting": ("a", "b"), "answer": "Oslo",
        "status": "answered", "hops": (FIRST, SECOND), "citations": citations, **more,
    }  # fmt: skip
    return Prediction(**fields)


DIRECTED, BORN = cited("a", "It was directed by Bo Day.", 1), cited("b", "Ann Lee (born in Oslo) sings.", 2)
BESIDE = cited("c", "Oslopolis is a city.", 2)


def test_precision_is_of_citations_whose_sentence_says_what_they_are_for() -> None:
    assert citation_precision(answered(DIRECTED, BORN)) == 1.0
    assert citation_precision(answered(DIRECTED, BORN, BESIDE)) == pytest.approx(2 / 3)  # whole words only
    assert citation_precision(answered(cited("a", "Nothing of the kind.", 1))) == 0.0
    assert citation_precision(answered()) is None


def test_what_yes_or_no_rests_on_is_judged_by_its_hop_or_not_at_all() -> None:
    verdict = {"answer": "yes", "gold": ("yes",)}
    assert citation_precision(answered(DIRECTED, **verdict)) == 1.0
    bare = HopSummary(number=1, subquery="Is it?", answer="Yes", status="answered")
    assert citation_precision(answered(DIRECTED, hops=(bare,), **verdict)) is None


def test_the_cells_of_a_table_count_as_answers() -> None:
    counted = HopSummary(number=1, subquery="How many?", answer="2", status="answered")
    row = answered(cited("a", "Ann Lee sings.", 1), answer="2", hops=(counted,), rows=({"name": "Ann Lee"},))
    assert citation_precision(row) == 1.0


def test_recall_is_of_the_hops_that_gave_an_answer() -> None:
    assert citation_recall(answered(DIRECTED, BORN)) == 1.0
    assert citation_recall(answered(DIRECTED)) == 0.5
    assert citation_recall(answered(cited("a", "Ann Lee was born in Oslo.", 1))) == 1.0  # one sentence for both
    assert citation_recall(answered()) == 0.0
    missing = SECOND.model_copy(update={"status": "missing", "answer": ""})
    assert citation_recall(answered(DIRECTED, hops=(FIRST, missing))) == 1.0
    assert citation_recall(answered(hops=())) is None


def test_gold_passages_are_cited_or_not() -> None:
    assert (right_cited(answered(DIRECTED, BESIDE)), gold_cited(answered(DIRECTED, BESIDE))) == (0.5, 0.5)
    assert (right_cited(answered(DIRECTED, BORN)), gold_cited(answered(DIRECTED, BORN))) == (1.0, 1.0)
    assert (right_cited(answered()), gold_cited(answered())) == (None, 0.0)
    assert (right_cited(answered(BORN, supporting=())), gold_cited(answered(BORN, supporting=()))) == (None, None)


@pytest.mark.parametrize("measure", [citation_precision, citation_recall, right_cited, gold_cited])
@pytest.mark.parametrize("status", ["abstained", "failed"])
def test_what_gave_no_answer_has_nothing_to_cite(measure: Any, status: str) -> None:
    assert measure(answered(DIRECTED, status=status)) is None
