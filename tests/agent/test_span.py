"""The span reader: what it points at stands in the text, titles are no answers, and threads do not disturb it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from multicube.agent.engines.embedded.answers import span
from multicube.agent.engines.embedded.answers.candidates import (
    FEATURES,
    ScoredSpan,
    SoftmaxScorer,
    asked_noun,
    candidates,
    coverage,
    packaged_scorer,
)
from multicube.agent.engines.embedded.answers.span import (
    PredictedSpan,
    RecentReadings,
    SpanReader,
    open_reader,
    whole_words,
)
from multicube.cubes.retrieval.wording import stems
from multicube.graphs.records import Evidence

WEAVER = (
    "Ottoline Brask",
    "Ottoline Brask was a Norvish weaver. She was born in Quell on 3 May 1871 and learned her "
    "trade from her aunt. In 1902 she founded the Lantern Street Workshop, which employed forty people.",
)
LAKE = ("Lake Tolm", "Lake Tolm is a shallow inland lake without an outlet. It freezes for four months of the year.")


FILE = Path(span.__file__).parent / "reader" / "reader.onnx"


@pytest.fixture(scope="module")
def reader() -> SpanReader:
    found = open_reader()
    if found is None:
        pytest.skip("reader.onnx is not here; evals/training/README.md says how to make it")
    return found


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where was Ottoline Brask born?", "Quell"),
        ("When was Ottoline Brask born?", "3 May 1871"),
        ("What did Ottoline Brask found in 1902?", "Lantern Street Workshop"),
        ("From whom did Ottoline Brask learn her trade?", "aunt"),
    ],
)
def test_it_reads_what_no_rule_was_written_for(reader: SpanReader, question: str, answer: str) -> None:
    best = reader.read(question, [WEAVER])[0]
    assert answer in best.text
    assert len(best.text) < len(answer) + 25


def test_the_section_that_holds_the_answer_comes_first(reader: SpanReader) -> None:
    found = reader.read("Where was Ottoline Brask born?", [LAKE, WEAVER])
    assert found[0].section == 1
    assert [s.margin for s in found] == sorted((s.margin for s in found), reverse=True)


@pytest.mark.parametrize(
    "question", ["Who composed the anthem of Lake Tolm?", "In which year did Lake Tolm win the cup?"]
)
def test_where_the_answer_is_not_here_nothing_is_as_likely(reader: SpanReader, question: str) -> None:
    assert all(one.margin < 0 for one in reader.read(question, [LAKE]))


def test_a_title_is_context_and_no_answer(reader: SpanReader) -> None:
    text = "It is a shallow inland lake without an outlet."
    found = reader.read("Which lake has no outlet?", [("Lake Tolm", text)])
    assert found
    assert all(text[one.start : one.end] == one.text for one in found)
    assert all("Tolm" not in one.text for one in found)


def test_a_long_section_is_read_in_windows(reader: SpanReader) -> None:
    filler = "The town council met twice that year and spoke of roads, wells and the price of salt. " * 60
    found = reader.read("When was Ottoline Brask born?", [("Chronicle", filler + WEAVER[1] + " " + filler)])
    assert "1871" in found[0].text
    assert found[0].start > len(filler)


def test_nothing_is_read_of_nothing(reader: SpanReader) -> None:
    assert reader.read("Where was Ottoline Brask born?", []) == []
    assert reader.read("Where was Ottoline Brask born?", [("", "")]) == []


@pytest.mark.parametrize(
    ("span", "paired"),
    [("[wickd", "wickd"), ("the oil (of flax", "the oil (of flax)"), ("a daemon)", "a daemon"), ("(daily)", "(daily)")],
)
def test_a_span_has_both_brackets_or_none(span: str, paired: str) -> None:
    text = "See [wickd](wickd.md) for the oil (of flax), which (it is a daemon) it burns (daily)."
    start, end = whole_words(text, (at := text.index(span)), at + len(span))
    assert text[start:end] == paired


@pytest.mark.parametrize(
    ("question", "text", "word"),
    [
        ("Which file is read?", "The lamp reads lamp_settings.conf when it starts.", "lamp_settings.conf"),
        ("What script came in?", "Added a new script wick_progress.py to see the wick's state", "wick_progress.py"),
        ("Which site has the plans?", "Plans are on harbour.example/plans for all.", "harbour.example/plans"),
        ("How much did the mill at Orrel cost?", "The mill at Orrel cost A$20 million.", "A$20 million"),
    ],
)
def test_a_span_is_of_whole_words(reader: SpanReader, question: str, text: str, word: str) -> None:
    assert reader.read(question, [("lampd", text)])[0].text == word


def test_a_span_is_of_one_cell() -> None:
    row = "| K3 | 0.8 bar | 0.9 |"
    start, end = whole_words(row, row.index("0.8"), row.index("0.9") + 3)
    assert row[start:end] == "0.8 bar"


@settings(max_examples=40)
@given(st.text(max_size=30), st.lists(st.tuples(st.text(max_size=12), st.text(max_size=200)), max_size=3))
def test_every_span_stands_where_it_is_said_to(question: str, sections: list[tuple[str, str]]) -> None:
    reader = open_reader()
    if reader is None:
        pytest.skip("the reader's file is not here")
    for found in reader.read(question, sections):
        text = sections[found.section][1]
        assert 0 <= found.start <= found.end <= len(text)
        assert text[found.start : found.end] == found.text


def test_threads_read_the_same(reader: SpanReader) -> None:
    questions = [
        "Where was Ottoline Brask born?",
        "When was Ottoline Brask born?",
        "How long does Lake Tolm freeze?",
    ] * 4
    alone = [reader.read(question, [WEAVER, LAKE]) for question in questions]
    fresh = SpanReader(FILE)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda question: fresh.read(question, [WEAVER, LAKE]), questions)) == alone


def test_a_section_is_read_once_for_a_question(reader: SpanReader, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    once = SpanReader.read

    def counted(self: SpanReader, question: str, sections: Sequence[tuple[str, str]]) -> list[PredictedSpan]:
        read.extend(title for title, _ in sections)
        return once(self, question, sections)

    monkeypatch.setattr(SpanReader, "read", counted)
    recent, question = RecentReadings(reader), "Where was Ottoline Brask born?"
    recent.spans(question, [WEAVER])
    assert recent.spans(question, [LAKE, WEAVER]) == once(reader, question, [LAKE, WEAVER])
    assert read == ["Ottoline Brask", "Lake Tolm"]


# -- choosing among spans ----------------------------------------------------------------------------------------------


def evidence(title: str, text: str, rank: int = 0) -> Evidence:
    return Evidence(
        section_id=f"s{rank}",
        document_id=f"d{rank}",
        record_id=f"r{rank}",
        title=title,
        text=text,
        score=1.0,
        retriever="passages",
    )


BAND = evidence(
    "Glass Harbour", "Glass Harbour formed in Dastra, Orvenna. The band split in 1994 after Mirren Tal left.", 0
)
HALL = evidence("Mill Hall", "Mill Hall opened in Port Sorrel. Glass Harbour played there in 1991.", 1)


Pointed = tuple[int, str, float]
"""What a reader points at: the section's number, its words, the margin."""


