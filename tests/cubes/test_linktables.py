"""What links look up: titles with and without their brackets, by stems."""

import pytest
from multicube.cubes.core.records import Section
from multicube.cubes.retrieval.link_tables import LinkTables, key_of, link_columns

TEXTS = {
    "Orm": "Orm is a city in Velland. Ada Vell was born there.",
    "Ada Vell (painter)": "Ada Vell painted The Grey Tower in Orm.",
    "The Grey Tower": "The Grey Tower is a painting.",
    "Ada Vell (singer)": "Ada Vell sang.",
    "The Who": "The Who is a band.",
}


@pytest.fixture
def tables() -> LinkTables:
    return LinkTables(link_columns([Section(t, t, t, 0, (t,), text) for t, text in TEXTS.items()]))


def test_a_title_leads_to_its_sections_with_and_without_its_brackets(tables: LinkTables) -> None:
    assert list(tables.titled(key_of("Ada Vell"))) == [1, 3]
    assert list(tables.titled(key_of("Ada Vell (singer)"))) == [3]
    assert list(tables.titled(key_of("Grey Towers"))) == [2]
    assert not tables.titled("")
    assert not tables.titled("vell")


def test_titles_are_known_by_their_first_stem(tables: LinkTables) -> None:
    asked = ("ada", "ad", "adam", "grey", "orm", "tower", "vell", "zz", "")
    assert [stem for stem in asked if tables.begins(stem)] == ["ada", "grey", "orm"]


def test_there_may_be_no_section_at_all() -> None:
    tables = LinkTables(link_columns([]))
    assert not tables.titled("orm")
    assert not tables.begins("orm")
    assert tables.postings.size == 0
