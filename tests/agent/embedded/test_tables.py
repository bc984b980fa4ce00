"""Answer tables: which things are instances, and which words fill which cell."""

from __future__ import annotations

import math
from collections.abc import Sequence

from multicube.agent.engines.embedded.answers.candidates import SpanCandidate
from multicube.agent.engines.embedded.answers.scorer import ScoredSpan
from multicube.agent.engines.embedded.answers.span import PredictedSpan
from multicube.agent.engines.embedded.kinds.answer_tables import Tabulator
from multicube.agent.engines.embedded.kinds.instances import Instance, alike, candidates
from multicube.agent.engines.embedded.kinds.table_filling import CellCandidate, filled, whole
from multicube.cubes.core.records import Span
from multicube.graphs.expansion import intents_of
from multicube.graphs.expansion.statements import AnswerCell
from multicube.graphs.reasoner import SubAnswer
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

    def __call__(self, question: str, sections: Sequence[tuple[str, str]]) -> list[PredictedSpan]:
        found = [
            PredictedSpan(n, text.index(words), text.index(words) + len(words), words, margin(likely))
            for n, (_, text) in enumerate(sections)
            for asked, words, likely in self._told
            if asked in question and words in text
        ]
        return sorted(found, key=lambda span: -span.margin)

    def ranked(self, question: str, evidence: Sequence[Evidence]) -> list[ScoredSpan]:
        likely = {words: likely for asked, words, likely in self._told if asked in question}
        spans = self(question, [(e.title, e.text) for e in evidence])
        return [ScoredSpan(SpanCandidate(span, ()), likely[span.text], 1.0) for span in spans]


def reading(section_id: str, text: str, value: str, sure: float) -> CellCandidate:
    start = text.index(value)
    return CellCandidate(AnswerCell(value, section_id, 0, len(text), sure), start, start + len(value))


def table(question: str, evidence: Sequence[Evidence], read: Pointing) -> list[list[str]]:
    intents = intents_of(question)
    assert intents is not None
    rows = Tabulator(lambda *_: SubAnswer(), read, read.ranked).table(intents, evidence)
    return [[cell.value for cell in row] for row in rows]


def test_a_value_stands_once_in_a_row_where_it_is_surest() -> None:
    said = "Perithol is made of perine."
    made, seen = reading("a", said, "perine", 0.8), reading("a", said, "perine", 0.7)
    cough = reading("b", "Perithol brings a cough.", "a cough", 0.6)
    texts = {"a": said, "b": "Perithol brings a cough."}
    (row,) = filled(["Perithol"], [[[made], [seen, cough]]], texts)
    assert [cell.value for cell in row] == ["perine", "a cough"]


def test_the_words_of_a_sentence_are_of_one_row_unless_it_names_both() -> None:
    for said, values in (
        ("Perithol holds perine.", ["perine", ""]),
        ("Perithol and Orvenil hold perine.", ["perine", "perine"]),
    ):
        readings = [[[reading("a", said, "perine", sure)]] for sure in (0.8, 0.7)]
        rows = filled(["Perithol", "Orvenil"], readings, {"a": said})
        assert [row[0].value for row in rows] == values


def test_a_column_of_numbers_holds_no_words() -> None:
    texts = {n: f"It runs {n}." for n in ("40 km", "51 km", "August")}
    readings = [[[reading(n, texts[n], n, 0.8)]] for n in texts]
    assert [row[0].value for row in filled(["A", "B", "C"], readings, texts)] == ["40 km", "51 km", ""]


