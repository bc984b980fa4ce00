"""The reader's training: its examples say what they mean, windows hold their answers, folds share no question."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from multicube.agent.minilm import model_folder
from multicube.cubes.folding import fold
from multicube.evals.training import __main__ as commands
from multicube.evals.training import evaluate
from multicube.evals.training.cloze import make_clozes, read_passages
from multicube.evals.training.examples import (
    Example,
    Passage,
    asked,
    dev_examples,
    hard_negatives,
    locate,
    squad_examples,
)
from tokenizers import Tokenizer

PASSAGES = [
    Passage(
        "w",
        "Ottoline Brask",
        "Ottoline Brask was a weaver. She was born in Edinburgh on 3 May 1871 and lived in Leeds.",
    ),
    Passage(
        "s",
        "Lantern Street",
        "The workshop in Lantern Street was founded by Ottoline Brask in 1902. It closed in Leeds.",
    ),
    Passage(
        "l",
        "Lake Tolm",
        "Lake Tolm is an inland lake without an outlet. It freezes for four months of the year.",
    ),
]


def write(path: Path, rows: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """A data set of three questions: one with its decomposition, one without, one of yes or no."""
    folder = tmp_path / "data" / "hotpotqa"
    folder.mkdir(parents=True)
    write(folder / "corpus.jsonl", [{"id": p.id, "title": p.title, "text": p.text} for p in PASSAGES])
    steps = [
        {"question": "Lantern Street >> founded by", "answer": "Ottoline Brask", "supporting": "s"},
        {"question": "When was #1 born?", "answer": "3 May 1871", "supporting": "w"},
    ]
    write(
        folder / "questions.jsonl",
        [
            {"id": "q1", "question": "When was the founder of Lantern Street born?", "answers": ["3 May 1871"],
             "supporting": ["s", "w"], "decomposition": steps},
            {"id": "q2", "question": "Where was the founder of Lantern Street born?", "answers": ["Edinburgh"],
             "supporting": ["s", "w"]},
            {"id": "q3", "question": "Is Lake Tolm without an outlet?", "answers": ["yes"], "supporting": ["l"]},
        ],
    )  # fmt: skip
    return folder


def test_an_answer_is_located_where_the_question_speaks_of_it() -> None:
    text = (
        "The club was founded in 1902. "
        + "It played in many towns. " * 10
        + "Its hall was rebuilt in 1902 by Oren Vass."
    )
    assert locate("When was the club founded?", text, ["1902"]) == (24, 28)
    assert locate("When was the hall rebuilt by Oren Vass?", text, ["1902"]) == (
        text.rindex("1902"),
        text.rindex("1902") + 4,
    )
    assert locate("Who?", text, ["190"]) is None
    assert locate("Who?", text, ["", "oren vass"]) == (text.index("Oren"), text.index("Oren") + 9)


@given(st.text(max_size=80), st.lists(st.text(max_size=8), max_size=3))
def test_a_located_answer_is_one_of_the_answers(text: str, answers: list[str]) -> None:
    place = locate("Where?", text, answers)
    if place is not None:
        assert text[place[0] : place[1]].lower() in [answer.lower() for answer in answers]


def test_one_hop_questions_of_a_decomposition_have_the_answers_before_them(dataset: Path) -> None:
    rows = [json.loads(line) for line in (dataset / "questions.jsonl").read_text().splitlines()]
    assert [list(asked(row)) for row in rows] == [
        [("What is the founded by of Lantern Street?", ["Ottoline Brask"], ["s"]),
         ("When was Ottoline Brask born?", ["3 May 1871"], ["w"])],
        [("Where was the founder of Lantern Street born?", ["Edinburgh"], ["s", "w"])],
        [],
    ]  # fmt: skip


def test_gold_sections_without_the_answer_teach_that_it_is_not_there(dataset: Path) -> None:
    examples = [e for e in dev_examples(dataset) if e.group == "q2"]
    assert [(e.title, e.text[e.start : e.end]) for e in examples] == [
        ("Lantern Street", ""),
        ("Ottoline Brask", "Edinburgh"),
    ]
    assert [e.answerable for e in examples] == [False, True]


def test_unanswerable_questions_have_no_span(tmp_path: Path) -> None:
    write(tmp_path / "corpus.jsonl", [{"id": "l", "title": "Lake Tolm", "text": PASSAGES[2].text}])
    write(
        tmp_path / "questions.jsonl",
        [
            {"id": "1", "question": "How long does it freeze?", "answers": ["for four months"], "supporting": ["l"]},
            {"id": "2", "question": "Who found it?", "answers": [], "supporting": ["l"]},
        ],
    )
    held, missing = squad_examples(tmp_path)
    assert "four months" in held.text[held.start : held.end]
    assert (missing.start, missing.end, missing.origin) == (0, 0, "squad-unanswerable")


def test_hard_negatives_resemble_the_question_and_hold_no_answer(dataset: Path) -> None:
    examples = [e for e in dev_examples(dataset) if e.answerable]
    found = list(hard_negatives(examples, PASSAGES, 10, seed=1))
    assert found
    for negative in found:
        answers = {fold(e.text[e.start : e.end]) for e in examples if e.question == negative.question}
        assert not negative.answerable
        assert negative.group.startswith("q")
        assert not any(answer in fold(f"{negative.title} {negative.text}") for answer in answers)


def test_clozes_ask_without_saying_the_answer() -> None:
    made = list(make_clozes(PASSAGES[:2], read_passages(PASSAGES[:2]), 30, seed=3))
    assert {e.origin for e in made} >= {"cloze"}
    for example in made:
        answer = example.text[example.start : example.end]
        assert answer
        assert example.question.endswith("?")
        if example.origin == "cloze":
            assert answer not in example.question
        else:
            assert answer in " ".join(p.text for p in PASSAGES if p.text != example.text)
    again = list(make_clozes(PASSAGES[:2], read_passages(PASSAGES[:2]), 30, seed=3))
    assert again == made


WORDS = st.lists(
    st.sampled_from(["salt", "Orvenna", "1902", "of", "lantern-makers", "Ærø", "."]), min_size=1, max_size=400
)


@settings(max_examples=50)
@given(WORDS, st.data())
def test_a_window_holds_the_answer(words: list[str], data: st.DataObject) -> None:
    from multicube.evals.training.train import TOTAL_TOKENS, encode

    first = data.draw(st.integers(0, len(words) - 1))
    before, answer = " ".join(words[:first]), " ".join(words[first : first + 3])
    start = len(before) + bool(before)
    example = Example("What was made in Orvenna?", "Salt", " ".join(words), start, start + len(answer))
    ids, offset, low, high = encode(example, TOKENIZER, random.Random(first))
    assert len(ids) <= TOTAL_TOKENS
    assert offset <= low <= high < len(ids) - 1
    assert fold(TOKENIZER.decode(ids[low : high + 1])).replace(" ", "") == fold(answer).replace(" ", "")


def test_a_window_of_an_unanswerable_question_points_nowhere() -> None:
    from multicube.evals.training.train import encode

    ids, _, low, high = encode(Example("Who?", "Lake Tolm", PASSAGES[2].text * 40), TOKENIZER, random.Random(0))
    assert (low, high) == (0, 0)
    assert ids


TOKENIZER = Tokenizer.from_file(str(model_folder() / "tokenizer.json"))
TOKENIZER.no_truncation()
TOKENIZER.no_padding()


def test_all_examples_of_a_question_are_in_one_fold(dataset: Path) -> None:
    examples = [*dev_examples(dataset), *(Example("?", "", "", group=f"more{n}") for n in range(20))]
    folds = commands.fold_of(examples, 5)
    assert set(folds) == {e.group for e in examples}
    assert set(folds.values()) == set(range(5))
    assert folds == commands.fold_of(examples[::-1], 5)


# -- the command line --------------------------------------------------------------------------------------------------


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str | Path) -> int:
    monkeypatch.setattr(sys, "argv", ["training", *map(str, arguments)])
    return commands.main()


@pytest.mark.parametrize("stage", ["pretrain", "squad", "tune", "export", "evaluate"])
def test_a_stage_without_the_one_before_says_which(
    stage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, stage, "--work", tmp_path / "work", "--data", tmp_path) == 1
    said = capsys.readouterr().err
    assert said.startswith("Error: ")
    assert "python -m multicube.evals.training" in said


def test_evaluation_asks_each_question_with_the_reader_that_has_not_seen_it(
    dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shipped = Path(evaluate.__file__).parents[2] / "agent" / "embedded" / "reader" / "reader.onnx"
    if not shipped.is_file():
        pytest.skip("the reader's file is not here")
    work = tmp_path / "work"
    work.mkdir()
    for name in ("reader", "fold0", "fold1"):
        (work / f"{name}.onnx").symlink_to(shipped)
    (work / "folds.json").write_text(json.dumps({"q1": 1, "q2": 0}))
    assert run(monkeypatch, "evaluate", "--work", work, "--data", dataset.parent, "--datasets", "hotpotqa") == 0
    printed = capsys.readouterr().out
    assert "| hotpotqa, fold 1 | 2 |" in printed
    rows = [json.loads(line) for line in (work / "predictions-hotpotqa.jsonl").read_text().splitlines()]
    assert {row["id"]: row["fold"] for row in rows} == {"q1": 1, "q2": 0, "q3": 0}
    assert all(0 <= row["f1"] <= 1 and row["hops"] for row in rows)


def test_a_set_that_no_reader_was_tuned_on_is_asked_with_the_shipped_one(dataset: Path) -> None:
    groups = dict(evaluate._by_fold(dataset, {"other": 3}))
    assert list(groups) == [None]
    assert len(groups[None]) == 3


def test_figures_are_percentages_with_intervals() -> None:
    scores = [evaluate.Score(str(n), None, "", float(n % 2), 0.5) for n in range(10)]
    line = evaluate.table({"made up": scores}).splitlines()[-1]
    assert line.startswith("| made up | 10 | 50.0 [")
    assert line.endswith("| 50.0 [50.0, 50.0] | – |")
