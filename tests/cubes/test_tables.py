"""Tables as cubes: a row of a CSV file or a sheet is a subject, and each column a dimension."""

from __future__ import annotations

from pathlib import Path

import pytest
from multicube.cubes.core.records import Document, Fact
from multicube.cubes.documents.loaders import load
from multicube.cubes.documents.sections import split
from multicube.cubes.model.ontology import load_ontology
from multicube.cubes.model.tables import HAS, HAS_NOT, ORIGIN, row_facts, with_tables

BOATS = """Boat No.,Boat name,Home port,Skipper,Built,Length (m),Gear,Radar?
B-07,Marigold,Marram,Ines Ravn,1987,14.5,nets; traps,Yes
B-12,Osprey,Tern Bay,Olaf Dray,2004,22,lines,No
"""


def facts_of(path: Path, text: str) -> list[Fact]:
    path.write_text(text, encoding="utf-8")
    rows = [item for item in load(path) if isinstance(item, Document)]
    return [fact for row in rows for section in split(row) for fact in row_facts(section, row)]


@pytest.fixture
def boats(tmp_path: Path) -> list[Fact]:
    return facts_of(tmp_path / "boats.csv", BOATS)


def said(facts: list[Fact], subject: str) -> set[tuple[str, str, str]]:
    return {(fact.relation, fact.value, fact.kind) for fact in facts if fact.subject == subject}


def test_each_cell_is_a_fact_of_its_column(boats: list[Fact]) -> None:
    assert said(boats, "Marigold") >= {
        ("Home port", "Marram", "name"), ("Skipper", "Ines Ravn", "name"), ("Built", "1987", "date"),
        ("Length (m)", "14.5", "quantity"),
    }  # fmt: skip
    assert {fact.origin for fact in boats} == {ORIGIN}


def test_a_row_is_called_by_its_name_and_by_its_code(boats: list[Fact]) -> None:
    assert said(boats, "Osprey") >= {("is", "Osprey", "name"), ("also known as", "B-12", "name")}


def test_a_cell_may_hold_several_values(boats: list[Fact]) -> None:
    assert {value for relation, value, _ in said(boats, "Marigold") if relation == "Gear"} == {"nets", "traps"}


def test_yes_and_no_say_what_the_row_has_and_what_it_has_not(boats: list[Fact]) -> None:
    assert (HAS, "Radar", "name") in said(boats, "Marigold")
    assert (HAS_NOT, "Radar", "name") in said(boats, "Osprey")


def test_values_stand_where_the_facts_say(tmp_path: Path) -> None:
    path = tmp_path / "boats.csv"
    path.write_text(BOATS, encoding="utf-8")
    for row in (item for item in load(path) if isinstance(item, Document)):
        for section in split(row):
            for fact in row_facts(section, row):
                assert section.text[fact.span.start : fact.span.end] == fact.value


def test_other_documents_have_no_rows(tmp_path: Path) -> None:
    assert facts_of(tmp_path / "note.md", "# Marigold\n\nSkipper: Ines Ravn\n") == []


def test_a_table_adds_a_cube_with_a_dimension_for_each_column(boats: list[Fact]) -> None:
    told = [(fact.cube, fact.dimension, fact.relation, fact.kind, 1) for fact in boats]
    cube = with_tables(load_ontology("default"), told).cube("table_boats")
    assert {"boat", "boats"} & set(cube.nouns)
    kinds = {each.name: each.kind for each in cube.attributes}
    assert (kinds["Built"], kinds["Length (m)"], kinds["Skipper"]) == ("date", "quantity", "name")
    assert with_tables(load_ontology("default"), []) == load_ontology("default")