def test_a_value_is_a_whole_name_and_a_bare_measure() -> None:
    for column, text, value, full in (
        ("diseases", "It causes the Dornal disease in winter.", "Dornal", "Dornal disease"),
        ("diseases", "It causes Dornal palsy in winter.", "palsy", "Dornal palsy"),
        ("diseases", "It causes Dornal in winter.", "Dornal", "Dornal"),
        ("effects", "The nausea passes.", "nausea", "nausea"),
        ("length", "The Amber is 40 km long.", "40 km long", "40 km"),
        ("length", "The Amber is 40 km.", "40 km", "40 km"),
        ("side effects", "Among the side effects is swelling of the jaw.", "the jaw", "swelling of the jaw"),
        ("side effects", "One in five complained of cramps of the jaw.", "cramps", "cramps of the jaw"),
        ("side effects", "The side effects of nausea pills vary.", "nausea", "nausea"),
        ("molecule", "It holds 40 mg of perine.", "perine", "perine"),
        ("molecule", "It holds perine, a white powder.", "perine, a white powder", "perine"),
        ("effects", "Report any coughing at once.", "any coughing", "coughing"),
        ("effects", "It brings a rash, a fever and tics.", "a rash, a fever and tics", "a rash, a fever and tics"),
        ("effects", "One complained of swelling of the lower jaw.", "swelling", "swelling"),
        ("effects", "Many stop because of the nausea.", "the nausea", "the nausea"),
        ("effects", "One felt burning of the skin.", "burning", "burning of the skin"),
    ):
        start = text.index(value)
        begin, end = whole(column, text, start, start + len(value))
        assert text[begin:end] == full


RIVERS = "Which rivers rise in the Torvan Hills, and what are their lengths?"


def test_what_is_named_once_is_no_instance_where_others_are_named_again_and_again() -> None:
    evidence = [
        section(1, "The Amber rises in the Torvan Hills."),
        section(2, "The Amber is 40 km long. The Torvan Hills can be seen from the Amber."),
        section(3, "The railway of the Torvan Hills ends at Karstow."),
    ]
    read = Pointing(("rivers", "Amber", 0.7), ("rivers", "Karstow", 0.8), ("lengths of Amber", "40 km", 0.95))
    assert table(RIVERS, evidence, read) == [["Amber", "40 km"]]
    assert [row[0] for row in table(RIVERS, evidence[2:], read)] == ["Karstow"]  # nothing is named again


def test_what_is_a_value_of_a_likelier_thing_is_no_instance() -> None:
    question = "Which mutations of DRV3A are known, and what are their diseases?"
    evidence = [
        section(1, "The mutation c.714G>A was found in DRV3A."),
        section(2, "Those with c.714G>A have Dornal fever. All had DRV3A read. Dornal fever is rare."),
        section(3, "The doctors who read DRV3A saw Dornal fever as well."),
    ]
    read = Pointing(
        ("mutations", "c.714G>A", 0.8), ("mutations", "Dornal", 0.7), ("diseases of c.714G>A", "Dornal fever", 0.9)
    )
    assert table(question, evidence, read) == [["c.714G>A", "Dornal fever"]]


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
        ("Ferries cross it, 90 of them.", 0.25, ""),  # of what is not said
        ("Ferries cross it, 90 of them, below the Torvan Hills.", 0.9, "90"),  # the reader is sure, doubts or no
    ):
        evidence = [section(1, "The Amber rises in the Torvan Hills."), section(2, f"The Amber is wide. {told}")]
        value = "90 km" if "90 km" in told else "90"
        read = Pointing(("rivers", "Amber", 0.7), ("lengths of Amber", value, likely))
        assert table(RIVERS, evidence, read) == [["Amber", length]], told


def test_a_section_of_its_name_goes_on_about_a_thing() -> None:
    said = "The Torvan Hills and the Amber were painted."
    for told, length in (("It runs 90 km.", "90 km"), ("Boats cross it, 90 km of them.", "")):
        titled = section(3, told).model_copy(update={"title": "Amber"})
        read = Pointing(("rivers", "Amber", 0.8), ("lengths of Amber", "90 km", 0.4))
        evidence = [section(1, "The Amber rises in the Torvan Hills."), section(2, said), titled]
        assert table(RIVERS, evidence, read) == [["Amber", length]]


