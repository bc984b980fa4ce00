"""What trees say of a graph, and how much two of them say the same (equations 1 to 7), for trees that are built.

How the paper is read. ``f_child`` in equation 1 stands for all descendant leaves, and θ_v is the logarithm of a share
of at most 1: then H ≤ 0, and making it as great as possible leaves little cut between the blocks, which agrees with
Li and Pan (2016), whose entropy is −H with volumes for numbers of leaves. ``p`` is the probability for an edge drawn
by its weight, in a random direction: the cut of v over 2m. Logarithms are natural: entropies are in nats.
Everything is linear in edges, or in leaves times the square of the number of levels.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import log

import numpy as np

from ...core.errors import UsageError
from .encoding_trees import EncodingTree, TreeNode
from .network import Floats, Ints, WeightedGraph

__all__ = [
    "cuts",
    "is_encoding_tree",
    "mutual_information",
    "node_entropy",
    "objective",
    "overlap",
    "shared_information",
    "structural_entropy",
    "theta",
]


def is_encoding_tree(tree: EncodingTree, network: WeightedGraph) -> bool:
    """Whether a tree's leaves are the graph's nodes (equation 4's condition)."""
    return tree.leaves == network.size


def theta(tree: EncodingTree, node: TreeNode) -> float:
    """Return θ_v of equation 1: the logarithm of the share of its parent's leaves that a node has; never above 0."""
    parent = tree.parent(node)
    of = tree.leaves if parent is None else len(tree.members(parent))
    return log(len(tree.members(node)) / of)


def cuts(network: WeightedGraph, level: Ints) -> Floats:
    """Return for each node of a level p(v_i ∈ N_v ∧ v_j ∉ N_v) of equation 1: the share of 2m that leaves it."""
    first, second = level[network.first], level[network.second]
    apart = first != second
    size = int(level.max(initial=-1)) + 1
    leaving = np.bincount(first[apart], network.weights[apart], size)
    leaving += np.bincount(second[apart], network.weights[apart], size)
    return leaving / (network.volume or 1.0)


def node_entropy(network: WeightedGraph, tree: EncodingTree, node: TreeNode) -> float:
    """Return H^T(G; v), equation 1, in nats. Raises UsageError where the tree is not one of the graph."""
    _check(network, tree)
    return theta(tree, node) * float(cuts(network, tree.levels[node.level - 1])[node.number])


def structural_entropy(network: WeightedGraph, tree: EncodingTree) -> float:
    """Return H^T(G), equation 2, in nats, at most 0; equation 3 asks for the tree in which it is greatest.

    Raises UsageError where the tree is not one of the graph.
    """
    _check(network, tree)
    found = 0.0
    above = [*tree.levels[1:], np.zeros(tree.leaves, dtype=np.int64)]
    for level, parents in zip(tree.levels, above, strict=True):
        parent = np.zeros(int(level.max(initial=-1)) + 1, dtype=np.int64)
        parent[level] = parents
        shares = np.bincount(level) / np.bincount(parents)[parent]
        found += float((np.log(shares) * cuts(network, level)).sum())
    return found


def shared_information(one: Ints, other: Ints) -> float:
    """Return the mutual information, in nats, of two groupings of the same things (one level of each of two trees)."""
    if len(one) != len(other):
        raise UsageError("Two groupings can be compared only if they are of the same things.")
    size = int(other.max(initial=0)) + 1
    pairs, counts = np.unique(one * size + other, return_counts=True)
    joint = counts / max(len(one), 1)
    p, q = np.bincount(one) / max(len(one), 1), np.bincount(other) / max(len(one), 1)
    return float((joint * np.log(joint / (p[pairs // size] * q[pairs % size]))).sum())


def mutual_information(one: EncodingTree, other: EncodingTree) -> float:
    """Return I(V_inte^k; V_inte^k') above equation 5, in nats, over the internal nodes of all levels of both trees."""
    return sum(shared_information(a, b) for a in one.levels for b in other.levels)


def overlap(trees: Sequence[EncodingTree]) -> float:
    """Return what equation 6 asks to be least: the mutual information of each pair of trees, each pair once.

    Equation 5 asks for 0.
    """
    return sum(mutual_information(one, other) for one, other in combinations(trees, 2))


def objective(network: WeightedGraph, trees: Sequence[EncodingTree], diversity: float = 1.0) -> float:
    """Return equation 7's objective: what is cut, and what is said twice (weighed by λ = ``diversity``)."""
    return diversity * overlap(trees) - sum(structural_entropy(network, tree) for tree in trees)


def _check(network: WeightedGraph, tree: EncodingTree) -> None:
    if not is_encoding_tree(tree, network):
        raise UsageError(f"The tree has {tree.leaves} leaves, the graph {network.size} nodes.")
