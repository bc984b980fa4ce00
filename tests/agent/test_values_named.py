"""A value of an attribute opens a cube of relations, although the question names no subject of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from multicube import MultiCube

ONTOLOGY = """
name: clinic
cubes:
  - id: disease
    name: Disease
    description: diseases with their symptoms and agents
    nouns: [disease, illness]
    subject: {id: name, name: Disease name, description: names of diseases}
    attributes:
      - id: symptom
        name: Symptom
        description: what a disease shows by
        cues:
          - {relation: symptom, kind: text, many: true, after: [its symptoms are, shows by], asks: [symptom, symptoms]}
      - id: year
        name: Year
        kind: date
        description: when it was first seen
        cues:
          - {relation: first seen, kind: date, after: [first seen in], asks: [year]}
      - {id: organism, name: Organism, kind: name, description: organisms}
    relations:
      - id: cause
        name: Cause
        description: what causes it
        target: organism
        cues:
          - {relation: caused by, kind: name, after: [caused by], asks: [cause], verbs: [causes]}
"""
HYPERCUBE = """
  - id: records
    name: Records
    description: what documents mention
    nouns: [record]
    subject: {id: title, name: Title, description: titles}
    attributes: [{id: mention, name: Mention, kind: text, description: what is mentioned, heads: [HEAD]}]
"""
TEXTS = {
    "Velm fever": "Velm fever is a disease. It shows by polyuria. It was first seen in 1903. "
    "Velm fever is caused by Ormella.",
    "Tarn rot": "Tarn rot is a disease. It shows by vertigo. Tarn rot is caused by Bassella.",
    "Words": "Doctors of every kind write about polyuria, polyuria and polyuria.",
    "Orm clinic": "The Orm clinic keeps records of each disease and of each symptom, and of polyuria as well.",
}


@pytest.fixture(scope="module")
def clinic(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MultiCube]:
    path = tmp_path_factory.mktemp("clinic")
    (path / "clinic.yaml").write_text(ONTOLOGY, "utf-8")
    corpus = path / "corpus.jsonl"
    corpus.write_text("\n".join(json.dumps({"title": t, "text": text}) for t, text in TEXTS.items()), "utf-8")
    with MultiCube.build([corpus], path / "kb", ontology=str(path / "clinic.yaml")) as kb:
        yield kb


@pytest.mark.parametrize("question", ["Which disease has the symptom polyuria?", "What illness shows by polyuria?"])
def test_a_symptom_opens_the_cube_of_diseases(clinic: MultiCube, question: str) -> None:
    run = clinic.ask(question, save=False)
    hop = run.hops[0]
    assert hop.cubes == ("disease",)
    assert [(c.dimension, c.entity) for c in hop.components] == [("symptom", "polyuria")]
    matched = [e for e in hop.evidence if e.matches]
    assert [e.title for e in matched] == ["Velm fever"]
    assert len(hop.evidence) > len(matched), "passages are read beside the cell"
    assert run.answer == "Velm fever"


@pytest.mark.parametrize("question", ["Which clinic keeps records of polyuria?", "Which disease is kept by nobody?"])
def test_a_value_without_its_class_and_a_class_without_a_value_open_no_cube(clinic: MultiCube, question: str) -> None:
    assert clinic.ask(question, save=False).hops[0].components == ()


def test_a_year_alone_opens_no_cube(clinic: MultiCube) -> None:
    assert clinic.kb.cubes["disease"].lookup("year", "1903")
    hop = clinic.ask("Which disease was first seen in 1903?", save=False).hops[0]
    assert hop.components == ()


@pytest.mark.parametrize(("head", "cubes"), [("polyuria", ("disease", "records")), ("vertigo", ("disease",))])
def test_passages_are_asked_beside_hypercubes_too(tmp_path: Path, head: str, cubes: tuple[str, ...]) -> None:
    (tmp_path / "clinic.yaml").write_text(ONTOLOGY.rstrip() + HYPERCUBE.replace("HEAD", head), "utf-8")
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("\n".join(json.dumps({"title": t, "text": text}) for t, text in TEXTS.items()), "utf-8")
    with MultiCube.build([corpus], tmp_path / "kb", ontology=str(tmp_path / "clinic.yaml")) as kb:
        hop = kb.ask("Which disease has the symptom polyuria?", save=False).hops[0]
    assert hop.cubes == cubes
    assert hop.tools == ("passages",)
