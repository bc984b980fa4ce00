"""Reading data set folders: what is needed is checked, the rest passes, errors name file and line."""

import json
from pathlib import Path
from typing import Any

import pytest
from multicube.cubes.core.errors import InputError, UsageError
from multicube.evals.datasets.dataset import read_labels
from multicube.evals.datasets.load import load_dataset

CORPUS = [{"id": "d1", "title": "A", "text": "x"}, {"id": "d2", "title": "B", "text": "y", "extra": 1}]
QUESTIONS: list[dict[str, Any]] = [
    {
        "id": "q1",
        "question": "Who?",
        "answers": ["Ada"],
        "type": "bridge",
        "supporting": ["d1"],
        "evidences": [[1]],
    },
    {"id": "q2", "question": "When?", "answers": []},
    {"id": "q3", "question": "Where?", "answers": ["Rome", "Roma"], "supporting": ["d1", "d2"]},
]


def folder(path: Path, corpus: Any = None, questions: Any = None) -> Path:
    for name, rows in (("corpus", corpus or CORPUS), ("questions", questions or QUESTIONS)):
        lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        (path / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_data_set_is_read_and_other_fields_pass(tmp_path: Path) -> None:
    dataset = load_dataset(folder(tmp_path))
    assert [question.id for question in dataset.questions] == ["q1", "q2", "q3"]
    assert dataset.questions[2].answers == ("Rome", "Roma")
    assert not dataset.questions[1].answerable
    assert dataset.corpus_ids == {"d1", "d2"}
    assert dataset.total == 3
    assert dataset.name == tmp_path.name


def test_a_limit_takes_the_first_and_a_seed_takes_the_same_sample(tmp_path: Path) -> None:
    rows = [{"id": f"q{n:02}", "question": "?", "answers": ["a"]} for n in range(30)]
    dataset = load_dataset(folder(tmp_path, questions=rows))
    assert [q.id for q in dataset.select(2).questions] == ["q00", "q01"]
    assert dataset.select(99).questions == dataset.questions
    sampled = dataset.select(10, shuffle=True, seed=3)
    assert sampled == dataset.select(10, shuffle=True, seed=3)
    assert sampled != dataset.select(10, shuffle=True, seed=4)
    assert [q.id for q in sampled.questions] == sorted(q.id for q in sampled.questions)
    assert sampled.total == 30
    with pytest.raises(UsageError, match="--limit 0"):
        dataset.select(0)


def test_gold_that_the_corpus_lacks_is_named(tmp_path: Path) -> None:
    rows = [{"id": "q1", "question": "?", "answers": ["a"], "supporting": ["d1", "d9"]}]
    assert load_dataset(folder(tmp_path, questions=rows)).gold_outside_corpus() == (("q1", "d9"),)


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ('{"id": "q9", ', "questions.jsonl:4: the line is not valid JSON"),
        ("[1, 2]", "questions.jsonl:4: the line is not a JSON object"),
        ({"question": "?", "answers": []}, 'questions.jsonl:4: the field "id" is missing'),
        ({"id": "", "question": "?", "answers": []}, 'the field "id" must not be empty'),
        ({"id": 7, "question": "?", "answers": []}, 'the field "id" must be a string'),
        ({"id": "q9", "question": "?"}, 'the field "answers" is missing'),
        ({"id": "q9", "question": " ", "answers": []}, 'the field "question" must not be empty'),
        ({"id": "q9", "question": "?", "answers": "Ada"}, 'the field "answers" must be a list'),
        ({"id": "q9", "question": "?", "answers": [1]}, 'the field "answers.0" must be a string'),
        (
            {"id": "q1", "question": "?", "answers": []},
            'questions.jsonl:4: the id "q1" was already used on line 1',
        ),
    ],
)
def test_a_wrong_question_is_one_sentence_with_its_line(tmp_path: Path, row: Any, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        load_dataset(folder(tmp_path, questions=[*QUESTIONS, row]))
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_corpus_needs_unique_ids(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r'corpus.jsonl:3: the id "d1" was already used on line 1'):
        load_dataset(folder(tmp_path, corpus=[*CORPUS, {"id": "d1", "text": "again"}]))
    with pytest.raises(InputError, match=r'corpus.jsonl:1: the field "id" is missing'):
        load_dataset(folder(tmp_path, corpus=[{"title": "A", "text": "x"}]))


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    folder(tmp_path)
    (tmp_path / "questions.jsonl").write_bytes(
        b'\xef\xbb\xbf{"id": "q1", "question": "?", "answers": []}\n\n"\xff"\n'
    )
    with pytest.raises(InputError, match=r"questions.jsonl:3: the line is not valid UTF-8"):
        load_dataset(tmp_path)


def test_missing_things_say_what_a_data_set_is(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"corpus.jsonl and questions.jsonl"):
        load_dataset(tmp_path / "nowhere")
    folder(tmp_path)
    with pytest.raises(UsageError, match=r"has no labels.jsonl"):
        read_labels(tmp_path)
    (tmp_path / "questions.jsonl").write_text("\n")
    with pytest.raises(InputError, match="holds no question"):
        load_dataset(tmp_path)
    (tmp_path / "questions.jsonl").unlink()
    with pytest.raises(UsageError, match=r"has no questions.jsonl"):
        load_dataset(tmp_path)


def test_labels_are_read(tmp_path: Path) -> None:
    folder(tmp_path)
    (tmp_path / "labels.jsonl").write_text('{"id": "d1", "labels": {"location": {"Rome": 2}}}\n')
    assert read_labels(tmp_path)[0].labels == {"location": {"Rome": 2}}
    (tmp_path / "labels.jsonl").write_text('{"id": "d1", "labels": {"location": {"Rome": "2"}}}\n')
    with pytest.raises(InputError, match=r'"labels.location.Rome" must be a whole number'):
        read_labels(tmp_path)


def test_the_bundled_sample_is_a_data_set() -> None:
    sample = load_dataset("sample")
    assert len(sample.questions) == 40
    assert sum(not question.answerable for question in sample.questions) == 5
    assert sample.gold_outside_corpus() == ()
