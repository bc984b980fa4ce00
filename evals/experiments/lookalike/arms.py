"""The variants of HiQA's ablation (Table 2), all over the same ingested documents and under one retriever's code.

What a variant is without, none of its routes sees: the segments themselves are without their headings. α and β are the
collection's defaults in every variant with several routes, so that only the segments differ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ....cubes.core.encoding import Encoder, Vectors
from ....cubes.core.lexical import Mask
from ....cubes.core.records import Section
from ....cubes.retrieval.hiqa.augment import HCA, Augmentation
from ....cubes.retrieval.hiqa.routes import MultiRoute, RoutedSection
from ....cubes.retrieval.hiqa.vectors import in_memory
from .segments import Library, fixed_chunks

__all__ = ["ARMS", "Arm", "ArmSpec", "MemoEncoder", "make_arm"]


@dataclass(frozen=True, slots=True)
class ArmSpec:
    """A variant: how its segments are made, and whether words and keywords have a say besides vectors.

    ``paper`` is what Table 2 calls it, if it is there.
    """

    name: str
    paper: str
    segments: Callable[[Library], list[Section]]
    routes: bool = True
    augmentation: Augmentation = HCA


def _chapters(library: Library) -> list[Section]:
    return list(library.sections)


def _own_heading(library: Library) -> list[Section]:
    return [replace(section, path=section.path[-1:]) for section in library.sections]


def _no_heading(library: Library) -> list[Section]:
    return [replace(section, path=()) for section in library.sections]


def _chunks(library: Library) -> list[Section]:
    return fixed_chunks(list(library.documents.values()))


ARMS = (
    ArmSpec("HCA", "HCA", _chapters),
    ArmSpec("no hierarchy", "No Hierarchy", _own_heading),
    ArmSpec("no chapter metadata", "Original RAG", _no_heading),
    ArmSpec("fixed chunks", "Fixed Chunk", _chunks),
    ArmSpec("vector only", "Vec retrieval", _chapters, routes=False),
    ArmSpec("fixed chunks, vector only", "", _chunks, routes=False),
)
"""Table 2's five, and the plain RAG of Figure 2."""


class MemoEncoder:
    """An encoder that embeds no text twice: variants share segments, and all are asked the same questions."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._known: dict[str, Vectors] = {}

    @property
    def fingerprint(self) -> str:
        """The encoder's."""
        return self._encoder.fingerprint

    @property
    def dimensions(self) -> int:
        """The encoder's."""
        return self._encoder.dimensions

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed what is not known yet."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self._encoder.encode(new), strict=True))
        return np.stack([self._known[text] for text in texts])


@dataclass(frozen=True, slots=True)
class Arm:
    """A variant over its segments, ready to rank them; ``weights`` are the α and β in force."""

    spec: ArmSpec
    segments: Sequence[Section]
    routes: MultiRoute
    weights: tuple[float, float]

    def rank(
        self, query: str, documents: frozenset[str] | None = None, *, most: int | None = None
    ) -> list[RoutedSection]:
        """Rank all segments, or those of these documents (by record id); ``most`` keeps the first so many."""
        alpha, beta = self.weights
        allowed: Mask | None = None
        if documents is not None:
            allowed = np.array([segment.record_id in documents for segment in self.segments], dtype=np.bool_)
        return self.routes.search(query, most or len(self.segments), alpha=alpha, beta=beta, allowed=allowed)


def make_arm(spec: ArmSpec, library: Library, encoder: Encoder, weights: tuple[float, float]) -> Arm:
    """Make a variant; ``weights`` are the collection's defaults, which a vector-only variant does not use."""
    segments = spec.segments(library)
    routes = in_memory(segments, encoder, options=spec.augmentation)
    return Arm(spec, segments, routes, weights if spec.routes else (1.0, 0.0))
