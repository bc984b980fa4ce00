"""Comprehensive retrieval in the loop: only where abstractions are built, cited by sections, and never with filters."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from multicube import MultiCube
from multicube.agent.engines.embedded.kinds.kind import asks_overall
from multicube.agent.engines.llm.replies import wording
from multicube.cubes.core.records import Filters
from multicube.cubes.knowledge import smart_trees as building
from multicube.cubes.smart.trees.training import TrainingSettings
from multicube.graphs.answer import build_answer_graph
from multicube.graphs.records import FindingRecord, LoopSettings

QUICK = TrainingSettings(trees=2, levels=(3, 2), epochs=6, restarts=1, spectral=8, textual=4, hidden=16)
PEOPLE = ("Ada Vell", "Bo Rusk", "Cid Tarn", "Dov Mell", "Eli Sund", "Fia Korr")


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("loop")
    towns = {name: ("Brask", "Tolm")[n >= 3] for n, name in enumerate(PEOPLE)}
    lines = [
        json.dumps({"title": name, "text": f"{name} was a Danish sculptor. {name} was born in {town}."})
        for name, town in towns.items()
    ]
    (folder / "people.jsonl").write_text("\n".join(lines))
    MultiCube.build([folder / "people.jsonl"], folder / "kb").close()
    return folder / "kb"


@pytest.fixture(scope="module")
def built(plain: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MultiCube]:
    folder = tmp_path_factory.mktemp("built") / "kb"
    shutil.copytree(plain, folder)
    with MultiCube.open(folder) as kb:
        building.build(kb.kb, QUICK)
    with MultiCube.open(folder) as kb:
        yield kb


def test_without_abstractions_the_trace_says_how_to_build_them(plain: Path) -> None:
    with MultiCube.open(plain) as kb:
        run = kb.ask("What do the sculptors have in common?")
        assert all(hop.evidence and not hop.findings for hop in run.hops)
        assert any("multicube smart build" in note for hop in run.hops for note in hop.notes)
        run = kb.ask("Where was Ada Vell born?")
        assert (run.answer, run.hops[0].tools, run.hops[0].notes) == ("Brask", (), ())


def test_the_graph_has_the_same_nodes_with_and_without_abstractions(plain: Path, built: MultiCube) -> None:
    with MultiCube.open(plain) as kb:
        nodes = set(kb.graph.get_graph().nodes)
        assert nodes == set(build_answer_graph(kb.kb.ontology).get_graph().nodes)
    assert nodes == set(built.graph.get_graph().nodes) >= {"smart"}


def test_a_common_question_is_answered_by_findings_and_cited_by_sections(built: MultiCube) -> None:
    run = built.ask("What do Ada Vell and Bo Rusk have in common?")
    assert run.status == "answered"
    assert "Both persons have in common: born in: Brask" in run.answer
    assert "Tolm" not in run.answer
    assert run.hops[0].tools == ("smart",)
    assert {c.record_id for c in run.citations} >= {"people:1", "people:2"}
    for citation in run.citations:
        text = built.kb.section(citation.section_id).text
        assert text[citation.start : citation.end] == citation.sentence
    rests = {section for found in run.hops[0].findings for section in found.sections}
    assert {c.section_id for c in run.citations} <= rests


def test_with_all_abstractions_the_loop_tells_every_report_above_what_was_found(built: MultiCube) -> None:
    def told(abstractions: Literal["ranked", "all"]) -> list[FindingRecord]:
        settings = LoopSettings(abstractions=abstractions, context_tokens=200)
        run = built.ask("What do the sculptors have in common?", settings=settings)
        assert run.hops[0].tools == ("smart",)
        return [found for each in run.hops[0].evidence for found in each.findings]

    known = built.kb.perspectives
    assert known is not None
    ranked, everything = told("ranked"), told("all")
    everyone = {(node.id, finding.id) for node in known.abstractions for finding in node.findings}
    assert {tuple(found.id.split("/")) for found in everything} == everyone, "all six people are found"
    assert sum(len(found.text) for found in ranked) <= 400 < sum(len(found.text) for found in everything)
    shown = " ".join(found.title for found in everything)
    assert all(node.summary in shown for node in known.abstractions)


def test_an_open_knowledge_base_notices_what_was_built_elsewhere(plain: Path, tmp_path: Path) -> None:
    folder, question = tmp_path / "kb", "What do Ada Vell and Bo Rusk have in common?"
    shutil.copytree(plain, folder)
    with MultiCube.open(folder) as opened:
        assert not any(hop.findings for hop in opened.ask(question).hops)
        with MultiCube.open(folder) as elsewhere:
            building.build(elsewhere.kb, QUICK)
        run = opened.ask(question)
        assert run.hops[0].tools == ("smart",)
        assert "born in: Brask" in run.answer


def test_occupation_and_nationality_are_perspectives(built: MultiCube) -> None:
    run = built.ask("What do the sculptors have in common?")
    assert "nationality: Danish" in run.answer
    run = built.ask("What does Ada Vell have in common with other people?")
    assert "Ada Vell has in common with Bo Rusk and Cid Tarn: born in: Brask." in run.answer


def test_other_questions_go_the_way_they_went(built: MultiCube) -> None:
    run = built.ask("Where was Ada Vell born?")
    assert (run.answer, run.hops[0].tools) == ("Brask", ())


def test_filters_leave_the_abstractions_out(built: MultiCube) -> None:
    run = built.ask("What do Ada Vell and Bo Rusk have in common?", filters=Filters(metadata={}, sources=("*people*",)))
    assert not any(e.findings for hop in run.hops for e in hop.evidence)
    assert any("filters" in note for hop in run.hops for note in hop.notes)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What do the painters of Brask have in common?", True),
        ("What are the key factors behind the town's growth?", True),
        ("Give an overview of the sculptors.", True),
        ("How do the two groups of towns compare?", True),
        ("How do the painters of Brask compare with those of Tolm?", True),
        ("In what ways are Ada Vell and Bo Rusk alike?", True),
        ("What else links the people who lived in Brask?", True),
        ("Which people share something with Ada Vell, and what?", True),
        ("To which groups of people does Ada Vell belong?", True),
        ("Who is similar to Ada Vell, and in what respects?", True),
        ("Do both films share the same country?", False),
        ("Who shared a prize with the director of Dust?", False),
        ("Who was mother to the director of Vellish-Carsian War?", False),
        ("Which film came out first, Dust or Salt?", False),
    ],
)
def test_which_questions_ask_for_the_whole(question: str, wanted: bool) -> None:
    assert asks_overall(question) is wanted


def test_the_cube_router_is_told_of_overviews_only_where_there_are_abstractions(built: MultiCube) -> None:
    ontology = built.kb.ontology
    assert wording.OVERVIEW not in wording.cubes_to_choose(ontology) + wording.names_of(ontology)
    assert wording.OVERVIEW in wording.cubes_to_choose(ontology, overall=True)
    assert wording.names_of(ontology, documents=True, overall=True).endswith('"DOCUMENTS" or "OVERVIEW"')
