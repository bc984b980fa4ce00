"""Whose a relative is that a sentence names beside others, and where names begin and end."""

from __future__ import annotations

import pytest
from extracted import told


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Otto was a son of Karl Marr (1820–88) and his wife Ilse Lund (1830–1904).", "Karl Marr"),
        ("Otto was a son of Karl Marr, a banker, and his second wife, Ilse Lund.", "Karl Marr"),
        ("He was the third son of Karl Marr, 3rd Earl of Vell, and his wife, the former Ilse Lund.",
         "Karl Marr, 3rd Earl of Vell"),
        ("He was brought up by Karl Marr and his wife Ilse Lund.", "Karl Marr"),
    ],
)  # fmt: skip
def test_his_wife_is_the_wife_of_the_one_she_is_joined_to(text: str, expected: str) -> None:
    facts = told("Otto Marr", f"Otto Marr (1860-1931) was a clerk. {text}")
    assert (expected, "spouse", "Ilse Lund") in facts
    assert not any(relation == "spouse" and subject == "Otto Marr" for subject, relation, _ in facts)


@pytest.mark.parametrize(
    "text",
    [
        "His father, Karl Marr, was a banker, and his mother, Ilse Lund, was a singer.",
        "His father Karl Marr was a banker and teacher, while his mother Ilse Lund was a singer.",
        "Otto was a son of Karl Marr, a banker, and Ilse Lund, a singer.",
        "He was the eldest son of Karl Marr (d. 1850), and Ilse Lund, daughter of Duke Rolf of Hesk.",
        "He was born to Karl Marr, a banker from the south, and the singer Ilse Lund.",
    ],
)
def test_both_parents_are_his(text: str) -> None:
    facts = told("Otto Marr", f"Otto Marr was a clerk. {text}")
    parents = {(relation, value) for subject, relation, value in facts if subject == "Otto Marr"}
    assert {pair for pair in parents if pair[0] in ("father", "mother")} == {
        ("father", "Karl Marr"), ("mother", "Ilse Lund"),
    }  # fmt: skip


def test_the_daughter_of_a_parent_is_not_the_subject() -> None:
    facts = told("Otto Marr", "Otto Marr was the son of Karl Marr and Ilse Lund, daughter of Duke Rolf of Hesk.")
    assert ("Ilse Lund", "father", "Duke Rolf of Hesk") in facts


def test_what_the_same_pronoun_introduces_is_the_same_persons() -> None:
    facts = told("Ada Marr", "Ada Marr is a painter. She wrote a book with her father, Karl Marr, and her sister, Ina.")
    assert ("Ada Marr", "sibling", "Ina") in facts
    assert ("Karl Marr", "sibling", "Ina") not in facts


def test_a_maiden_name_in_brackets_is_the_name_before_it() -> None:
    facts = told("Otto Marr", "Otto Marr was a clerk. He married the singer, Ilse Lund (née Hesk), in 1890.")
    assert ("Otto Marr", "also known as", "Hesk") not in facts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He studied at St. Odo's College before he went to sea.", ("educated at", "St. Odo's College")),
        ("He studied at Queen's University in Vell.", ("educated at", "Queen's University")),
        ("He studied at the Vell School of Painting, Sculpture and Music.",
         ("educated at", "Vell School of Painting, Sculpture and Music")),
        ("He studied at the Vell School of Music and Drama.", ("educated at", "Vell School of Music and Drama")),
        ("He received a degree in law from Hesk University.", ("educated at", "Hesk University")),
        ("He won the Miss Vell contest.", ("awarded", "Miss Vell")),
        ("He received the Torn d'or in 1950.", ("awarded", "Torn d'or")),
    ],
)  # fmt: skip
def test_a_name_is_whole(text: str, expected: tuple[str, str]) -> None:
    facts = told("Otto Marr", f"Otto Marr was a writer. {text}")
    assert {value for _, relation, value in facts if relation == expected[0]} == {expected[1]}


def test_what_stands_before_a_name_is_none() -> None:
    facts = told("The Salt Road", "The Salt Road is a hymn. It was written by the Pell-educated Otto Marr.")
    assert ("The Salt Road", "written by", "Otto Marr") in facts


def test_a_maker_is_told_by_the_full_name_that_stands_before() -> None:
    facts = told(
        "The Salt Road",
        "The Salt Road is a song by the singer Ada Lund from her first album. It was written by Lund and Otto Marr.",
    )
    assert {value for _, relation, value in facts if relation == "written by"} == {"Ada Lund", "Otto Marr"}


def test_who_wrote_a_book_did_not_publish_it() -> None:
    facts = told("The Salt Road", "The Salt Road is a novel by the Vellish author Otto Marr, first published in 1911.")
    assert ("The Salt Road", "written by", "Otto Marr") in facts
    assert not any(relation == "published by" for _, relation, _ in facts)
    facts = told("The Salt Road", "The Salt Road is a film after a tale by Otto Marr, who wrote the screenplay.")
    assert ("The Salt Road", "written by", "Otto Marr") in facts


def test_a_league_says_which_club_is_meant() -> None:
    facts = told("Otto Marr", "Otto Marr is a footballer who plays for Lamp League side Hesk Rovers.")
    assert {value for _, relation, value in facts if relation == "member of"} == {"Hesk Rovers"}
