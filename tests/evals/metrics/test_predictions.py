"""What is kept of a run: enough to score it again, and nothing that scoring does not need."""

import json
from pathlib import Path
from typing import Any

import pytest
from multicube.evals.datasets.dataset import Question
from multicube.evals.metrics.predictions import Passage, PredictionLog, failure, from_run, gold_hop_count
from multicube.graphs.records import AnswerTable, Citation, Evidence, Hop, Run, TableCell


def question(**more: Any) -> Question:
    return Question(**{"id": "q", "question": "Who wrote what?", "answers": ("Ash",), **more})


def evidence(section: str, record: str, text: str) -> Evidence:
    return Evidence(section_id=section, document_id="d", record_id=record, title="T", path=("T", "Part"), text=text)


def run(**more: Any) -> Run:
    hops = (
        Hop(number=1, subquery="Who?", answer="Ash", status="answered", evidence=(evidence("s1", "d1", "One."),)),
        Hop(number=2, subquery="What?", evidence=(evidence("s2", "d2", "Two."), evidence("s1", "d1", "One."))),
    )
    cited = Citation(number=1, hop=1, section_id="s1", document_id="d", record_id="d1", title="T", sentence="One.")
    cells = (TableCell(value="Ash", citation=1), TableCell(value="Ode"), TableCell(value="1999"))
    table = AnswerTable(columns=("who", "work", "work"), rows=(cells,))
    fields: dict[str, Any] = {"answer": "Ash", "status": "answered", "citations": (cited,), "table": table, **more}
    return Run(id="r", question="Who wrote what?", hops=hops, retrieved=("d2", "d1"), **fields)


def test_citations_and_table_are_kept_of_an_answer() -> None:
    row = from_run("s", question(), run(), ["d2", "d1"], 1.0)
    assert [(c.record_id, c.sentence, c.hop) for c in row.citations] == [("d1", "One.", 1)]
    assert row.rows == ({"who": "Ash", "work": "Ode", "work (3)": "1999"},)
    assert row.passages == ()
    refused = from_run("s", question(), run(status="abstained", answer=""), [], 1.0)
    assert (refused.citations, refused.rows) == ((), None)


def test_passages_are_kept_in_the_order_of_the_ranking_where_gold_is_looked_for_in_them() -> None:
    gold = {"rows": [{"who": "Ash", "work": ["Ode", "An Ode"], "year": []}], "snippets": [("d1", 0, 3)]}
    row = from_run("s", question(**gold), run(), ["d2", "d1"], 1.0)
    assert row.passages == (
        Passage(record_id="d2", title="T Part", text="Two."), Passage(record_id="d1", title="T Part", text="One."),
    )  # fmt: skip
    assert row.gold_rows == ({"who": ("Ash",), "work": ("Ode", "An Ode"), "year": ()},)
    assert (row.gold_snippets[0].record_id, row.gold_snippets[0].end) == ("d1", 3)
    assert failure("s", question(**gold), "Broke.").gold_rows == row.gold_rows


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ([["a", "b"], ["c"]], (("a", "b"), ("c",))),
        ([{"kind": "x", "keys": ["a", "b"]}, {"kind": "y"}], (("a", "b"),)),
        (["a", ["b"]], (("a",), ("b",))),
        (None, ()),
        (3, ()),
    ],
)
def test_perspectives_come_in_several_forms(given: Any, kept: Any) -> None:
    assert failure("s", question(perspectives=given), "Broke.").gold_perspectives == kept


@pytest.mark.parametrize(
    ("gold", "hops"),
    [
        ({"hops": 3, "evidences": [["a", "b", "c"]]}, 3),
        ({"evidences": [["a", "b", "c"], ["d", "e", "f"]]}, 2),
        ({"decomposition": [{"question": "?"}] * 4, "evidences": [["a", "b", "c"]]}, 4),
        ({"evidences": "none", "decomposition": None}, None),
        ({}, None),
    ],
)
def test_gold_hops_are_counted_as_the_data_set_says(gold: dict[str, Any], hops: int | None) -> None:
    assert gold_hop_count(question(**gold)) == hops


def test_predictions_of_before_still_load(tmp_path: Path) -> None:
    earlier = {"system": "s", "id": "q", "question": "?", "gold": ["Ash"], "status": "answered", "answer": "Ash"}
    log = PredictionLog(tmp_path / "predictions.jsonl")
    log.path.write_text(json.dumps(earlier) + "\n")
    row = log.read()[0]
    assert (row.citations, row.rows, row.gold_rows, row.hops_gold) == ((), None, (), None)
