"""The forms of HiQA's table 4 are read off a question's text."""

from __future__ import annotations

import pytest
from multicube.agent.engines.embedded.documents.requests import BLANK, read_form


@pytest.mark.parametrize(
    ("question", "kind", "stem", "options"),
    [
        ("Single choice: The weight of the HX-9 is (). A: 2 kg B: 3 kg", "choice",
         f"The weight of the HX-9 is {BLANK}.", (("A", "2 kg"), ("B", "3 kg"))),
        ("Multiple choice: Uses of the HX-9 are (). A: Homes\nB: Ships (small)\nC: Trains", "choices",
         f"Uses of the HX-9 are {BLANK}.", (("A", "Homes"), ("B", "Ships (small)"), ("C", "Trains"))),
        ("Which of the following are uses? (A) Homes (B) Ships", "choices", "Which of the following are uses?",
         (("A", "Homes"), ("B", "Ships"))),
        ("Statement: The HX-9 weighs 2 kg. True or False?", "judgement", "The HX-9 weighs 2 kg.", ()),
        ("Judgement: The HX-9 weighs 2 kg. A: True B: False", "judgement", "The HX-9 weighs 2 kg.", ()),
        ("Fill the blanks: It has two parts: (), ____ .", "blanks", f"It has two parts: {BLANK}, {BLANK} .", ()),
        ("Vitamin A: how much of it is needed?", "plain", "Vitamin A: how much of it is needed?", ()),
        ("Is the HX-9 or the HX-8 heavier?", "plain", "Is the HX-9 or the HX-8 heavier?", ()),
        ("The HX-9 leans. How do I put it right?", "plain", "The HX-9 leans. How do I put it right?", ()),
        ("The HX-9 leans, right?", "judgement", "The HX-9 leans.", ()),
    ],
)  # fmt: skip
def test_a_form_is_told_by_its_marks(question: str, kind: str, stem: str, options: tuple[tuple[str, str], ...]) -> None:
    form = read_form(question)
    assert (form.kind, form.stem, form.options) == (kind, stem, options)


def test_a_claim_that_is_put_as_a_question_wants_yes_or_no() -> None:
    assert read_form("Does the HX-9 float?").yes_no
    assert not read_form("The HX-9 floats. True or false?").yes_no
