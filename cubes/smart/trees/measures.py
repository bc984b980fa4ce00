"""What trees are measured by: modularity and the agreement of groupings (A.5).

The paper calls a higher NMI between its trees more diverse; it is the other way round: trees that say the same have
1, trees that say nothing of each other 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np

from .encoding_trees import EncodingTree
from .entropy import shared_information
from .network import Ints, WeightedGraph

__all__ = [
    "adjusted_rand_index",
    "average_modularity",
    "average_nmi",
    "modularity",
    "normalised_mutual_information",
]


def modularity(network: WeightedGraph, groups: Ints, resolution: float = 1.0) -> float:
    """Return Newman's modularity of a grouping of a graph's nodes, with γ = ``resolution``; 0 without edges."""
    if not network.edges:
        return 0.0
    inside = float(network.weights[groups[network.first] == groups[network.second]].sum())
    volumes = np.bincount(groups, network.degrees) / network.volume
    return 2.0 * inside / network.volume - resolution * float((volumes**2).sum())


def normalised_mutual_information(one: Ints, other: Ints) -> float:
    """Return mutual information over the mean of both entropies, 0 to 1; 1 where neither tells anything apart."""
    entropies = shared_information(one, one) + shared_information(other, other)
    return 1.0 if entropies <= 1e-12 else max(0.0, 2.0 * shared_information(one, other) / entropies)


def adjusted_rand_index(one: Ints, other: Ints) -> float:
    """Return how far two groupings agree on pairs: 1 for the same, about 0 for chance (Hubert and Arabie 1985)."""
    size = int(other.max(initial=0)) + 1
    both = _pairs(np.unique(one * size + other, return_counts=True)[1])
    first, second = _pairs(np.bincount(one)), _pairs(np.bincount(other))
    chance = first * second / max(comb(len(one), 2), 1)
    most = (first + second) / 2
    return 1.0 if most == chance else float((both - chance) / (most - chance))


def average_modularity(network: WeightedGraph, trees: Sequence[EncodingTree]) -> float:
    """Return Table 4's average modularity: the mean over all levels of all trees."""
    return float(np.mean([modularity(network, level) for tree in trees for level in tree.levels]))


def average_nmi(trees: Sequence[EncodingTree]) -> float | None:
    """Return Table 4's average NMI: the mean over pairs of trees and their like levels; None for a single tree."""
    found = [
        normalised_mutual_information(a, b)
        for one, other in combinations(trees, 2)
        for a, b in zip(one.levels, other.levels, strict=True)
    ]
    return float(np.mean(found)) if found else None


def _pairs(counts: Ints) -> float:
    return float((counts * (counts - 1) / 2).sum())
