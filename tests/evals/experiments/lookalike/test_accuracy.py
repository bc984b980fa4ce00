"""Accuracy 0, 0.5 and 1 by kind of question."""

from typing import Any

import pytest
from multicube.evals.experiments.lookalike.accuracy import accuracy
from multicube.evals.generators.lookalike.questions import LookalikeQuestion

OPTIONS = {"A": "12 mV", "B": "120 mV", "C": "1.2 mV", "D": "320 mV"}
TEXT = "The device turns its output off when the junction reaches 148 °C and restarts after cooling by 7 °C."


def asked(answers: tuple[str, ...], **more: Any) -> LookalikeQuestion:
    return LookalikeQuestion(**{"id": "q", "question": "?", "answers": answers, "supporting": ("X1",), **more})


@pytest.mark.parametrize(
    ("answer", "score"),
    [("B", 1), ("B: 120 mV", 1), ("120 mV", 1), ("The answer is: B", 1), ("A", 0), ("12 mV", 0), ("A, B", 0), ("", 0)],
)
def test_a_single_choice(answer: str, score: float) -> None:
    assert accuracy(asked(("B", "120 mV"), options=OPTIONS, type="single_choice"), answer) == score


@pytest.mark.parametrize(
    ("answer", "score"), [("B, D", 1), ("D, B", 1), ("B and D", 1), ("B", 0.5), ("A, B, D", 0), ("A", 0)]
)
def test_a_multiple_choice(answer: str, score: float) -> None:
    assert accuracy(asked(("B, D", "BD"), options=OPTIONS, type="multiple_choice"), answer) == score


@pytest.mark.parametrize(("answer", "score"), [("True", 1), ("Yes.", 1), ("False", 0), ("perhaps", 0)])
def test_a_judgement(answer: str, score: float) -> None:
    assert accuracy(asked(("True", "Yes"), type="judgement"), answer) == score


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("59.8 mW", 1),
        ("59.8", 1),
        ("0.0598 W", 1),
        ("60.1 mW", 1),
        ("61 mW", 0.5),
        ("59.8 mV", 0.5),
        ("80 mW", 0),
        ("about nothing", 0),
    ],
)
def test_a_number_whose_unit_the_question_names(answer: str, score: float) -> None:
    question = asked(("59.8 mW", "59.8"), question="How much power in mW is lost?", unit="mW", type="calculation")
    assert accuracy(question, answer) == score


@pytest.mark.parametrize(("answer", "score"), [("289.8 µs", 1), ("289.8 μs", 1), ("289.8", 0.5), ("289.8 °C", 0.5)])
def test_a_number_whose_unit_is_part_of_the_answer(answer: str, score: float) -> None:
    question = asked(("289.8 µs", "289.8"), question="What is the maximum of the start-up time?", unit="µs")
    assert accuracy(question, answer) == score


@pytest.mark.parametrize(
    ("answer", "score"), [("2.95, 1.35", 1), ("2.95 mm, 1.35 mm", 1), ("2.95, 1.55", 0.5), ("2.95", 0.5), ("1, 2", 0)]
)
def test_two_blanks(answer: str, score: float) -> None:
    question = asked(("2.95, 1.35",), blanks=(("2.95", "2.95 mm"), ("1.35", "1.35 mm")), type="fill_in")
    assert accuracy(question, answer) == score


def test_a_blank_of_words() -> None:
    question = asked(("May 2016, June 2017",), blanks=(("May 2016",), ("June 2017",)), type="fill_in")
    assert accuracy(question, "May 2016, June 2017") == 1
    assert accuracy(question, "May 2016, June 2016") == 0.5


@pytest.mark.parametrize(
    ("answer", "score"), [("NVR3115", 1), ("The NVR3115 has.", 1), ("NVR3115-Q1", 0), ("NVR3115 or NVR3120", 0)]
)
def test_a_product_that_has_a_look_alike(answer: str, score: float) -> None:
    assert accuracy(asked(("NVR3115",), type="comparison"), answer) == score


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        (TEXT, 1),
        (TEXT.replace("7 °C", "9 °C"), 0.5),
        (TEXT.replace("148", "151").replace("7 °C", "9 °C"), 0),
        ("148 °C, 7 °C", 0.5),
        ("148 °C 7 °C " + "and something else altogether " * 20, 0),
    ],
)
def test_a_description_needs_its_values_and_its_words(answer: str, score: float) -> None:
    assert accuracy(asked((TEXT,), keys=("148 °C", "7 °C"), type="descriptive"), answer) == score


def test_a_figure_counts_only_from_its_own_document() -> None:
    question = asked(("Figure 3: Functional block diagram",), figure="Figure 3: Functional block diagram")
    assert accuracy(question, "Figure 3: Functional block diagram", "X1") == 1
    assert accuracy(question, "Functional block diagram", "X1") == 1
    assert accuracy(question, "Figure 3: Functional block diagram", "X2") == 0
