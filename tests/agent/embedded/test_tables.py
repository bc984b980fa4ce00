"""Answer tables: which things are instances, and which words fill which cell."""

from __future__ import annotations

import math
from collections.abc import Sequence

from multicube.agent.engines.embedded.answers.candidates import ScoredSpan, SpanCandidate
from multicube.agent.engines.embedded.answers.span import PredictedSpan
from multicube.agent.engines.embedded.kinds.answer_tables import Tabulator
from multicube.graphs.expansion import intents_of
from multicube.graphs.records import Evidence


def section(number: int, text: str) -> Evidence:
    return Evidence(section_id=f"s{number}", document_id="d", record_id=f"r{number}", title="A paper", text=text)


def margin(likely: float) -> float:
    """The margin of a span of which `instances` says that it is so likely right."""
    return 1.2 + math.log(likely / (1 - likely)) / 0.3


class Pointing:
    """A reader that points at given words where its question holds given words, with how likely each is right."""

    def __init__(self, *told: tuple[str, str, float]) -> None:
        self._told = told

    def spans(self, question: str, evidence: Sequence[Evidence]) -> list[PredictedSpan]:
        found = [
            PredictedSpan(n, e.text.index(words), e.text.index(words) + len(words), words, margin(likely))
            for n, e in enumerate(evidence)
            for asked, words, likely in self._told
            if asked in question and words in e.text
        ]
        return sorted(found, key=lambda span: -span.margin)

    def ranked(self, question: str, evidence: Sequence[Evidence]) -> list[ScoredSpan]:
        likely = {words: likely for asked, words, likely in self._told if asked in question}
        spans = self.spans(question, evidence)
        return [ScoredSpan(SpanCandidate(span, ()), likely[span.text], 1.0) for span in spans]


def table(question: str, evidence: Sequence[Evidence], read: Pointing) -> list[list[str]]:
    intents = intents_of(question)
    assert intents is not None
    rows = Tabulator(read).table(intents, evidence)
    return [[cell.value for cell in row] for row in rows]


RIVERS = "Which rivers rise in the Torvan Hills, and what are their lengths?"


def test_what_is_named_once_is_no_instance_where_others_are_named_again_and_again() -> None:
    evidence = [
        section(1, "The Amber rises in the Torvan Hills."),
        section(2, "The Amber is 40 km long. The Torvan Hills can be seen from the Amber."),
        section(3, "The railway of the Torvan Hills follows the Karstow."),
    ]
    read = Pointing(("rivers", "Amber", 0.7), ("rivers", "Karstow", 0.8), ("lengths of Amber", "40 km", 0.95))
    assert table(RIVERS, evidence, read) == [["Amber", "40 km"]]
    assert [row[0] for row in table(RIVERS, evidence[2:], read)] == ["Karstow"]  # nothing is named again


def test_a_value_stands_once_in_a_row_where_it_is_surest() -> None:
    question = "Which drugs treat Velmoria, and what are their active molecules and their side effects?"
    evidence = [section(1, "Perithol treats Velmoria."), section(2, "Perithol is made of perine. Some cough.")]
    read = Pointing(
        ("drugs", "Perithol", 0.9), ("molecules", "perine", 0.8), ("effects", "perine", 0.7), ("effects", "cough", 0.6)
    )
    assert table(question, evidence, read) == [["Perithol", "perine", "cough"]]


def test_what_a_section_on_something_else_says_must_be_surer() -> None:
    evidence = [
        section(1, "The Amber rises in the Torvan Hills."),
        section(2, "Timber from the Torvan Hills came down on the Amber."),
        section(3, "A canal of 90 km from the Amber to Karstow was given up."),
    ]
    for likely, length in ((0.25, ""), (0.9, "90 km")):
        read = Pointing(("rivers", "Amber", 0.7), ("lengths of Amber", "90 km", likely))
        assert table(RIVERS, evidence, read) == [["Amber", length]]


