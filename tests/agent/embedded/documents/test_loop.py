"""The whole loop over a knowledge base of documents with chapters: hops, citations, and what stays as it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from multicube import MultiCube
from multicube.agent.engines.embedded.options import EngineOptions

from .conftest import LIBRARY


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MultiCube]:
    path = tmp_path_factory.mktemp("library") / "kb"
    MultiCube.build([LIBRARY], path).close()
    with MultiCube.open(path) as opened:
        yield opened


def test_a_cell_is_cited_by_its_row(kb: MultiCube) -> None:
    run = kb.ask("What is the maximum supply voltage of the HX-340?", save=False)
    assert run.answer == "30 V"
    (citation,) = run.citations
    assert citation.path[-1] == "2.1 Electrical characteristics"
    assert citation.sentence == "| Supply voltage | VIN | DC input | 18 | 24 | 30 | V |"
    assert run.hops[0].evidence
    assert 0.5 < run.confidence <= 1


def test_each_document_compared_is_cited(kb: MultiCube) -> None:
    run = kb.ask("Single choice: Which of these is the heaviest? A: HX-120 B: HX-210 C: HX-340", save=False)
    assert run.answer == "C: HX-340"
    assert [(c.record_id, "Weight" in c.sentence) for c in run.citations] == [
        (c.record_id, True) for c in run.citations
    ]
    assert len(run.citations) == 3


def test_a_figure_comes_with_its_section(kb: MultiCube) -> None:
    run = kb.ask("Which figure shows the block diagram of the HX-120?", save=False)
    assert run.answer == "Figure 1: Block diagram of the HX-120"
    assert run.citations[0].path[-1] == "3 Architecture"


def test_a_label_may_mean_what_is_asked_in_other_words(kb: MultiCube) -> None:
    run = kb.ask("How many kilograms does the HX-340 put on the scales?", save=False)
    assert run.answer == "1.1 kg"


def test_a_document_that_is_not_there_is_refused(kb: MultiCube) -> None:
    run = kb.ask("What is the weight of the HX-999?", save=False)
    assert (run.answer, run.citations) == ("", ())
    assert "HX-999" in run.note


def test_a_question_with_a_part_is_asked_in_hops(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    links = "The wick links are turned into one file by the brandle package. It is small."
    (tmp_path / "docs/boot.md").write_text(f"# Lighting\n\n## Wicks\n\n{links}\n\n## Oil\n\nOil is costly.\n")
    made = "The brandle package creates the configuration file wicks.conf in the harbour folder."
    (tmp_path / "docs/files.md").write_text(f"# Files\n\n## Brandle\n\n{made}\n\n## Others\n\nNone is known.\n")
    with MultiCube.build([tmp_path / "docs"], tmp_path / "kb") as kb:
        run = kb.ask("Which configuration file does the package that turns the wick links into one file create?")
    assert len(run.hops) == 2
    assert "brandle" in run.hops[0].answer
    assert "brandle" in run.hops[1].subquery
    assert run.answer.startswith("wicks.conf")


def test_short_chapters_leave_room_for_more(tmp_path: Path) -> None:
    chapters = [f"## Valve {number}\n\nValve {number} of the pump is brass.\n" for number in range(30)]
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/pump.md").write_text("# Pump\n\n" + "\n".join(chapters))
    with MultiCube.build([tmp_path / "docs"], tmp_path / "kb") as kb:
        evidence = kb.ask("Which valve of the pump is brass?", save=False).hops[0].evidence
        assert len(evidence) == 15
        assert len(kb.retriever("hiqa", k=5).invoke("brass valve")) == 5


READMES = {
    "velka": "<img src='logo.svg'>\n\nVelka is a library of streams.\n\n## Features\n\n- Velka reads VTP/2 streams."
    "\n- Compatible with `orm` and `trell` backends.\n\n## Limits\n\nVelka does not and will not run on Hald."
    "\n\n## Installation\n\nVelka requires Sorn 3.8 or later.\n",
    "sorn-env": "# sorn-env\n\n## Usage\n\nCall it once.\n\n## Licence\n\nMIT.\n",
    "orm": "# Orm\n\n## What it is\n\nA backend for streams.\n\n## Licence\n\nBSD.\n",
}


@pytest.fixture(scope="module")
def readmes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MultiCube]:
    folder = tmp_path_factory.mktemp("readmes")
    for name, text in READMES.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    with MultiCube.build(folder, folder / "kb") as opened:
        yield opened


def test_yes_or_no_is_said_where_a_sentence_says_or_denies_it(readmes: MultiCube) -> None:
    def said(question: str) -> str:
        return readmes.ask(question, save=False).answer

    assert said("Does Velka read VTP/2 streams?") == "Yes", "the 2 is no amount"
    assert said("Does Velka run on Hald?") == "No"
    assert said("Does Velka draw maps?") not in ("Yes", "No"), "nobody says that a README tells all"
    assert said("Does Velka work with trell?") == "Yes", "an item of a list says it"


@pytest.mark.xfail(strict=True, reason="the reader takes one sentence about streams for another")
def test_what_no_sentence_says_is_neither_yes_nor_no(readmes: MultiCube) -> None:
    answer = readmes.ask("Does Velka print streams on paper?", save=False).answer
    assert answer not in ("Yes", "No"), "nobody says that a README tells all"


def test_a_readme_that_begins_with_a_logo_is_called_by_its_file(readmes: MultiCube) -> None:
    assert sorted(document.title for document in readmes.kb.documents()) == ["Orm", "sorn-env", "velka"]
    run = readmes.ask("Which Sorn version does Velka require?", save=False)
    assert "3.8" in run.answer
    assert run.citations[0].record_id == "velka"


def test_without_the_option_documents_are_read_as_passages(kb: MultiCube) -> None:
    with MultiCube.open(kb.kb.path, engine_options=EngineOptions(documents=False)) as plain:
        run = plain.ask("Which has the higher typical supply voltage, the HX-120 or the HX-340?", save=False)
    assert [hop.subquery for hop in run.hops] != ["What is the typical supply voltage of HX-120?"] * len(run.hops)


def test_passages_without_chapters_are_answered_as_before(sample_path: Path) -> None:
    asked = ("Where was the director of The Salt Lantern born?", "Which is older, The Salt Lantern or Skarholt?")
    answers = []
    for documents in (True, False):
        with MultiCube.open(sample_path, engine_options=EngineOptions(documents=documents)) as opened:
            runs = [opened.ask(question, save=False) for question in asked]
            answers.append([(run.answer, run.note, run.confidence) for run in runs])
    assert answers[0] == answers[1]
