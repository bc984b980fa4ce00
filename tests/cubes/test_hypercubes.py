"""Hypercubes: authors' labels imported, cells of documents, several values of a dimension, own labels of presets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from multicube.cubes.core.errors import InputError, UsageError
from multicube.cubes.core.records import Component, Document, Section
from multicube.cubes.documents.sections import split
from multicube.cubes.extraction.embedded import EmbeddedExtractor
from multicube.cubes.extraction.protocol import Extractor
from multicube.cubes.ingest.authored_labels import AuthoredExtractor, ontology_for, read_labels, repaired
from multicube.cubes.model.cells import CubeSet
from multicube.cubes.model.ontology import Ontology, load_ontology
from multicube.cubes.retrieval.retriever import Retriever
from multicube.cubes.store.folder_state import digest

STORM = {
    "s1": "Tropical Storm Fay brought rainfall to Melbourne Beach in August 2008.",
    "s2": "Tropical Storm Fay brought rainfall to Palm Bay, and losses.",
    "s3": "Palm Bay counted its losses after Tropical Storm Fay.",
    "s4": "El Niño brings rainfall. A storm is a storm.",
    "s5": "A storm surge is a storm surge.",
}


def _document(id: str, text: str) -> Document:
    return Document(id, "corpus.jsonl", id, "corpus", text, id)


def _retriever(ontology: Ontology, extractor: Extractor, texts: dict[str, str]) -> Retriever:
    documents = [_document(id, text) for id, text in texts.items()]
    extractor.prepare(documents)
    sections: list[Section] = []
    facts = []
    for document in documents:
        for section in split(document):
            sections.append(section)
            facts += extractor.extract(section, document)
    return Retriever(CubeSet.build(ontology, sections, facts), sections)


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    path = tmp_path / "labels.jsonl"
    rows = [
        {"id": "s1", "labels": {"location": {"Melbourne Beach": 1}, "event": {"Tropical Storm Fay": 1},
                                "theme": {"rainfall": 1}, "date": {"August 2008": 1}}},
        {"id": "s2", "labels": {"location": {"Palm Bay": 1}, "event": {"Tropical Storm Fay": 1},
                                "theme": {"rainfall": 1, "losses": 1}}},
        {"id": "s3", "labels": {"location": {"Palm Bay": 1}, "event": {"Tropical Storm Fay": 1},
                                "theme": {"losses": 1}}},
        {"id": "s4", "labels": {"event": {"El NiÃ±o": 1}, "theme": {"rainfall": 1, "nowhere to be read": 1}}},
        {"id": "s9", "labels": {"theme": {"rainfall": 1}}},
    ]  # fmt: skip
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n", encoding="utf-8")
    return path


def test_a_preset_takes_the_labels_and_each_becomes_a_fact_where_it_stands(labels: Path) -> None:
    read = read_labels(labels)
    ontology = ontology_for(read)
    assert ontology.name == "scidcc-hurricane"
    extractor = AuthoredExtractor(ontology, read)
    document = _document("s4", STORM["s4"])
    facts = extractor.extract(split(document)[0], document)
    assert {fact.value: document.text[fact.span.start : fact.span.end] for fact in facts} == {
        "El Niño": "El Niño", "rainfall": "rainfall", "nowhere to be read": "",
    }  # fmt: skip
    assert {fact.origin for fact in facts} == {"authors"}
    assert {fact.subject for fact in facts} == {"s4"}  # the document has no title of its own
    assert [(p.line, p.message) for p in read.unmatched(set(STORM))] == [
        (5, "There is no document 's9'; its labels were left out.")
    ]


def test_names_of_dimensions_are_mapped_and_unknown_ones_refused(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text('{"id": "a", "labels": {"information": {"secret": 1}, "quantity": {"5 days": 1}}}\n')
    ontology, read = load_ontology("legalbench"), read_labels(path)
    document = _document("a", "The secret is kept.")
    found = AuthoredExtractor(ontology, read).extract(split(document)[0], document)
    assert [(fact.dimension, fact.value) for fact in found] == [
        ("agreement_information", "secret"), ("quantity", "5 days"),
    ]  # fmt: skip
    with pytest.raises(UsageError, match="no dimension 'information'"):
        AuthoredExtractor(load_ontology("scifact"), read)
    path.write_text('{"id": "a", "labels": {"theme": {"x": 1}}}\n{"id": "b", "labels": {"theme": ["x"]}}\n')
    with pytest.raises(InputError, match=r"labels\.jsonl:2: labels\.theme"):
        read_labels(path)


@pytest.mark.parametrize(
    ("broken", "whole"),
    [("El NiÃ±o", "El Niño"), ("Donâ€™t", "Don’t"), ("Châteaux", "Châteaux"), ("ParÃ", "Pará"), ("São", "São")],
)
def test_text_read_with_the_wrong_code_page_is_repaired(broken: str, whole: str) -> None:
    assert repaired(broken, "in the state of Pará") == whole


def test_several_values_of_a_dimension_open_the_cross_product_of_cells(labels: Path) -> None:
    read = read_labels(labels)
    ontology = ontology_for(read)
    retriever = _retriever(ontology, AuthoredExtractor(ontology, read), STORM)

    def found(*pairs: tuple[str, str], k: int = 3) -> list[tuple[str, int, int]]:
        components = [Component("document", dimension, entity) for dimension, entity in pairs]
        hits = retriever.cube("document", components, "", k=k, tau=0.9).hits
        names = {section.id: section.record_id for section in retriever.cubes.texts.sections}
        return [(names[hit.section_id], hit.covered, hit.asked) for hit in hits]

    one = found(("location", "Melbourne Beach"), ("event", "Tropical Storm Fay"), ("theme", "rainfall"), k=1)
    assert one[0][0] == "s1"
    several = found(("location", "Melbourne Beach"), ("location", "Palm Bay"), ("theme", "losses"), k=2)
    # No document is in both places: the cell of each place has its turn.
    assert {name for name, _, _ in several} in ({"s1", "s2"}, {"s1", "s3"})
    assert all(covered < asked for _, covered, asked in several)


def test_an_empty_cell_is_rolled_up_and_said_so(labels: Path) -> None:
    read = read_labels(labels)
    ontology = ontology_for(read)
    retriever = _retriever(ontology, AuthoredExtractor(ontology, read), STORM)
    asked = [Component("document", "date", "20 August 2008"), Component("document", "location", "Palm Bay, Florida")]
    found = retriever.cube("document", asked, "", k=3, tau=0.9)
    assert found.notes == (
        "'20 August 2008' is in no cell; rolled up to '2008-08'",
        "'Palm Bay, Florida' is in no cell; rolled up to 'Palm Bay'",
    )
    names = {section.id: section.record_id for section in retriever.cubes.texts.sections}
    assert {names[hit.section_id] for hit in found.hits} == {"s1", "s2", "s3"}


def test_own_labels_come_from_names_dates_and_heads() -> None:
    ontology = load_ontology("scidcc-hurricane")
    retriever = _retriever(ontology, EmbeddedExtractor(ontology), STORM)
    cube = retriever.cubes["document"]
    assert {"rainfall", "storm surge"} <= {label.text for label in cube.labels("theme")}
    assert [label.text for label in cube.labels("date")] == ["August 2008"]
    assert any("Palm Bay" in label.text for d in ("location", "organization") for label in cube.labels(d))


def test_presets_are_there_and_leave_the_hash_of_other_ontologies_alone() -> None:
    for name, dimensions in (("scifact", 9), ("legalbench", 10), ("scidcc-hurricane", 6), ("aging-dams", 9)):
        (cube,) = load_ontology(name).cubes
        assert cube.is_hypercube
        assert len(cube.attributes) == dimensions
    default = load_ontology("default")
    assert not any(cube.is_hypercube for cube in default.cubes)
    assert digest(default) != digest(load_ontology("legalbench"))
