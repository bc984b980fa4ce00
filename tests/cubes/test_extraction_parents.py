"""Parents who are told with titles, descriptions and marriages between them; whom a description names."""

from __future__ import annotations

import pytest
from extracted import told
from multicube.cubes.core.records import Document, Section
from multicube.cubes.extraction.embedded import EmbeddedExtractor
from multicube.cubes.model.ontology import load_ontology


@pytest.mark.parametrize(
    ("text", "father", "mother"),
    [
        ("the eldest son of Karl II, Prince of Vell-Hesk, by his second wife Ilse, daughter of Rolf of Torn.",
         "Karl II, Prince of Vell-Hesk", "Ilse"),
        ("the only child of Karl, Crown Prince of Vell and his wife, Ilse Lund.", "Karl", "Ilse Lund"),
        ("a son of Karl I, Latin Emperor, and his third wife, Ilse of Lund.", "Karl I", "Ilse of Lund"),
        ("a son of Karl I of Torn, count of Torn, and of his wife Ilse of Lund.", "Karl I of Torn", "Ilse of Lund"),
        ("a son of Ilse of Lund and her second husband Karl III, Duke of Hesk.",
         "Karl III, Duke of Hesk", "Ilse of Lund"),
        ("a son of Karl, King of Vell and Hesk, and Ilse Lund of Torn.", "Karl, King of Vell", "Ilse Lund of Torn"),
        ("a son of Karl Vell, 4th Baronet and Ilse Lund, and went to sea.", "Karl Vell, 4th Baronet", "Ilse Lund"),
        ("a son of Karl Vell, 6th Earl of Hesk, and his wife, née Ilse Lund.",
         "Karl Vell, 6th Earl of Hesk", "Ilse Lund"),
        ("a son of the last King of Vell, Karl Hesk, and his first wife, Ilse Lund.", "Karl Hesk", "Ilse Lund"),
        ("a son of the great Torn king Karl the Old, and Ilse Lund.", "Karl the Old", "Ilse Lund"),
        ("a son of Hesk agent and early television producer, Karl Torn.", "Karl Torn", None),
        ("a son of the lawyer Ilse (Lund) and Karl Vell.", "Karl Vell", "Ilse"),
        ("born at Hesk, the son of Astrid Lund and Karl Marr.", "Karl Marr", "Astrid Lund"),
        ("born at Hesk to Ilse Lund, a Vellish woman, and Dr. Karl Torn.", "Karl Torn", "Ilse Lund"),
        ("born at Hesk to Karl Marr, Jr., and Ilse Marr.", "Karl Marr, Jr.", "Ilse Marr"),
        ("born at Hesk, the son of Karl C. and Ilse R. Marr.", "Karl C.", "Ilse R. Marr"),
    ],
)  # fmt: skip
def test_parents_keep_their_places(text: str, father: str | None, mother: str | None) -> None:
    facts = told("Otto Marr", f"Otto Marr (1860-1931) was a sailor. Otto was, they say, {text}")
    own = {relation: value for subject, relation, value in facts if subject == "Otto Marr"}
    assert (own.get("father"), own.get("mother")) == (father, mother)
    assert "spouse" not in own


def test_parents_of_the_mother_are_hers_and_their_years_nobodys() -> None:
    text = (
        "He was born to Karl Marr (died 1850), Count of Hesk, and Ilse Lund, daughter of Rolf, Count of Torn, and Una."
    )
    facts = told("Otto Marr", f"Otto Marr was a sailor. {text}")
    assert {("Otto Marr", "mother", "Ilse Lund"), ("Ilse Lund", "father", "Rolf, Count of Torn")} <= facts
    assert ("Ilse Lund", "mother", "Una") in facts
    assert not any((subject, relation) == ("Otto Marr", "died on") for subject, relation, _ in facts)


def test_lands_that_belong_together_are_one_name() -> None:
    text = "Otto Lund, 4th Earl of Vell and Hesk was a peer. Otto was a son of Karl Lund, 3rd Earl of Vell and Hesk."
    document = Document("d", "s", "d", "Otto Lund, 4th Earl of Vell and Hesk", text, "h")
    extractor = EmbeddedExtractor(load_ontology("default"))
    extractor.prepare([document])
    read = extractor.extract(Section("d:0", "d", "d", 0, (document.title,), text), document)
    facts = {(fact.subject, fact.relation, fact.value) for fact in read}
    assert [value for _, relation, value in facts if relation == "father"] == ["Karl Lund, 3rd Earl of Vell and Hesk"]
    assert not any(relation == "mother" for _, relation, _ in facts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She married the Duke of Hesk, Ferdinand Kell, in 1730.", ("Ada Marr", "spouse", "Ferdinand Kell")),
        ("She was the wife of Torn ruler of Hesk, Falk al-Dawir.", ("Ada Marr", "spouse", "Falk al-Dawir")),
        ("She was queen as the first wife to Karl Lund of Torn.", ("Ada Marr", "spouse", "Karl Lund of Torn")),
        ("She married Karl Lund sometime in those years.", ("Ada Marr", "spouse", "Karl Lund")),
        (
            "She was an officer of the Hesk Navy who received the Lund Medal in 1990.",
            ("Ada Marr", "awarded", "Lund Medal"),
        ),
    ],
)
def test_a_description_with_a_name_in_it_names_nobody_by_itself(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in told("Ada Marr", f"Ada Marr was a painter. {text}")


@pytest.mark.parametrize(
    ("text", "places", "names"),
    [
        ("Ada Marr (born Hesk, Torn) is a poet.", {"Hesk", "Torn"}, None),
        ("Ada Marr (born Hesk, 1977) is a poet.", {"Hesk"}, None),
        ("Ada Marr (born Hesk 15 January 1914: died Lund, 28 January 1995) was a poet.", {"Hesk"}, None),
        ("Ada Marr (born Holly Lund, 23 December 1991) is a poet.", set(), "Holly Lund"),
        ("Ada Marr (born Holly Lund) is a poet.", set(), "Holly Lund"),
    ],
)
def test_a_birth_in_brackets_names_a_place_or_another_name(text: str, places: set[str], names: str | None) -> None:
    facts = told("Ada Marr", text)
    assert {value for _, relation, value in facts if relation == "born in"} == places
    assert names is None or ("Ada Marr", "also known as", names) in facts


def test_what_stands_behind_a_bracket_is_not_told_in_it() -> None:
    facts = told("Otto Marr", "Otto Marr (died 20 September 1615), of Lower Hesk in Torn, was a clerk.")
    assert not any(relation == "died in" for _, relation, _ in facts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He is a professor of old history at Hesk College.", ("Otto Marr", "works at", "Hesk College")),
        ("He was a Vell professor of law at Hesk College.", ("Otto Marr", "works at", "Hesk College")),
        ("He left the stage to marry Ada Lund.", ("Otto Marr", "spouse", "Ada Lund")),
    ],
)
def test_what_one_does_and_where(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in told("Otto Marr", f"Otto Marr was a writer. {text}")


def test_a_queen_consort_of_a_land_is_not_married_to_it() -> None:
    facts = told("Ada Marr", "Ada Marr was queen consort of Vell as the wife of Karl III of Vell.")
    assert [value for subject, relation, value in facts if (subject, relation) == ("Ada Marr", "spouse")] == [
        "Karl III of Vell"
    ]


def test_verbs_share_their_maker() -> None:
    facts = told("Torn Mile", "Torn Mile is a comedy written by, produced by, and starring Otto Marr.")
    assert {("Torn Mile", relation, "Otto Marr") for relation in ("written by", "produced by", "starring")} <= facts
