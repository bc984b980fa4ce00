"""Wordings of introductions that earlier rules did not foresee: brackets, offices, couples, bodies."""

from __future__ import annotations

import pytest
from extracted import told


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Otto Marr( 1888-1957) was a British glass painter.", ("died on", "1957")),
        ("Otto Marr (born Karl Lund) (23 May 1951 – 4 November 2009) was an actor.", ("born on", "23 May 1951")),
        ("Otto Marr ( 乙, 712 – 9 March 768) was a monk.", ("died on", "9 March 768")),
        ("Otto Marr (8 June [O.S. 27 May] 1874 – 19 August 1932) was a Russian composer.",
         ("born on", "8 June [O.S. 27 May] 1874")),
        ("Otto Marr ; born 22 August 1952) is a French bookbinder.", ("nationality", "French")),
        ("Otto Marr was a director. He committed suicide in 1973 in Pell.", ("died in", "Pell")),
        ("Otto Marr was an earl. He is buried at the abbey of St. Vell in Pell.", ("buried in", "St. Vell")),
    ],
)  # fmt: skip
def test_a_life(text: str, expected: tuple[str, str]) -> None:
    assert ("Otto Marr", *expected) in told("Otto Marr", text)


def test_a_longer_name_in_the_brackets_is_no_place_of_birth() -> None:
    facts = told("Otto Marr", "Otto Marr (Otto Karl Rupert; 19 June 1911 – 2 August 1984) was a prince.")
    assert not any(relation == "born in" for _, relation, _ in facts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He is the younger brother of Karl Marr.", ("sibling", "Karl Marr")),
        ('Otto Marr (" Otto Karl Lund") was born 6 October 1938, in Pell. He is the son of Karl Marr.',
         ("father", "Karl Marr")),
        ("Otto Marr was the Khan of Vell. He was the son of Rolf Bey.", ("father", "Rolf Bey")),
        ("Otto Marr was a prince. He was the sixth and youngest son of Karl Lund.", ("father", "Karl Lund")),
        ("Otto Marr was a prince. He was the ninth child and only son of Karl Lund.", ("father", "Karl Lund")),
        ("Otto Marr was a count. Otto was married to Ada Lund daughter of Rolf Lund.", ("spouse", "Ada Lund")),
        ("Otto Marr was the son of Karl Marr and Ilse Lund dit Hesk.", ("mother", "Ilse Lund dit Hesk")),
    ],
)  # fmt: skip
def test_kin(text: str, expected: tuple[str, str]) -> None:
    assert ("Otto Marr", *expected) in told("Otto Marr", text)


def test_who_married_behind_a_date() -> None:
    facts = told(
        "Otto Marr", "Otto Marr was a duke. He was the father of Edith of Vell, who married in 1045 King Karl."
    )
    assert ("Edith of Vell", "spouse", "King Karl") in facts


def test_and_her_husband_is_the_one_named_before() -> None:
    facts = told("Ada Marr", "Ada Marr was a painter. She stayed with her cousin Nora Lund and her husband Alan.")
    assert ("Nora Lund", "spouse", "Alan") in facts
    assert ("Ada Marr", "spouse", "Alan") not in facts


def test_a_surname_that_is_a_pronoun_elsewhere() -> None:
    assert ("He Marr", "occupation", "painter") in told("He Marr", "He Marr (born 1950) is a Chinese painter.")
