"""Tables as cubes: a row of a CSV file, a sheet or a table inside a document is a subject, each column a dimension."""

from __future__ import annotations

from pathlib import Path

import pytest
from multicube.cubes.core.records import Document, Fact
from multicube.cubes.documents.loaders import load
from multicube.cubes.documents.sections import split
from multicube.cubes.ingest.table_rows import rows_of
from multicube.cubes.model.ontology import load_ontology
from multicube.cubes.model.table_ids import is_inside
from multicube.cubes.model.tables import HAS, HAS_NOT, ORIGIN, row_facts, told_apart, with_tables

BOATS = """Boat No.,Boat name,Home port,Skipper,Built,Length (m),Gear,Radar?
B-07,Marigold,Marram,Ines Ravn,1987,14.5,nets; traps,Yes
B-12,Osprey,Tern Bay,Olaf Dray,2004,22,lines,No
"""


def facts_of(path: Path, text: str) -> list[Fact]:
    path.write_text(text, encoding="utf-8")
    held = [item for item in load(path) if isinstance(item, Document)]
    return [fact for document in held for row in rows_of(document, split(document)) for fact in row_facts(row)]


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
    for document in (item for item in load(path) if isinstance(item, Document)):
        for row in rows_of(document, split(document)):
            for fact in row_facts(row):
                assert row.section.text[fact.span.start : fact.span.end] == fact.value


GARAGE = """# The garage

## Lifts

Table 2: Lifts of the garage

| Lift | Load (t) | Bay | Covered |
|:--|--:|---|---|
| `North` lift | 2.5 | blue | yes |
| Ramp \\| jack | 1 | red; blue | no |

## Ratings

| Parameter | Min | Max |
|---|---|---|
| Oil pressure | 2 | 5 |
| Air pressure | 4 | 8 |

## Wheels

| Wheel | Size |
|---|---|
| Front | 17 |
| Front | 18 |
"""


@pytest.fixture
def garage(tmp_path: Path) -> list[Fact]:
    return facts_of(tmp_path / "garage.md", GARAGE)


def test_rows_of_a_table_inside_a_document_are_told_by_its_first_column(garage: list[Fact]) -> None:
    assert {fact.subject for fact in garage} == {"North lift", "Ramp | jack"}
    assert said(garage, "Ramp | jack") >= {
        ("Load (t)", "1", "quantity"), ("Bay", "red", "text"), ("Bay", "blue", "text"), (HAS_NOT, "Covered", "name"),
    }  # fmt: skip
    assert {is_inside(fact.cube) for fact in garage} == {True}


def test_what_a_row_tells_stands_in_its_cell(garage: list[Fact], tmp_path: Path) -> None:
    (document,) = (item for item in load(tmp_path / "garage.md") if isinstance(item, Document))
    text = next(each.text for each in split(document) if each.path[-1] == "Lifts")
    told = {fact.value: text[fact.span.start : fact.span.end] for fact in garage}
    assert (told["2.5"], told["blue"], told["Covered"]) == ("2.5", "blue", "no")
    lines = {text[fact.sentence.start : fact.sentence.end] for fact in garage}
    assert lines == {line for line in GARAGE.splitlines() if "lift |" in line or "jack" in line}


def test_a_long_table_goes_on_in_the_next_section(tmp_path: Path) -> None:
    rows = "\n".join(f"| valve {n:03} | {'x' * 20} | {n} |" for n in range(200))
    table = f"| Valve | Mark | Turns |\n|---|---|---|\n{rows}\n"
    facts = facts_of(tmp_path / "valves.md", f"# Pump\n\n## Valves\n\n{table}")
    assert len({fact.section_id for fact in facts}) > 1
    assert ("Turns", "199", "quantity") in said(facts, "valve 199")


def test_a_header_over_the_same_rows_in_several_chapters_is_no_table(tmp_path: Path) -> None:
    calls = "".join(
        f"## {call}\n\n| Field | Meaning |\n|---|---|\n| id | number of the {call} |\n| name | how it is called |\n\n"
        for call in ("order", "client")
    )
    assert facts_of(tmp_path / "calls.md", f"# Interface\n\n{calls}") == []


def test_tables_that_stand_in_many_documents_are_left_out() -> None:
    columns = [(f"table_{n}__pins", "pin", "Pin", "name", 2) for n in "abc"] + [("table_pins", "pin", "Pin", "name", 2)]
    rows = [(cube, pin) for cube, *_ in columns for pin in ("GND", "VCC")]
    assert [cube for cube, *_ in told_apart(columns, rows)] == ["table_pins"]
    assert told_apart(columns[1:], rows[2:]) == columns[1:]


def test_other_documents_have_no_rows(tmp_path: Path) -> None:
    assert facts_of(tmp_path / "note.md", "# Marigold\n\nSkipper: Ines Ravn\n") == []


def test_a_table_adds_a_cube_with_a_dimension_for_each_column(boats: list[Fact]) -> None:
    told = [(fact.cube, fact.dimension, fact.relation, fact.kind, 1) for fact in boats]
    cube = with_tables(load_ontology("default"), told).cube("table_boats")
    assert {"boat", "boats"} & set(cube.nouns)
    kinds = {each.name: each.kind for each in cube.attributes}
    assert (kinds["Built"], kinds["Length (m)"], kinds["Skipper"]) == ("date", "quantity", "name")
    assert with_tables(load_ontology("default"), []) == load_ontology("default")
