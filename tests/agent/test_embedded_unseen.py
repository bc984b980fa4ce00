"""Questions in many wordings over a made-up corpus of magazines, bands, dogs, lakes and games."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from multicube import MultiCube
from multicube.agent.engines.embedded.plan import (
    AllClaims,
    CommonValue,
    Comparison,
    EntityChoice,
    JointQuestions,
    Plan,
    SameValue,
    ValueCount,
    YearsBetween,
)
from multicube.evals.metrics.basic import exact_match

HERE = Path(__file__).parent / "unseen"
QUESTIONS: list[dict[str, Any]] = [
    json.loads(line) for line in (HERE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.fixture(scope="module")
def unseen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MultiCube]:
    """A knowledge base of the made-up corpus."""
    path = tmp_path_factory.mktemp("unseen") / "kb"
    MultiCube.build([HERE / "corpus.jsonl"], path).close()
    with MultiCube.open(path) as kb:
        yield kb


def test_most_questions_are_answered_right_and_few_wrong(unseen: MultiCube) -> None:
    right, wrong = [], []
    for asked in QUESTIONS:
        answer = unseen.ask(asked["question"], save=False).answer or ""
        if any(exact_match(answer, gold) for gold in asked["answers"]):
            right.append(asked["id"])
        elif answer:
            wrong.append((asked["question"], answer))
    assert len(right) >= 0.88 * len(QUESTIONS), wrong
    assert len(wrong) <= 0.12 * len(QUESTIONS), wrong


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Are Ines Calder and Jonas Pell both Norvish?", AllClaims),
        ("Are both The Tin Kettle and Meridian Gardener published in Norvay?", AllClaims),
        ("Did Mara Finch direct both Winter Tolls and Salt and Ember?", AllClaims),
        ("Which singer is Sulvanian, Della Quist or Pia Lorne?", EntityChoice),
        ("Who wrote The Orchard Tax, Jonas Pell or Ines Calder?", EntityChoice),
        ("Who was born earlier out of Jonas Pell and Edvin Stroud?", Comparison),
        ("Of Ines Calder and Ottoline Brask, who was born earlier?", Comparison),
        ("Was Stone Court published before Harrow and Hare?", Comparison),
        ("Were Winter Tolls and Salt and Ember directed by the same person?", SameValue),
        ("What do Mount Hallow and Old Dogtooth have in common?", CommonValue),
        ("What nationality are both Ines Calder and Jonas Pell?", CommonValue),
        ("How many novels by Jonas Pell are there?", ValueCount),
        ("How old was Ines Calder when she died?", YearsBetween),
        ("When and where was Ines Calder born?", JointQuestions),
    ],
)
def test_a_question_is_read_as_what_it_asks(unseen: MultiCube, question: str, kind: type[Plan]) -> None:
    assert isinstance(unseen.reasoner.plan(question), kind)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("Which is older, Stone Court or Harrow and Hare?", ["Stone Court", "Harrow and Hare"]),
        (
            "Of the bands Glass Harbour, Night Ferry Club and The Copper Larks, which is the oldest?",
            ["Glass Harbour", "Night Ferry Club", "The Copper Larks"],
        ),
    ],
)
def test_the_things_compared_are_found_whole(unseen: MultiCube, question: str, items: list[str]) -> None:
    plan = unseen.reasoner.plan(question)  # type: ignore[attr-defined]
    assert isinstance(plan, Comparison)
    assert [getattr(item, "name", "") for item in plan.items] == items


def test_a_rank_picks_by_date(unseen: MultiCube) -> None:
    assert unseen.ask("What is the most recent novel by Jonas Pell?", save=False).answer == "Nine Umbrellas"
    assert unseen.ask("What was the first film directed by Edvin Stroud?", save=False).answer == "Low Tide Letters"


def test_a_thing_is_older_by_when_it_was_founded(unseen: MultiCube) -> None:
    plan = unseen.reasoner.plan("Which is older, Kestrel Tramways or Brightwell Foods?")  # type: ignore[attr-defined]
    assert isinstance(plan, Comparison)
    assert {relation for path in plan.paths for relation in getattr(path, "relations", ())} == {"founded on"}
