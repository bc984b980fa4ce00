"""Questions over many cells: what they count, list and pick, over the sample and over made-up worlds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from countingworld import DEVELOPMENT, FRESH, Asked, World, documents, questions
from multicube import MultiCube
from multicube.cubes.core.folding import base_key
from multicube.cubes.core.records import Filters
from multicube.graphs.gathering import CELLS
from multicube.graphs.records import Run

HERE = Path(__file__).parent / "counting"


def _built(world: World, path: Path) -> MultiCube:
    corpus = path / "corpus.jsonl"
    corpus.write_text("\n".join(map(json.dumps, documents(world))), encoding="utf-8")
    MultiCube.build([corpus], path / "kb").close()
    return MultiCube.open(path / "kb")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MultiCube]:
    """A knowledge base of the world that the rules were made with."""
    with _built(DEVELOPMENT, tmp_path_factory.mktemp("world")) as kb:
        yield kb


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MultiCube]:
    """A knowledge base of the world of other names and wordings."""
    with _built(FRESH, tmp_path_factory.mktemp("fresh")) as kb:
        yield kb


@pytest.fixture(scope="module")
def unseen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MultiCube]:
    """A knowledge base of magazines, bands, lakes and games."""
    path = tmp_path_factory.mktemp("unseen") / "kb"
    MultiCube.build([HERE.parent / "unseen" / "corpus.jsonl"], path).close()
    with MultiCube.open(path) as kb:
        yield kb


def _read(path: Path) -> list[Asked]:
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return [
        Asked(row["id"], row["question"], tuple(row.get("answers", ())), frozenset(row.get("items", ())),
              row.get("refuse", False))
        for row in rows
    ]


def _is_right(asked: Asked, run: Run) -> bool:
    if asked.refuse:
        return not run.answer and bool(run.note)
    told = not asked.answers or base_key(run.answer) in {base_key(answer) for answer in asked.answers}
    listed = [row[0].value for row in run.table.rows] if run.table is not None else run.answer.split(", ")
    return told and (not asked.items or set(map(base_key, listed)) == set(map(base_key, asked.items)))


def _asked(kb: MultiCube, asked: Sequence[Asked]) -> tuple[list[str], list[str]]:
    """The questions that were not answered right, and those of them that got a wrong answer."""
    runs = [(each, kb.ask(each.question, save=False)) for each in asked]
    missed = [(each, run) for each, run in runs if not _is_right(each, run)]
    wrong = [f"{each.question} {run.answer}" for each, run in missed if run.answer]
    return [each.question for each, _ in missed], wrong


def test_the_sample_is_counted_and_listed_right(sample: MultiCube) -> None:
    missed, _ = _asked(sample, _read(HERE / "sample.jsonl"))
    assert missed == []


def test_the_world_of_development_is_counted_right(world: MultiCube) -> None:
    missed, _ = _asked(world, questions(DEVELOPMENT))
    assert missed == []


def test_a_fresh_world_is_mostly_counted_right_and_hardly_wrong(fresh: MultiCube) -> None:
    asked = questions(FRESH)
    missed, wrong = _asked(fresh, asked)
    assert len(missed) <= 0.2 * len(asked), missed
    assert len(wrong) <= 0.1 * len(asked), wrong


def test_every_item_of_a_list_is_cited_by_a_section_that_says_so(sample: MultiCube) -> None:
    run = sample.ask("How many films did Radek Ossory direct?", save=False)
    assert run.table is not None
    assert run.table.columns[0] == "films"
    cited = {citation.number: citation for citation in run.citations}
    for row in run.table.rows:
        assert row[0].citation is not None
        assert cited[row[0].citation].title == row[0].value
    assert run.answer == "3"
    assert "According to the documents" in run.note


def test_a_corpus_of_other_things_is_mostly_counted_right(unseen: MultiCube) -> None:
    asked = _read(HERE / "unseen.jsonl")
    missed, wrong = _asked(unseen, asked)
    assert len(missed) <= 0.12 * len(asked), missed
    assert len(wrong) <= 1, wrong


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many sons did Aldric III have?", "1"),
        ("How many films did Wenna Strake and Imre Saldane direct together?", "1"),
        ("Which film was released on 19 August 1966?", "Of Ash or Honey"),
        ("How many films are there?", "13"),
        ("Who composed the music of the last film directed by Radek Ossory?", "Halla Brandvik"),
    ],
)
def test_other_wordings(sample: MultiCube, question: str, answer: str) -> None:
    assert sample.ask(question, save=False).answer == answer


def test_an_alias_is_counted_once(sample: MultiCube) -> None:
    assert sample.ask("How many songs did Cosimo Arrel perform?", save=False).answer == "1"


def test_several_values_open_the_cross_product_of_cells(sample: MultiCube) -> None:
    run = sample.ask("Which films by Radek Ossory or Bastian Quell are from 1957 and 1999?", save=False)
    cells = {tuple(label for _, label in cell.labels): cell.holds for cell in run.hops[-1].cells}
    assert cells == {
        ("Radek Ossory", "1957"): 1, ("Radek Ossory", "1999"): 0,
        ("Bastian Quell", "1957"): 0, ("Bastian Quell", "1999"): 1,
    }  # fmt: skip


def test_cells_of_two_cubes_are_joined_on_the_labels_they_share(sample: MultiCube) -> None:
    hop = sample.ask("How many films were directed by people born in Dastra?", save=False).hops[-1]
    assert [cell.cube for cell in hop.cells] == ["person", "cultural_product"]
    assert hop.cells[-1].joined == "person and cultural_product joined on Radek Ossory"
    assert set(hop.cubes) == {"person", "cultural_product"}
    assert hop.tools == (CELLS,)


def test_what_is_described_is_joined_as_well(sample: MultiCube) -> None:
    run = sample.ask("How many films did the director of The Ferrywoman's Ledger direct?", save=False)
    assert [hop.cells[-1].joined for hop in run.hops] == ["person and cultural_product joined on Wenna Strake"]
    assert run.answer == "2"


def test_an_empty_cell_is_rolled_up_for_a_list_and_not_for_a_count(sample: MultiCube) -> None:
    listed = sample.ask("Which films were released on 5 June 1957?", save=False)
    assert listed.answer == "Nine Doors of Winter"
    assert "rolled up to '1957'" in listed.note
    counted = sample.ask("How many films were released on 5 June 1957?", save=False)
    assert counted.answer == ""
    assert "rolled up to '1957'" in counted.note


def test_what_no_cell_holds_is_refused_and_not_guessed(sample: MultiCube) -> None:
    run = sample.ask("How many films did Dusty Merlin direct?", save=False)
    assert run.status == "abstained"
    assert "No cell holds films that Dusty Merlin direct" in run.note


def test_filters_leave_sections_out_of_a_count(sample: MultiCube) -> None:
    run = sample.ask("How many films did Radek Ossory direct?", filters=Filters(since="1960-01-01"), save=False)
    assert run.answer == "1"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many people were killed by the Saint Odo Storm?", "214"),
        ("How many employees does Dorrin & Sable have?", "900"),
        ("How many people live in Skarholt?", "185,000"),
    ],
)
def test_an_amount_that_a_text_gives_is_no_count(sample: MultiCube, question: str, answer: str) -> None:
    assert answer in sample.ask(question, save=False).answer


def test_without_cubes_nothing_is_counted_from_cells(sample: MultiCube) -> None:
    settings = sample.settings.model_copy(update={"retrieval": "bm25"})
    run = sample.ask("Which films did Oriane Vaucel direct?", settings=settings, save=False)
    assert all(not hop.cells for hop in run.hops)
