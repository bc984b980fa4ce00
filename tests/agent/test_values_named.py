"""A label that a question names opens a hypercube, which has no subjects, beside cubes of relations."""

from __future__ import annotations

import json
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


@pytest.mark.parametrize(("head", "cubes"), [("polyuria", ("records",)), ("vertigo", ())])
def test_a_label_opens_a_hypercube_beside_cubes_of_relations(tmp_path: Path, head: str, cubes: tuple[str, ...]) -> None:
    (tmp_path / "clinic.yaml").write_text(ONTOLOGY.rstrip() + HYPERCUBE.replace("HEAD", head), "utf-8")
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("\n".join(json.dumps({"title": t, "text": text}) for t, text in TEXTS.items()), "utf-8")
    with MultiCube.build([corpus], tmp_path / "kb", ontology=str(tmp_path / "clinic.yaml")) as kb:
        hop = kb.ask("Which disease has the symptom polyuria?", save=False).hops[0]
    assert hop.cubes == cubes
