"""Equation 10: what the abstractor is trained on, for indicators that are probabilities.

How the paper is read. ``Y_km[i, j]`` has two nodes for indices where Y has a node and a block: it is the probability
that i and j share a block, (Y Yᵀ)[i, j]. Then, with 2m the weight of all edges in both directions,

- the first term is Σ (Y ∘ AY) − μ ‖Aᵀ1 · Y‖², which is what modularity is for soft blocks. Summing a pair's expected
  weight costs one product of degrees and Y, never a matrix of all pairs. μ printed as 1e-3 fits a normalised A of
  about 1,000 nodes only; by default it is scaled with the graph, d_i d_j / 2m with the plain weights (``mu`` None),
  and any number is used as it is printed, with the normalised A. Both forms are divided by ΣA, so that λ weighs the
  same on graphs of any size.
- appendix A.4 calls μ "the parent-children balance". The expected weight of a level is measured inside the blocks of
  the level above, as θ_v of equation 1 compares a node with its parent: it is multiplied by how many times more
  weight the level above keeps inside its blocks than chance would. Otherwise blocks of one parent, which are
  neighbours more often than chance, would always melt together. The top level is compared with the whole graph.
- (Y_km ⊗ Y_k'm · 1) in the second term is the joint distribution of two trees' blocks, P = Y_kmᵀ Y_k'm / |V|: nodes
  are summed before the logarithm, since a term for each node is identically zero. It is divided by log d_m, so that
  it is at most about 1, as the first term is; each pair of trees counts once.
"""

from __future__ import annotations

from itertools import combinations
from math import log
from typing import NamedTuple

import torch
from torch import Tensor

from .abstractor import Adjacency, Indicators, multiply

__all__ = ["Batch", "kept_inside", "loss", "shared"]

_TINY = 1e-12


class Batch(NamedTuple):
    """A stretch of a graph to measure blocks on: its edges as a matrix, and each of its nodes' degree, summing to 2m.

    ``mu`` None is scaled; a number is equation 10's. ``drawn`` are nodes to estimate mutual information from (None:
    all of them).
    """

    weights: Adjacency
    degrees: Tensor
    mu: float | None = None
    drawn: Tensor | None = None


def loss(trees: list[Indicators], batch: Batch, diversity: float) -> Tensor:
    """Return equation 10's 𝓛, with λ = ``diversity``: the less, the more the trees say and the less they repeat."""
    found = -torch.stack([_kept_more_than_expected(tree, batch) for tree in trees]).sum()
    if diversity and len(trees) > 1:
        chosen = [tree.levels if batch.drawn is None else [y[batch.drawn] for y in tree.levels] for tree in trees]
        repeated = [shared(a, b) for pair in combinations(chosen, 2) for a, b in zip(*pair, strict=True)]
        found = found + diversity * torch.stack(repeated).sum()
    return found


def kept_inside(blocks: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
    """Return which share of all weight lies inside blocks, and which share would by chance (both 0 to 1)."""
    total = batch.degrees.sum()
    inside = torch.dot(blocks.flatten(), multiply(batch.weights, blocks).flatten()) / total
    expected = ((batch.degrees @ blocks) ** 2).sum()
    return inside, expected / total**2 if batch.mu is None else batch.mu * expected / total


def shared(one: Tensor, other: Tensor) -> Tensor:
    """Return the mutual information of two levels' blocks over the logarithm of how many there are (0 for one)."""
    if one.shape[1] < 2:
        return one.new_zeros(())
    joint = one.T @ other / len(one)
    apart = joint.sum(dim=1, keepdim=True) * joint.sum(dim=0, keepdim=True)
    return (joint * (torch.log(joint + _TINY) - torch.log(apart + _TINY))).sum() / log(one.shape[1])


def _kept_more_than_expected(tree: Indicators, batch: Batch) -> Tensor:
    """The first term of one tree: over its levels, the weight kept inside above what the parents let expect."""
    found = tree.levels[0].new_zeros(())
    times = 1.0
    for level in reversed(tree.levels):
        inside, expected = kept_inside(level, batch)
        found = found + inside - times * expected
        if batch.mu is None:  # no gradient: the level above is judged by its own term
            times = max(1.0, float(inside.detach() / (expected.detach() + _TINY)))
    return found
