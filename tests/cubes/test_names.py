"""Names of subjects are found by the words in them."""

from __future__ import annotations

import pytest
from multicube.cubes.core.records import Fact, Section, Span
from multicube.cubes.model.cells import CubeSet
from multicube.cubes.model.names import SubjectNames
from multicube.cubes.model.ontology import load_ontology

SUBJECTS = (
    ("person", "Ida Kings"),
    ("person", "Orvenna"),
    ("location", "Orvenna"),
    ("cultural_product", "The Kings (1951 film)"),
)


@pytest.fixture(scope="module")
def cubes() -> CubeSet:
    section = Section("s0", "d0", "r0", 0, (), "Names.", 0)
    ontology = load_ontology("default")
    facts = [
        Fact("s0", cube, ontology.cube(cube).subject.id, name, "is", "", "name", Span(0, 5), Span(0, 6), 1.0, "")
        for cube, name in SUBJECTS
    ]
    return CubeSet.build(ontology, [section], facts)


@pytest.fixture
def names(cubes: CubeSet) -> SubjectNames:
    return cubes.names


def test_a_key_that_several_cubes_have_is_one_name(names: SubjectNames) -> None:
    assert names.text(names.find("orvenna")) == "Orvenna"
    assert len(names.with_word("orvenna")) == 1
    assert names.find("ida") == -1


def test_names_are_found_by_a_word_as_it_is_written(names: SubjectNames) -> None:
    assert [names.text(n) for n in names.with_word("kings")] == ["Ida Kings", "The Kings (1951 film)"]
    assert not names.with_word("king")


def test_the_names_of_one_cube_are_found_alone(cubes: CubeSet) -> None:
    assert [cubes.names.text(n) for n in cubes.names.with_word("kings", cubes["person"].number)] == ["Ida Kings"]


def test_names_are_found_by_the_beginning_of_a_word_and_of_their_key(names: SubjectNames) -> None:
    assert [names.text(n) for n in names.with_stem("orven")] == ["Orvenna"]
    assert [names.text(n) for n in names.starting("ida ")] == ["Ida Kings"]
    assert not list(names.starting("zz"))
