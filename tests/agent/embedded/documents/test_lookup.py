"""Looking values up in tables: what labels, units and columns decide."""

from __future__ import annotations

from multicube.agent.engines.embedded.documents.statements import AskedValue, Statement, scored_cells
from multicube.graphs.records import Evidence


def section(number: int, text: str) -> Evidence:
    return Evidence(
        section_id=f"d:{number}", document_id="d", record_id="d", title="DX-9", path=("DX-9", "Ratings"), text=text
    )


HEADED = section(0, "| Parameter | Min | Max | Unit |\n| --- | --- | --- | --- |\n| Leakage current | 1 | 4 | nA |")


def look_up(question: str, *evidence: Evidence) -> list[Statement]:
    return [cell for _, cell in scored_cells(AskedValue.of(question), evidence)]


def test_a_limit_is_the_greatest() -> None:
    assert look_up("the leakage current limit", HEADED)[0].text == "4 nA"


def test_a_unit_that_measures_something_else_speaks_against_a_cell() -> None:
    text = "| Parameter | Value |\n| --- | --- |\n| Supply | 5 V |\n| Supply, standby | 3 mA |"
    assert look_up("How many mA does the supply need?", section(0, text))[0].text == "3 mA"


def test_labels_that_do_not_meet_give_nothing() -> None:
    assert look_up("What is the battery capacity?", HEADED) == []
