"""Parts of a graph to train on: all of a small one, otherwise batches of edges with neighbours of their ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch

from .abstractor import Adjacency
from .matrices import sparse
from .network import CompressedRows, Floats, Ints, WeightedGraph

__all__ = ["Subgraph", "parts", "whole"]


class Subgraph(NamedTuple):
    """Nodes (their numbers in the graph) with the matrix that convolutions mix them by, and the edges of the loss.

    ``ends`` are the places, among the nodes, of those that the loss is about (None for all of them, in order).
    ``weights`` and ``degrees`` are about these alone.
    """

    nodes: Ints | None
    mixing: Adjacency
    ends: torch.Tensor | None
    weights: Adjacency
    degrees: torch.Tensor


def whole(network: WeightedGraph, *, normalised: bool = False) -> Subgraph:
    """Return the whole graph as one part; ``normalised`` measures blocks by the normalised adjacency too."""
    mixing = _symmetric(network.normalised)
    if normalised:
        degrees = np.add.reduceat(np.append(network.normalised.weights, 0.0), network.normalised.starts[:-1])
        degrees[np.diff(network.normalised.starts) == 0] = 0.0
        return Subgraph(None, mixing, None, mixing, torch.from_numpy(degrees).float())
    return Subgraph(None, mixing, None, _symmetric(network.rows), torch.from_numpy(network.degrees).float())


def parts(
    network: WeightedGraph, *, edges: int, neighbours: int, rng: np.random.Generator, normalised: bool = False
) -> Iterator[Subgraph]:
    """Yield a graph in batches of at most ``edges`` edges, in random order, every edge once.

    A batch's nodes are the ends of its edges, at most ``neighbours`` drawn neighbours of each, and as many of
    theirs: what two convolutions see. Weights of drawn neighbours are raised so that sums stay right on average.
    A graph of no more edges is one part.
    """
    if network.edges <= edges:
        yield whole(network, normalised=normalised)
        return
    order = rng.permutation(network.edges)
    for start in range(0, network.edges, edges):
        yield _part(network, order[start : start + edges], neighbours, rng, normalised)


def _part(
    network: WeightedGraph, chosen: Ints, neighbours: int, rng: np.random.Generator, normalised: bool
) -> Subgraph:
    first, second, weights = network.first[chosen], network.second[chosen], network.weights[chosen]
    if normalised:
        weights = weights / np.sqrt(network.degrees[first] * network.degrees[second])
    ends = np.union1d(first, second)
    near = _drawn(network.normalised, ends, neighbours, rng)
    beyond = _drawn(network.normalised, np.setdiff1d(near[1], ends), neighbours, rng)
    targets, sources, shares = (np.concatenate(both) for both in zip(near, beyond, strict=True))
    nodes = np.union1d(ends, np.concatenate([targets, sources]))
    mixing = _matrix(np.searchsorted(nodes, targets), np.searchsorted(nodes, sources), shares, len(nodes))
    one, other = np.searchsorted(ends, first), np.searchsorted(ends, second)
    both = np.concatenate([one, other]), np.concatenate([other, one]), np.concatenate([weights, weights])
    degrees = np.bincount(both[0], both[2], len(ends))
    places = torch.from_numpy(np.searchsorted(nodes, ends))
    return Subgraph(nodes, mixing, places, _matrix(*both, len(ends)), torch.from_numpy(degrees).float())


def _drawn(rows: CompressedRows, nodes: Ints, most: int, rng: np.random.Generator) -> tuple[Ints, Ints, Floats]:
    """Draw neighbours: all of a node that has few, otherwise ``most``; (node, neighbour, raised weight) of each."""
    counts = rows.starts[nodes + 1] - rows.starts[nodes]
    taken = np.minimum(counts, most)
    targets = np.repeat(nodes, taken)
    within = np.arange(len(targets)) - np.repeat(np.cumsum(taken) - taken, taken)
    held = np.repeat(counts, taken)
    drawn = np.where(held <= most, within, (rng.random(len(targets)) * held).astype(np.int64))
    places = rows.starts[targets] + drawn
    return targets, rows.columns[places], rows.weights[places] * held / np.repeat(taken, taken)


def _symmetric(rows: CompressedRows) -> Adjacency:
    matrix = sparse(rows)
    return Adjacency(matrix, matrix)


def _matrix(rows: Ints, columns: Ints, weights: Floats, size: int) -> Adjacency:
    return Adjacency(_compressed(rows, columns, weights, size), _compressed(columns, rows, weights, size))


def _compressed(rows: Ints, columns: Ints, weights: Floats, size: int) -> torch.Tensor:
    order = np.lexsort((columns, rows))
    starts = np.zeros(size + 1, dtype=np.int64)
    np.cumsum(np.bincount(rows, minlength=size), out=starts[1:])
    return sparse(CompressedRows(starts, columns[order], weights[order]))
