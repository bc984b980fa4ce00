"""Cubes: what is filed where, how names lead to subjects, and roll-ups."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multicube.cubes.core.errors import UsageError
from multicube.cubes.core.records import Fact, Section, Span
from multicube.cubes.model.cells import CubeSet, coordinates, label_key
from multicube.cubes.model.ontology import load_ontology

ONTOLOGY = load_ontology("default")
FILM, PERSON = ONTOLOGY.cube("cultural_product"), ONTOLOGY.cube("person")


def section(n: int, text: str) -> Section:
    return Section(f"s{n}", f"d{n}", f"r{n}", 0, (f"Title {n}",), text)


def fact(
    n: int,
    subject: str,
    dimension: str,
    relation: str,
    value: str,
    *,
    cube: str = "cultural_product",
    kind: str = "name",
    start: int = 0,
) -> Fact:
    return Fact(f"s{n}", cube, dimension, subject, relation, value, kind, Span(start, start + 1), Span(0, 9))


SECTIONS = [
    section(0, "Devotion is a 1929 film by Ada Lorn. Ada Lorn also wrote Devotion."),
    section(1, "Devotion is a 1921 film by Émile Brandt."),
    section(2, "Ada Lorn, known as the Falcon, was a director."),
    section(3, "The Prairie Kings is a comedy from 4 May 1929."),
]
FACTS = [
    fact(0, "Devotion (1929 film)", "to_person", "directed by", "Ada Lorn", kind="person"),
    fact(0, "Devotion (1929 film)", "date", "released on", "1929", kind="date"),
    fact(0, "Devotion (1929 film)", "genre", "genre", "drama", kind="text"),
    fact(1, "Devotion (1921 film)", "to_person", "directed by", "Émile Brandt", kind="person"),
    fact(1, "Devotion (1921 film)", "date", "released on", "12 June 1921", kind="date"),
    fact(1, "Devotion (1921 film)", "genre", "genre", "Drama", kind="text"),
    fact(2, "Ada Lorn", "name", "also known as", "the Falcon", cube="person"),
    fact(2, "Ada Lorn", "role", "occupation", "director", cube="person", kind="text"),
    fact(3, "The Prairie Kings", "date", "released on", "4 May 1929", kind="date"),
    fact(3, "The Prairie Kings", "genre", "genre", "comedy", kind="text"),
]


@pytest.fixture(scope="module")
def cubes() -> CubeSet:
    return CubeSet.build(ONTOLOGY, SECTIONS, FACTS)


def names(cubes: CubeSet, cube: str, dimension: str, entity: str) -> list[str]:
    return [label.text for label in cubes[cube].lookup(dimension, entity)]


def test_a_relation_files_its_subject_its_phrase_and_its_value() -> None:
    assert coordinates(FACTS[0], FILM) == (
        ("name", "Devotion (1929 film)"),
        ("to_person", "directed by"),
        ("person_name", "Ada Lorn"),
    )
    assert coordinates(FACTS[1], FILM) == (("name", "Devotion (1929 film)"), ("date", "1929"))
    assert coordinates(FACTS[6], PERSON) == (("name", "Ada Lorn"), ("name", "the Falcon"))


def test_labels_merge_by_key_and_count_their_words_in_the_text(cubes: CubeSet) -> None:
    film = cubes["cultural_product"]
    assert [(label.text, dict(label.sections)) for label in film.labels("genre")] == [
        ("Drama", {"s0": 1, "s1": 1}),
        ("comedy", {"s3": 1}),
    ]
    assert dict(film.lookup("name", "Devotion (1929 film)")[0].sections) == {"s0": 2}
    assert film.labels("work_name") == film.labels("unheard of") == []


def test_a_count_is_of_whole_words_and_at_least_one() -> None:
    cubes = CubeSet.build(
        ONTOLOGY,
        [section(0, "Rain, rain; rains fell. Trains ran. New York New York.")],
        [
            fact(0, "Rain", "genre", "genre", "new york", kind="text"),
            fact(0, "Snow", "genre", "genre", "x", kind="text"),
        ],
    )
    film = cubes["cultural_product"]
    counted = {label.text: label.sections["s0"] for label in [*film.labels("name"), *film.labels("genre")]}
    assert counted == {"Rain": 3, "Snow": 1, "new york": 2, "x": 1}


@pytest.mark.parametrize(
    ("entity", "found"),
    [
        ("Devotion (1929 film)", ["Devotion (1929 film)"]),
        ("devotion", ["Devotion (1921 film)", "Devotion (1929 film)"]),
        ("Devotion (film)", ["Devotion (1921 film)", "Devotion (1929 film)"]),
        ("Devotion (1921 silent film)", ["Devotion (1921 film)"]),
        ("Devotion (song)", []),
        ("Devotion (1950 film)", []),
        ("Prairie King", ["The Prairie Kings"]),
        ("", []),
        ("?", []),
    ],
)
def test_qualifiers_choose_among_labels_of_one_name(cubes: CubeSet, entity: str, found: list[str]) -> None:
    assert names(cubes, "cultural_product", "name", entity) == found


@pytest.mark.parametrize(
    ("entity", "found"),
    [
        ("1929", ["1929", "4 May 1929"]),
        ("May 1929", ["4 May 1929"]),
        ("June 12, 1921", ["12 June 1921"]),
        ("1921-06-12", ["12 June 1921"]),
        ("the 1920s", ["12 June 1921", "1929", "4 May 1929"]),
        ("1930", []),
        ("spring", []),
    ],
)
def test_dates_match_by_value_and_roll_up(cubes: CubeSet, entity: str, found: list[str]) -> None:
    assert names(cubes, "cultural_product", "date", entity) == found


DISGUISES = [
    str.upper,
    str.lower,
    lambda text: f"the {text}",
    lambda text: f"{text}s",
    lambda text: f"“{text}”!",
    lambda text: text.replace("É", "E"),
    lambda text: text.replace(" ", "-"),
    lambda text: text.replace("'", "’"),
]


@given(st.sampled_from(["Émile Brandt", "Prairie King", "St. John's Lady"]), st.sampled_from(DISGUISES))
def test_case_accents_punctuation_articles_and_plurals_do_not_matter(name: str, disguise: Callable[[str], str]) -> None:
    assert label_key(disguise(name), "name") == label_key(name, "name")
    cubes = CubeSet.build(ONTOLOGY, SECTIONS, [fact(0, name, "genre", "genre", "drama")])
    assert names(cubes, "cultural_product", "name", disguise(name)) == [name]


@given(st.randoms(use_true_random=False))
def test_the_order_of_facts_does_not_matter(chance: random.Random) -> None:
    shuffled = list(FACTS)
    chance.shuffle(shuffled)
    one, other = CubeSet.build(ONTOLOGY, SECTIONS, FACTS), CubeSet.build(ONTOLOGY, SECTIONS, shuffled)
    assert dump(one) == dump(other)


def dump(cubes: CubeSet) -> list[object]:
    labels = [
        (
            cube.spec.id,
            dimension.id,
            [(label.text, label.key, dict(label.sections)) for label in cube.labels(dimension.id)],
        )
        for cube in cubes
        for dimension in cube.spec.dimensions
    ]
    facts = [
        (cube.facts(), list(cube.roll_up("genre", "date", by="decade"))) if cube.spec.id == FILM.id else cube.facts()
        for cube in cubes
    ]
    spoken = [cubes.subjects(name) for name in ("Devotion", "the Falcon", "Ada Lorn")]
    return [labels, facts, spoken, cubes.facts_valued("ada lorn"), cubes.facts_about("ada lorn")]


def test_subjects_come_best_first_from_all_cubes(cubes: CubeSet) -> None:
    assert [(s.label, s.how, s.sections) for s in cubes.subjects("Devotion (1921 film)")] == [
        ("Devotion (1921 film)", "full", ("s1",))
    ]
    assert [(s.label, s.how) for s in cubes.subjects("Devotion")] == [
        ("Devotion (1921 film)", "base"),
        ("Devotion (1929 film)", "base"),
    ]
    assert [(s.cube, s.label, s.how) for s in cubes.subjects("The Falcon")] == [("person", "Ada Lorn", "alias")]
    assert [(s.cube, s.how) for s in cubes.subjects("ada lorn")] == [("person", "exact")]
    assert cubes.subjects("Nobody") == []


def test_an_alias_of_one_film_is_no_other_films(cubes: CubeSet) -> None:
    told = [*FACTS, fact(0, "Devotion (1929 film)", "name", "also known as", "The Vow")]
    cubes = CubeSet.build(ONTOLOGY, SECTIONS, told)
    assert cubes.other_names("Devotion (1929 film)") == ["The Vow"]
    assert cubes.other_names("Devotion (1921 film)") == []
    assert cubes.other_names("vow") == ["Devotion (1929 film)"]


def test_facts_are_found_by_any_spelling_and_every_condition(cubes: CubeSet) -> None:
    film = cubes["cultural_product"]
    assert [f.value for f in film.facts(subject="DEVOTION", relation="directed by")] == [
        "Ada Lorn",
        "Émile Brandt",
    ]
    assert [f.value for f in film.facts(subject="Devotion (1929 film)", dimension="date")] == ["1929"]
    assert [f.value for f in film.facts(section_id="s3", dimension="genre")] == ["comedy"]
    assert [f.subject for f in cubes.facts_valued("ada lorn")] == ["Devotion (1929 film)"]
    assert [f.subject for f in cubes.facts_valued(label_key("June 12, 1921", "date"))] == ["Devotion (1921 film)"]
    assert {f.relation for f in cubes.facts_of_section("s2")} == {"also known as", "occupation"}
    assert len(cubes.facts_about(label_key("Ada Lorn", "name"))) == 2


def test_a_cell_holds_the_sections_that_share_its_labels(cubes: CubeSet) -> None:
    film = cubes["cultural_product"]
    assert film.cell({"genre": "dramas", "date": "1929"}) == {"s0": 2}
    assert list(film.cell({"date": "the 1920s"})) == ["s0", "s1", "s3"]
    assert film.cell({"genre": "drama", "person_name": "Nobody"}) == film.cell({}) == {}


def test_films_per_genre_and_decade(cubes: CubeSet) -> None:
    film = cubes["cultural_product"]
    table = film.roll_up("genre", "date", by="decade")
    assert [(row, column, c.subjects, c.sections) for row, column, c in table] == [
        ("Drama", "1920s", 2, 2),
        ("comedy", "1920s", 1, 1),
    ]
    years = film.roll_up("date", by="year")
    assert {row: count.subjects for row, _, count in years} == {"1921": 1, "1929": 2}
    directors = film.roll_up("person_name", relation="directed by")
    assert directors.rows == ("Ada Lorn", "Émile Brandt")
    assert film.roll_up("person_name", relation="written by").rows == ()
    with pytest.raises(UsageError, match="has no dimension 'colour'; choose from name, genre"):
        film.roll_up("colour")


def test_facts_of_unknown_sections_cubes_and_dimensions_are_left_out() -> None:
    stray = [
        fact(9, "A", "genre", "genre", "x"),
        fact(0, "A", "genre", "genre", "x", cube="nothing"),
        fact(0, "A", "nothing", "genre", "x"),
    ]
    cubes = CubeSet.build(ONTOLOGY, SECTIONS, stray)
    assert all(not cube.facts() for cube in cubes)
    assert "nothing" not in cubes
    assert len(cubes) == 10
