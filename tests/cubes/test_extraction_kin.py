"""Kinship and lives in the many wordings that biographies use."""

from __future__ import annotations

import pytest
from extracted import told


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada Marr was the seventeenth daughter of King Otmar of Vell.", ("Ada Marr", "father", "King Otmar of Vell")),
        ("Ada Marr was the stepmother of Ilse and the second wife of Ulf Thorn.", ("Ada Marr", "spouse", "Ulf Thorn")),
        ("Ada Marr is a singer. She is a sister of politician Don Marr.", ("Ada Marr", "sibling", "Don Marr")),
        ("Ada Marr was a nun. Her sister Ilse Thorn was also a nun.", ("Ada Marr", "sibling", "Ilse Thorn")),
        ("Ada Marr was the daughter and heir of Otmar Marr.", ("Ada Marr", "father", "Otmar Marr")),
        ("Ada Marr was a queen. She reigned after her father Otto Lund's death.", ("Ada Marr", "father", "Otto Lund")),
        ("Ada Marr is a singer. She toured with her then-husband Ulf Hesk.", ("Ada Marr", "spouse", "Ulf Hesk")),
        ("Ada Marr is a singer. Her boyfriend Olin Berg is a chef.", ("Ada Marr", "partner", "Olin Berg")),
        ("Ada Marr was the fifth daughter of Karl Lund, and the eldest of Karl's second wife, Ilse Hesk.",
         ("Ada Marr", "father", "Karl Lund")),
        ("Ada Marr was the daughter of Karl Lund, 1st Baron Carse and Maud Hesk.",
         ("Ada Marr", "father", "Karl Lund, 1st Baron Carse")),
        ("Ada Marr was the daughter of Karl Lund, 1st Baron Carse and Maud Hesk.", ("Ada Marr", "mother", "Maud Hesk")),
        ("Ada Marr was a queen. Isolde of Carse daughter of King Jovan of Rastow and Queen Blanka was her rival.",
         ("Isolde of Carse", "father", "King Jovan of Rastow")),
    ],
)  # fmt: skip
def test_kinship_in_many_wordings(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in told("Ada Marr", text)


def test_a_title_behind_a_comma_is_no_second_parent() -> None:
    found = told(
        "Ada Marr", "Ada Marr (1500 – 1550) was the daughter of Otto V, Elector of Vell (who was king) and Ilse Thorn."
    )
    assert ("Ada Marr", "father", "Otto V, Elector of Vell") in found
    assert ("Ada Marr", "mother", "Ilse Thorn") in found
    found = told("Ada Marr", "Ada Marr is the daughter of Bob Marr, the former senator and Governor of Vell.")
    assert not [value for subject, relation, value in found if subject == "Ada Marr" and relation == "mother"]


def test_father_and_son_may_share_a_name() -> None:
    found = told(
        "Tony Marr Jr.",
        "Tony Marr Jr. (1951 – 2000) was a rower. He was the only son of former 9-time master Tony Marr.",
    )
    assert ("Tony Marr Jr.", "father", "Tony Marr") in found
    assert ("Tony Marr", "child", "Tony Marr Jr.") in found


def test_the_mistress_of_a_house_is_nobodys_partner() -> None:
    found = told("Ada Marr", "Ada Marr was a cook. She became the mistress of Hesk Manor.")
    assert not [value for _, relation, value in found if relation == "partner"]


def test_nobody_is_a_parent_of_himself() -> None:
    text = "Ulf Thorn was the second son of Otto Thorn, Lord Hesk, and the younger brother of Jan Thorn."
    assert not [1 for subject, _, value in told("Ulf Thorn", text) if subject == value == "Ulf Thorn" and _ != "is"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("She was born to a family of millers in Rastow on 22 May 1928.", "Rastow"),
        ("She was born to Otto Marr and his wife Ilse at Dastra.", "Dastra"),
        ("She was born and studied in Carse.", "Carse"),
    ],
)
def test_births_to_families(text: str, place: str) -> None:
    assert ("Ada Marr", "born in", place) in told("Ada Marr", f"Ada Marr was a Danish painter. {text}")


def test_where_somebody_is_from() -> None:
    found = told("Olin Berg", "Olin Berg (born 1969) is a former wrestler from Dastra, Japan.")
    assert ("Olin Berg", "nationality", "Japan") in found


def test_a_realm_tells_the_nationality_where_nothing_else_does() -> None:
    assert ("Otmar III", "nationality", "Denmark") in told("Otmar III", "Otmar III (1400 – 1450) was King of Denmark.")
    found = told("Basil Holland", "Basil Holland (1880 – 1921) was an English glazier.")
    assert ("Basil Holland", "nationality", "English") in found
    assert ("Basil Holland", "nationality", "Holland") not in found


def test_surnames_with_a_particle_mean_the_person() -> None:
    found = told("Emil de Mendria", "Emil de Mendria (1907 – 1976) was a Belgian scholar. De Mendria was born in Vell.")
    assert ("Emil de Mendria", "born in", "Vell") in found


def test_what_happened_is_no_kind_of_thing() -> None:
    found = told("Vell crown", "The Vell crown was replaced by the thaler in 1874.")
    assert not [value for _, relation, value in found if relation in ("type", "genre", "occupation")]