def choices(question: str, *pointed: Pointed, fit=None, scorer: SoftmaxScorer | None = None) -> list[ScoredSpan]:  # type: ignore[no-untyped-def]
    sections = [BAND, HALL]
    starts = [sections[section].text.index(words) for section, words, _ in pointed]
    spans = [PredictedSpan(n, at, at + len(w), w, sure) for (n, w, sure), at in zip(pointed, starts, strict=True)]
    found = candidates(question, spans, sections, lambda text: lambda start, end: 0.0, fit)
    return (scorer or packaged_scorer()).ranked(found)


def chosen(question: str, *pointed: Pointed, fit=None) -> list[str]:  # type: ignore[no-untyped-def]
    return [choice.text for choice in choices(question, *pointed, fit=fit)]


def test_of_like_spans_the_one_of_the_better_section_is_taken() -> None:
    assert chosen("When did Glass Harbour split?", (1, "1991", 3.0), (0, "1994", 3.0))[0] == "1994"


def test_what_the_noun_says_counts() -> None:
    fit = {"Dastra": 1.0, "Mirren Tal": None}.get
    found = chosen("In which town did Glass Harbour form?", (0, "Mirren Tal", 3.0), (0, "Dastra", 2.5), fit=fit)
    assert found[0] == "Dastra"


def test_words_of_the_question_are_no_answer() -> None:
    pointed = ((0, "Glass Harbour", 9.0), (0, "Dastra", 0.0))
    assert "Glass Harbour" not in chosen("Where did Glass Harbour form?", *pointed)
    assert "Glass Harbour" in chosen("Which is older, Glass Harbour or Mill Hall?", *pointed)


def test_a_town_with_its_country_is_offered_whole_and_in_parts() -> None:
    options = chosen("Where did Glass Harbour form?", (0, "Dastra, Orvenna", 2.0))
    assert options[0] == "Dastra, Orvenna"
    assert set(options) == {"Dastra, Orvenna", "Dastra", "Orvenna"}


def test_what_is_chosen_knows_its_sentence_and_how_likely_it_is() -> None:
    best, other = choices("When did Glass Harbour split?", (0, "1994", 4.0), (1, "1991", -9.0))
    place = best.sentence([BAND, HALL])
    assert BAND.text[place.start : place.end].strip() == "The band split in 1994 after Mirren Tal left."
    assert 0 < other.probability < best.probability < 1


def test_each_text_is_chosen_once_and_its_places_add_up() -> None:
    even = SoftmaxScorer((1.0,) + (0.0,) * (len(FEATURES) - 1), 0.0)
    (once,) = choices("When did Glass Harbour change?", (0, "1994", 0.0), scorer=even)
    (twice,) = choices("When did Glass Harbour change?", (0, "1994", 0.0), (0, "1994", 0.0), scorer=even)
    assert once.probability == pytest.approx(1 / 2)
    assert twice.probability == pytest.approx(2 / 3)


@given(st.lists(st.tuples(st.sampled_from(["1994", "Dastra", "Orvenna", "Mirren Tal"]), st.floats(-30, 30))))
def test_probabilities_leave_room_for_not_here(pointed: list[tuple[str, float]]) -> None:
    found = choices("When did Mill Hall open?", *((0, words, margin) for words, margin in pointed))
    total = sum(choice.probability for choice in found)
    assert 0 <= total <= 1
    assert [c.probability for c in found] == sorted((c.probability for c in found), reverse=True)


def test_a_reader_that_is_surer_makes_an_answer_likelier() -> None:
    weights = dict(zip(FEATURES, packaged_scorer().weights, strict=True))
    assert weights["margin"] + weights["sure"] > 0
    assert weights["rank"] < 0


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("In which coastal town is Mill Hall?", "town"),
        ("Mill Hall stands in what town?", "town"),
        ("Who built Mill Hall?", ""),
        ("Which was it?", ""),
    ],
)
def test_the_noun_behind_the_question_word(question: str, noun: str) -> None:
    assert asked_noun(question, {"town", "hall"}.__contains__) == noun


def test_the_share_of_what_is_asked() -> None:
    assert coverage("Who directed it?", set(stems("It was directed by him."))) == 1.0
    assert coverage("", set()) == 1.0
    assert 0 < coverage("Which company did he lead?", set(stems("A company."))) < 1
