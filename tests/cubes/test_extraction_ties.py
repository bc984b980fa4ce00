"""What ties persons and places to others: teams, employers, offices, parties, neighbours, actors and their parts."""

from __future__ import annotations

from functools import lru_cache

import pytest
from multicube.cubes.core.records import Document, Fact, Section
from multicube.cubes.extraction.embedded import EmbeddedExtractor
from multicube.cubes.model.ontology import load_ontology


@lru_cache(maxsize=1)
def _extractor() -> EmbeddedExtractor:
    return EmbeddedExtractor(load_ontology("default"))


def read(title: str, text: str) -> list[Fact]:
    section = Section("d:0", "d", "d", 0, (title,), text)
    facts = list(_extractor().extract(section, Document("d", "s", "d", title, text, "h")))
    for fact in facts:
        assert text[fact.span.start : fact.span.end] == fact.value
    return facts


def values(title: str, text: str, relation: str, subject: str | None = None) -> list[str]:
    return [f.value for f in read(title, text) if f.relation == relation and f.subject == (subject or title)]


@pytest.mark.parametrize(
    ("text", "teams"),
    [
        ("Olin Berg is a singer. He was the lead vocalist of The Gannets.", ["The Gannets"]),
    ],
)
def test_players_belong_to_their_teams_and_bands(text: str, teams: list[str]) -> None:
    assert values("Olin Berg", text, "member of") == teams


def test_networks_stand_behind_the_date_too() -> None:
    text = "The Tin Hour is a sitcom. It first aired on 15 May 1991 on the Carse Network."
    assert values("The Tin Hour", text, "broadcast by") == ["Carse Network"]
    assert values("The Tin Hour", text, "released on") == ["15 May 1991"]


@pytest.mark.parametrize(
    ("title", "text", "places"),
    [
        ("Vell-ye Do", "Vell -ye Do( also called Velli) is a village in Ash County, Iran.", ["Ash County", "Iran"]),
    ],
)  # fmt: skip
def test_what_contains_a_place(title: str, text: str, places: list[str]) -> None:
    assert values(title, text, "located in")[: len(places)] == places


@pytest.mark.parametrize(
    ("text", "relation", "maker"),
    [
        ("The Tin Hour is a biography by Danish author Ada Marr.", "written by", "Ada Marr"),
        ("The Tin Hour is a 2011 documentary by film director and producer Olin Berg.", "directed by", "Olin Berg"),
        ("The Tin Hour is a 1983 heist film from Olin Berg, the director of Gulls.", "directed by", "Olin Berg"),
        ("The Tin Hour is a film. It was directed, scripted and edited by Olin Berg.", "directed by", "Olin Berg"),
        ("The Tin Hour is a film directed( and co-edited) by Olin Berg.", "directed by", "Olin Berg"),
    ],
)  # fmt: skip
def test_who_made_it(text: str, relation: str, maker: str) -> None:
    assert values("The Tin Hour", text, relation) == [maker]


def test_a_songwriter_stands_for_the_composer_that_is_not_named() -> None:
    facts = read("Tin Hour", '"Tin Hour" is a song written by Ada Marr. It was sung by Olin Berg.')
    assert [(f.value, f.confidence < 0.6) for f in facts if f.relation == "composed by"] == [("Ada Marr", True)]
    text = '"Tin Hour" is a protest single originally recorded by Olin Berg. It was written by Ada Marr.'
    assert values("Tin Hour", text, "composed by") == ["Ada Marr"]
    text = '"Tin Hour" is a song composed by Olin Berg with lyrics by Ada Marr.'
    assert values("Tin Hour", text, "composed by") == ["Olin Berg"]


def test_a_disease_is_a_cause_of_death() -> None:
    text = "Ada Marr was a judge. She died of dysentery contracted whilst in Vell."
    assert values("Ada Marr", text, "cause of death") == ["dysentery"]


def test_an_event_is_not_placed_in_a_war() -> None:
    text = (
        "The Battle of Hesk was fought between Danish and allied Vellish troops in the Salt War at Otmar Bridge, Carse."
    )
    assert "Salt War" not in values("Battle of Hesk", text, "took place in")
