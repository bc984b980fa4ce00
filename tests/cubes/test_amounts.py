"""Amounts: SI prefixes, ranges, money, and the units that a label or a title gives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multicube.cubes.core.quantities import amounts, equal, is_numeric, spell, unit_in


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("850 mA", [("A", 0.85)]),
        ("2.7 V to 5.5 V", [("V", 2.7), ("V", 5.5)]),
        ("-40...85°C", [("°C", -40), ("°C", 85)]),
        ("9 to 15 V", [("V", 9), ("V", 15)]),
        ("0.01lux to 83,000lux", [("lx", 0.01), ("lx", 83_000)]),
        ("€3.5 million", [("EUR", 3.5e6)]),
        ("1.2 Gbps", [("bit/s", 1.2e9)]),
        ("3.2 mm²", [("m²", 3.2e-6)]),
        ("the HX-210 weighs 420 g", [("g", 420)]),
        ("−4.2", [("", -4.2)]),
    ],
)
def test_amounts_are_read_in_base_units(text: str, read: list[tuple[str, float]]) -> None:
    assert [(a.measure, pytest.approx(a.base)) for a in amounts(text)] == read


def test_a_unit_column_and_a_title_give_the_unit() -> None:
    assert amounts("12.5", "mV")[0].base == pytest.approx(0.0125)
    assert unit_in("Income statement (in millions of euros)") == "million euros"
    assert amounts("41.0", "million euros")[0].base == pytest.approx(41e6)
    assert unit_in("Weight (kg)") == "kg"
    assert unit_in("Package (top view)") == ""


def test_equal_amounts_may_be_written_in_other_units() -> None:
    assert equal(amounts("1.1 kg")[0], amounts("1100 g")[0])
    assert not equal(amounts("5 V")[0], amounts("5 A")[0])
    assert equal(amounts("5")[0], amounts("5 V")[0])


@pytest.mark.parametrize(("cell", "numeric"), [("12", True), ("±5 %", True), ("Polycarbonate", False), ("LAN1", False)])
def test_cells_with_hardly_more_than_a_number_are_numeric(cell: str, numeric: bool) -> None:
    assert is_numeric(cell) is numeric


def test_results_are_written_in_the_unit_of_what_they_come_from() -> None:
    assert spell(680.0, amounts("0.9 kg")[0]) == "0.68 kg"
    assert spell(680.0, amounts("420 g")[0]) == "680 g"
    assert spell(11.152142) == "11.15"


@given(st.text(max_size=60))
def test_any_text_is_read(text: str) -> None:
    for amount in amounts(text):
        assert 0 <= amount.start < amount.end <= len(text)
