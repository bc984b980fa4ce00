"""RAPTOR (Sarthi et al. 2024): a tree of summaries over clusters of embeddings, searched as one flat collection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ....cubes.core.records import Retrieval, Section
from ....graphs.context import AnswerContext
from ....graphs.evidence import evidence_of
from ....graphs.records import Evidence, LoopSettings
from .pipeline import RetrievedSections, hits_of, text_evidence
from .sentence_vectors import Sentence, sentences_of, vectors_of
from .side_folders import encoder_of, section_vectors

if TYPE_CHECKING:
    from ....agent.app.facade import MultiCube
    from ....cubes.core.encoding import Vectors

__all__ = ["MEMBERS", "NODES", "WORDS", "Node", "RaptorSearch", "tree_of"]

MEMBERS = 6
"""Nodes that a cluster has on average."""
WORDS = 100
"""Words of a summary at most (the paper's have 131 tokens on average)."""
NODES = 20
"""Nodes that are read at most, as far as the context has room (the paper's 2,000 tokens are about so many)."""
_ROUNDS = 20


@dataclass(frozen=True, slots=True)
class Node:
    """A section (level 0) or a summary, by the ordinals of the sentences it consists of, and its vector."""

    level: int
    sentences: tuple[int, ...]
    vector: npt.NDArray[np.float32]


class RaptorSearch:
    """Ranks sections and summaries of all levels by cosine (the paper's collapsed tree).

    A summary is extractive: the sentences nearest to its cluster's centre, which stands in for the paper's model.
    """

    def prepare(self, asker: MultiCube) -> MultiCube:
        """Embed sections and sentences, and build the tree; the same every time."""
        kb = asker.kb
        self._encoder = encoder_of(kb, "RAPTOR")
        self._sections: Sequence[Section] = kb.sections()
        self._held = sentences_of(self._sections)
        leaves = section_vectors(kb, self._encoder)
        self._nodes = tree_of(self._held, leaves, vectors_of(kb, self._encoder, self._held))
        self._vectors = np.stack([node.vector for node in self._nodes])
        return asker

    def find(self, question: str, context: AnswerContext, settings: LoopSettings) -> RetrievedSections:  # noqa: ARG002
        """Return the nodes nearest to the question; the ranking names the documents of their sentences."""
        cosines = self._vectors @ self._encoder.encode([question])[0]
        best = np.argsort(-cosines, kind="stable")[:NODES].tolist()
        evidence = [self._evidence(n, rank, float(cosines[n]), question, context) for rank, n in enumerate(best, 1)]
        held = [self._held[s].section for n in best for s in self._nodes[n].sentences]
        return RetrievedSections(evidence, tuple(dict.fromkeys(self._sections[number].record_id for number in held)))

    def _evidence(self, number: int, rank: int, score: float, question: str, context: AnswerContext) -> Evidence:
        node = self._nodes[number]
        section = self._sections[self._held[node.sentences[0]].section]
        if node.level == 0:
            hits = Retrieval(hits_of([(section.id, score)], "raptor"))
            return evidence_of(hits, question, context.knowledge, "raptor")[0].model_copy(update={"rank": rank})
        text = " ".join(self._held[n].text for n in node.sentences)
        found = text_evidence(section, text, rank, score, question, context.knowledge, "raptor")
        return found.model_copy(update={"section_id": f"raptor#{number}"})


def tree_of(held: Sequence[Sentence], leaves: Vectors, sentences: Vectors) -> list[Node]:
    """Return the nodes of all levels, sections first; each level has a summary for each cluster of the one below."""
    own: dict[int, list[int]] = {}
    for number, one in enumerate(held):
        own.setdefault(one.section, []).append(number)
    level = [Node(0, tuple(own[number]), leaves[number]) for number in range(len(leaves))]
    nodes = list(level)
    while len(level) > MEMBERS:
        vectors = np.stack([node.vector for node in level])
        groups = _clusters(vectors, -(-len(level) // MEMBERS))
        level = [_summary([level[n] for n in group], held, sentences) for group in groups]
        nodes += level
    return nodes


def _summary(members: Sequence[Node], held: Sequence[Sentence], sentences: Vectors) -> Node:
    """The members' sentences that are nearest to their centre, as many as there is room for, in their order."""
    among = sorted({n for member in members for n in member.sentences})
    centre = _unit(np.mean([member.vector for member in members], axis=0))
    room, kept = WORDS, list[int]()
    for n in np.argsort(-(sentences[among] @ centre), kind="stable").tolist():
        room -= len(held[among[n]].text.split())
        if kept and room < 0:
            break
        kept.append(among[n])
    return Node(members[0].level + 1, tuple(sorted(kept)), _unit(sentences[sorted(kept)].mean(axis=0)))


def _clusters(vectors: Vectors, count: int) -> list[list[int]]:
    """Group by K-means on the sphere; the first centres are spread evenly over the nodes, so nothing is random."""
    centres = vectors[np.linspace(0, len(vectors) - 1, count).astype(int)]
    nearest = np.zeros(len(vectors), dtype=np.int64)
    for _ in range(_ROUNDS):
        found = np.argmax(vectors @ centres.T, axis=1)
        if (found == nearest).all():
            break
        nearest = found
        kept = [number for number in range(len(centres)) if (nearest == number).any()]
        centres = np.stack([_unit(vectors[nearest == number].mean(axis=0)) for number in kept])
        nearest = np.searchsorted(kept, nearest)
    return [np.flatnonzero(nearest == number).tolist() for number in np.unique(nearest)]


def _unit(vector: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector
