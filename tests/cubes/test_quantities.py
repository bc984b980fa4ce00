"""Quantities: numbers with units, brought to one unit so that they compare."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multicube.cubes.core.quantities import Quantity, parse_quantity


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("1,234", "1234"),
        ("3.5 million inhabitants", "3500000"),
        ("three million", "3000000"),
        ("twelve people", "12"),
        ("half a million", "500000"),
        ("3,477 km (2,161 mi)", "3477000 m"),
        ("5 ft 11 in", "1.8034 m"),
        ("6 feet, 2 inches", "1.8796 m"),
        ("25.3 km²", "25300000 m2"),
        ("2 square kilometres", "2000000 m2"),
        ("8 hectares", "80000 m2"),
        ("2 hours 15 minutes", "8100 s"),
        ("1h 30min", "5400 s"),
        ("110-minute", "6600 s"),
        ("two-hour", "7200 s"),
        ("an hour", "3600 s"),
        ("120 km/h", "33.33333333 m/s"),
        ("2 tonnes", "2000 kg"),
        ("$1.2 million", "1200000 USD"),
        ("US$3,000", "3000 USD"),
        ("£50", "50 GBP"),
        ("12 million dollars", "12000000 USD"),
        ("12 in 2010", "12"),
        ("12 in", "0.3048 m"),
        ("−5 m", "-5 m"),
    ],
)
def test_quantities_are_read_with_their_units(text: str, key: str) -> None:
    quantity = parse_quantity(text)
    assert quantity is not None
    assert quantity.key() == key


@pytest.mark.parametrize("text", ["", "no number", "a film", "an inhabitant"])
def test_texts_without_a_number_have_no_quantity(text: str) -> None:
    assert parse_quantity(text) is None


@given(st.integers(0, 10**12))
def test_thousands_separators_do_not_matter(number: int) -> None:
    assert parse_quantity(f"{number:,} people") == parse_quantity(f"{number} people") == Quantity("", float(number))
