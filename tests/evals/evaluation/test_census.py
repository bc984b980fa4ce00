"""One cause for each wrong question, by hand-made runs over a hand-made chain of two passages."""

import json
from pathlib import Path
from typing import Any

import pytest
from multicube.evals.datasets.dataset import Question
from multicube.evals.evaluation.census import (
    CAUSES,
    GoldHop,
    census,
    fault_lines,
    fault_of,
    faults_of,
    gold_hops,
    read_library,
)
from multicube.evals.metrics.predictions import HopSummary, Prediction

ASKED = "Where was the director of The Kite born?"
LIBRARY = {
    "film": ("The Kite (1950 film)", "The Kite was directed by Ada Moor."),
    "person": ("Ada Moor", "Ada Moor was born in Bresk, in the old town, to a family of millers."),
    "other": ("Elsewhere", "Nothing of the kind."),
}
CHAIN = [["The Kite", "director", "Ada Moor"], ["Ada Moor", "place of birth", "Bresk"]]


def question(**fields: Any) -> Question:
    return Question(
        **{
            "id": "q",
            "question": ASKED,
            "answers": ("Bresk",),
            "supporting": ("film", "person"),
            "evidences": CHAIN,
            **fields,
        }
    )


def hop(number: int, subquery: str, answer: str = "", *retrieved: str) -> HopSummary:
    return HopSummary(
        number=number, subquery=subquery, answer=answer, retrieved=retrieved, components=("person.name = x",)
    )


def run(asked: Question, answer: str, *hops: HopSummary, **fields: Any) -> Prediction:
    return Prediction(
        **{
            "system": "s",
            "id": asked.id,
            "question": asked.question,
            "gold": asked.answers,
            "supporting": asked.supporting,
            "answer": answer,
            "status": "answered" if answer else "abstained",
            "hops": hops,
            **fields,
        }
    )


FIRST = hop(1, "Who directed The Kite?", "Ada Moor", "film")
SECOND = hop(2, "Where was Ada Moor born?", "", "person")
COMPARED = question(question="Who is older, Ada Moor or Ben Lasz?", answers=("Ada Moor",), evidences=[])
CLOSED = question(answers=("yes",))


@pytest.mark.parametrize(
    ("asked", "answer", "hops", "cause", "number"),
    [
        (question(), "", (hop(1, ASKED).model_copy(update={"components": ()}),), "no plan", None),
        (question(), "", (), "no plan", None),
        (question(), "", (hop(1, f"the {ASKED}").model_copy(update={"components": ()}),), "no plan", None),
        (question(supporting=("person",), evidences=[]), "", (hop(1, ASKED, "", "person"),), "refused though", 1),
        (question(), "", (hop(1, "Who directed The Kite?", "", "other"),), "gold section never retrieved", 1),
        (question(), "", (hop(1, "Who directed The Kite?", "Cy Tal", "film", "person"),), "chain broke", 1),
        (question(), "", (FIRST, hop(2, "Where was Ada Moor born?", "", "other")), "gold section never", 2),
        (question(), "", (FIRST, SECOND), "refused though", 2),
        (question(), "old town", (FIRST, SECOND), "wrong span", None),
        (question(answers=("Breskian",)), "old town", (FIRST, SECOND), "answer not in the words", None),
        (question(), "Bresk, Kelmark", (FIRST, SECOND), "right answer in other words", None),
        (question(evidences=[]), "x", (FIRST,), "gold section never retrieved", 2),
        (CLOSED, "no", (FIRST, SECOND), "yes or no wrong", None),
        (COMPARED, "Ben Lasz", (FIRST, SECOND), "comparison picked the other", None),
        (question(answers=()), "Bresk", (FIRST, SECOND), "answered without", None),
    ],
)
def test_each_cause(asked: Question, answer: str, hops: Any, cause: str, number: int | None) -> None:
    fault = fault_of(run(asked, answer, *hops), asked, LIBRARY)
    assert fault is not None
    assert fault.cause.startswith(cause)
    assert fault.cause in CAUSES
    assert fault.hop == number


def test_what_failed_and_what_is_right() -> None:
    asked = question()
    failed = fault_of(run(asked, "", status="failed", error="It broke."), asked, LIBRARY)
    assert failed is not None
    assert failed.cause == "failed"
    assert fault_of(run(asked, "bresk"), asked, LIBRARY) is None
    refused = question(answers=())
    assert fault_of(run(refused, ""), refused, LIBRARY) is None


def test_the_gold_chain_is_read_from_either_form() -> None:
    assert gold_hops(question(), LIBRARY) == [GoldHop("film", "Ada Moor"), GoldHop("person", None)]
    parts = [
        {"question": "Who directed The Kite?", "answer": "Ada Moor", "supporting": "film"},
        {"question": "Where was #1 born?", "answer": "Bresk", "supporting": "person"},
    ]
    assert gold_hops(question(evidences=(), decomposition=parts), LIBRARY) == gold_hops(question(), LIBRARY)
    assert gold_hops(question(evidences=[[1]]), LIBRARY) == []


def test_causes_are_counted_with_hops_and_three_examples(tmp_path: Path) -> None:
    asked = {f"q{n}": question(id=f"q{n}") for n in range(6)}
    rows = [run(one, "", hop(1, "Who directed The Kite?", "", "other")) for one in asked.values()]
    rows[0] = run(asked["q0"], "Bresk")
    wrong = faults_of(rows, asked, LIBRARY)
    lines = [json.loads(line) for line in fault_lines(wrong).splitlines()]
    assert [line["id"] for line in lines] == ["q1", "q2", "q3", "q4", "q5"]
    assert lines[0]["subqueries"] == ["Who directed The Kite? -> "]
    counted = census(wrong)
    assert counted["wrong"] == 5
    assert counted["asked_whole"] == 0
    assert counted["causes"] == {
        "gold section never retrieved": {"count": 5, "by_hop": {"1": 5}, "examples": ["q1", "q2", "q3"]}
    }


def test_only_what_is_looked_at_is_read(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("\n".join(f'{{"id": "{name}", "title": "T", "text": "x"}}' for name in ("film", "spare")))
    assert read_library(corpus, [run(question(), "", FIRST)]) == {"film": ("T", "x")}
