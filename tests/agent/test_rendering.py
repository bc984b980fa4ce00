"""How runs look as text and as a Mermaid flowchart, whatever the documents contain."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from multicube.agent.runs.catalogue import RunSummary
from multicube.agent.views import terminal as rendering
from multicube.agent.views.mermaid import mermaid
from multicube.agent.views.text import clean, clean_block, shorten
from multicube.graphs.records import (
    Citation,
    ComponentRecord,
    Evidence,
    FactRecord,
    Hop,
    LoopSettings,
    MatchRecord,
    PartsRecord,
    Run,
)

SENTENCE = "Dune Song is a 1931 film directed by Ada Bell."


def match(**changes: object) -> MatchRecord:
    given = {
        "cube": "cultural_product",
        "dimension": "name",
        "entity": "Dune Song",
        "label": "Dune Song (film)",
        "route": "exact",
        "similarity": 1.0,
        "count": 2,
    }
    return MatchRecord.model_validate({**given, **changes})


def evidence(**changes: object) -> Evidence:
    given = {
        "section_id": "d1:0",
        "document_id": "d1",
        "record_id": "dune",
        "title": "Dune Song",
        "path": ("Dune Song", "Plot"),
        "source": "films.jsonl",
        "text": SENTENCE + " It has sand.",
        "sentence": SENTENCE,
        "start": 0,
        "end": len(SENTENCE),
        "rank": 1,
        "covered": 1,
        "asked": 2,
        "matches": (match(),),
    }
    return Evidence.model_validate({**given, **changes})


def fact(**changes: object) -> FactRecord:
    given = {
        "section_id": "d1:0",
        "cube": "cultural_product",
        "dimension": "to_person",
        "subject": "Dune Song",
        "relation": "directed by",
        "value": "Ada Bell",
        "start": 36,
        "end": 44,
        "sentence": SENTENCE,
    }
    return FactRecord.model_validate({**given, **changes})


def hop(**changes: object) -> Hop:
    given = {
        "number": 1,
        "subquery": "Who directed Dune Song?",
        "cubes": ("cultural_product",),
        "route_reason": "a film",
        "components": (
            ComponentRecord(cube="cultural_product", dimension="name", entity="Dune Song"),
            ComponentRecord(cube="cultural_product", dimension="to_person", entity="directed by"),
        ),
        "evidence": (
            evidence(),
            evidence(
                section_id="d2:0",
                title="Sand",
                path=(),
                sentence="",
                matches=(),
                score=0.5,
                retriever="hybrid",
            ),
        ),
        "answer": "Ada Bell",
        "answers": ("Ada Bell",),
        "status": "answered",
        "confidence": 0.9,
        "fact": fact(),
        "ms": 12.0,
    }
    return Hop.model_validate({**given, **changes})


def run(**changes: object) -> Run:
    given = {
        "id": "abc123",
        "question": "Who directed Dune Song?",
        "answer": "Ada Bell",
        "status": "answered",
        "hops": (hop(),),
        "citations": (
            Citation(
                number=1,
                hop=1,
                section_id="d1:0",
                document_id="d1",
                record_id="dune",
                title="Dune Song",
                sentence=SENTENCE,
            ),
        ),
        "engine": "embedded/1",
        "stopped": "sufficient",
        "ms": 1234.0,
    }
    return Run.model_validate({**given, **changes})


def plain(lines: object) -> str:
    return "\n".join(line.plain for line in lines)  # type: ignore[attr-defined]


def test_an_answer_comes_with_its_numbered_sentence() -> None:
    assert plain(rendering.answer(run())) == f"Ada Bell\n\n[1] Dune Song: {SENTENCE}"


def test_an_abstention_says_plainly_why() -> None:
    silent = run(answer="", status="abstained", note="No section says who directed it.", citations=())
    assert plain(rendering.answer(silent)) == "No answer: No section says who directed it."


def test_an_abstention_without_a_note_gives_the_reason_the_loop_ended() -> None:
    assert "time limit" in plain(
        rendering.answer(run(answer="", status="abstained", stopped="deadline", citations=()))
    )


def test_an_answer_that_was_cut_short_says_so() -> None:
    assert "cut short: the limit of hops" in plain(rendering.answer(run(stopped="iterations")))


def test_a_trace_names_subquery_cube_cells_evidence_and_sub_answer() -> None:
    shown = plain(rendering.trace(run(), plain=True))
    assert "Hop 1: Who directed Dune Song?" in shown
    assert "cultural_product  (a film)" in shown
    assert "cultural_product/name: Dune Song → Dune Song (film) (exact)" in shown
    assert "cultural_product/to_person: directed by → no label matches" in shown
    assert "Dune Song › Plot: Dune Song is a 1931 film directed by **Ada Bell**." in shown
    assert "Sand  (hybrid 0.5)" in shown
    assert "Ada Bell  (confidence 0.90, retrieval 0.0 ms, hop 12 ms)" in shown
    assert "Answer: " in shown


def test_a_dense_match_shows_its_similarity() -> None:
    dense = evidence(matches=(match(route="dense", similarity=0.834, label="The Dune Song"),))
    assert "The Dune Song (dense 0.83)" in plain(rendering.trace(run(hops=(hop(evidence=(dense,)),))))


def test_sections_that_disagree_are_both_shown() -> None:
    other = fact(section_id="d2:0", value="Bo Cray", sentence="Bo Cray directed Dune Song.")
    shown = plain(rendering.trace(run(hops=(hop(conflicts=(other,)),))))
    assert "sections disagree: “Ada Bell” in Dune Song › Plot; “Bo Cray” in Sand" in shown
    assert "Bo Cray directed Dune Song." in shown


def test_a_fallback_and_a_missing_sub_answer_are_said() -> None:
    shown = plain(
        rendering.trace(
            run(hops=(hop(evidence=(), answer="", answers=(), fact=None, fallback="no cube covers it"),))
        )
    )
    assert "no cube covers it" in shown
    assert "none found" in shown
    assert "not found" in shown


def test_cited_sections_are_shown_in_full() -> None:
    assert "It has sand." in plain(rendering.sections(run()))
    assert "Sand" not in plain(rendering.sections(run())).split()


def test_columns_are_aligned_and_never_cut() -> None:
    wide = "x" * 300
    lines = plain(rendering.columns(("name", "count"), [("a", 5), (wide, 12_000)])).splitlines()
    assert lines[0].startswith("name ")
    assert lines[1].endswith("     5")
    assert lines[2] == f"{wide}  12,000"


def test_durations_read_naturally() -> None:
    assert [rendering.duration(ms) for ms in (0.41, 12.3, 1300)] == ["0.4 ms", "12 ms", "1.3 s"]


def test_emphasis_marks_whole_words_only() -> None:
    assert rendering.emphasise("Ann met Anna.", ["Ann"], plain=True).plain == "**Ann** met Anna."


def test_a_flowchart_shows_every_step_of_a_hop() -> None:
    source = mermaid(run())
    assert source.startswith("flowchart TD\n")
    for part in (
        "Who directed Dune Song?",
        "cultural",
        "directed by Ada Bell",
        "exact",
        "h1answer --> final",
    ):
        assert part in source


def test_a_flowchart_of_an_abstention_says_so() -> None:
    assert "No answer" in mermaid(run(answer="", note="nothing found", hops=()))


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet=st.characters(codec="utf-8"), min_size=1, max_size=80))
def test_no_text_breaks_out_of_a_flowchart_label(text: str) -> None:
    nasty = hop(
        subquery=text,
        answer=text,
        answers=(text,),
        evidence=(evidence(title=text, sentence=text, matches=(match(label=text),)),),
    )
    source = mermaid(run(question=text, answer=text, hops=(nasty,)))
    assert len(source.splitlines()) == len(mermaid(run()).splitlines())
    for label in re.findall(r'"(.*)"', source):
        assert not re.search(r'["`<>{}|\\$;]', re.sub(r"#\d+;|<br/>", "", label))


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_cleaned_text_holds_no_control_characters(text: str) -> None:
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e]", clean(text))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", clean_block(text))
    assert len(shorten(text, 20)) <= 20


def test_terminal_escapes_in_documents_are_defused() -> None:
    assert clean("a\x1b[31mred\x1b]0;title\x07") == "a[31mred]0;title"
    assert clean_block("one\r\ntwo\tx\x1b[2J") == "one\ntwo    x[2J"


def test_a_trace_shows_the_three_parts_of_a_multi_route_score() -> None:
    parts = PartsRecord(vector=0.91, words=0.5, keywords=("NVR\x1b[31m3315",), alpha=0.6, beta=0.25)
    found = [evidence(retriever="hiqa", score=0.92, matches=(), parts=parts, section_id=f"d1:{n}") for n in range(2)]
    run = Run(id="r", question="?", hops=(Hop(number=1, subquery="?", tools=("hiqa",), evidence=tuple(found)),))
    text = "\n".join(line.plain for line in rendering.trace(run))
    assert re.search(r"searched: +chapters\n", text)
    assert text.count("0.92 = 0.60·vector 0.91 + 0.40·words 0.50 + 0.25·log(1+1 keyword: NVR") == 2
    assert "\x1b" not in text


def test_a_passage_that_answers_is_shown_once() -> None:
    passage = "Close the door of the kiln, and light the fire below it with dry pine."
    found = evidence(text=passage, sentence=passage, end=len(passage), matches=())
    cited = Citation(
        number=1, hop=1, section_id="d1:0", document_id="d1", record_id="d1", title="Kiln", path=("Kiln",),
        source="kiln.md", sentence=passage, start=0, end=len(passage),
    )  # fmt: skip
    answered = run(
        answer=passage, form="passage", hops=(hop(answer=passage, answers=(), evidence=(found,)),), citations=(cited,)
    )
    assert plain(rendering.trace(answered)).count("dry pine") == 1
    assert plain(rendering.answer(answered)).count("dry pine") == 1


def test_settings_are_shown_where_they_are_not_the_default_ones() -> None:
    assert "Settings" not in plain(rendering.trace(run()))
    assert "Settings: max_hops=2" in plain(rendering.trace(run(settings=LoopSettings(max_hops=2))))


@pytest.mark.parametrize("width", [80, 120])
def test_a_list_of_runs_fits_its_width(width: int) -> None:
    rows = [
        RunSummary(id=f"{n:012x}", question="Who " + "directed the film " * n, answer="Ada Bell " * n,
                   status="answered", hops=n, started_at="2026-11-22T10:00:00")
        for n in range(1, 9)
    ]  # fmt: skip
    lines = [line.plain for line in rendering.runs(rows, width)]
    assert max(map(len, lines)) <= width
    assert len({line.find("Who") for line in lines[1:]}) == 1
