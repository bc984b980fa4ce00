"""Ontologies designed from documents: sampling, statistics, clusters, mergers, and the file that comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import SAMPLE, write_jsonl
from multicube.agent.engines.encoders.factory import encoder_factory
from multicube.cubes.core.encoding import Encoder
from multicube.cubes.core.errors import InputError, OntologyError
from multicube.cubes.design import (
    CandidateClass,
    CandidateDimension,
    DesignOptions,
    Proposal,
    Quote,
    StatisticalDesigner,
    design,
    read_design,
    sample_documents,
    write_design,
)
from multicube.cubes.design.clusters import cluster_entities
from multicube.cubes.design.entities import Entity, entities_of, outlines_of
from multicube.cubes.design.merging import WordSimilarity, drop_classes, drop_dimensions, merge_classes
from multicube.cubes.design.writing import ontology_text
from multicube.cubes.model.ontology import load_ontology, parse_ontology


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return encoder_factory("minilm")()


@pytest.fixture(scope="module")
def proposal(encoder: Encoder) -> Proposal:
    """The bundled sample, designed by statistics."""
    return design(sample_documents([SAMPLE / "corpus.jsonl"]), StatisticalDesigner(encoder), encoder)


NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal")


def idea(name: str, documents: int, dimensions: Sequence[CandidateDimension] = ()) -> CandidateClass:
    shown = {f"{name}{n}" for n in range(documents)}
    quotes = [Quote(document="a", text=f"a {name}")]
    return CandidateClass(name=name, nouns=[name], documents=shown, quotes=quotes, dimensions=list(dimensions))


def relation(phrase: str, target: str, documents: set[str]) -> CandidateDimension:
    quotes = [Quote(document="a", text=f"it was {phrase} her")]
    return CandidateDimension(
        name=phrase, role="relation", target=target, phrases=[phrase], documents=documents, quotes=quotes
    )


def works(name: str, documents: int) -> CandidateClass:
    """A class with the relations that works of art have."""
    shown = {f"{name}{n}" for n in range(documents)}
    phrases = ("directed by", "written by", "produced by", "performed by", "released by")
    return idea(name, documents, [relation(phrase, "person", shown) for phrase in phrases])


def test_a_sample_is_the_same_for_a_seed_wherever_its_files_lie(tmp_path: Path) -> None:
    records = [{"title": f"T{n}", "text": f"Text number {n}."} for n in range(50)]
    (tmp_path / "other").mkdir()
    one = sample_documents([write_jsonl(tmp_path / "one.jsonl", records)], 10, seed=3)
    two = sample_documents([write_jsonl(tmp_path / "other" / "two.jsonl", records[::-1])], 10, seed=3)
    other = sample_documents([tmp_path / "one.jsonl"], 10, seed=4)
    assert [d.title for d in one.documents] == [d.title for d in two.documents]
    assert len(one.documents) == 10
    assert one.total == 50
    assert {d.title for d in one.documents} != {d.title for d in other.documents}


def test_what_cannot_be_read_is_told_and_nothing_to_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match="no document with text"):
        sample_documents([tmp_path])
    (tmp_path / "good.txt").write_text("A film.", encoding="utf-8")
    assert len(sample_documents([tmp_path]).problems) == 1


def test_statistics_find_the_classes_that_the_documents_are_about(proposal: Proposal) -> None:
    classes = {one.name: one for one in proposal.classes}
    assert {"person", "film", "city", "company"} <= set(classes)
    assert {"film", "comedy"} <= set(classes["film"].nouns)
    phrases = {phrase for d in classes["film"].dimensions for phrase in d.phrases}
    assert {"directed by", "released on"} <= phrases
    assert classes["person"].subject_kind == "person"
    born = next(d for d in classes["person"].dimensions if "born in" in d.phrases)
    assert (born.role, born.target) == ("relation", "location")


def test_every_dimension_has_quotes_that_stand_in_the_documents(proposal: Proposal) -> None:
    texts = [" ".join(d.text.split()) for d in sample_documents([SAMPLE / "corpus.jsonl"]).documents]
    for one in proposal.classes:
        for dimension in one.dimensions:
            assert dimension.quotes
            assert 0 < dimension.shown <= one.shown
            assert all(any(quote.text in text for text in texts) for quote in dimension.quotes), dimension.name


def test_a_design_is_the_same_for_a_seed(proposal: Proposal, encoder: Encoder) -> None:
    again = design(sample_documents([SAMPLE / "corpus.jsonl"]), StatisticalDesigner(encoder), encoder)
    assert ontology_text(again) == ontology_text(proposal)


def test_a_corpus_without_named_things_becomes_one_cube_with_its_dimensions(tmp_path: Path, encoder: Encoder) -> None:
    places = ["Florida", "Texas", "Louisiana", "Georgia", "Cuba", "Haiti", "Jamaica", "Mexico"]
    records = [
        {
            "title": f"Report {n}",
            "text": f"Forecasters in {place} warned of a storm surge. In {1990 + n} winds of {90 + n} mph were "
            f"measured near {place}. Hurricane {name} caused damage, which the National Weather Institute saw.",
        }
        for n, (place, name) in enumerate(zip(places, NAMES, strict=True))
    ]
    found = design(
        sample_documents([write_jsonl(tmp_path / "c.jsonl", records)]), StatisticalDesigner(encoder), encoder
    )
    (only,) = found.classes
    kinds = {dimension.kind for dimension in only.dimensions}
    assert {"place", "date", "quantity", "organization"} <= kinds
    assert "winds of" in next(d for d in only.dimensions if d.kind == "quantity").phrases


def test_clusters_hold_what_means_the_same(encoder: Encoder) -> None:
    animals, metals = ["dog", "cat", "horse", "cow", "sheep"], ["iron", "copper", "zinc", "nickel", "silver"]
    cities = ["Paris", "London", "Madrid", "Berlin", "Vienna"]
    entities = [Entity(text, "", frozenset({"d"})) for text in (*animals, *metals, *cities)]
    clusters = cluster_entities(entities, encoder, seed=0)
    groups = [{member.text for member in cluster.members} for cluster in clusters]
    assert set(cities) in groups
    assert clusters == cluster_entities(entities, encoder, seed=0)
    assert cluster_entities(entities[:2], encoder) == []


def test_terms_in_lower_case_are_entities_where_they_recur() -> None:
    sample = sample_documents([SAMPLE / "corpus.jsonl"])
    entities = entities_of(sample, outlines_of(sample))
    kinds = {entity.text: entity.kind for entity in entities}
    assert kinds["Bresk"] == "place"
    assert all(len(entity.documents) >= 3 for entity in entities if entity.kind == "text")


def test_classes_with_near_equal_schemas_are_merged_and_others_not(encoder: Encoder) -> None:
    river = idea("river", 9, [relation("flows into", "place", {f"river{n}" for n in range(5)})])
    classes, decisions = merge_classes([works("film", 10), works("movie", 4), river], WordSimilarity(encoder))
    assert [one.name for one in classes] == ["film", "river"]
    assert classes[0].nouns == ["film", "movie"]
    assert len(classes[0].documents) == 14
    (merger,) = [decision for decision in decisions if decision.what == "movie"]
    assert merger.action == "merged"
    assert "near that of film (names 0." in merger.reason


def test_relations_to_different_things_stay_apart(encoder: Encoder) -> None:
    shown = {f"film{n}" for n in range(5)}
    to_person, to_place = (relation(f"relation to {target}", target, shown) for target in ("person", "place"))
    one = idea("film", 5, [to_person, to_place])
    merge_classes([one], WordSimilarity(encoder))
    assert len(one.dimensions) == 2


def test_what_few_documents_show_is_dropped_with_the_reason() -> None:
    one = idea("film", 100, [relation("directed by", "person", {f"film{n}" for n in range(40)})])
    one.dimensions.append(relation("dubbed by", "person", {"film1", "film2"}))
    one.dimensions.append(CandidateDimension(name="mood", role="attribute", documents={f"film{n}" for n in range(50)}))
    decisions = drop_dimensions(one)
    assert [d.name for d in one.dimensions] == ["directed by"]
    assert "2 of 100 documents show it (2.0%, under 5%)" in decisions[0].reason
    assert decisions[1].reason == "nothing in the documents shows it"
    kept, rare = drop_classes([one, idea("river", 1), idea("ghost", 0)], 101)
    assert [c.name for c in kept] == ["film"]
    assert "1 of 101 documents are about one" in rare[0].reason


def test_the_file_is_an_ontology_with_its_evidence_and_can_be_read_back(proposal: Proposal, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    write_design(proposal, path)
    text = path.read_text(encoding="utf-8")
    ontology = load_ontology(path)
    assert {cube.id for cube in ontology.cubes} == {one.id for one in proposal.classes}
    assert '#   "' in text
    assert f"# {proposal.classes[0].shown} documents" in text
    assert read_design(path) == proposal.model_copy(update={"classes": read_design(path).classes})
    assert ontology_text(read_design(path)) == text
    film = ontology.cube("film")
    to_person = next(d for d in film.relations if d.cues and d.cues[0].relation == "directed by")
    assert film.dimension(str(to_person.target)).kind == "person"


def test_names_that_yaml_would_stumble_over_are_written_well() -> None:
    shown = {"d1", "d2"}
    odd = [relation("yes: [no]", "- odd", shown), relation("émigré 🎬 of", "person", shown)]
    strange = idea('Film: "x" # y', 2, odd)
    strange.quotes = [Quote(document="a\nb", text="line one\nline\ttwo\u2028 \x00 end")]
    for dimension in (*strange.dimensions, strange):
        dimension.shown = 2
    again = idea('film "X" y', 2)
    found = Proposal(name="1 odd: name", engine="e", encoder="m", seed=0, sampled=2, total=2, classes=[strange, again])
    ontology = parse_ontology(ontology_text(found), "odd")
    assert len(ontology.cubes) == 2
    assert {cue.relation for d in ontology.cubes[0].relations for cue in d.cues} == {"yes: [no]", "émigré 🎬 of"}


def test_a_file_that_was_not_designed_is_refused(tmp_path: Path) -> None:
    plain = tmp_path / "plain.yaml"
    plain.write_text("name: x\ncubes: []\n", encoding="utf-8")
    with pytest.raises(OntologyError, match="was not designed by multicube"):
        read_design(plain)
    plain.write_text("design: {classes: 3}\n", encoding="utf-8")
    with pytest.raises(OntologyError, match="not what multicube wrote"):
        read_design(plain)


def test_thresholds_are_the_callers(encoder: Encoder) -> None:
    sample = sample_documents([SAMPLE / "corpus.jsonl"])
    strict = design(sample, StatisticalDesigner(encoder), encoder, DesignOptions(salience=0.6))
    for one in strict.classes:
        assert all(d.shown >= 0.6 * one.shown for d in one.dimensions if d.role == "attribute")
