"""Open steps: questions walked in their own words, parts over the cubes where the grammar reads them, backtracking."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from multicube import MultiCube
from multicube.agent.engines.embedded.execution.operators import Ask, PlanResult, describe, evaluate
from multicube.agent.engines.embedded.plan import (
    AlternativePlans,
    OpenStep,
    Plan,
    QuestionEntity,
    RelationStep,
)
from multicube.agent.engines.embedded.syntax.decompose import Decomposer
from multicube.agent.engines.embedded.syntax.tree import Parser
from multicube.agent.engines.embedded.vocabulary.words import WordReader
from multicube.graphs.records import Hop

QUESTION = "Who founded the company that printed The Salt Lantern?"
PUBLISHED, FOUNDED = "Which company printed The Salt Lantern?", "Who founded {0}?"
WORDS = "the company that printed The Salt Lantern"
PLAN = OpenStep(FOUNDED, (OpenStep(PUBLISHED, inner=True),), (WORDS,))


class Answers:
    """Answers subqueries from a table and remembers what it was asked."""

    def __init__(self, table: dict[str, Sequence[str]]) -> None:
        self._table = table
        self.asked: list[str] = []

    def __call__(self, step: RelationStep | OpenStep, base: str, origin: str | None) -> Sequence[str]:
        subquery = base if isinstance(step, OpenStep) else step.template.replace("{}", base)
        self.asked.append(subquery)
        return self._table.get(subquery, ())


@pytest.fixture
def decide(sample: MultiCube) -> Callable[[Plan, Ask], PlanResult]:
    places = sample.reasoner._context.places  # type: ignore[attr-defined]
    return lambda plan, ask: evaluate(plan, ask, places)


Decide = Callable[[Plan, Ask], PlanResult]


def test_each_subquery_has_the_answers_so_far_in_its_gaps(decide: Decide) -> None:
    answers = Answers({PUBLISHED: ["Kestrel House"], "Who founded Kestrel House?": ["Oren Vass"]})
    assert decide(PLAN, answers).text == "Oren Vass"
    assert answers.asked == [PUBLISHED, "Who founded Kestrel House?"]


def test_an_answer_that_leads_nowhere_gives_way_to_the_next(decide: Decide) -> None:
    answers = Answers({PUBLISHED: ["Blue Heron", "Kestrel House"], "Who founded Kestrel House?": ["Oren Vass"]})
    assert decide(PLAN, answers).text == "Oren Vass"
    assert "Who founded Blue Heron?" in answers.asked


def test_a_part_that_is_not_found_stays_as_the_question_has_it(decide: Decide) -> None:
    answers = Answers({f"Who founded {WORDS}?": ["Oren Vass"]})
    assert decide(PLAN, answers).text == "Oren Vass"


def test_what_is_missing_is_said_in_the_questions_words(decide: Decide) -> None:
    assert decide(PLAN, Answers({})) == PlanResult(missing=f"Who founded {WORDS}?")
    assert describe(PLAN) == f"Who founded {WORDS}?"


def test_gaps_are_filled_in_order() -> None:
    assert OpenStep("Did {0} meet {1}?").filled(["Mirren Tal", "Oren Vass"]) == "Did Mirren Tal meet Oren Vass?"


def test_a_part_may_be_a_step_over_the_cubes(decide: Decide) -> None:
    director = RelationStep(QuestionEntity("The Salt Lantern"), ("directed by",), "Who directed {}?")
    plan = OpenStep("What did {0} collect?", (director,), ("the director of The Salt Lantern",))
    answers = Answers(
        {"Who directed The Salt Lantern?": ["Anselm Torvik"], "What did Anselm Torvik collect?": ["clocks"]}
    )
    assert decide(plan, answers).text == "clocks"


def test_of_several_readings_the_first_that_leads_to_an_answer_counts(decide: Decide) -> None:
    plan = AlternativePlans((PLAN, OpenStep(QUESTION)))
    assert decide(plan, Answers({QUESTION: ["Oren Vass"]})).text == "Oren Vass"
    both = Answers(
        {PUBLISHED: ["Kestrel House"], "Who founded Kestrel House?": ["Mirren Tal"], QUESTION: ["Oren Vass"]}
    )
    assert decide(plan, both).text == "Mirren Tal"
    assert decide(plan, Answers({})).missing == f"Who founded {WORDS}?"


def test_a_question_becomes_open_steps() -> None:
    decomposer = Decomposer(Parser(WordReader(lambda name: name == "The Salt Lantern")), ["director"])
    assert decomposer.plan(QUESTION) == PLAN
    assert decomposer.plan("Who painted The Salt Lantern?") is None


def test_a_part_is_replaced_by_what_it_is_read_as() -> None:
    step = RelationStep(QuestionEntity("The Salt Lantern"), ("published by",), "Which company published {}?")
    parser = Parser(WordReader(lambda name: name == "The Salt Lantern"))
    read = Decomposer(parser, ["director"], lambda part: step if part.template == PUBLISHED else part).plan(QUESTION)
    assert read == OpenStep(FOUNDED, (step,), (WORDS,))


def test_the_loop_walks_open_steps_and_shows_them(sample: MultiCube) -> None:
    run = sample.ask("What did the man who composed the score of The Salt Lantern hear first?", save=False)
    assert 1 <= len(run.hops) <= 6
    assert all("{" not in hop.subquery for hop in run.hops)


@pytest.mark.parametrize(("sure", "subquery"), [(0.4, "Who founded Kestrel House?"), (0.04, f"Who founded {WORDS}?")])
def test_nothing_goes_on_from_an_answer_that_is_hardly_likely(sample: MultiCube, sure: float, subquery: str) -> None:
    planner = sample.reasoner._context.planner  # type: ignore[attr-defined]
    first = Hop(number=1, subquery=PUBLISHED, answers=("Kestrel House",), confidence=sure, status="answered")
    assert planner.next(PLAN, [first]) == subquery
    assert planner.next(PLAN, [first.model_copy(update={"status": "edited"})]) == "Who founded Kestrel House?"


@pytest.mark.parametrize(
    ("parts", "whole", "answer"),
    [
        ((0.3, 0.4), 0.5, "Ada Marr"), ((0.3, 0.4), 0.2, "Oren Vass"), ((0.25, 0.1), 0.1, "Ada Marr"),
        ((0.45, 0.5), 0.43, "Oren Vass"), ((0.9, 0.8), 0.0, "Oren Vass"),
    ],
)
def test_a_question_taken_apart_doubtfully_is_asked_as_a_whole_too_and_what_is_much_surer_counts(
    sample: MultiCube, parts: tuple[float, float], whole: float, answer: str
) -> None:
    planner = sample.reasoner._context.planner  # type: ignore[attr-defined]
    plan = AlternativePlans((PLAN, OpenStep(QUESTION)))
    told = zip((PUBLISHED, "Who founded Kestrel House?"), ("Kestrel House", "Oren Vass"), parts, strict=True)
    hops = [Hop(number=1, subquery=s, answers=(a,), confidence=c, status="answered") for s, a, c in told]
    if whole:
        assert planner.next(plan, hops) == QUESTION
        assert planner.next(plan, hops, doubting=False).text == "Oren Vass"  # a run that is cut short keeps it
        hops.append(Hop(number=2, subquery=QUESTION, answers=("Ada Marr",), confidence=whole, status="answered"))
    found = planner.next(plan, hops)
    assert found.text == answer
    assert [hop.answers[0] for hop in found.hops] == [answer] if answer == "Ada Marr" else ["Kestrel House", answer]


def test_a_verdict_leads_nowhere(sample: MultiCube) -> None:
    planner = sample.reasoner._context.planner  # type: ignore[attr-defined]
    first = Hop(number=1, subquery=PUBLISHED, answers=("no",), form="verdict", confidence=0.9, status="answered")
    assert planner.next(PLAN, [first]) == f"Who founded {WORDS}?"


@pytest.mark.parametrize(("bridge", "goes_on"), [("Kestrel House", "Kestrel House"), ("", WORDS)])
def test_the_next_hop_goes_on_from_the_name_within_a_quotation(sample: MultiCube, bridge: str, goes_on: str) -> None:
    planner = sample.reasoner._context.planner  # type: ignore[attr-defined]
    said = "It was printed by Kestrel House, as all of them were."
    first = Hop(
        number=1, subquery=PUBLISHED, answers=(said,), form="passage", bridge=bridge, confidence=0.5, status="answered"
    )
    assert planner.next(PLAN, [first]) == f"Who founded {goes_on}?"


@pytest.mark.parametrize(
    "question", ["Which lady plays Ottoline Fenn?", "who rang the bell of the Salt Lantern in march 1962?"]
)
def test_a_question_of_one_hop_is_asked_in_its_own_words(sample: MultiCube, question: str) -> None:
    assert sample.ask(question, save=False).hops[0].subquery == question
