"""Places, organizations, events and things; and what holds for every section and ontology."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from multicube.cubes.core.records import Document, Fact, Section
from multicube.cubes.extraction.embedded import EmbeddedExtractor
from multicube.cubes.extraction.words.lexicon import country_of
from multicube.cubes.model.ontology import Ontology, load_ontology


@lru_cache(maxsize=1)
def _extractor() -> EmbeddedExtractor:
    return EmbeddedExtractor(load_ontology("default"))


def read(title: str, text: str, extractor: EmbeddedExtractor | None = None) -> list[Fact]:
    section = Section("d:0", "d", "d", 0, (title,) if title else (), text)
    return list((extractor or _extractor()).extract(section, Document("d", "s", "d", title, text, "h")))


def values(title: str, text: str, relation: str) -> list[str]:
    return [f.value for f in read(title, text) if f.relation == relation and f.subject == title]


def test_containing_places_come_nearest_first() -> None:
    text = (
        "Dolna( also Romanized as Dolnā) is a village in Buz -e Olya Rural District, in the Central District of "
        "Shad County, Khuz Province, Iran. At the 2006 census, its population was 1,044, in 6 families."
    )
    assert values("Dolna", text, "located in") == [
        "Buz -e Olya Rural District",
        "Central District of Shad County",
        "Shad County",
        "Khuz Province",
        "Iran",
    ]
    assert values("Dolna", text, "population") == ["1,044"]
    assert values("Dolna", text, "type") == ["village"]


def test_a_country_is_found_behind_a_description() -> None:
    text = "Stara is a town located in Republika Vell, an entity of Trinidad and Tobago."
    assert values("Stara", text, "located in") == ["Republika Vell", "Trinidad and Tobago"]


def test_rivers_bridges_and_capitals() -> None:
    text = "The Omm is a river 412 kilometres in length. It rises in Dolna, runs through Vell and flows into Lake Tolm."
    assert values("Omm", text, "length") == ["412 kilometres"]
    assert values("Omm", text, "flows through") == ["Vell"]
    assert values("Omm", text, "flows into") == ["Lake Tolm"]
    assert values("Vellmark", "Vellmark is a kingdom. Its capital is Vell.", "capital") == ["Vell"]


def test_founders_with_a_date_between_verb_and_name() -> None:
    text = "Kelp Pictures was a film studio, established in 1926 by the baker Jonna Rask. It employs about 900 men."
    assert values("Kelp Pictures", text, "founded by") == ["Jonna Rask"]
    assert values("Kelp Pictures", text, "founded on") == ["1926"]
    assert values("Kelp Pictures", text, "employees") == ["900"]


def test_an_object_in_front_of_the_date() -> None:
    text = "The University of Vell is a public university. Otto Lind, Duke of Vell, founded it in 1871."
    assert values("University of Vell", text, "founded by") == ["Otto Lind"]
    assert values("University of Vell", text, "founded on") == ["1871"]


def test_events_have_a_date_and_a_place() -> None:
    text = "The Treaty of Vell settled a dispute. It was signed on 3 June 1947 at Lutry by Otto Lind."
    assert values("Treaty of Vell", text, "took place on") == ["3 June 1947"]
    storm = (
        "The Odo Storm was a violent storm that struck Vell and Lutry on 18 and 19 November 1953. It killed 214 people."
    )
    assert values("Odo Storm", storm, "hit") == ["Vell", "Lutry"]
    assert values("Odo Storm", storm, "happened on") == ["18 and 19 November 1953"]
    assert values("Odo Storm", storm, "deaths") == ["214"]


def test_known_titles_are_names_even_with_small_words() -> None:
    extractor = EmbeddedExtractor(load_ontology("default"))
    title = "The Widow and the Weathercock"
    extractor.prepare([Document("e", "s", "e", title, "", "h")])
    facts = read("Weathercock (film)", f"Weathercock is a film based on {title}, a play.", extractor)
    assert [f.value for f in facts if f.relation == "based on"] == [title]


def test_names_nobody_reads_are_mentions_of_low_confidence() -> None:
    facts = read("Vell", "Vell is a town in Denmark. The painter Ada Marr drew its harbour.")
    assert [(f.dimension, f.value, f.confidence) for f in facts if f.relation == "mentions"] == [
        ("person_name", "Ada Marr", 0.3)
    ]


def test_a_section_without_a_title_is_about_what_it_names_first() -> None:
    assert {
        f.subject for f in read("", "Amber Tide is a 1921 film directed by Ola Berg.") if f.relation == "directed by"
    } == {"Amber Tide"}


def test_demonyms_and_names_of_countries_meet() -> None:
    assert country_of("French") == country_of("France") == "France"
    assert country_of("U.S.") == country_of("American") == "United States"
    assert country_of("Vellish") is None


@pytest.mark.parametrize(
    "text", ["", " ", ".", "((((", '"""', "– 1900 –", "of of of by by by", "A" * 5000, "Born in , , died ( of"]
)
def test_broken_text_gives_no_error(text: str) -> None:
    for fact in read("Vell", text):
        assert text[fact.span.start : fact.span.end] == fact.value


