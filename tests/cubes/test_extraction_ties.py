"""What ties persons and places to others: teams, employers, offices, parties, neighbours, actors and their parts."""

from __future__ import annotations

from functools import lru_cache

import pytest
from multicube.cubes.extraction.embedded import EmbeddedExtractor
from multicube.cubes.ontology import load_ontology
from multicube.cubes.records import Document, Fact, Section


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
        (
            "Olin Berg (born 1970) is a former hockey goalkeeper for Vell Rovers, the Carse Gulls and Dastra United.",
            ["Vell Rovers", "Carse Gulls", "Dastra United"],
        ),
        ("Olin Berg is a Vellish footballer who currently plays as a winger for Carse Athletic.", ["Carse Athletic"]),
        ("Olin Berg is a singer. He was the lead vocalist of The Gannets.", ["The Gannets"]),
    ],
)
def test_players_belong_to_their_teams_and_bands(text: str, teams: list[str]) -> None:
    assert values("Olin Berg", text, "member of") == teams


def test_a_party_is_that_of_its_politician_not_of_the_opponent() -> None:
    text = (
        "Ada Marr (born 1960) is a Danish Green Reform Party politician. She defeated Olin Berg of the Old Union Party."
    )
    assert values("Ada Marr", text, "member of") == ["Green Reform Party"]
    assert values("Ada Marr", "Ada Marr is a jurist. In 1990 she left the Old Union Party.", "member of") == []


def test_posts_name_the_employer() -> None:
    text = (
        "Ada Marr is an adjunct professor of physics and optics at Carse University and head coach at Dastra College."
    )
    assert values("Ada Marr", text, "works at") == ["Carse University", "Dastra College"]


def test_an_office_is_its_holders_and_nobody_elses() -> None:
    text = "Ada Marr (born 1960) was the 25th Governor of Carse. She was the daughter of Olin Marr, Mayor of Vell."
    assert values("Ada Marr", text, "position") == ["Governor of Carse"]


def test_neighbours_are_told_by_the_points_of_the_compass() -> None:
    text = (
        "Carse is a province. Carse is bordered by Vell and Rastow to the north, Otmar to the east, and Lower Dastra, "
        "Fallow, and Hesk to the south."
    )
    facts = read("Carse", text)
    beside = [f.value for f in facts if f.relation == "next to"]
    assert set(beside) >= {"Vell", "Rastow", "Otmar", "Lower Dastra", "Fallow", "Hesk"}
    assert [f.value for f in facts if f.relation == "borders on the east"] == ["Otmar"]
    assert {f.value for f in facts if f.relation == "borders on the south"} == {"Lower Dastra", "Fallow", "Hesk"}


def test_actors_and_the_characters_they_play() -> None:
    text = (
        "The Salt Bell is a 1999 film starring Ada Marr as Captain Ilse Thorn. "
        "The captain meets Doctor Ulf Hesk (Olin Berg), who mends bells."
    )
    assert values("The Salt Bell", text, "portrayed by", "Captain Ilse Thorn") == ["Ada Marr"]
    assert values("The Salt Bell", text, "portrayed by", "Doctor Ulf Hesk") == ["Olin Berg"]
    assert set(values("The Salt Bell", text, "starring")) == {"Ada Marr", "Olin Berg"}


def test_networks_stand_behind_the_date_too() -> None:
    text = "The Tin Hour is a sitcom. It first aired on 15 May 1991 on the Carse Network."
    assert values("The Tin Hour", text, "broadcast by") == ["Carse Network"]
    assert values("The Tin Hour", text, "released on") == ["15 May 1991"]
    assert values("The Tin Hour", "The Tin Hour is a sitcom. It airs on Saturdays.", "broadcast by") == []


def test_bands_have_a_place_of_formation_and_members() -> None:
    text = (
        "The Gannets are a Danish rock band formed in 1987 in Dastra. The band consists of Olin Berg (guitar), "
        "Ada Marr (drums) and Ulf Hesk (vocals)."
    )
    assert values("The Gannets", text, "based in") == ["Dastra"]
    assert values("The Gannets", text, "members") == ["Olin Berg", "Ada Marr", "Ulf Hesk"]
    assert values("The Gannets", text, "member of", "Ada Marr") == ["The Gannets"]


def test_places_of_events_stand_behind_their_dates() -> None:
    text = "The Battle of Hesk Moor was a sea battle that occurred on 5 May 1701, in Carse as part of the Salt War."
    assert values("Battle of Hesk Moor", text, "took place in") == ["Carse"]
    assert values("Battle of Hesk Moor", text, "part of") == ["Salt War"]
    text = "The Vell Games, a chess event, took place between 18 November and 5 December 1984, in Rastow, Carse."
    assert values("Vell Games", text, "took place in") or values("Vell Games", text, "came out in")


