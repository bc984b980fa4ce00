"""The entity graph of a knowledge base: its facts, and what a model read beyond them (Algorithm 2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from ..core.records import Fact
from ..smart.graph import EntityGraph, entity_graph
from ..smart.graph_store import kept_apart

if TYPE_CHECKING:
    from .base import KnowledgeBase

__all__ = ["graph_of"]


def graph_of(kb: KnowledgeBase, *, apart: Collection[str] = (), read: Iterable[Fact] = ()) -> EntityGraph:
    """Make the graph of a knowledge base's facts, as corrected.

    ``apart`` are names kept apart besides those that the knowledge base keeps apart (`entity_graph`); ``read`` are
    relations beyond the cubes that a model read in its sections.
    """
    cubes, apart = kb.cubes, (*apart, *kept_apart(kb.path))
    naming = {cube.spec.id: cube.spec.subject.id for cube in cubes}
    sections = {section.id: section for section in kb.sections()}
    facts = [fact for cube in cubes for fact in cube.facts()]
    facts += [fact for fact in read if fact.section_id in sections]
    return entity_graph(facts, sections, naming, apart=apart, generation=kb.generation)
