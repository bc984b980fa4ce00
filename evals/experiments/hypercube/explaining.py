"""Which labels brought each document: Hypercube-RAG's Table 6, for any question."""

from __future__ import annotations

from dataclasses import dataclass

from ....agent.app.facade import MultiCube
from ....cubes.core.records import Match
from ....graphs.records import LoopSettings

__all__ = ["EXAMPLE", "Explained", "explained"]

EXAMPLE = "How much rainfall did Melbourne Beach, Florida receive from Tropical Storm Fay?"
"""The question that the paper explains."""


@dataclass(frozen=True, slots=True)
class Explained:
    """A document with the labels that matched, by dimension."""

    document: str
    matches: tuple[Match, ...]

    def cells(self, dimension: str) -> str:
        """Return what matched on a dimension, as the table has it: "'Rain': 5 (rainfall, 0.86)"; a dash for nothing."""
        told = [
            f"'{m.label}': {m.count}" + (f" ({m.entity}, {m.similarity:.2f})" if m.route == "dense" else "")
            for m in self.matches
            if m.dimension == dimension
        ]
        return ", ".join(dict.fromkeys(told)) or "–"


def explained(kb: MultiCube, question: str, k: int, settings: LoopSettings | None = None) -> list[Explained]:
    """Return the first ``k`` documents of the hypercubes that a question names, with what matched."""
    chosen, found = settings or LoopSettings(), []
    for cube in kb.reasoner.route(question).cubes:
        components = kb.reasoner.decompose(question, cube).components
        hits = kb.kb.retriever.cube(cube, components, question, k=k, tau=chosen.tau).hits
        found += [Explained(kb.kb.section(hit.section_id).record_id, hit.matches) for hit in hits]
    return found[:k]
