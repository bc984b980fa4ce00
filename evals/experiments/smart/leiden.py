"""Leiden communities (Traag et al. 2019), which GraphRAG summarises: what the trees are measured beside.

leidenalg and igraph are under the GPL: they come with the extra ``smart-eval``, and nothing but this module uses them.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from ....cubes.core.errors import UsageError
from ....cubes.smart.trees.encoding_trees import EncodingTree
from ....cubes.smart.trees.measures import normalised_mutual_information
from ....cubes.smart.trees.network import Floats, Ints, WeightedGraph

__all__ = ["communities", "least_similar", "leiden_tree"]

_NARROW = 0.01  # of the resolution's exponent


def leiden_tree(network: WeightedGraph, sizes: Sequence[int], seed: int) -> EncodingTree:
    """Return a tree of Leiden communities with the given number at each level, finest first.

    Each level is found on the graph of the communities below, as GraphRAG's hierarchy nests. The resolution, from 1
    up, is searched that gives the number or the next more; those whose joining costs modularity least are then joined.
    What does not hang together with most of the graph is no community of its own: there can be more such scraps than
    communities are wanted, and each is put to the smallest.
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
    parts = np.asarray(graph.connected_components().membership, dtype=np.int64)
    main = parts == np.bincount(parts).argmax()

    def at(exponent: float) -> Ints:
        found = leidenalg.find_partition(
            graph, leidenalg.RBConfigurationVertexPartition, weights=weights.tolist(), seed=seed,
            resolution_parameter=2.0**exponent,
        )  # fmt: skip
        return np.asarray(found.membership, dtype=np.int64)

    def count(groups: Ints) -> int:
        """Communities of the part that hangs together: the scraps beside it are many at any resolution."""
        return len(np.unique(groups[main]))

    best = at(0.0)  # a resolution below 1 would join nearly all and leave the fringe
    low, high = 0.0, 12.0 if count(best) < wanted else 0.0
    while high - low > _NARROW and count(best) != wanted:
        middle = (low + high) / 2
        found = at(middle)
        if count(found) < wanted:
            low = middle
        else:
            best, high = found, middle
    return _gathered(_joined(best, first, second, weights, main, wanted), main)


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


def _joined(
    groups: Ints, first: Ints, second: Ints, weights: Floats, main: npt.NDArray[np.bool_], wanted: int
) -> Ints:
    """Join communities of the main part until there are so many, each time the two that cost modularity least."""
    names, numbers = np.unique(groups[main], return_inverse=True)
    places = np.full(len(groups), -1)
    places[main] = numbers
    inside = main[first] & main[second]
    one, other = places[first[inside]], places[second[inside]]
    between = np.zeros((len(names), len(names)))
    np.add.at(between, (one, other), weights[inside])
    between = between + between.T
    total = max(float(between.sum()), 1e-12)
    named, left = names.copy(), len(names)
    gone = np.zeros(len(names), dtype=bool)
    while left > wanted:
        degrees = between.sum(axis=1)
        gain = between / total - np.outer(degrees, degrees) / total**2
        gain[gone] = gain[:, gone] = -np.inf
        np.fill_diagonal(gain, -np.inf)
        kept, lost = divmod(int(gain.argmax()), len(names))
        between[kept] += between[lost]
        between[:, kept] += between[:, lost]
        between[lost] = between[:, lost] = 0.0
        named[named == names[lost]] = names[kept]
        gone[lost] = True
        left -= 1
    found = groups.copy()
    found[main] = named[numbers]
    return found


def _gathered(groups: Ints, main: npt.NDArray[np.bool_]) -> Ints:
    """Put each scrap beside the main part to the community that is smallest by then, and number them anew."""
    joined = np.arange(int(groups.max()) + 1)
    inside = zip(*np.unique(groups[main], return_counts=True), strict=True)
    sizes = [(int(count), int(group)) for group, count in inside]
    heapq.heapify(sizes)
    for scrap, count in zip(*np.unique(groups[~main], return_counts=True), strict=True):
        size, group = sizes[0]
        joined[scrap] = group
        heapq.heapreplace(sizes, (size + int(count), group))
    return np.unique(joined[groups], return_inverse=True)[1].astype(np.int64)
