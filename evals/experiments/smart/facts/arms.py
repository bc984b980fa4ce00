"""What is compared: contexts of the same size, from passages alone, with Leiden communities' reports, with SMART's."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from .....agent.engines.embedded.options import EngineOptions
from .....agent.engines.embedded.reasoner import EmbeddedReasoner
from .....agent.engines.encoders.factory import encoder_factory
from .....cubes.knowledge.base import KnowledgeBase
from .....cubes.knowledge.fact_graph import graph_of
from .....cubes.smart.abstractions import report_on, text_of
from .....cubes.smart.extracts import ExtractiveReporter
from .....cubes.smart.perspectives import Perspectives
from .....cubes.smart.retrieval import RecalledFinding, comprehensive, recall
from .....cubes.smart.trees.encoding_trees import EncodingTree
from .....cubes.smart.trees.features import Matrix
from .....cubes.smart.trees.training import TrainingSettings, abstract, level_sizes
from .....graphs.comprehensive import finding_record, with_findings
from .....graphs.evidence import evidence_of, within
from .....graphs.records import Evidence
from ..leiden import least_similar, leiden_tree

__all__ = ["CONTEXT_TOKENS", "Arm", "Bench"]

CONTEXT_TOKENS = 2_000
_DEEP = 40
Mode = Literal["hybrid", "bm25", "dense"]
_LEIDEN_RUNS = 5


class Arm(NamedTuple):
    """A system: its name, and the context it gives for a question."""

    name: str
    context: Callable[[str], list[Evidence]]


class Bench:
    """A knowledge base of a planted-fact corpus, and the arms over it."""

    def __init__(self, kb: KnowledgeBase, folder: Path) -> None:
        self.kb, self._folder = kb, folder
        self.encoder = encoder_factory(None)()
        self.graph = graph_of(kb).without_lonely()
        self._found: dict[tuple[str, Mode], list[Evidence]] = {}

    @cached_property
    def reasoner(self) -> EmbeddedReasoner:
        """The answerer of all arms: the embedded engine, which says findings or sentences of what it is given."""
        return EmbeddedReasoner(self.kb.cubes, lambda i: self.kb.section(i).text, frozenset(), EngineOptions())

    def answer(self, question: str, context: Sequence[Evidence]) -> str:
        """Return the answer from a context; empty where the engine abstains."""
        found = self.reasoner.answer(question, context).answers
        return found[0] if found else ""

    def explicit(self, mode: Mode) -> Arm:
        """Passages alone."""
        return Arm(f"explicit ({mode})", lambda question: self._hits(question, CONTEXT_TOKENS, mode))

    def smart(
        self, name: str, known: Perspectives, *, share: float = 0.5, counting: bool = True, recalling: bool = True
    ) -> Arm:
        """Passages ⊕ abstractions (equation 12), these within ``share`` of the context."""
        digests = list(known.by_digest)
        vectors = self.encoder.encode([text_of(known.by_digest[digest]) for digest in digests])
        tokens = round(CONTEXT_TOKENS * share)

        def context(question: str) -> list[Evidence]:
            hits = self._hits(question, CONTEXT_TOKENS - tokens, "hybrid")
            near = dict(zip(digests, (vectors @ self.encoder.encode([question])[0]).tolist(), strict=True))
            told = comprehensive(
                known, question, [e.section_id for e in hits], tokens=tokens, near=near, counting=counting,
                recalling=recalling,
            )  # fmt: skip
            return with_findings(hits, [finding_record(each) for each in told])

        return Arm(name, context)

    def learnt(self, count: int, *, depth: int = 3, texts: bool = True, seed: int = 0) -> Perspectives:
        """Return SMART's own trees over the graph, with the product's settings."""
        settings = replace(
            TrainingSettings(), trees=count, levels=level_sizes(self.graph.network.size, depth), seed=seed
        )
        return self.reported(abstract(self.graph.network, settings, texts=self.texts if texts else None).trees)

    def leiden(self, count: int = 1, *, depth: int = 3) -> Perspectives:
        """Return Leiden communities in as many levels of the same sizes; of two trees the least similar of five."""
        sizes = level_sizes(self.graph.network.size, depth)
        trees = [leiden_tree(self.graph.network, sizes, seed) for seed in range(_LEIDEN_RUNS if count > 1 else 1)]
        return self.reported(least_similar(trees) if count > 1 else trees)

    def planted(self) -> Perspectives:
        """Return the true groups as trees, one for each kind: members and what they have to do with; a ceiling."""
        groups = json.loads((self._folder / "groups.json").read_text(encoding="utf-8"))
        trees = []
        for of_kind in groups.values():
            number = {name: n for n, held in enumerate(of_kind.items(), 1) for name in (held[0], *held[1])}
            trees.append(EncodingTree.of([number.get(entity.name, 0) for entity in self.graph.entities]))
        return self.reported(trees)

    def whole_reports(self, name: str, known: Perspectives) -> Arm:
        """Passages and whole reports of the communities of their entities, as GraphRAG's local search has them."""
        tokens = CONTEXT_TOKENS // 2

        def context(question: str) -> list[Evidence]:
            hits = self._hits(question, CONTEXT_TOKENS - tokens, "hybrid")
            found = recall(known, question, [e.section_id for e in hits], tokens=tokens)
            reports = [(one.abstraction, one.score) for one in found]
            told = [RecalledFinding(one.id, one.title, each, score) for one, score in reports for each in one.findings]
            return with_findings(hits, [finding_record(each) for each in told])

        return Arm(name, context)

    def reported(self, trees: Sequence[EncodingTree]) -> Perspectives:
        """Return trees with counted reports on their nodes."""
        found = tuple(report_on(self.graph, trees, ExtractiveReporter(self.graph)))
        return Perspectives(self.graph, tuple(trees), found)

    @cached_property
    def texts(self) -> Matrix:
        """What the entities mean."""
        return np.asarray(self.encoder.encode(self.graph.texts()))

    def _hits(self, question: str, tokens: int, mode: Mode) -> list[Evidence]:
        key = question, mode
        if key not in self._found:
            retrieval = self.kb.retriever.passages(question, k=_DEEP, mode=mode)
            self._found[key] = evidence_of(retrieval, question, self.kb, mode)
        return within(self._found[key], tokens)
