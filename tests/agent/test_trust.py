"""What a person must be able to rely on: many questions at once, corrections, odd questions, honest fallbacks."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from multicube import Filters, MultiCube, MultiCubeError
from multicube.agent.engines.embedded.options import EngineOptions
from multicube.cubes.store.correction_requests import retract
from multicube.graphs.records import Evidence

QUESTIONS = [
    "When did the wife of Anselm Torvik die?",
    "Where was the director of the film The Salt Lantern born?",
    "Name the capital of the home country of the person who invented the tidal tabulator.",
    "Which film has the director who died first, Weathercock or Nine Doors of Winter?",
]


@pytest.fixture
def own(sample_path: Path, tmp_path: Path) -> Iterator[MultiCube]:
    """A copy of the sample's knowledge base that a test may change."""
    shutil.copytree(sample_path, tmp_path / "kb")
    with MultiCube.open(tmp_path / "kb") as kb:
        yield kb


def test_many_questions_at_once_get_the_answers_they_get_alone(sample: MultiCube) -> None:
    alone = [sample.ask(q, save=False).answer for q in QUESTIONS]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(2):
            with MultiCube.open(sample.kb.path) as fresh:
                together = fresh.batch(QUESTIONS * 4, concurrency=8, save=False)
            assert [run.answer for run in together] == alone * 4
    finally:
        sys.setswitchinterval(interval)


def test_a_fact_that_was_struck_out_is_not_read_back_from_its_sentence(own: MultiCube) -> None:
    question = "Who directed Weathercock?"
    assert own.ask(question, save=False).answer == "Oriane Vaucel"
    for cube in own.kb.cubes:
        for fact in [f for f in cube.facts() if f.relation in ("directed by", "directed")]:
            if "Weathercock" in (fact.subject + fact.value) and "Oriane" in (fact.subject + fact.value):
                own.kb.correct(retract(own.kb, fact))
    assert own.ask(question, save=False).answer != "Oriane Vaucel"


@pytest.mark.parametrize(
    "question", ["Which film came out first, Weathercock {x} or Blue Apothecary?", "{}", "Who {} {0}?"]
)
def test_braces_in_a_question_are_text(sample: MultiCube, question: str) -> None:
    if any(c.isalnum() for c in question):
        assert sample.ask(question, save=False).status in ("answered", "abstained")
    else:
        with pytest.raises(MultiCubeError):
            sample.ask(question, save=False)


@pytest.mark.parametrize("reader", [True, False])
def test_a_hop_the_cells_do_not_answer_says_that_it_read_passages(sample_path: Path, reader: bool) -> None:
    with MultiCube.open(sample_path, engine_options=EngineOptions(reader=reader)) as kb:
        hop = kb.ask("Which film school did the director of Weathercock attend?", save=False).hops[1]
    assert hop.fallback is not None
    assert hop.status == "missing" or (reader and hop.fact is None)


def test_what_a_section_says_of_another_is_not_said_of_the_one_that_is_asked_about(sample: MultiCube) -> None:
    own, other = (
        Evidence(
            section_id=f"s{rank}", document_id="d", record_id=f"d:{rank}", title=title, text=text, score=1.0,
            retriever="linked",
        )
        for rank, (title, text) in enumerate([
            ("Ottoline Brask", "Ottoline Brask was a weaver. She learned her trade from her aunt."),
            ("Edda Corl", "Edda Corl was born in Marn."),
        ])
    )  # fmt: skip
    assert "Marn" not in sample.reasoner.answer("Where was Ottoline Brask born?", [other, own]).answers


def test_equal_things_have_no_first(sample: MultiCube) -> None:
    run = sample.ask("Which is longer, the Irvel or the Irvel?", save=False)
    assert run.status == "abstained"


def test_filters_that_leave_nothing_are_said(sample: MultiCube) -> None:
    with pytest.raises(MultiCubeError, match="No document fits the filters"):
        sample.ask("Who directed Weathercock?", filters=Filters(sources=("nosuch",)))
