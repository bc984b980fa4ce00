"""Questions of our own, and what the engine asks in its hops, become reading examples with their passages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from multicube import MultiCube
from multicube.cubes.core.errors import InputError
from multicube.evals.training.examples import Example, read_rows, reading_examples
from multicube.evals.training.sources.hops import write_hops
from multicube.evals.training.sources.written import write_written

PASSAGES = [
    ("p1", "Orla Venn", "Orla Venn (born 3 May 1911) was a miller of Tessel. Venn died in Pellam. Pellam buried her."),
    ("p2", "The Salt Year", "The Salt Year is a 1952 film directed by Orla Venn."),
]
RESOLVED = "What is the place of death of the director of film The Salt Year?"


def rows_to(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    rows_to(tmp_path / "mills" / "corpus.jsonl", [{"id": i, "title": t, "text": x} for i, t, x in PASSAGES])
    return tmp_path


def told(example: Example) -> str:
    return example.text[: example.start] + "[" + example.text[example.start : example.end] + "]"


def test_a_written_question_points_at_its_answer_in_its_passage(data: Path) -> None:
    asked = {"dataset": "mills", "passage": "p1"}
    rows_to(data / "own.jsonl", [
        {**asked, "question": "In which town did the miller die?", "answer": "Pellam"},
        {**asked, "question": "Which place buried the miller?", "answer": "Pellam", "context": "Pellam buried her"},
        {**asked, "question": "Whom did she marry?", "answer": ""},
        {**asked, "question": "Who wrote it?", "answer": "Nobody"},
    ])  # fmt: skip
    assert write_written(data, data / "out", data / "own.jsonl") == 3, "an answer that is not there teaches nothing"
    died, buried, married = reading_examples(data / "out", "written")
    assert told(died).endswith("Venn died in [Pellam]")
    assert told(buried).endswith("Pellam. [Pellam]")
    assert not married.answerable
    assert married.title == "Orla Venn"


def test_passages_that_are_not_there_are_said_to_be_missing(data: Path) -> None:
    rows_to(data / "own.jsonl", [{"dataset": "locks", "passage": "p1", "question": "Who?", "answer": "Orla Venn"}])
    with pytest.raises(InputError, match="locks"):
        write_written(data, data / "out", data / "own.jsonl")


def test_a_hop_is_read_in_the_passage_of_its_gold_step_and_half_of_the_questions_are_left_out(data: Path) -> None:
    steps = [["The Salt Year", "director", "Orla Venn"], ["Orla Venn", "place of death", "Pellam"]]
    gold = {"answers": ["Pellam"], "supporting": ["p1", "p2"], "evidences": steps}
    asked = [RESOLVED, *(f"{RESOLVED[:-1]} (as it was shown in {year})?" for year in range(1952, 1968))]
    rows = [{"id": f"q{n}", "question": question, **gold} for n, question in enumerate(asked)]
    rows_to(data / "mills" / "questions.jsonl", rows)
    MultiCube.build([data / "mills" / "corpus.jsonl"], data / "kb" / "mills", engine="embedded").close()
    assert write_hops([data / "mills"], data / "kb", data / "out") > 0
    left = {row["question"] for row in read_rows(data / "out" / "mills" / "questions.jsonl")}
    examples = reading_examples(data / "out", "hops")
    whole = {e.question for e in examples} & set(asked)
    assert left
    assert whole
    assert not whole & left
    assert {e.text[e.start : e.end] for e in examples if e.question in asked} == {"Pellam"}
    assert {e.text[e.start : e.end] for e in examples if e.title == "The Salt Year"} == {"Orla Venn"}
