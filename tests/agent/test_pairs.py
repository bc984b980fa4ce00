"""A subquery is taken apart into pairs of dimension and value (MultiCube-RAG, equation 7), by rules and by a model."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from multicube import MultiCube
from multicube.agent.engines.llm.loop.reasoner import LlmReasoner
from multicube.agent.engines.llm.replies import schemas as replies
from multicube.cubes.core.records import Component
from multicube.cubes.model.ontology import load_ontology
from multicube.prompts import PromptLibrary


@pytest.mark.parametrize(
    ("subquery", "pairs"),
    [
        ("Who is the director of The Salt Lantern?", {"name": "The Salt Lantern", "to_person": "directed by"}),
        ("Where was Anselm Torvik born?", {"name": "Anselm Torvik", "to_location": "born in"}),
        # What is asked for is the subject: the thing that it is related to is named by its own dimension.
        ("Which composer was born in Dastra?", {"to_location": "born in", "location_name": "Dastra"}),
    ],
)
def test_rules_name_the_subject_the_relation_and_what_is_related(
    sample: MultiCube, subquery: str, pairs: dict[str, str]
) -> None:
    (hop,) = sample.ask(subquery, save=False).hops
    assert {part.cube for part in hop.components} == set(hop.cubes)
    assert [(part.dimension, part.entity) for part in hop.components] == list(pairs.items())


def test_a_model_names_values_of_any_dimension_of_the_cube_and_of_no_other() -> None:
    said = [("name", " Dust "), ("date", "1934"), ("colour", "red"), ("to_person", "directed by"), ("name", "Dust"),
            ("to_location", "")]  # fmt: skip
    pairs = [replies.Pair(dimension=dimension, entity=entity) for dimension, entity in said]
    client: Any = SimpleNamespace(label="stub", ask=lambda *_: replies.Decomposition(pairs=pairs))
    reasoner = LlmReasoner(load_ontology("default"), PromptLibrary.load(), reason=client)
    found = reasoner.decompose("Who directed Dust in 1934?", "cultural_product").components
    wanted = (("name", "Dust"), ("date", "1934"), ("to_person", "directed by"))
    assert found == tuple(Component("cultural_product", dimension, entity) for dimension, entity in wanted)
