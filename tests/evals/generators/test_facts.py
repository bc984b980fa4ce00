"""The planted-fact corpus: no passage names a group, questions need what they say, and a seed says everything."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from multicube.evals.generators.facts.people import KINDS, MOST, Planted, plant
from multicube.evals.generators.facts.writing import read_questions, write_facts


@pytest.fixture(scope="module")
def planted() -> Planted:
    return plant(3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("facts")
    write_facts(made, 3)
    return made


def test_a_seed_writes_the_same_files_and_another_one_others(folder: Path, tmp_path: Path) -> None:
    write_facts(tmp_path / "again", 3)
    write_facts(tmp_path / "other", 4)
    for name in ("corpus.jsonl", "questions.jsonl", "groups.json"):
        assert (folder / name).read_bytes() == (tmp_path / "again" / name).read_bytes()
        assert (folder / name).read_bytes() != (tmp_path / "other" / name).read_bytes()


def test_cohorts_share_what_their_question_asks_for_and_nothing_else(planted: Planted) -> None:
    for cohort in (*planted.named, *planted.described):
        wanted = dict(cohort.shared) | dict([cohort.known_by] if cohort.known_by else [])
        for one, other in combinations(cohort.members, 2):
            same = {kind for kind in KINDS if kind in one.groups and one.groups[kind] == other.groups.get(kind)}
            assert same <= wanted.keys()
        for kind, value in wanted.items():
            assert sum(member.groups.get(kind) == value for member in cohort.members) >= 3
        if cohort.known_by:
            assert set(map(id, planted.group(*cohort.known_by))) == set(map(id, cohort.members))


def test_no_passage_tells_of_two_people_or_of_two_groups(planted: Planted, folder: Path) -> None:
    values = {value for person in planted.people for value in person.groups.values()}
    names = {person.name for person in planted.people}
    for line in (folder / "corpus.jsonl").read_text().splitlines():
        record = json.loads(line)
        assert [name for name in names if name in record["text"]] == [record["title"]]
        assert len([value for value in values if value in record["text"]]) == 1


def test_sixty_questions_need_one_to_four_perspectives_and_say_of_whom_nothing_is_stated(folder: Path) -> None:
    asked = read_questions(folder)
    assert Counter(question.count for question in asked) == dict.fromkeys(range(1, MOST + 1), 15)
    records = {json.loads(line)["id"]: json.loads(line) for line in (folder / "corpus.jsonl").read_text().splitlines()}
    for question in asked:
        assert len(question.perspectives) == question.count
        for perspective in question.perspectives:
            assert perspective.keys
            assert all(key in question.answers[0] and key not in question.question for key in perspective.keys)
        texts = " ".join(records[id]["title"] + records[id]["text"] for id in question.supporting)
        assert all(any(key in texts for key in perspective.keys) for perspective in question.perspectives)
    assert any("it is not stated" in question.answers[0] for question in asked)
