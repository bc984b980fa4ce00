"""A question that compares or chooses is read as a whole where nothing of what its plan asks is found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from multicube.agent.embedded.evaluate import evaluate
from multicube.agent.embedded.fallbacks import asks_for_span, with_whole
from multicube.agent.embedded.places import Places
from multicube.agent.embedded.plan import Comparison, Entity, Open, Plan, Shared, Step, Want

QUESTION = "Which tramway is longer, Hollin Line or Pell Line?"
ITEMS = (Entity("Hollin Line"), Entity("Pell Line (Vell)"))
LONGER = Comparison(
    ITEMS, tuple(Step(item, ("length",), "How long is {}?", Want("quantity")) for item in ITEMS), "greatest"
)


def answered(plan: Plan, told: Mapping[str, str]) -> str:
    """What a plan comes to where the subqueries have these answers."""

    def ask(step: Step | Open, base: str, origin: str | None) -> list[str]:
        asked = base if isinstance(step, Open) else step.template.replace("{}", base)
        return [told[asked]] if asked in told else []

    return evaluate(plan, ask, cast(Places, None)).text


def test_the_whole_question_chooses_one_of_the_things() -> None:
    plan = with_whole(LONGER, QUESTION)
    assert answered(plan, {QUESTION: "the Pell Line"}) == "Pell Line"
    assert answered(plan, {QUESTION: "Stone Court"}) == ""


def test_what_the_plan_finds_comes_first() -> None:
    measured = {"How long is Hollin Line?": "12 km", "How long is Pell Line (Vell)?": "9 km", QUESTION: "Pell Line"}
    assert answered(with_whole(LONGER, QUESTION), measured) == "Hollin Line"


def test_half_an_answer_is_no_reason_to_guess() -> None:
    half = {"How long is Hollin Line?": "12 km", QUESTION: "Pell Line"}
    assert answered(with_whole(LONGER, QUESTION), half) == ""


def test_what_is_shared_may_be_any_words() -> None:
    terms = tuple(Step(item, ("built by",), "Who built {}?", Want("person")) for item in ITEMS)
    asked = "What builder do Hollin Line and Pell Line share?"
    assert answered(with_whole(Shared(terms), asked), {asked: "Ada Marr"}) == "Ada Marr"


def test_a_yes_or_no_question_has_no_words_to_point_at() -> None:
    claimed = Comparison(ITEMS, LONGER.paths, "greatest", claimed=True)
    assert with_whole(claimed, "Is Hollin Line longer than Pell Line?") is claimed
    assert not asks_for_span("Is Hollin Line longer than Pell Line?", claimed)
    assert asks_for_span(QUESTION, LONGER)
