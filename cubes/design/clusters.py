"""Entities grouped by what they mean: embeddings, K-means, and as many clusters as the silhouette favours."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..core.encoding import Encoder, Vectors
from ..core.extras import require
from .entities import Entity, documents_of

Labels = npt.NDArray[np.int32]

__all__ = ["CLUSTERS", "Cluster", "cluster_entities"]

CLUSTERS = (3, 14)
"""The fewest and the most clusters that are tried."""
_MEASURED = 600
"""Entities that the silhouette is measured on at most."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Entities of one meaning, the most central first."""

    number: int
    members: tuple[Entity, ...]

    @property
    def documents(self) -> set[str]:
        """The documents in which any of them stands."""
        return documents_of(self.members)

    def kinds(self) -> Counter[str]:
        """How many members are of each kind; those of which nothing is known are left out."""
        return Counter(member.kind for member in self.members if member.kind)


def cluster_entities(
    entities: Sequence[Entity], encoder: Encoder, seed: int = 0, clusters: tuple[int, int] = CLUSTERS
) -> list[Cluster]:
    """Cluster entities with K-means; the same for a seed. Fewer than three different entities make no clusters."""
    if len(entities) < 3:
        return []
    vectors = encoder.encode([entity.text for entity in entities])
    most = min(clusters[1], len(entities) // 3, round(len(entities) ** 0.5))
    tried = [_fitted(vectors, k, seed) for k in range(min(clusters[0], most), most + 1)] if most > 1 else []
    labels, centres = max(tried, key=lambda one: one[0])[1:] if tried else _one(vectors)
    found = []
    for number in range(len(centres)):
        members = np.flatnonzero(labels == number)
        order = members[np.argsort(-(vectors[members] @ centres[number]), kind="stable")]
        if len(order):
            found.append(tuple(entities[int(index)] for index in order))
    return [Cluster(number, members) for number, members in enumerate(found, 1)]


def _fitted(vectors: Vectors, k: int, seed: int) -> tuple[float, Labels, Vectors]:
    """Return how well k clusters part the vectors, the cluster of each, and the centres."""
    require("sklearn", "design", "An ontology designed from the documents")
    from sklearn.cluster import KMeans
    from sklearn.metrics import silhouette_score
    from threadpoolctl import threadpool_limits

    with warnings.catch_warnings(), threadpool_limits(1):  # so little work is only slowed by threads
        warnings.simplefilter("ignore")  # equal entities make fewer clusters than asked for, and that is no news
        means = KMeans(n_clusters=k, n_init=4, random_state=seed).fit(vectors)
    if len(set(means.labels_)) < 2:
        return -1.0, means.labels_, means.cluster_centers_
    size = min(_MEASURED, len(vectors))
    score = silhouette_score(vectors, means.labels_, metric="cosine", sample_size=size, random_state=seed)
    return float(score), means.labels_, means.cluster_centers_


def _one(vectors: Vectors) -> tuple[Labels, Vectors]:
    return np.zeros(len(vectors), dtype=np.int32), vectors.mean(axis=0, keepdims=True)
