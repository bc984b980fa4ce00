"""The generated benchmark: the same bytes for a seed, each fact in a section of its own, gold that stands there."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from multicube.cubes.core.errors import UsageError
from multicube.evals.datasets.load import load_dataset
from multicube.evals.generators.intents.generating import generate
from multicube.evals.metrics.rows import information_recall


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("intents")
    generate(made, seed=3)
    return made


def test_a_seed_writes_the_same_bytes_and_another_seed_other_names(folder: Path, tmp_path: Path) -> None:
    generate(tmp_path / "again", seed=3)
    generate(tmp_path / "other", seed=4)
    for name in ("corpus.jsonl", "questions.jsonl"):
        assert (folder / name).read_bytes() == (tmp_path / "again" / name).read_bytes()
        assert (folder / name).read_bytes() != (tmp_path / "other" / name).read_bytes()


@pytest.mark.parametrize(
    ("seed", "far", "digest"),
    [
        (0, 0.2, "e39fa38fdc59654bf3e3ae96e0472232"),
        (5, 0.2, "2511ac38cdafcd3e3f7c734acb863d0b"),
        (9, 0.5, "607a4c66bfd609ef5519dc261eb76ea1"),
    ],
)
def test_the_questions_are_those_that_came_before_the_rules(
    seed: int, far: float, digest: str, tmp_path: Path
) -> None:
    corpus, questions, _ = generate(tmp_path, seed=seed, far=far)
    found = hashlib.blake2b(corpus.read_bytes() + questions.read_bytes(), digest_size=16).hexdigest()
    assert found == digest


def test_the_farther_its_wordings_the_fewer_sections_say_what_is_asked(folder: Path, tmp_path: Path) -> None:
    generate(tmp_path / "far", seed=3, far=1.0)
    said = [(place / "corpus.jsonl").read_text("utf-8").count("ide effect") for place in (folder, tmp_path / "far")]
    assert said[1] < said[0] / 2
    assert len(lines(tmp_path / "far" / "questions.jsonl")) == 100
    with pytest.raises(UsageError, match="no share"):
        generate(tmp_path / "none", far=2)


def test_it_is_a_data_set_of_a_hundred_questions_with_rows(folder: Path) -> None:
    assert len(load_dataset(folder).questions) == 100
    questions = lines(folder / "questions.jsonl")
    assert {q["type"] for q in questions} == {"drugs", "genes", "rivers"}
    assert all(len(q["rows"]) >= 2 and len({tuple(row) for row in q["rows"]}) == 1 for q in questions)


def test_every_value_stands_in_a_gold_section_and_each_intent_in_its_own(folder: Path) -> None:
    texts = {row["id"]: f"{row['title']} {row['text']}" for row in lines(folder / "corpus.jsonl")}
    for question in lines(folder / "questions.jsonl"):
        assert information_recall(question["rows"], [texts[id] for id in question["supporting"]]) == 1.0
        assert len(set(question["supporting"])) == len(question["rows"]) * len(question["rows"][0])
        for id in question["supporting"]:
            for row in question["rows"]:
                told = [information_recall([{field: row[field]}], [texts[id]]) for field in list(row)[1:]]
                assert sum(share or 0.0 for share in told) <= 1


def test_nothing_of_others_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="was not generated"):
        generate(tmp_path)
    with pytest.raises(UsageError, match="--questions 3"):
        generate(tmp_path / "few", questions=3)
    assert (tmp_path / "corpus.jsonl").read_text(encoding="utf-8") == "mine"