def test_what_stands_beside_likelier_things_alone_belongs_to_them() -> None:
    texts = (
        "The Amber rises in the Torvan Hills near Karstow.",
        "The Belm rises in the Torvan Hills near Karstow.",
        "In spring the Amber is painted, and so are the Torvan Hills.",
        "In spring the Belm is painted, and so are the Torvan Hills.",
    )
    evidence, head = [section(n, text) for n, text in enumerate(texts)], "Which rivers rise in the Torvan Hills?"
    read = Pointing(("rivers", "Amber", 0.9), ("rivers", "Belm", 0.9))
    assert [one.name for one in candidates(head, evidence, read)] == ["Amber", "Belm"]
    listed = section(9, "The Crane, the Amber, the Belm: all rise in the Torvan Hills.")
    both = Pointing(("rivers", "Crane, the Amber, the Belm", 0.9), ("rivers", "Amber", 0.9))
    assert "Crane" in {one.name for one in candidates(head, [*evidence, listed], both)}


def test_how_a_thing_is_written_is_seen_in_its_mentions() -> None:
    texts = (
        "The Amber rises in the Torvan Hills.",
        "The Belm rises in the Torvan Hills, and so does the river Crane.",
        "Boats leave for the Torvan Hills on the Amber and the Belm, in Karstow.",
        "The post of the Torvan Hills is in Karstow.",
    )
    head = "Which rivers rise in the Torvan Hills?"
    read = Pointing(("rivers", "Amber", 0.95), ("rivers", "Crane", 0.7), ("rivers", "Karstow", 0.33))
    found = {one.name: one for one in candidates(head, [section(n, text) for n, text in enumerate(texts)], read)}
    assert {name: (one.article, one.placed, one.pointed) for name, one in found.items()} == {
        "Amber": (True, False, True), "Belm": (True, False, False), "Crane": (None, False, True),
        "Karstow": (False, True, False),
    }  # fmt: skip


def test_things_are_written_as_the_likeliest_ones_are() -> None:
    def thing(name: str, article: bool | None = False, placed: bool = False, pointed: bool = False) -> Instance:
        return Instance(name, "s", Span(0, 1), 1.0, frozenset({0}), article, placed, pointed)

    rivers = [thing("Amber", True), thing("Belm", True)]
    towns = [thing("Karstow", placed=True), thing("Dastra", placed=True)]
    for others, left in (
        ([thing("Edda Lorn")], []),
        ([thing("Crane", None)], ["Crane"]),  # no text tells
        ([thing("France", pointed=True)], ["France"]),
        ([thing("Karstow", True, placed=True)], []),
        ([thing("Karstow", True, placed=True, pointed=True)], ["Karstow"]),
    ):
        assert [one.name for one in alike([*rivers, *others])] == ["Amber", "Belm", *left]
    assert alike([*towns, thing("Orm")]) == [*towns, thing("Orm")]
    assert alike([rivers[0], *towns]) == [rivers[0], *towns]


def test_an_instance_of_which_nothing_was_found_is_a_row_where_nothing_was_found_of_any() -> None:
    evidence = [
        section(1, "The Amber rises in the Torvan Hills."),
        section(2, "The Belm rises in the Torvan Hills."),
        section(3, "The Belm is 40 km long."),
    ]
    read = Pointing(("rivers", "Amber", 0.55), ("rivers", "Belm", 0.55), ("lengths of Belm", "40 km", 0.95))
    assert table(RIVERS, evidence, read) == [["Belm", "40 km"]]
    assert table(RIVERS, evidence[:2], read) == [["Amber", ""], ["Belm", ""]]


def test_another_name_of_the_instance_is_hardly_a_value() -> None:
    evidence = [section(1, "The Amber rises in the Torvan Hills. The Amber is also called the Ruvel.")]
    for likely, length in ((0.25, ""), (0.9, "Ruvel")):
        read = Pointing(("rivers", "Amber", 0.9), ("lengths of Amber", "Ruvel", likely))
        assert table(RIVERS, evidence, read) == [["Amber", length]]
