"""What the embedded extractor reads about films, songs, books and other works."""

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


def test_the_copula_phrase_gives_genre_origin_and_year() -> None:
    text = "Long Tide is a 1926 Latvian silent drama film directed by Ola Berg."
    assert values("Long Tide (film)", text, "genre") == ["silent drama film"]
    assert values("Long Tide (film)", text, "country of origin") == ["Latvian"]
    assert values("Long Tide (film)", text, "released on") == ["1926"]


def test_a_qualifier_stays_in_the_subject_and_says_the_class() -> None:
    facts = read("Long Tide (1921 film)", "Long Tide was made in Vell by Ola Berg.")
    assert {f.cube for f in facts if f.relation == "is"} == {"cultural_product"}
    assert {f.subject for f in facts if f.relation == "is"} == {"Long Tide (1921 film)"}


@pytest.mark.parametrize(
    ("sentence", "directors"),
    [
        ("Long Tide is a film directed by Ola Berg and Nina Holt.", ["Ola Berg", "Nina Holt"]),
        ("Long Tide is a film written and directed by Ola Berg.", ["Ola Berg"]),
        ("Long Tide is a film directed by and starring Ola Berg.", ["Ola Berg"]),
        ("Long Tide is a film. It was directed jointly by Ola Berg and Nina Holt.", ["Ola Berg", "Nina Holt"]),
        ("Long Tide is a film. Ola Berg directed; Nina Holt wrote the screenplay.", ["Ola Berg"]),
        ("Long Tide is a film. It was the ninth film by director Ola Berg.", ["Ola Berg"]),
        ("Long Tide is a film directed by award- winning American film director Ola Berg.", ["Ola Berg"]),
        ("Long Tide is a film. Ola Berg, who directed the film, grew up in Vell.", ["Ola Berg"]),
        ("Long Tide is a 1992 Latvian film by Ola Berg, starring Nina Holt.", ["Ola Berg"]),
        ("Long Tide is a film directed by acclaimed Latvian director Ola Berg.", ["Ola Berg"]),
        ("Long Tide is a film directed by the critically acclaimed Ola Berg and stars Nina Holt.", ["Ola Berg"]),
        ("Long Tide is a film. It was made under the direction of Ola Berg.", ["Ola Berg"]),
    ],
)
def test_directors_in_active_and_passive_voice(sentence: str, directors: list[str]) -> None:
    assert values("Long Tide", sentence, "directed by") == directors


def test_every_participle_of_a_list_takes_the_name() -> None:
    text = "Long Tide is a film written, directed and produced by Ola Berg."
    for relation in ("written by", "directed by", "produced by"):
        assert values("Long Tide", text, relation) == ["Ola Berg"]


def test_casts_are_lists_and_roles_are_left_out() -> None:
    text = "Long Tide is a film starring Per Holm as Captain Vane, Lis Dahl and R. J. Moe."
    assert values("Long Tide", text, "starring") == ["Per Holm", "Lis Dahl", "R. J. Moe"]


def test_the_author_of_the_model_did_not_write_the_film() -> None:
    text = 'Long Tide is a film. It is based on the novel "Salt Water" by Mona Reed.'
    assert values("Long Tide", text, "based on") == ["Salt Water"]
    assert values("Long Tide", text, "written by") == []
    assert (
        values("Long Tide", "Long Tide is a film based on the play of the same name by Mona Reed.", "written by") == []
    )


def test_music_and_words_have_their_own_makers() -> None:
    text = "Long Tide is a film. Per Holm wrote the score, and the music was composed by Lis Dahl."
    assert values("Long Tide", text, "composed by") == ["Per Holm", "Lis Dahl"]
    assert values("Long Tide", text, "written by") == []


