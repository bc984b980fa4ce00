"""What the embedded extractor reads about persons: lives, kin, occupations, other names."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import pytest
from multicube.cubes.core.records import Document, Fact, Section
from multicube.cubes.extraction.embedded import EmbeddedExtractor
from multicube.cubes.model.ontology import load_ontology

Read = Callable[..., list[Fact]]


@lru_cache(maxsize=1)
def _extractor() -> EmbeddedExtractor:
    return EmbeddedExtractor(load_ontology("default"))


def read(title: str, text: str) -> list[Fact]:
    section = Section("d:0", "d", "d", 0, (title,) if title else (), text)
    facts = list(_extractor().extract(section, Document("d", "s", "d", title, text, "h")))
    for fact in facts:
        assert text[fact.span.start : fact.span.end] == fact.value
    return facts


def values(title: str, text: str, relation: str, subject: str | None = None) -> list[str]:
    return [f.value for f in read(title, text) if f.relation == relation and f.subject == (subject or title)]


@pytest.mark.parametrize(
    ("bracket", "born", "died"),
    [
        ("(5 May 1900 – 6 June 1970)", "5 May 1900", "6 June 1970"),
        ("( May 5, 1900 – June 6, 1970)", "May 5, 1900", "June 6, 1970"),
        ("(1900 – 1970)", "1900", "1970"),
        ("(1509/ 1510 – 1550/1551)", "1509/ 1510", "1550/1551"),
        ("( 1941- Nov. 12, 2003)", "1941", "Nov. 12, 2003"),
        ("(c. 1450 – 1501)", "1450", "1501"),
        ("( 11 January 188823 June 1961)", "11 January 1888", "23 June 1961"),
        ("(May 9, 1768 March 4, 1831)", "May 9, 1768", "March 4, 1831"),
        ("(born Olda Marr; 3 March 1920 – 4 April 1999)", "3 March 1920", "4 April 1999"),
        ("(born 5 May 1900, Vell – 6 June 1970, Rastow)", "5 May 1900", "6 June 1970"),
    ],
)
def test_lives_in_brackets_are_read_in_all_common_forms(bracket: str, born: str, died: str) -> None:
    text = f"Ada Marr {bracket} was a Danish painter."
    assert values("Ada Marr", text, "born on") == [born]
    assert values("Ada Marr", text, "died on") == [died]


def test_one_sided_brackets_tell_birth_or_death_alone() -> None:
    assert values("Olin Berg", "Olin Berg (born 3 March 1970) is a Swedish chef.", "born on") == ["3 March 1970"]
    died = read("Olin Berg", "Olin Berg (died 12 May 1321) was a Swedish knight.")
    assert [f.value for f in died if f.relation == "died on"] == ["12 May 1321"]
    assert not [f for f in died if f.relation == "born on"]


def test_places_of_birth_and_death_stand_beside_their_dates() -> None:
    text = "Ada Marr (5 May 1900, Vell – 6 June 1970 in Rastow) was a Danish painter."
    assert values("Ada Marr", text, "born in") == ["Vell"]
    assert values("Ada Marr", text, "died in") == ["Rastow"]
    text = "Ugo Prati( Rome, 7 June 1911 – Milan, 3 April 1988) was an Italian weaver."
    assert values("Ugo Prati", text, "born in") == ["Rome"]
    assert values("Ugo Prati", text, "died in") == ["Milan"]


def test_another_name_in_the_brackets_of_a_life_is_no_place() -> None:
    text = "Olda Marr (German: Alda Mahr, 5 May 1900, Vell – 6 June 1970, Rastow) was a Danish painter."
    assert values("Olda Marr", text, "born in") == ["Vell"]
    assert values("Olda Marr", text, "died in") == ["Rastow"]
    assert not values("Ada Berg", "Ada Berg (born 1962, formerly Ada Berg Olsen) is a Danish artist.", "born in")


def test_births_and_deaths_in_prose() -> None:
    text = (
        "Ada Marr was a Danish painter. She was born in Vell, Jutland on 3 May 1901, the daughter of a miller. "
        "She died of pneumonia on 9 July 1960 in Rastow."
    )
    assert values("Ada Marr", text, "born in") == ["Vell", "Jutland"]
    assert values("Ada Marr", text, "born on") == ["3 May 1901"]
    assert values("Ada Marr", text, "died on") == ["9 July 1960"]
    assert values("Ada Marr", text, "died in") == ["Rastow"]
    assert values("Ada Marr", text, "cause of death") == ["pneumonia"]


def test_deaths_by_anothers_hand_and_dates_behind_a_maiden_name() -> None:
    text = 'Otto Lind was a prince. He was assassinated by Karl Berg (also written "Bergh") in Vell in 1584.'
    assert values("Otto Lind", text, "died in") == ["Vell"]
    text = 'Jane Lind (" née" Howe), Countess of Carse( 1541 – buried 8 May 1602), was an English noblewoman.'
    assert values("Jane Lind", text, "died on") == ["8 May 1602"]


def test_a_place_in_front_of_the_next_subject_is_not_taken_for_part_of_the_birthplace() -> None:
    text = "Max Kunz is a Swiss judge. Born in Thun, Bern, Kunz attended the Academy of Lutry."
    assert values("Max Kunz", text, "born in") == ["Thun", "Bern"]


def test_occupations_and_nationalities_come_from_the_copula_phrase() -> None:
    text = "Ada Marr was an Austrian-German film director, producer and screenwriter."
    assert values("Ada Marr", text, "occupation") == ["film director", "producer", "screenwriter"]
    assert values("Ada Marr", text, "nationality") == ["Austrian", "German"]
    assert values("Bo Ek", "Bo Ek is a chess master from Mexico.", "nationality") == ["Mexico"]


def test_a_full_name_and_other_names_are_aliases() -> None:
    text = 'Hiram "Hank" Doolin (born 3 May 1901), better known as Blue Hank, was an American singer.'
    assert set(values("Hank Doolin", text, "also known as")) >= {'Hiram "Hank" Doolin', "Hank", "Blue Hank"}
    text = "Jane Varley (née Orme) was an English poet."
    assert "Orme" in values("Jane Varley", text, "also known as")


@pytest.mark.parametrize(
    ("sentence", "father", "mother"),
    [
        ("He was the son of Carl Rask and Ilse Rask.", ["Carl Rask"], ["Ilse Rask"]),
        ("He was the son of Edith Rask (née Berg) and the painter Tom Rask.", ["Tom Rask"], ["Edith Rask"]),
        ("His father was Carl Rask, a celebrated poet.", ["Carl Rask"], []),
        ("His mother, the actress Ilse Rask, left early.", [], ["Ilse Rask"]),
        ("His parents were Carl Rask and Ilse Rask.", ["Carl Rask"], ["Ilse Rask"]),
        ("He was born in Vell to Carl Rask and Ilse Rask.", ["Carl Rask"], ["Ilse Rask"]),
        ("He was the grandson of Carl Rask.", [], []),
        ("He became the son-in-law of Carl Rask.", [], []),
    ],
)
def test_parents_are_told_apart(sentence: str, father: list[str], mother: list[str]) -> None:
    text = f"Nils Rask was a Danish general. {sentence}"
    assert values("Nils Rask", text, "father") == father
    assert values("Nils Rask", text, "mother") == mother


def test_more_distant_kin_are_told_in_their_own_words() -> None:
    text = "Nils Rask was a Danish general. He was a grandson of King Otto and a brother-in-law of Per Holm."
    assert values("Nils Rask", text, "grandfather") == ["King Otto"]
    assert values("Nils Rask", text, "sibling-in-law") == ["Per Holm"]


def test_kinship_is_told_from_both_sides() -> None:
    text = "Hamida Rashid is the mother of Omar Rashid."
    assert values("Hamida Rashid", text, "child") == ["Omar Rashid"]
    assert values("Hamida Rashid", text, "mother", subject="Omar Rashid") == ["Hamida Rashid"]


def test_marriages() -> None:
    base = "Ada Marr (1900 – 1970) was a Danish painter. "
    assert values("Ada Marr", base + "In 1935, she married Vincent Holm, a Swedish baker.", "spouse") == [
        "Vincent Holm"
    ]
    assert values("Ada Marr", base + "She was married to the actor Per Holm.", "spouse") == ["Per Holm"]
    assert values("Ada Marr", base + "Ada was the wife of Per Holm.", "spouse") == ["Per Holm"]
    assert values("Ada Marr", base + "Her marriage in 1915 to Prince Otto ended soon.", "spouse") == ["Prince Otto"]


def test_children_in_a_list() -> None:
    text = "Aldo III was King of Vell. He married Brita Lind and had two children by her, Clotilde and Leo."
    assert values("Aldo III", text, "child") == ["Clotilde", "Leo"]


def test_what_a_relative_does_is_not_credited_to_the_subject() -> None:
    text = 'Ada Marr was a Danish painter. Her brother Olaf Marr directed "The Long Tide".'
    assert values("Ada Marr", text, "directed") == []
    assert values("Ada Marr", text, "directed", subject="Olaf Marr") == ["The Long Tide"]


def test_prizes_schools_and_employers() -> None:
    text = (
        "Bo Ek (born 3 May 1960) is a Swedish physicist. "
        "He graduated from Lund University and worked at Vell Laboratory. "
        "He won the Hallberg Prize in 1999 and was inducted into the Vell Hall of Fame."
    )
    assert values("Bo Ek", text, "educated at") == ["Lund University"]
    assert values("Bo Ek", text, "works at") == ["Vell Laboratory"]
    assert values("Bo Ek", text, "awarded") == ["Hallberg Prize", "Vell Hall of Fame"]


@pytest.mark.parametrize(
    "place",
    ["Vell upon Carse", "Torn an der Hesk", "Abbot's Lynn", "Rio de Vell", "San Torn de Carse", "Port-au-Vell"],
)
def test_the_name_of_a_place_is_read_whole(place: str) -> None:
    text = f"Ada Marr was a painter. She was born in {place} and died in {place} on 4 June 1970."
    assert values("Ada Marr", text, "born in") == [place]
    assert values("Ada Marr", text, "died in") == [place]
