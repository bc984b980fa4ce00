"""The entity graph: facts become edges, one thing under several names one node, homonyms stay apart."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from multicube.cubes.core.errors import CorruptStoreError
from multicube.cubes.core.records import Fact, Section, Span
from multicube.cubes.knowledge.base import KnowledgeBase
from multicube.cubes.knowledge.fact_graph import graph_of
from multicube.cubes.smart import graph_store as keeping
from multicube.cubes.smart.graph import Entity, EntityGraph, entity_graph
from multicube.cubes.store.catalog import Catalog

NAMING = {"person": "name", "cultural_product": "name"}


def fact(section: str, subject: str, relation: str, value: str, *, cube: str = "person", dimension: str = "kin",
         kind: str = "person", confidence: float = 0.9) -> Fact:  # fmt: skip
    return Fact(section, cube, dimension, subject, relation, value, kind, Span(0, 1), Span(0, 10), confidence)


def graph(*facts: Fact, apart: tuple[str, ...] = ()) -> EntityGraph:
    ids = {f.section_id for f in facts}
    sections = {i: Section(i, i, i, 0, (i,), f"About {i}. More of it.") for i in ids}
    return entity_graph(facts, sections, NAMING, apart=apart)


def node(found: EntityGraph, name: str) -> Entity:
    nodes = [entity for entity in found.entities if entity.name == name]
    assert len(nodes) == 1, f"{name}: {nodes}"
    return nodes[0]


def test_a_fact_is_an_edge_with_where_it_stands() -> None:
    found = graph(fact("s1", "Ann", "mother", "Bea"), fact("s2", "Ann", "mother", "Bea"))
    (relation,) = found.relations
    assert (found.entities[relation.subject].name, found.entities[relation.value].name) == ("Ann", "Bea")
    assert (relation.relation, relation.strength, relation.sections) == ("mother", 10, ("s1", "s2"))
    assert node(found, "Ann").sections == ("s1", "s2")
    assert node(found, "Ann").description == "About s1."
    assert {found.entities[place].name for place in found.by_section["s1"]} == {"Ann", "Bea"}


def test_names_of_one_thing_are_joined_and_can_be_taken_apart() -> None:
    facts = (
        fact("s1", "Ann", "also known as", "Annie Longname", dimension="name", kind="name"),
        fact("s2", "Carl", "spouse", "Annie Longname"),
    )
    joined = graph(*facts)
    assert node(joined, "Ann").names == ("Ann", "Annie Longname")
    assert joined.network.size == 2
    parted = graph(*facts, apart=("Annie Longname",))
    assert node(parted, "Ann").names == ("Ann",)
    assert node(parted, "Annie Longname").sections == ("s2",)


def test_homonyms_are_told_apart_by_class_and_neighbours() -> None:
    found = graph(
        fact("s1", "Henry Bryant (naturalist)", "spouse", "Maud Bryant"),
        fact("s2", "Henry Bryant (politician)", "spouse", "Eva Bryant"),
        fact("s3", "Henry Bryant (film)", "directed by", "Joe Doe", cube="cultural_product", dimension="to_person"),
        fact("s4", "Maud Bryant", "spouse", "Henry Bryant"),
        fact("s5", "Stranger", "father", "Henry Bryant"),
    )
    ties = {(found.entities[r.subject].name, found.entities[r.value].name) for r in found.relations}
    assert ("Maud Bryant", "Henry Bryant (naturalist)") in ties
    assert ("Stranger", "Henry Bryant") in ties
    assert node(found, "Henry Bryant").sections == ("s5",)
    assert node(found, "Henry Bryant (film)").type == "cultural_product"


def test_dates_and_quantities_are_no_entities_and_lonely_things_are_left_out() -> None:
    found = graph(
        fact("s1", "Ann", "born on", "1 May 1900", dimension="date", kind="date"),
        fact("s2", "Bea", "occupation", "painter", dimension="role", kind="text"),
    )
    assert {entity.name for entity in found.entities} == {"Ann", "Bea", "painter"}
    tied = found.without_lonely()
    assert {entity.name for entity in tied.entities} == {"Bea", "painter"}
    assert [(tied.entities[r.subject].name, r.relation) for r in tied.relations] == [("Bea", "occupation")]


def test_the_order_of_facts_changes_no_identity() -> None:
    facts = [fact("s1", "Ann", "mother", "Bea"), fact("s2", "Bea", "child", "Ann"), fact("s3", "Carl", "child", "Ann")]
    one, other = graph(*facts), graph(*reversed(facts))
    assert [entity.id for entity in one.entities] == [entity.id for entity in other.entities]


def test_the_sample_makes_a_graph_that_is_kept_and_read_back(sample_path: Path, tmp_path: Path) -> None:
    with KnowledgeBase.open(sample_path) as kb:
        found = graph_of(kb)
    assert len(found.relations) > 50
    film = node(found, "The Salt Lantern")
    assert film.type == "cultural_product"
    assert "film" in film.description
    assert keeping.load(tmp_path, generation=found.generation) is None
    Catalog.create(tmp_path / "catalog.sqlite", {}).close()
    keeping.save(found, tmp_path)
    assert keeping.load(tmp_path, generation=found.generation) == found
    assert keeping.load(tmp_path, generation=found.generation + 1) is None
    catalog = Catalog.open(tmp_path / "catalog.sqlite")
    spoken = "SELECT name FROM entities JOIN entity_sections ON entity = number WHERE section = ? ORDER BY number"
    section = film.sections[0]
    named = [name for (name,) in catalog.rows(spoken, section)]
    assert named == [found.entities[place].name for place in found.by_section[section]]
    with catalog.writing() as connection:
        connection.execute("UPDATE entities SET names = '{'")
    catalog.close()
    with pytest.raises(CorruptStoreError, match="smart build"):
        keeping.load(tmp_path, generation=found.generation)
    keeping.discard(tmp_path)
    assert keeping.load(tmp_path, generation=found.generation) is None


def test_names_are_kept_apart_until_they_are_joined_again(sample_path: Path, tmp_path: Path) -> None:
    shutil.copytree(sample_path, tmp_path / "kb")
    with KnowledgeBase.open(tmp_path / "kb") as kb:
        before = graph_of(kb)
        name = next(one for entity in before.entities for one in entity.names[1:])
        assert keeping.set_apart(kb.path, name, apart=True)
        assert not keeping.set_apart(kb.path, name, apart=True)
        assert keeping.kept_apart(kb.path) == (name,)
        assert not any(name in entity.names[1:] for entity in graph_of(kb).entities)
        assert keeping.set_apart(kb.path, name.upper(), apart=False)
        assert graph_of(kb) == before


def test_a_name_read_in_a_class_that_nothing_tells_of_is_the_thing_that_is_known() -> None:
    found = graph(
        fact("s1", "Ann Vell", "born in", "Brask", kind="place"),
        fact("s1", "Ann Vell", "died in", "Brask", kind="place"),
        fact("s2", "Bo Rusk", "awarded", "Iron Prize", kind="name"),
        fact("s3", "Ann Vell", "awarded", "Iron Prize", cube="cultural_product", kind="name"),
        fact("s4", "Bo Rusk", "mentions", "Brask", kind="name", confidence=0.3),
        fact("s5", "Dust", "genre", "film", cube="cultural_product", kind="text"),
        fact("s6", "Dust", "born in", "Brask", kind="place"),
    )
    assert node(found, "Ann Vell").sections == ("s1", "s3")
    assert node(found, "Brask").type == "location"
    assert {entity.type for entity in found.entities if entity.name == "Dust"} == {"person", "cultural_product"}
    parted = graph(
        fact("s1", "Ann Vell", "born in", "Brask", kind="place"),
        fact("s1", "Ann Vell", "died in", "Brask", kind="place"),
        fact("s2", "Bo Rusk", "awarded", "Iron Prize", kind="name"),
        fact("s3", "Ann Vell", "awarded", "Iron Prize", cube="cultural_product", kind="name"),
        apart=("Ann Vell",),
    )
    assert len([entity for entity in parted.entities if entity.name == "Ann Vell"]) == 2
