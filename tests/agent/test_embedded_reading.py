"""How the embedded engine reads questions: chains, pairs, and the words people really use.

The plans are read over the bundled sample; every expectation names relations of the default ontology.
"""

from __future__ import annotations

import pytest
from multicube import MultiCube
from multicube.agent.engines.embedded.plan import (
    AlternativePlans,
    OpenStep,
    Operation,
    Plan,
    QuestionEntity,
    RelationStep,
    Term,
)


def chain(term: Term) -> tuple[str, list[set[str]]]:
    """The name a term starts from, and the relations of its steps, innermost first."""
    steps: list[set[str]] = []
    while isinstance(term, RelationStep):
        steps.insert(0, set(term.relations))
        term = term.base
    assert isinstance(term, QuestionEntity)
    return term.name, steps


def plan(kb: MultiCube, question: str) -> Plan:
    read = kb.reasoner.plan(question)  # type: ignore[attr-defined]
    assert read is not None
    return read.plans[0] if isinstance(read, AlternativePlans) else read  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("question", "name", "relations"),
    [
        (
            "Where was the director of the film The Salt Lantern born?",
            "The Salt Lantern",
            ["directed by", "born in"],
        ),
        (
            "When did the director of the 1962 film The Paper Regatta die?",
            "The Paper Regatta (1962 film)",
            ["directed by", "died on"],
        ),
        (
            "The author of The Cartographer of Small Hours died in which city?",
            "The Cartographer of Small Hours",
            ["written by", "died in"],
        ),
        ("In what city did the filmmaker behind Blue Apothecary die?", "Blue Apothecary", ["directed by", "died in"]),
        ("What was the city of birth of Emeric Dorrin?", "Emeric Dorrin", ["born in"]),
        ("Who mothered Oriane Vaucel?", "Oriane Vaucel", ["mother"]),
        ("On what date did Emeric Dorrin pass away?", "Emeric Dorrin", ["died on"]),
        ("Name the maternal grandfather of Oriane Vaucel.", "Oriane Vaucel", ["mother", "father"]),
        ("Who was Ludo Vaucel's mother-in-law?", "Ludo Vaucel", ["spouse", "mother"]),
        (
            "What is the place of birth of the director of film Blue Apothecary?",
            "Blue Apothecary",
            ["directed by", "born in"],
        ),
    ],
)
def test_a_chain_is_read_innermost_first(sample: MultiCube, question: str, name: str, relations: list[str]) -> None:
    read = plan(sample, question)
    assert isinstance(read, QuestionEntity | RelationStep)
    base, steps = chain(read)
    assert base == name
    assert len(steps) == len(relations)
    assert all(wanted in step for wanted, step in zip(relations, steps, strict=True))


@pytest.mark.parametrize(
    ("question", "name", "relations", "asked"),
    [
        (
            "Which river runs through the city in which Emeric Dorrin was born?",
            "Emeric Dorrin",
            ["born in"],
            "Which river runs through {0}?",
        ),
        (
            "Who is the daughter of the person who wrote the play The Widow and the Weathercock?",
            "The Widow and the Weathercock",
            ["written by"],
            "Who is the daughter of {0}?",
        ),
        (
            "In which province is the town where the director of Blue Apothecary was born?",
            "Blue Apothecary",
            ["directed by", "born in"],
            "In which province is {0}?",
        ),
        (
            "Which woman married the king who was the brother of the mother of Weathercock's director?",
            "Weathercock",
            ["directed by", "mother", "sibling"],
            "Which woman married {0}?",
        ),
    ],
)
def test_a_clause_is_found_over_the_cubes_before_the_question_goes_on(
    sample: MultiCube, question: str, name: str, relations: list[str], asked: str
) -> None:
    read = plan(sample, question)
    assert isinstance(read, OpenStep)
    assert read.template == asked
    (part,) = read.parts
    assert not isinstance(part, OpenStep)
    base, steps = chain(part)
    assert base == name
    assert len(steps) == len(relations)
    assert all(wanted in step for wanted, step in zip(relations, steps, strict=True))


def test_a_title_with_or_in_it_is_not_split(sample: MultiCube) -> None:
    read = plan(sample, "Which film came out first, A Clerk in the Moon or Of Ash or Honey?")
    assert isinstance(read, Operation)
    assert [chain(t)[0] for t in read.items] == ["A Clerk in the Moon", "Of Ash or Honey"]
    assert read.operator == "least"


def test_a_comparison_of_directors_looks_the_directors_up(sample: MultiCube) -> None:
    read = plan(
        sample,
        "Which film has the younger director, The Third Barometer or the 1931 version of The Paper Regatta?",
    )
    assert isinstance(read, Operation)
    assert read.operator == "greatest"
    assert [chain(p)[0] for p in read.parts] == ["The Third Barometer", "The Paper Regatta (1931 film)"]
    assert all("directed by" in chain(p)[1][0] and chain(p)[1][1] == {"born on"} for p in read.parts)


def test_an_apposition_is_not_a_relation(sample: MultiCube) -> None:
    read = plan(sample, "Did Anselm Torvik and the novelist Mirren Tal have the same nationality?")
    assert isinstance(read, Operation)
    assert [chain(t) for t in read.parts] == [
        ("Anselm Torvik", [{"nationality"}]),
        ("Mirren Tal (novelist)", [{"nationality"}]),
    ]


def test_the_subquery_of_a_step_is_read_as_that_step_alone(sample: MultiCube) -> None:
    first = sample.reasoner.next_step("Where was the director of the film The Salt Lantern born?", [])
    assert first.subquery == "Who is the director of The Salt Lantern?"
    read = plan(sample, first.subquery)
    assert isinstance(read, QuestionEntity | RelationStep)
    assert chain(read) == ("The Salt Lantern", [{"directed by"}])


def test_behind_a_preposition_a_place_is_no_subject(sample: MultiCube) -> None:
    read = plan(sample, "In which province is Dastra located?")
    assert isinstance(read, RelationStep)
    assert not read.converse


def test_half_a_clause_is_no_step(sample: MultiCube) -> None:
    read = plan(sample, "When did the harbour where the Saint Odo Storm will be held fall?")
    assert not isinstance(read, Operation)
    assert "held fall" not in str(read)


def test_a_subquery_made_of_a_clause_keeps_the_order_of_its_words(sample: MultiCube) -> None:
    run = sample.ask("Who designed the bridge on which the Treaty of Pellam was signed?", save=False)
    assert [hop.subquery for hop in run.hops] == [
        "On which bridge was Treaty of Pellam signed?", "Who designed Pellam Bridge?",
    ]  # fmt: skip
