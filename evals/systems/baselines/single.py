"""Hypercube-RAG as a baseline: one cube for everything, opened once for the whole question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ....cubes.core.records import Fact
from ....cubes.model.ontology import CubeSpec, Dimension, Ontology, ValueKind
from ....graphs.context import AnswerContext
from ....graphs.records import LoopSettings
from ..protocols import RANKING_DEPTH
from .pipeline import RetrievedSections, found_by
from .views import view

if TYPE_CHECKING:
    from ....agent.app.facade import MultiCube
    from ....cubes.knowledge.base import KnowledgeBase

__all__ = ["HypercubeSearch", "one_cube"]

_CUBE = "hypercube"
_AXES: dict[ValueKind, str] = {
    "person": "persons",
    "place": "places",
    "organization": "organizations",
    "work": "works of art, literature and science",
    "event": "events",
    "name": "other named things",
    "nationality": "nationalities",
    "date": "dates, years and periods",
    "quantity": "counts, shares and measured values",
    "text": "kinds, roles and topics",
}
"""What lies on the one cube's dimension of each kind."""


class HypercubeSearch:
    """Retrieves documents by the labels that a question names on the dimensions of one cube, best covered first.

    An ontology of hypercubes alone is taken as it is; of any other, subjects and values lie on one dimension for each
    kind of value, whatever the relation between them. The decomposition is the engine's.
    """

    def prepare(self, asker: MultiCube) -> MultiCube:
        """File all facts in the one cube; what is found is read by the engine that there was."""
        whole = all(spec.is_hypercube for spec in asker.kb.ontology.cubes)
        self._seen = asker if whole else asker.over(one_cube(asker.kb))
        return asker

    def find(self, question: str, context: AnswerContext, settings: LoopSettings) -> RetrievedSections:
        """Open the cells that the question names; nothing is found where it names no label."""
        engine = self._seen
        parts = [
            part
            for spec in engine.kb.ontology.cubes
            for part in engine.reasoner.decompose(question, spec.id).components
        ]
        retrieval = engine.kb.retriever.cube(
            engine.kb.ontology.cubes[0].id, parts, question, k=RANKING_DEPTH, tau=settings.tau, ranking="coverage"
        )
        return found_by(retrieval, question, context, settings, "hypercube")


def one_cube(kb: KnowledgeBase) -> KnowledgeBase:
    """Return the knowledge base as it would be with one hypercube that has a dimension for each kind of value."""
    axes = tuple(
        Dimension(id=kind, name=kind.title(), description=said, kind=kind) for kind, said in _AXES.items()
    )
    title = Dimension(id="title", name="Title", description="titles of documents", kind="name", role="subject")
    spec = CubeSpec(id=_CUBE, name="Document", description="documents by what they mention", nouns=("document",),
                    subject=title, attributes=axes)  # fmt: skip
    return view(kb, Ontology(name=_CUBE, cubes=(spec,)), list(_mentions(kb)))


def _mentions(kb: KnowledgeBase) -> Iterator[Fact]:
    """Every fact's subject and value, each on the dimension of its kind, once for a section."""
    seen: set[tuple[str, str, str]] = set()
    for cube in kb.cubes:
        for fact in cube.facts():
            title = kb.section(fact.section_id).title
            for kind, name in ((cube.spec.subject.kind, fact.subject), (fact.kind, fact.value)):
                key = (fact.section_id, kind, name)
                if name and key not in seen:
                    seen.add(key)
                    yield replace(
                        fact, cube=_CUBE, dimension=kind, subject=title, relation="mentions", value=name, kind=kind
                    )
