"""Leiden communities (Traag et al. 2019), which GraphRAG summarises: what the trees are measured beside.

leidenalg and igraph are under the GPL: they come with the extra ``smart-eval``, and nothing but this module uses them.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from ...cubes.errors import UsageError
from ...cubes.smart.measures import normalised_mutual_information
from ...cubes.smart.network import Floats, Ints, Network
from ...cubes.smart.trees import EncodingTree

__all__ = ["communities", "least_similar", "leiden_tree"]

_SEARCHES = 12  # halvings of the resolution's exponent


def leiden_tree(network: Network, sizes: Sequence[int], seed: int) -> EncodingTree:
    """Return a tree of Leiden communities with the given number at each level, finest first.

    Each level is found on the graph of the communities below, as GraphRAG's hierarchy nests. The resolution is
    searched that gives the number or, where there is none, the next more; the smallest are then put together.
    """
    levels: list[Ints] = []
    first, second, weights = network.first, network.second, network.weights
    size = network.size
    for wanted in sizes:
        found = communities(size, first, second, weights, wanted, seed)
        levels.append(found if not levels else found[levels[-1]])
        size = int(found.max()) + 1
        first, second, weights = _between(found[first], found[second], weights, size)
    return EncodingTree.of(*levels)


def communities(size: int, first: Ints, second: Ints, weights: Floats, wanted: int, seed: int) -> Ints:
    """Return so many communities of a graph, given by its edges, as the number of each node's."""
    try:
        import igraph
        import leidenalg
    except ImportError as error:
        raise UsageError("Leiden communities need the extra: pip install 'multicube-rag[smart-eval]'.") from error
    graph = igraph.Graph(n=size, edges=np.stack([first, second], axis=1).tolist())

    def at(exponent: float) -> Ints:
        found = leidenalg.find_partition(
            graph, leidenalg.RBConfigurationVertexPartition, weights=weights.tolist(), seed=seed,
            resolution_parameter=2.0**exponent,
        )  # fmt: skip
        return np.asarray(found.membership, dtype=np.int64)

    low, high, best = -8.0, 12.0, np.arange(size)
    for _ in range(_SEARCHES):
        middle = (low + high) / 2
        found = at(middle)
        count = int(found.max()) + 1
        if count >= wanted:
            best, high = (found, middle) if count <= int(best.max()) + 1 else (best, middle)
        else:
            low = middle
        if count == wanted:
            break
    return _merged(best, wanted)


def least_similar(trees: Sequence[EncodingTree]) -> tuple[EncodingTree, EncodingTree]:
    """Return the two trees that say least of each other: the mean NMI of their levels is the smallest."""

    def alike(pair: tuple[EncodingTree, EncodingTree]) -> float:
        levels = zip(pair[0].levels, pair[1].levels, strict=True)
        return float(np.mean([normalised_mutual_information(a, b) for a, b in levels]))

    return min(combinations(trees, 2), key=alike)


def _between(first: Ints, second: Ints, weights: Floats, size: int) -> tuple[Ints, Ints, Floats]:
    """Add up the edges of each pair, also inside one: leidenalg moves nothing along edges given several times."""
    pairs, places = np.unique(np.minimum(first, second) * size + np.maximum(first, second), return_inverse=True)
    return pairs // size, pairs % size, np.bincount(places, weights).astype(np.float64)


def _merged(groups: Ints, wanted: int) -> Ints:
    """Put the two smallest groups together until there are so many; parts of a graph without ties cost little so."""
    sizes = [(count, group) for group, count in enumerate(np.bincount(groups).tolist())]
    heapq.heapify(sizes)
    joined = np.arange(len(sizes))
    while len(sizes) > wanted:
        (small, group), (larger, other) = heapq.heappop(sizes), heapq.heappop(sizes)
        joined[joined == group] = other
        heapq.heappush(sizes, (small + larger, other))
    return np.unique(joined[groups], return_inverse=True)[1].astype(np.int64)
