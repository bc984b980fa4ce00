"""Questions in many wordings over a made-up corpus of magazines, bands, dogs, lakes and games."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from multicube import MultiCube
from multicube.agent.engines.embedded.plan import Operation
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
    ("question", "operator"),
    [
        ("Are Ines Calder and Jonas Pell both Norvish?", "all"),
        ("Are both The Tin Kettle and Meridian Gardener published in Norvay?", "all"),
        ("Did Mara Finch direct both Winter Tolls and Salt and Ember?", "all"),
        ("Which singer is Sulvanian, Della Quist or Pia Lorne?", "one of"),
        ("Who wrote The Orchard Tax, Jonas Pell or Ines Calder?", "one of"),
        ("Who was born earlier out of Jonas Pell and Edvin Stroud?", "least"),
        ("Of Ines Calder and Ottoline Brask, who was born earlier?", "least"),
        ("Was Stone Court published before Harrow and Hare?", "is"),
        ("Were Winter Tolls and Salt and Ember directed by the same person?", "same"),
        ("What do Mount Hallow and Old Dogtooth have in common?", "common"),
        ("What nationality are both Ines Calder and Jonas Pell?", "common"),
        ("How old was Ines Calder when she died?", "years"),
    ],
)
def test_a_question_is_read_as_what_it_asks(unseen: MultiCube, question: str, operator: str) -> None:
    plan = unseen.reasoner.plan(question)  # type: ignore[attr-defined]
    assert isinstance(plan, Operation)
    assert plan.operator == operator


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
    assert isinstance(plan, Operation)
    assert [getattr(item, "name", "") for item in plan.items] == items


def test_the_second_oldest_is_not_the_oldest(unseen: MultiCube) -> None:
    plan = unseen.reasoner.plan("Which of Stone Court, Harrow and Hare and Nine Umbrellas is the second oldest?")  # type: ignore[attr-defined]
    assert getattr(plan, "operator", "") not in ("least", "greatest")


def test_a_name_may_be_described_by_its_country_and_its_trade(unseen: MultiCube) -> None:
    run = unseen.ask("Where was the Norvish poet Ines Calder born?", save=False)
    assert (run.answer, len(run.hops), run.hops[0].fact is not None) == ("Port Arven", 1, True)


def test_the_signs_of_a_name_tell_it_from_another(tmp_path: Path) -> None:
    told = {"Brill": "Mara Vance in 1972", "Brill++": "Odo Karsk in 1985", "Brill#": "Pia Lund in 2001"}
    lines = ({"title": n, "text": f"{n} is a programming language designed by {by}."} for n, by in told.items())
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    with MultiCube.build([tmp_path / "corpus.jsonl"], tmp_path / "kb") as kb:
        answers = [kb.ask(f"Who designed {name}?", save=False).answer for name in told]
    assert answers == ["Mara Vance", "Odo Karsk", "Pia Lund"]


def test_a_rank_picks_by_date(unseen: MultiCube) -> None:
    assert unseen.ask("What is the most recent novel by Jonas Pell?", save=False).answer == "Nine Umbrellas"
    assert unseen.ask("What was the first film directed by Edvin Stroud?", save=False).answer == "Low Tide Letters"


def test_a_thing_is_older_by_when_it_was_founded(unseen: MultiCube) -> None:
    plan = unseen.reasoner.plan("Which is older, Kestrel Tramways or Brightwell Foods?")  # type: ignore[attr-defined]
    assert isinstance(plan, Operation)
    assert {relation for part in plan.parts for relation in getattr(part, "relations", ())} == {"founded on"}
