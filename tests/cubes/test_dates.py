"""Dates: every common English way to write one, kept as exact as it is known."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multicube.cubes.core.dates import PartialDate, compare, parse_date, parse_period

years = st.integers(-3000, 2100).filter(lambda year: year != 0)
months = st.integers(1, 12)
dates = st.one_of(
    st.builds(PartialDate, years),
    st.builds(PartialDate, years, months),
    st.builds(PartialDate, years, months, st.integers(1, 28)),
)


@pytest.mark.parametrize(
    "text",
    [
        "26 October 1993",
        "October 26, 1993",
        "1993-10-26",
        "26th of October, 1993",
        "Oct. 26 1993",
        "26/10/1993",
        "26–28 October 1993",
        "on the 26 october 1993",
        "1993-10-26T12:00:00",
    ],
)
def test_one_day_in_many_spellings(text: str) -> None:
    assert parse_date(text) == PartialDate(1993, 10, 26)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("May 1993", "1993-05"),
        ("Sept 1993", "1993-09"),
        ("12 Jul 1993", "1993-07-12"),
        ("07 Jun 1993", "1993-06-07"),
        ("1993-10", "1993-10"),
        ("c. 1509", "1509"),
        ("1509/1510", "1509"),
        ("1509/10", "1509"),
        ("879", "0879"),
        ("26 October 993", "0993-10-26"),
        ("79 AD", "0079"),
        ("AD 79", "0079"),
        ("44 B.C.", "-0044"),
        ("15 March 44 BC", "-0044-03-15"),
        ("3 May AD 79", "0079-05-03"),
        ("31 February 1990", "1990-02"),
        ("10/11/1993", "1993"),
        ("15/16 March 1509", "1509-03-15"),
        ("1993.", "1993"),
    ],
)
def test_dates_are_kept_as_exact_as_they_are_known(text: str, key: str) -> None:
    date = parse_date(text)
    assert date is not None
    assert date.key() == key


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no date",
        "the 1990s",
        "1500 people",
        "2,500",
        "On May 12 he died",
        "$1500",
        "On May 5, 200 people died",
        "year 0 AD",
        "1250 m",
        "page 5",
    ],
)
def test_other_numbers_are_no_dates(text: str) -> None:
    assert parse_date(text) is None


@given(dates)
def test_a_key_reads_back_as_the_same_date(date: PartialDate) -> None:
    assert parse_date(date.key()) == date


@given(dates, dates)
def test_comparing_is_antisymmetric_and_silent_where_one_date_contains_the_other(
    a: PartialDate, b: PartialDate
) -> None:
    forward, backward = compare(a, b), compare(b, a)
    assert (forward is None) == (backward is None)
    if forward is not None and backward is not None:
        assert forward == -backward
        assert (forward == 0) == (a == b)
    if a != b and (a.contains(b) or b.contains(a)):
        assert forward is None


@given(dates, dates)
def test_a_certain_order_agrees_with_the_sorting_order_and_the_scale(a: PartialDate, b: PartialDate) -> None:
    if compare(a, b) == -1:
        assert a < b
        assert a.day_number() < b.day_number()


def test_before_christ_comes_first_and_spans_are_days() -> None:
    assert PartialDate(-44) < PartialDate(79) < PartialDate(1993)
    born, died = PartialDate(1856, 1, 12), PartialDate(1925, 4, 14)
    assert round((died.day_number() - born.day_number()) / 365.25) == 69


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("the 1990s", (1990, 1999)),
        ("19th century", (1801, 1900)),
        ("1993", (1993, 1993)),
        ("May 1993", None),
        ("long ago", None),
    ],
)
def test_periods_are_ranges_of_years(text: str, period: tuple[int, int] | None) -> None:
    assert parse_period(text) == period