def test_a_value_is_doubted_by_what_its_sentence_tells() -> None:
    for told, likely, length in (
        ("The Amber runs 90 km.", 0.25, "90 km"),
        ("The Amber comes 90 km down from the Torvan Hills.", 0.25, ""),  # says that it rises there
        ("Ferries cross it, 90 of them, below the Torvan Hills.", 0.9, "90"),  # the reader is sure, doubts or no
    ):
        evidence = [section(1, "The Amber rises in the Torvan Hills."), section(2, f"The Amber is wide. {told}")]
        value = "90 km" if "90 km" in told else "90"
        read = Pointing(("rivers", "Amber", 0.7), ("lengths of Amber", value, likely))
        assert table(RIVERS, evidence, read) == [["Amber", length]], told


def test_another_name_of_the_instance_is_hardly_a_value() -> None:
    evidence = [section(1, "The Amber rises in the Torvan Hills. The Amber is also called the Ruvel.")]
    for likely, country in ((0.25, ""), (0.9, "Ruvel")):
        read = Pointing(("rivers", "Amber", 0.9), ("countries of Amber", "Ruvel", likely))
        assert table(RIVERS.replace("lengths", "countries"), evidence, read) == [["Amber", country]]


def test_two_names_of_a_thing_are_one_row_of_the_surer_name() -> None:
    evidence = [
        section(1, "The Amber rises in the Torvan Hills. Boatmen call it the Ruvel."),
        section(2, "The Ruvel is 90 km long. From it the Torvan Hills are seen."),
    ]
    read = Pointing(("rivers", "Amber", 0.9), ("rivers", "Ruvel", 0.8), ("lengths of Ruvel", "90 km", 0.9))
    assert table(RIVERS, evidence, read) == [["Ruvel", "90 km"]]  # which more sections name with the hills


def test_what_only_says_where_or_begins_a_sentence_is_no_instance() -> None:
    evidence = [
        section(1, "The Amber rises in the Torvan Hills near Karstow."),
        section(2, "Rain falls on the Torvan Hills. In Karstow the Amber floods."),
    ]
    read = Pointing(("rivers", "Amber", 0.7), ("rivers", "Karstow", 0.9), ("rivers", "Rain", 0.9))
    assert table(RIVERS, evidence, read) == [["Amber", ""]]


def test_what_is_measured_has_an_amount_and_nothing_else_is_a_mere_number() -> None:
    evidence = [section(1, "The Amber rises in the Torvan Hills. Willows line it for miles. In 1931 it froze.")]
    for question, value in ((RIVERS, "miles"), (RIVERS, "1931"), (RIVERS.replace("lengths", "countries"), "1931")):
        read = Pointing(("rivers", "Amber", 0.9), ("of Amber", value, 0.4))
        assert table(question, evidence, read) == [["Amber", ""]]


def test_a_value_is_a_whole_noun_and_of_a_clause_its_subject() -> None:
    question = "Which drugs treat Velmoria, and what are their side effects?"
    for told, pointed, effect in (
        ("Among what Perithol does, soreness of the wrists leads the list.", "soreness of the wrists leads the list",
         "soreness of the wrists"),
        ("With Perithol many are struck by Wartom fever.", "Wartom", "Wartom fever"),
    ):  # fmt: skip
        evidence = [section(1, f"The drug Perithol treats Velmoria. {told}")]
        read = Pointing(("drugs", "Perithol", 0.9), ("effects", pointed, 0.9))
        assert table(question, evidence, read) == [["Perithol", effect]]


def test_a_measure_is_told_without_what_is_measured() -> None:
    evidence = [section(1, "The Amber rises in the Torvan Hills. It is 40 km long.")]
    read = Pointing(("rivers", "Amber", 0.9), ("lengths of Amber", "40 km long", 0.9))
    assert table(RIVERS, evidence, read) == [["Amber", "40 km"]]
