"""Which sentence, list or code of a hop's sections tells what is asked, or that none does."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from multicube.agent.engines.embedded.answers.quotations import FEATURES, parts_of, supporting_part
from multicube.agent.engines.embedded.answers.span import PredictedSpan
from multicube.cubes.core.records import Span
from multicube.graphs.records import Evidence

LAMP = (
    "The harbour lamp was bought in 1902. The lens is cleaned every morning because salt dims the light. "
    "Visitors may climb the tower on Sundays."
)
BELL = "The bell hangs below the gallery. To ring it, pull the red cord twice:\n\n    pull red\n    pull red\n"


def shown(*texts: str) -> list[Evidence]:
    return [
        Evidence(section_id=f"s{n}", document_id="d", record_id=f"s{n}", title=f"Part {n}", text=text)
        for n, text in enumerate(texts)
    ]


def by_words(text: str, others: Sequence[str]) -> list[float]:
    """As alike as the words that they share."""
    asked = set(text.lower().rstrip("?").split())
    return [len(asked & set(other.lower().rstrip(".").split())) / len(asked) for other in others]


def read(text: str, words: str, margin: float, section: int = 0) -> PredictedSpan:
    at = text.index(words)
    return PredictedSpan(section, at, at + len(words), words, margin)


def test_the_sentence_that_tells_it_is_told() -> None:
    question = "Why is the lens cleaned every morning?"
    told = supporting_part(question, shown(LAMP, BELL), [read(LAMP, "salt dims the light", 6.0)], by_words)
    assert told is not None
    assert told.section == 0
    assert told.enough
    assert "because salt dims the light" in LAMP[told.place.start : told.place.end]


def test_a_question_in_the_text_is_no_answer_to_one() -> None:
    text = "How is the lens cleaned every morning? With a soft cloth."
    told = supporting_part("How is the lens cleaned every morning?", shown(text), [], by_words)
    assert told is not None
    assert text[told.place.start : told.place.end] == "With a soft cloth."


def test_a_passage_is_as_sure_as_the_parts_in_it() -> None:
    told = supporting_part("Why is the lens cleaned every morning?", shown(LAMP, BELL), [], by_words)
    assert told is not None
    whole, nothing = Span(0, len(LAMP)), Span(len(LAMP), len(LAMP) + 5)
    assert told.within(nothing) == 0 < told.within(told.place) < told.within(whole) <= told.any


def test_nothing_is_told_where_no_part_speaks_of_it() -> None:
    told = supporting_part("How do I pay the ferry toll?", shown(BELL), [read(BELL, "the gallery", -9.0)], by_words)
    assert told is not None
    assert not told.enough
    assert supporting_part("How do I pay the ferry toll?", [], [], by_words) is None


def test_code_is_one_part() -> None:
    parts = parts_of("How do I ring the bell?", shown(BELL), [], by_words)
    assert [BELL[p.place.start : p.place.end].split() for p in parts].count(["pull", "red", "pull", "red"]) == 1


@given(
    question=st.sampled_from(["Why is the lens cleaned?", "How is the bell rung?", "What if it rains?"]),
    margin=st.floats(-30, 30),
)
def test_probabilities_are_such_and_places_lie_in_their_section(question: str, margin: float) -> None:
    sections = shown(LAMP, BELL)
    told = supporting_part(question, sections, [read(LAMP, "every morning", margin)], by_words)
    assert told is not None
    assert 0 <= told.within(told.place) <= told.any <= 1
    assert 0 <= told.place.start < told.place.end <= len(sections[told.section].text)
    assert all(len(p.features) == len(FEATURES) for p in parts_of(question, sections, [], by_words))
