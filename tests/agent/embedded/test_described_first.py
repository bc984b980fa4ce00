"""What a question describes is asked for first, where the question as it stands is answered in doubt or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from multicube.agent.engines.embedded.kinds.described import DescribedQuestions
from multicube.agent.engines.embedded.question_kind import QuestionKind
from multicube.agent.engines.embedded.syntax.decompose import Description
from multicube.graphs.reasoner import FinalAnswer, NextStep
from multicube.graphs.records import AnswerForm, FactRecord, Hop

ASKED = "When does the pass of the cook with the geese run out?"
COOK = "What is the name of the cook with the geese?"
NAMED = "When does the pass of Ada Vell run out?"
DESCRIBED = Description("the cook with the geese", COOK, "When does the pass of {0} run out?")


class OneHop(QuestionKind):
    """Asks a question as one hop, and answers what the hop does."""

    def next_step(self, question: str, hops: Sequence[Hop]) -> NextStep:
        return NextStep(None, sufficient=bool(hops[-1].answers)) if hops else NextStep(question)

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer:
        return FinalAnswer(hops[-1].answer, hops[-1].confidence) if hops else FinalAnswer("")


def hop(subquery: str, answer: str, sure: float, form: AnswerForm = "short") -> Hop:
    told = (answer,) if answer else ()
    status = "answered" if answer else "missing"
    return Hop(number=1, subquery=subquery, answer=answer, answers=told, confidence=sure, status=status, form=form)


def walked(told: Mapping[str, Hop]) -> tuple[list[str], FinalAnswer]:
    """The subqueries that are asked one after the other, and what they come to."""
    kind = DescribedQuestions((OneHop(),), lambda asked: DESCRIBED if asked == ASKED else None, lambda *_: "")
    hops: list[Hop] = []
    while (subquery := kind.next_step(ASKED, hops).subquery) is not None:
        hops.append(told[subquery])
    return [hop.subquery for hop in hops], kind.finalize(ASKED, hops)


def test_a_sure_answer_needs_nothing_else() -> None:
    subqueries, found = walked({ASKED: hop(ASKED, "May 2031", 0.7)})
    assert subqueries == [ASKED]
    assert found.text == "May 2031"


@pytest.mark.parametrize(
    ("first", "second", "answer"),
    [
        (hop(ASKED, "June", 0.4), hop(NAMED, "May 2031", 0.7), "May 2031"),
        (hop(ASKED, "June", 0.4), hop(NAMED, "May 2031", 0.45), "June"),
        (hop(ASKED, "June", 0.4), hop(NAMED, "the geese", 0.9), "June"),
        (hop(ASKED, "The pass says so.", 0.4, "passage"), hop(NAMED, "May 2031", 0.45), "May 2031"),
        (hop(ASKED, "", 0.0), hop(NAMED, "May 2031", 0.55), "May 2031"),
        (hop(ASKED, "", 0.0), hop(NAMED, "May 2031", 0.2), ""),
    ],
    ids=["surer", "hardly surer", "named by the question", "than a passage", "than nothing", "too unsure"],
)
def test_the_question_with_the_name_counts_where_it_is_much_surer(first: Hop, second: Hop, answer: str) -> None:
    subqueries, found = walked({ASKED: first, COOK: hop(COOK, "Ada Vell", 0.6), NAMED: second})
    assert subqueries == [ASKED, COOK, NAMED]
    assert found.text == answer
    of_both = (0.6 * second.confidence) ** 0.5  # the name's and the answer's
    assert found.confidence == pytest.approx(first.confidence if answer == first.answer else of_both)


@pytest.mark.parametrize(
    "cook", [hop(COOK, "Ada Vell", 0.1), hop(COOK, "", 0.0), hop(COOK, "She cooks.", 0.9, "passage")]
)
def test_nothing_goes_on_from_a_name_that_was_hardly_found(cook: Hop) -> None:
    subqueries, found = walked({ASKED: hop(ASKED, "June", 0.4), COOK: cook})
    assert subqueries == [ASKED, COOK]
    assert found.text == "June"


def test_a_question_whose_first_hop_a_cell_answers_is_taken_apart_rightly() -> None:
    fact = FactRecord(
        section_id="s", cube="staff", dimension="pass", subject="Ada", relation="pass", value="June", start=0, end=4
    )
    subqueries, found = walked({ASKED: hop(ASKED, "June", 0.4).model_copy(update={"fact": fact})})
    assert subqueries == [ASKED]
    assert found.text == "June"


def test_a_run_that_is_cut_short_keeps_what_it_has() -> None:
    kind = DescribedQuestions((OneHop(),), lambda _: DESCRIBED, lambda *_: "")
    assert kind.finalize(ASKED, [hop(ASKED, "June", 0.4), hop(COOK, "Ada Vell", 0.6)]).text == "June"
    assert kind.finalize(ASKED, []).text == ""