def test_songs_books_and_albums_name_their_maker_behind_the_noun() -> None:
    song = '"Low Sun" is a song by Latvian singer-songwriter Mona Reed from the album "Harbour".'
    assert values("Low Sun", song, "performed by") == ["Mona Reed"]
    assert values("Low Sun", song, "from album") == ["Harbour"]
    assert values("Harbour", "Harbour is the ninth EP by the Danish rock band Red Kelp.", "performed by") == [
        "Red Kelp"
    ]


def test_a_song_of_which_only_the_writer_is_named_is_guessed_to_be_his_own() -> None:
    facts = read("Low Sun", '"Low Sun" is a song written by Mona Reed.')
    assert [(f.value, f.confidence) for f in facts if f.relation == "performed by"] == [("Mona Reed", 0.5)]
    text = '"Low Sun" is a song written by Mona Reed and recorded by Per Holm.'
    assert values("Low Sun", text, "performed by") == ["Per Holm"]


def test_dates_follow_their_verb_across_objects_and_places() -> None:
    text = "Long Tide is a film. Gannet Pictures released the picture on 21 September 1934."
    assert values("Long Tide", text, "released on") == ["21 September 1934"]
    text = "Long Tide is a play first performed at the Royal Theatre in Vell on 12 January 1938."
    assert values("Long Tide", text, "released on") == ["12 January 1938"]


def test_a_label_is_no_performer() -> None:
    text = '"Low Sun" is a song by Mona Reed. It was released by Kelp Records on 3 May 1990.'
    assert values("Low Sun", text, "performed by") == ["Mona Reed"]
    assert values("Low Sun", text, "published by") == ["Kelp Records"]


def test_titles_with_marks_and_torn_apostrophes_are_found() -> None:
    text = "Oh! What a Tide! is a 1926 film. It was directed by Ola Berg."
    assert values("Oh! What a Tide!", text, "directed by") == ["Ola Berg"]
    text = '" Do n\'t Wait" is a song by Mona Reed.'
    assert values("Don't Wait", text, "performed by") == ["Mona Reed"]


def test_the_maker_has_the_inverse_fact() -> None:
    text = "Long Tide is a film directed by Ola Berg."
    inverse = [f for f in read("Long Tide", text) if f.subject == "Ola Berg"]
    assert [(f.cube, f.relation, f.value) for f in inverse] == [("person", "directed", "Long Tide")]


def test_a_clause_about_somebody_else_says_nothing_about_the_film() -> None:
    text = "Long Tide is a film starring Per Holm, who was born in Vell and directed Low Sun."
    facts = read("Long Tide", text)
    assert not [f for f in facts if f.subject == "Long Tide" and f.relation in ("directed by", "set in", "filmed in")]
    assert [f.value for f in facts if f.subject == "Per Holm" and f.relation == "born in"] == ["Vell"]


def test_a_day_without_a_year_is_no_channel_and_no_label() -> None:
    text = "Late Lights is a Danish television series. Its last episode aired on December 16 on Kanal Vell."
    assert "December" not in values("Late Lights", text, "broadcast by")
    text = "Late Lights is a Danish television series. It originally aired on Sunday evenings on Kanal Vell."
    assert "Sunday" not in values("Late Lights", text, "broadcast by")
    text = "Quiet Sea is an album by the Larks. It was released on October 30 by Vell Records."
    assert values("Quiet Sea", text, "published by") == ["Vell Records"]


@pytest.mark.parametrize(
    ("sentence", "relation"),
    [
        ("Long Tide gathers short stories by the noted Latvian writer Ola Berg.", "written by"),
        ("Long Tide is an oil painting by Ola Berg.", "created by"),
        ("Long Tide is a sculpture by the Latvian artist Ola Berg.", "created by"),
        ("Long Tide is a song. It was popularized by Ola Berg.", "performed by"),
        ("Long Tide is a Latvian rock band founded in 1990 by guitarist Ola Berg.", "founded by"),
    ],
)
def test_who_made_a_work_by_the_noun_that_it_is_called(sentence: str, relation: str) -> None:
    assert values("Long Tide", sentence, relation) == ["Ola Berg"]