@pytest.mark.parametrize(
    ("title", "text", "places"),
    [
        ("Gull Farm", "Gull Farm is a farm located in Ash and Birch counties in Carse.", ["Ash", "Birch", "Carse"]),
        ("Mount Otmar", "Mount Otmar is a hill on Hesk Island, Carse, far from Lake Tolm.", ["Hesk Island", "Carse"]),
        ("Ommer River", "The Ommer River in northeast Carse rises in Vell.", ["Carse"]),
        ("Vell-ye Do", "Vell -ye Do( also called Velli) is a village in Ash County, Iran.", ["Ash County", "Iran"]),
        ("Tolm Peak", "Tolm Peak is a summit in the Salt Range of the High Hills.", ["Salt Range", "High Hills"]),
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
        ('"The Tin Hour" is the title of a ballad from 1982 by the group The Gannets.', "performed by", "The Gannets"),
        ("The Tin Hour is a film. It was directed, scripted and edited by Olin Berg.", "directed by", "Olin Berg"),
        ("The Tin Hour is a film directed by, edited by, and starring Olin Berg.", "directed by", "Olin Berg"),
        ("The Tin Hour is a film written, directed and starring Olin Berg.", "directed by", "Olin Berg"),
        ("The Tin Hour is a film directed( and co-edited) by Olin Berg.", "directed by", "Olin Berg"),
    ],
)  # fmt: skip
def test_who_made_it(text: str, relation: str, maker: str) -> None:
    assert values("The Tin Hour", text, relation) == [maker]


def test_the_music_of_a_film_was_written_by_its_composer() -> None:
    text = "The Tin Hour is a film. It was directed by Olin Berg while its music was written by Ada Marr."
    assert values("The Tin Hour", text, "composed by") == ["Ada Marr"]
    assert values("The Tin Hour", text, "written by") == []


def test_a_songwriter_stands_for_the_composer_that_is_not_named() -> None:
    facts = read("Tin Hour", '"Tin Hour" is a song written by Ada Marr. It was sung by Olin Berg.')
    assert [(f.value, f.confidence < 0.6) for f in facts if f.relation == "composed by"] == [("Ada Marr", True)]
    text = '"Tin Hour" is a protest single originally recorded by Olin Berg. It was written by Ada Marr.'
    assert values("Tin Hour", text, "composed by") == ["Ada Marr"]
    text = '"Tin Hour" is a song composed by Olin Berg with lyrics by Ada Marr.'
    assert values("Tin Hour", text, "composed by") == ["Olin Berg"]


def test_a_performer_named_in_front_of_the_noun() -> None:
    text = '"Tin Hour" is a 1970 Olin Berg song written by Ada Marr. It showed Berg at his best.'
    assert values("Tin Hour", text, "performed by") == ["Olin Berg"]


def test_and_inside_the_name_of_a_body() -> None:
    text = (
        "Ada Marr is a singer. She studied at the Carse College of Arts and Sciences. "
        "She was inducted into the Rock and Roll Hall of Fame."
    )
    assert values("Ada Marr", text, "educated at") == ["Carse College of Arts and Sciences"]
    assert values("Ada Marr", text, "awarded") == ["Rock and Roll Hall of Fame"]


def test_a_violent_death_has_a_cause() -> None:
    assert values("Ada Marr", "Ada Marr was a judge. She was shot and killed in 1990.", "cause of death") == ["shot"]
    text = "Ada Marr was a judge. She died of dysentery contracted whilst in Vell."
    assert values("Ada Marr", text, "cause of death") == ["dysentery"]


@pytest.mark.parametrize(
    ("text", "schools"),
    [
        (
            "She obtained her doctorate in 1966 in optics at the Technical University of Vell.",
            ["Technical University of Vell"],
        ),
        ("She received her MFA in 1979 at the Carse Film School.", ["Carse Film School"]),
        ("She studied law at Dastra University.", ["Dastra University"]),
    ],
)
def test_degrees_tell_the_school(text: str, schools: list[str]) -> None:
    assert values("Ada Marr", f"Ada Marr (born 1941) is a physicist. {text}", "educated at") == schools


def test_an_event_is_not_placed_in_a_war() -> None:
    text = (
        "The Battle of Hesk was fought between Danish and allied Vellish troops in the Salt War at Otmar Bridge, Carse."
    )
    assert "Salt War" not in values("Battle of Hesk", text, "took place in")


def test_plain_nouns_of_areas_do_not_end_the_chain_of_places() -> None:
    text = "Gull Cross is a small village in Ash district, Hesk, Vell state, Carse."
    assert values("Gull Cross", text, "located in")[:4] == ["Ash", "Hesk", "Vell", "Carse"]
