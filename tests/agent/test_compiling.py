"""The compiled graph of a knowledge base follows the cubes that it has at present."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from multicube.agent.runs.compiled_graph import AnswerGraphs
from multicube.cubes.knowledge.base import KnowledgeBase


def test_another_ontology_is_another_graph(tmp_path: Path) -> None:
    ontology = KnowledgeBase.create(tmp_path / "kb").ontology
    kb: Any = SimpleNamespace(ontology=ontology, perspectives=None, refresh=lambda: None)
    graphs = AnswerGraphs(kb)
    first = graphs.current()
    kb.ontology = ontology.model_copy()
    assert graphs.current() is first
    kb.ontology = ontology.model_copy(update={"name": "another"})
    assert graphs.current() is not first
