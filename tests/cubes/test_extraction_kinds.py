"""Cells hold the kind of thing that they say they hold: places, persons, works and what a thing is."""

from __future__ import annotations

import pytest
from multicube.cubes.core.records import Document, Fact
from multicube.cubes.documents.sections import split
from multicube.cubes.extraction.embedded import EmbeddedExtractor
from multicube.cubes.model.ontology import load_ontology


def facts_of(title: str, text: str) -> list[Fact]:
    document = Document("d", "d.txt", "d", title, text, "hash")
    extractor = EmbeddedExtractor(load_ontology("default"))
    extractor.prepare([document])
    return [fact for section in split(document) for fact in extractor.extract(section, document)]


def values(title: str, text: str, relation: str) -> list[str]:
    return [fact.value for fact in facts_of(title, text) if fact.relation == relation]


@pytest.mark.parametrize(
    "bracket",
    [
        "(Hangul: 오토; Hanja: 吳; RR: Oto; IPA: [oto]; born 3 May 1931)",
        "(EYD: Otmar Linn; 3 May 1931 – 6 June 1990)",
        "(Otmar Ferdinand Ulrich, Erbherr von Carse; 3 May 1931 – 6 June 1990)",
        "(林, Lind Otmar, born 3 May 1931)",
        "(Full name: Otmar Lind; 3 May 1931 – 6 June 1990)",
    ],
)
def test_names_and_labels_in_front_of_the_date_are_no_birthplaces(bracket: str) -> None:
    assert values("Otmar Lind", f"Otmar Lind {bracket} was a painter.", "born in") == []


@pytest.mark.parametrize(
    ("bracket", "born"),
    [
        ("(3 May 1931, Hesk, Vellmark – 6 June 1990, Carse)", ["Hesk", "Vellmark"]),
        ("(Hesk, 3 May 1931 – Carse, 6 June 1990)", ["Hesk"]),
        ("(born Ulrich; 3 May 1931 in Hesk – 6 June 1990 in Carse)", ["Hesk"]),
        ("(3 May 1931 Hesk City, Vellmark- April 7, 1990 Carse)", ["Hesk City", "Vellmark"]),
    ],
)
def test_places_in_brackets_are_still_read(bracket: str, born: list[str]) -> None:
    assert values("Otmar Lind", f"Otmar Lind {bracket} was a painter.", "born in") == born


def test_the_seat_of_an_officer_is_no_place() -> None:
    text = "Hesk Minster is a church in Hesk. It is run by the Ministry of Shrines of Vellmark."
    assert values("Hesk Minster", text, "located in") == ["Hesk"]


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Vellmark", "The economy of Vellmark is a strong mixed economy."),
        ("Vellmark", "Vellmark's economy is a strong mixed economy."),
        ("Vellmark", "Many miners worked in Vellmark, and their legacy is a proud tradition."),
        ("Lamp fungus", "The lamp fungus is popular in markets and is home to small beetles."),
    ],
)
def test_what_is_said_of_something_else_is_no_type_of_the_title(title: str, text: str) -> None:
    found = facts_of(title, text)
    assert [fact.value for fact in found if fact.relation in ("type", "genre", "occupation")] == []


@pytest.mark.parametrize(
    ("title", "text", "kind"),
    [
        ("The Amber Gate", "The Amber Gate, also known as Hesk Gate, is a tower in Hesk.", "tower"),
        ("Hesk Chapel", "Hesk Chapel is a historic brick chapel in Hesk.", "historic brick chapel"),
        ("Hesk Farm", "Hesk Farm is a brick farm that bears a weathercock.", "brick farm"),
        ("Hesk Falls", "Hesk Falls is a waterfall by Orven.", "waterfall"),
    ],
)
def test_what_a_thing_is_ends_with_its_noun(title: str, text: str, kind: str) -> None:
    assert values(title, text, "type") == [kind]


def test_a_film_and_television_director_is_a_person() -> None:
    found = facts_of("Ada Marr", "Ada Marr is a Danish film and television director.")
    assert {fact.cube for fact in found if fact.relation == "is"} == {"person"}


def test_a_name_that_begins_with_a_lands_name_is_not_of_that_land() -> None:
    assert "England" not in values("The Reed Ring", "The Reed Ring is a New England puppet show.", "country of origin")


@pytest.mark.parametrize(
    ("sentence", "directed"),
    [
        ("Later she was director of the Hesk Tide Laboratory.", []),
        ("She directed several TV series between 1980 and 1990.", []),
        ("She directed Hindi films.", []),
        ('She directed the Tamil film "Lantern Street".', ["Lantern Street"]),
        ('She was the director of "Lantern Street".', ["Lantern Street"]),
    ],
)
def test_only_works_are_directed(sentence: str, directed: list[str]) -> None:
    text = f"Ada Marr is an Irish filmmaker. {sentence}"
    assert values("Ada Marr", text, "directed") == directed


def test_a_rank_is_no_child() -> None:
    text = "Otmar Lind was an Irish peer. He was succeeded by a son, the sixth Baron."
    assert values("Otmar Lind", text, "child") == []


def test_what_something_else_is_called_is_no_other_name() -> None:
    text = 'Hesk is a city in Carse. The city held a fair called "The Lantern Fair" every year.'
    assert "The Lantern Fair" not in values("Hesk", text, "also known as")
