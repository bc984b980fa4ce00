"""A question is read as it stands where its plan finds nothing, and where its words say more than a cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

import pytest
from conftest import write_jsonl
from multicube import MultiCube
from multicube.agent.engines.embedded.answers.candidates import ScoredSpan, SpanCandidate, best_supported
from multicube.agent.engines.embedded.answers.span import PredictedSpan
from multicube.agent.engines.embedded.execution.operators import evaluate
from multicube.agent.engines.embedded.execution.planner import asks_for_span, with_whole
from multicube.agent.engines.embedded.plan import (
    AnswerType,
    OpenStep,
    Operation,
    Plan,
    QuestionEntity,
    RelationStep,
)
from multicube.agent.engines.embedded.vocabulary.places import PlaceHierarchy
from multicube.graphs.records import Evidence

QUESTION = "Which tramway is longer, Hollin Line or Pell Line?"
ITEMS = (QuestionEntity("Hollin Line"), QuestionEntity("Pell Line (Vell)"))
LONGER = Operation(
    "greatest",
    tuple(RelationStep(item, ("length",), "How long is {}?", AnswerType("quantity")) for item in ITEMS),
    ITEMS,
)


def answered(plan: Plan, told: Mapping[str, str]) -> str:
    """What a plan comes to where the subqueries have these answers."""

    def ask(step: RelationStep | OpenStep, base: str, origin: str | None) -> list[str]:
        asked = base if isinstance(step, OpenStep) else step.template.replace("{}", base)
        return [told[asked]] if asked in told else []

    return evaluate(plan, ask, cast(PlaceHierarchy, None)).text


def test_the_whole_question_chooses_one_of_the_things() -> None:
    plan = with_whole(LONGER, QUESTION)
    assert answered(plan, {QUESTION: "the Pell Line"}) == "Pell Line"
    assert answered(plan, {QUESTION: "Stone Court"}) == ""


def test_what_the_plan_finds_comes_first() -> None:
    measured = {"How long is Hollin Line?": "12 km", "How long is Pell Line (Vell)?": "9 km", QUESTION: "Pell Line"}
    assert answered(with_whole(LONGER, QUESTION), measured) == "Hollin Line"


def test_where_half_is_measured_the_whole_question_still_chooses() -> None:
    half = {"How long is Hollin Line?": "12 km", QUESTION: "Pell Line"}
    assert answered(with_whole(LONGER, QUESTION), half) == "Pell Line"


def test_a_number_does_not_order_what_is_dated() -> None:
    opened = tuple(RelationStep(item, ("opened on",), "When was {} opened?", AnswerType("date")) for item in ITEMS)
    told = {"When was Hollin Line opened?": "188926 yards", "When was Pell Line (Vell) opened?": "1902"}
    assert answered(Operation("least", opened, ITEMS), told) == ""


@pytest.mark.parametrize(("date", "first"), [("1902", "Pell Line"), ("3 May 1902", ""), ("May 1902", "Pell Line")])
def test_dates_are_equal_only_to_the_day(date: str, first: str) -> None:
    opened = tuple(RelationStep(item, ("opened on",), "When was {} opened?", AnswerType("date")) for item in ITEMS)
    told = {"When was Hollin Line opened?": date, "When was Pell Line (Vell) opened?": date, QUESTION: "Pell Line"}
    assert answered(with_whole(Operation("least", opened, ITEMS), QUESTION), told) == first


def test_equal_amounts_are_equal() -> None:
    told = {"How long is Hollin Line?": "640", "How long is Pell Line (Vell)?": "640", QUESTION: "Pell Line"}
    assert answered(with_whole(LONGER, QUESTION), told) == ""


def test_a_span_speaks_for_what_it_or_its_sentence_or_its_section_names() -> None:
    text = "Hollin Line is a tramway. It has 12 stops. Pell Line has a depot."
    section = Evidence(section_id="s", document_id="d", record_id="r", title="Hollin Line", text=text)
    told = (("a depot", 0.5), ("12 stops", 0.3), ("tramway", 0.1))
    starts = [text.index(words) for words, _ in told]
    spans = [
        ScoredSpan(SpanCandidate(PredictedSpan(0, at, at + len(words), words, 0.0), ()), likely, 1.0)
        for (words, likely), at in zip(told, starts, strict=True)
    ]
    for found, name, likely in ((spans, "Pell Line", 0.5), (spans[1:], "Hollin Line", 0.4)):
        best = best_supported(ITEMS, found, [section])
        assert best is not None
        assert (best[0], best[1].probability) == (name, likely)


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        (["former town surveyor"], ["former paid surveyor"], "former surveyor"),
        (["lamp maker", "singer"], ["pioneer lamp maker"], "lamp maker"),
        (["genus of three species of bog plants"], ["genus of bog plants"], "genus of bog plants"),
        (["surveyor"], ["singer"], ""),
    ],
)
def test_things_share_the_noun_that_describes_both(one: list[str], other: list[str], shared: str) -> None:
    terms = tuple(
        RelationStep(QuestionEntity(name), (), "What is {}?", AnswerType("class")) for name in ("Ada Marr", "Bo Linn")
    )
    values = {"Ada Marr": one, "Bo Linn": other}
    decision = evaluate(Operation("common", terms), lambda step, base, origin: values[base], cast(PlaceHierarchy, None))
    assert decision.text == shared


def test_what_is_shared_may_be_any_words() -> None:
    terms = tuple(RelationStep(item, ("built by",), "Who built {}?", AnswerType("person")) for item in ITEMS)
    asked = "What builder do Hollin Line and Pell Line share?"
    assert answered(with_whole(Operation("common", terms), asked), {asked: "Ada Marr"}) == "Ada Marr"


def test_a_yes_or_no_question_has_no_words_to_point_at() -> None:
    claimed = Operation("is", (LONGER,), value=ITEMS[0].name)
    assert with_whole(claimed, "Is Hollin Line longer than Pell Line?") is claimed
    assert not asks_for_span("Is Hollin Line longer than Pell Line?", claimed)
    assert asks_for_span(QUESTION, LONGER)


# Over a knowledge base ---------------------------------------------------------------------------------------------

TEXTS = {
    "Harbour Lights": "Harbour Lights is a television drama about a pilot station. It ran for six seasons between 1991 "
    "and 1996, and forty episodes were made.",
    "Glass Harbour": "Glass Harbour is a Dutch rock band from Pellam, a fishing town. They have made four albums.",
    "The Grey Ledger": "The Grey Ledger is a joint British and Swedish series. It is a joint production filmed on the "
    "Danish island of Fanø and broadcast in Sweden.",
    "Anse Abbey": "Anse Abbey was founded by the Carmelite order in 1244. The abbey burned down in 1671.",
    "Battle of Sorrel Weir": "The Battle of Sorrel Weir took place in southern Anatolia on 3 May 1644.",
    "Tallow": "The tallow is a bird of the salt marshes. It cannot fly, and swims better than many a fish.",
    "Odo Marr": "Odo Marr (born 3 May 1931) is a singer from Pellam.",
    "Port of Pellam": "The port has nine cranes. In July 2017 it acquired Dellmark, a company that designs antennas.",
    "Low Water": "Low Water is a novel by Wenna Pell. It is part of the Anse Cycle, a series of five books.",
}


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MultiCube]:
    folder = tmp_path_factory.mktemp("fallbacks")
    corpus = write_jsonl(folder / "corpus.jsonl", [{"title": title, "text": text} for title, text in TEXTS.items()])
    with MultiCube.build([corpus], folder / "kb", engine="embedded") as built:
        yield built


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where does the band Glass Harbour come from?", "Pellam"),
        ("Where was The Grey Ledger filmed?", "Danish island of Fanø"),
        ("Who founded Anse Abbey?", "the Carmelite order"),
        ("Where did the Battle of Sorrel Weir take place?", "southern Anatolia"),
    ],
)
def test_the_words_of_a_whole_question_count_beside_the_cell(kb: MultiCube, question: str, answer: str) -> None:
    run = kb.ask(question, save=False)
    assert run.answer == answer
    assert "passages were read as well" in (run.hops[0].fallback or "")


def test_a_cell_that_the_passages_bear_out_answers_alone(kb: MultiCube) -> None:
    hop = kb.ask("When was Odo Marr born?", save=False).hops[0]
    assert hop.fact is not None
    assert hop.fallback is None


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("How many seasons of Harbour Lights are there?", "six"),
        ("How many episodes were there in Harbour Lights?", "forty"),
    ],
)
def test_a_number_is_read_where_cells_cannot_tell_of_such_things(kb: MultiCube, question: str, number: str) -> None:
    assert kb.ask(question, save=False).answer == number


def test_cells_tell_that_nothing_is_stated_of_what_a_verb_names(kb: MultiCube) -> None:
    assert "No cell holds films that Odo Marr direct" in kb.ask("How many films did Odo Marr direct?", save=False).note


def test_what_offers_a_choice_is_no_question_of_yes_or_no(kb: MultiCube) -> None:
    assert "bird" in kb.ask("Is the tallow a fish or a bird?", save=False).answer


def test_what_a_thing_is_may_be_told_beside_other_things(kb: MultiCube) -> None:
    run = kb.ask("What is Dellmark?", save=False)
    assert run.form == "passage"
    assert "a company that designs antennas" in run.answer
    assert not kb.ask("What is Zorblatt?", save=False).answer


def test_a_series_is_one_thing_and_no_list(kb: MultiCube) -> None:
    assert "Anse Cycle" in kb.ask("What series is Low Water part of?", save=False).answer
