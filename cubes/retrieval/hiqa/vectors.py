"""The vector route of multi-route retrieval: over a knowledge base's index, or over vectors held in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from ...core.encoding import Encoder
from ...core.lexical import Integers, Mask
from ...core.records import Section
from .augment import HCA, NO_DESCRIPTIONS, Augmentation, augmented_parts, augmented_text
from .routes import MultiRoute, NearestSections, Pages
from .scoring import DEPTH

__all__ = ["AugmentedIndex", "IndexVectorRoute", "in_memory"]


class AugmentedIndex(Protocol):
    """Cosines of augmented sections, by their ids; the store implements it."""

    def augmented(self, text: str, k: int, also: Sequence[str]) -> Mapping[str, float]:
        """Return the cosines of the ``k`` sections nearest to a text, and of those named."""
        ...


class IndexVectorRoute:
    """Asks the index; it knows nothing of filters, so that more is asked for where they leave too few."""

    def __init__(self, index: AugmentedIndex, ids: Sequence[str], ordinals: Mapping[str, int]) -> None:
        self._index, self._ids, self._ordinals = index, ids, ordinals

    def __call__(self, query: str, depth: int, allowed: Mask | None, others: Integers) -> NearestSections:
        """Return the cosines of the ``depth`` nearest sections and of ``others``."""
        also = [self._ids[n] for n in others.tolist()]
        many = depth
        while True:
            near = self._index.augmented(query, many, also)
            cosines = {self._ordinals[i]: cosine for i, cosine in near.items() if i in self._ordinals}
            kept = cosines if allowed is None else {n: c for n, c in cosines.items() if allowed[n]}
            if len(kept) >= depth or many >= len(self._ids):
                return _found(kept)
            many = min(many * 4, len(self._ids))


def in_memory(
    sections: Sequence[Section], encoder: Encoder, *, options: Augmentation = HCA,
    pages: Pages | None = None, descriptions: Mapping[str, str] = NO_DESCRIPTIONS,
) -> MultiRoute:  # fmt: skip
    """Return multi-route retrieval over sections embedded now and held in memory, for experiments and ablations.

    The sections need not be those of a knowledge base: any chunks will do.
    """
    whole = [augmented_text(section, options, descriptions) for section in sections]
    texts = [(text, *augmented_parts(each, options, descriptions)) for text, each in zip(whole, sections, strict=True)]
    rows = {text: n for n, text in enumerate(dict.fromkeys(text for each in texts for text in each))}
    vectors = encoder.encode(list(rows)) if rows else None
    own = [[rows[text] for text in each] for each in texts]

    def near(query: str, depth: int, allowed: Mask | None, others: Integers) -> NearestSections:  # noqa: ARG001 - all are near
        if vectors is None:
            return NearestSections({})
        cosines = vectors @ encoder.encode([query])[0]
        places = np.arange(len(texts)) if allowed is None else np.flatnonzero(allowed)
        return _found({int(n): float(cosines[own[n]].max()) for n in places})

    return MultiRoute(sections, near, options=options, pages=lambda: pages or {}, descriptions=descriptions)


def _found(cosines: Mapping[int, float]) -> NearestSections:
    """The ends of the ranking are those of the `DEPTH` nearest, however many are known."""
    if not cosines:
        return NearestSections({})
    ranked = sorted(cosines.values(), reverse=True)
    return NearestSections(cosines, ranked[0], ranked[min(DEPTH, len(ranked)) - 1])