PIECES = st.sampled_from(
    [
        "Ada Marr",
        "Vell",
        "film",
        "directed by",
        "born in",
        "(5 May 1900 –",
        ")",
        "was a",
        "Danish",
        ",",
        "and",
        "her",
        "brother",
        "of",
        "son of",
        "who",
        "which",
        ".",
        ";",
        '"',
        "1921",
        "the",
        "novel",
        "based on",
        "married",
        "İstanbul",
        "starring",
        "is",
        "population",
        "44",
        "'s",
        "-",
        "[",
        "in",
        "on",
        "3 June 1947",
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=30))
def test_every_value_is_exactly_where_its_span_says(pieces: list[str]) -> None:
    text = " ".join(pieces)
    facts = read("Ada Marr", text)
    assert facts == read("Ada Marr", text)
    for fact in facts:
        assert text[fact.span.start : fact.span.end] == fact.value
        assert fact.value.strip()
        assert 0 < fact.confidence <= 1
        assert 0 <= fact.sentence.start < fact.sentence.end <= len(text)


def _medicine() -> dict[str, Any]:
    return {
        "name": "medicine",
        "cubes": [
            {
                "id": "disease",
                "name": "Disease",
                "description": "illnesses",
                "nouns": ["disease", "illness"],
                "subject": {"id": "name", "name": "Name", "description": "names"},
                "attributes": [
                    {"id": "symptom", "name": "Symptom", "description": "signs", "cues": ["symptoms include"]},
                    {"id": "drug", "name": "Drug", "kind": "name", "description": "drugs"},
                ],
                "relations": [
                    {
                        "id": "treatment",
                        "name": "Treatment",
                        "target": "drug",
                        "description": "what treats it",
                        "cues": [{"relation": "treated with", "kind": "name", "after": ["treated with"], "many": True}],
                    }
                ],
            }
        ],
    }


def test_an_ontology_of_ones_own_needs_only_its_cues() -> None:
    extractor = EmbeddedExtractor(Ontology.model_validate(_medicine()))
    text = (
        "Vell fever is a rare disease of the lungs. Symptoms include dry cough. It is treated with Marrin and Tolcine."
    )
    facts = read("Vell fever", text, extractor)
    assert {f.cube for f in facts} == {"disease"}
    assert [f.value for f in facts if f.relation == "treated with"] == ["Marrin", "Tolcine"]
    assert [f.value for f in facts if f.relation == "symptoms include"] == ["dry cough"]


def test_every_fact_belongs_to_the_ontology() -> None:
    ontology = load_ontology("default")
    text = "Ada Marr (1900 – 1970) was a Danish painter, the wife of Per Holm. She painted Long Tide in Vell."
    for fact in read("Ada Marr", text):
        ontology.cube(fact.cube).dimension(fact.dimension)
        assert fact.origin == _extractor().version
