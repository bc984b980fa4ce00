"""Graphs in which the blocks to be found are known, because they were planted (stochastic block models)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...cubes.smart.trees.network import Ints, WeightedGraph

__all__ = ["Planted", "hierarchy", "ring_of_blocks", "two_partitions"]


@dataclass(frozen=True)
class Planted:
    """A graph, and the groupings of its nodes that were planted in it."""

    network: WeightedGraph
    groupings: tuple[Ints, ...]


def two_partitions(seed: int, *, nodes: int = 1_000, blocks: int = 4) -> Planted:
    """Plant two independent partitions A and B: an edge has probability .01, .06 more for each that two nodes share."""
    rng = np.random.default_rng(seed)
    one, other = (rng.permutation(nodes) % blocks for _ in range(2))
    chance = 0.01 + 0.06 * (one[:, None] == one) + 0.06 * (other[:, None] == other)
    return Planted(_drawn(rng, chance), (one, other))


def hierarchy(seed: int, *, nodes: int = 1_000, blocks: int = 4) -> Planted:
    """Plant ``blocks`` blocks of ``blocks`` blocks each, the fine grouping first.

    Edge probabilities are .25 in a fine block, .05 in a coarse one, .005 elsewhere: mean degree about 29, of which a
    third goes to other fine blocks of the same coarse one.
    """
    rng = np.random.default_rng(seed)
    fine = rng.permutation(nodes) % blocks**2
    coarse = fine // blocks
    chance = np.where(fine[:, None] == fine, 0.25, np.where(coarse[:, None] == coarse, 0.05, 0.005))
    return Planted(_drawn(rng, chance), (fine, coarse))


def ring_of_blocks(seed: int, edges: int, *, degree: int = 10, size: int = 500) -> Planted:
    """Draw a graph of about so many edges: blocks of ``size`` nodes, four of five edges inside one.

    Linear in edges, for measuring cost.
    """
    rng = np.random.default_rng(seed)
    nodes = max(2 * edges // degree, 2 * size)
    first = rng.integers(0, nodes, edges)
    inside = rng.random(edges) < 0.8
    near = np.minimum(first // size * size + rng.integers(0, size, edges), nodes - 1)
    second = np.where(inside, near, rng.integers(0, nodes, edges))
    return Planted(WeightedGraph.of(nodes, np.stack([first, second], axis=1)), (np.arange(nodes) // size,))


def _drawn(rng: np.random.Generator, chance: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> WeightedGraph:
    edges = np.triu(rng.random(chance.shape) < chance, 1)
    return WeightedGraph.of(len(chance), np.argwhere(edges))
