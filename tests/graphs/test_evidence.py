"""Merging what several cubes and several hops found into one ranking, and citing what was used."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from multicube.graphs.evidence import cite, fuse_evidence, locate, merge_evidence, merged_records
from multicube.graphs.quoting import closest
from multicube.graphs.records import Evidence, FactRecord, Hop


def found(name: str, covered: int = 1, asked: int = 1) -> Evidence:
    text = f"About {name}. Its answer is blue."
    return Evidence(
        section_id=name,
        document_id=name,
        record_id=name,
        title=name,
        text=text,
        sentence=text,
        covered=covered,
        asked=asked,
    )


def test_the_widest_coverage_comes_first_whichever_cube_found_it() -> None:
    merged = merge_evidence([[found("a", 1, 2), found("b", 1, 2)], [found("c", 2, 2)]], 5)
    assert [e.section_id for e in merged] == ["c", "a", "b"]
    assert [e.rank for e in merged] == [1, 2, 3]



def test_a_section_found_twice_is_listed_once() -> None:
    merged = merge_evidence([[found("a")], [found("a"), found("b")]], 5)
    assert [e.section_id for e in merged] == ["a", "b"]


@given(st.lists(st.lists(st.sampled_from("abcdef"), unique=True), max_size=4), st.integers(1, 6))
def test_merging_never_invents_or_doubles_a_section(lists: list[list[str]], limit: int) -> None:
    merged = [e.section_id for e in merge_evidence([[found(n) for n in names] for names in lists], limit)]
    assert len(merged) == len(set(merged)) == min(limit, len({n for names in lists for n in names}))


def test_weak_cells_leave_room_for_passages() -> None:
    fused = fuse_evidence([[found("a"), found("b")], [found("c"), found("d")]], 2, 60)
    assert {e.section_id for e in fused} == {"a", "c"}
    assert [e.rank for e in fused] == [1, 2]


def test_the_sections_that_answered_come_before_the_rest() -> None:
    fact = FactRecord(section_id="b", cube="c", dimension="d", subject="s", relation="r", value="v", start=0, end=1)
    hops = [
        Hop(
            number=1,
            subquery="q1",
            evidence=(found("a"), found("b")),
            status="answered",
            answer="v",
            fact=fact,
        ),
        Hop(number=2, subquery="q2", evidence=(found("c"), found("d")), status="missing"),
    ]
    assert merged_records(hops) == ["b", "a", "c", "d"]


def test_the_whole_question_has_a_say_where_facts_did_not_answer_every_hop() -> None:
    fact = FactRecord(section_id="b", cube="c", dimension="d", subject="s", relation="r", value="v", start=0, end=1)
    hops = [
        Hop(number=1, subquery="q1", evidence=(found("a"), found("b")), status="answered", answer="v", fact=fact),
        Hop(number=2, subquery="q2", evidence=(found("c"), found("d")), status="missing"),
    ]
    whole = ["w", "x", "a", "y", "z"]
    assert merged_records(hops, whole) == ["b", "a", "c", "w", "x", "d", "y", "z"]
    assert merged_records([], whole) == whole


def test_what_was_read_without_a_fact_is_not_surer_than_what_was_found_first() -> None:
    read = found("b").model_copy(update={"sentence": "It is Vell."})
    hop = Hop(number=1, subquery="q", evidence=(found("a"), read), status="answered", answer="Vell", answers=("Vell",))
    assert merged_records([hop]) == ["b", "a"]
    assert merged_records([hop], ["w"]) == ["a", "w", "b"]


def test_citations_are_numbered_once_and_missing_hops_have_none() -> None:
    fact = FactRecord(section_id="a", cube="c", dimension="d", subject="s", relation="r", value="v", start=0, end=1)
    hop = Hop(number=1, subquery="q", evidence=(found("a"),), status="answered", answer="v", fact=fact)
    missing = Hop(number=3, subquery="q", evidence=(found("b"),))
    assert [(c.number, c.section_id) for c in cite([hop, hop.model_copy(update={"number": 2}), missing])] == [(1, "a")]


def test_the_sentence_sharing_most_words_is_shown() -> None:
    text = "The film was shot in Rome. It was directed by Ada Vell. It won nothing."
    span = locate(text, "Who directed the film?")
    assert text[span.start : span.end].startswith(("The film", "It was directed"))


def test_a_closest_sentence_that_leads_to_code_is_shown_with_it() -> None:
    text = "The pump is small. Start it with:\n\n```\npump --go\n```\n\nIt hums."
    start = text.index("Start")
    led = Evidence(
        section_id="s", document_id="d", record_id="r", title="Pump", text=text, sentence="Start it with:",
        start=start, end=start + len("Start it with:"),
    )  # fmt: skip
    (quote,) = closest([Hop(number=1, subquery="How loud is the pump?", evidence=(led,))])
    assert quote.text.startswith("Start it with:")
    assert "pump --go" in quote.text
    assert "hums" not in quote.text
