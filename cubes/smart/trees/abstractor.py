"""The fact abstractor: a graph network that gives every node its place in κ trees (section 4.2, equation 8).

How the paper is read. Equation 8 prints Y_km = σ(H · ∏_{k=1}^{κ} C_km), with the product over trees; the shapes
(d_{m-1} × d_m) only fit a product over the levels up to m, so that is what is done, step by step: σ is a softmax over
the nodes of a level, each level above is determined by the one below, Y_k(m+1) = Y_km · softmax(C_k(m+1)), and so
trees nest. Two things are added without which levels lose nodes to each other early and never get them back:

- what goes into the first softmax is standardised column by column over the nodes of the graph (each block starts
  with a fair chance), and multiplied by a ``sharpness`` that training raises slowly;
- a level above reads C_k(m+1) off the blocks' mean embeddings, (Y_kmᵀ H / Y_kmᵀ 1) · C', instead of free numbers:
  blocks that lie near each other begin together.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import batch_norm
from torch_geometric.nn import GCNConv

__all__ = ["Abstractor", "Adjacency", "Indicators"]

_TINY = 1e-12


class Adjacency(NamedTuple):
    """A sparse matrix with its transpose, which the backward pass multiplies with."""

    matrix: Tensor
    transposed: Tensor


class Indicators(NamedTuple):
    """One tree as it is learnt: Y_km for each level m, and between levels the softmax of C_k(m+1)."""

    levels: list[Tensor]
    above: list[Tensor]


class _Product(torch.autograd.Function):
    """Sparse times dense; its gradient costs one multiplication too, with the transpose that is at hand."""

    @staticmethod
    def forward(context: Any, transposed: Tensor, matrix: Tensor, dense: Tensor) -> Tensor:
        context.transposed = transposed
        return matrix @ dense

    @staticmethod
    def backward(context: Any, gradient: Tensor) -> tuple[None, None, Tensor]:
        return None, None, context.transposed @ gradient.contiguous()


def multiply(adjacency: Adjacency, dense: Tensor) -> Tensor:
    """Multiply a sparse matrix with a dense one, differentiably in the dense one."""
    found: Tensor = _Product.apply(adjacency.transposed, adjacency.matrix, dense)  # type: ignore[no-untyped-call]
    return found


class _Convolution(GCNConv):  # type: ignore[misc]
    """PyTorch Geometric's graph convolution over an adjacency that is normalised already."""

    def __init__(self, width: int) -> None:
        super().__init__(width, width, normalize=False)

    def forward(self, nodes: Tensor, adjacency: Adjacency) -> Tensor:
        """Mix every node's neighbours: Â · (X W) + b."""
        found = multiply(adjacency, self.lin(nodes))
        mixed: Tensor = found + self.bias
        return mixed


class Abstractor(nn.Module):
    """f_GNN, two residual graph convolutions, and the matrices C of κ = ``trees`` trees.

    ``features`` and ``hidden`` are the widths of what comes in and of H; ``levels`` the numbers of nodes d_1, d_2, ...
    of each level, finest first.
    """

    def __init__(self, features: int, hidden: int, levels: tuple[int, ...], trees: int) -> None:
        super().__init__()
        self.sharpness = 1.0
        self.enter = nn.Linear(features, hidden)
        self.first, self.second = _Convolution(hidden), _Convolution(hidden)
        self.heads = nn.ModuleList(
            nn.ModuleList(nn.Linear(hidden, size, bias=False) for size in levels) for _ in range(trees)
        )

    def embed(self, features: Tensor, adjacency: Adjacency) -> Tensor:
        """Return H, an embedding of each node."""
        found: Tensor = self.enter(features)
        found = found + torch.relu(self.first(found, adjacency))
        mixed: Tensor = self.second(found, adjacency)
        return found + mixed

    def forward(self, features: Tensor, adjacency: Adjacency, chosen: Tensor | None = None) -> list[Indicators]:
        """Return the indicators of each tree (equation 8), for all nodes or those ``chosen``."""
        nodes = self.embed(features, adjacency)
        return [self._indicators(head, nodes if chosen is None else nodes[chosen]) for head in self.heads]

    def _indicators(self, head: Any, nodes: Tensor) -> Indicators:
        levels = [torch.softmax(_standardised(head[0](nodes), self.sharpness), dim=1)]
        above: list[Tensor] = []
        for matrix in list(head)[1:]:
            below = levels[-1]
            blocks = below.T @ nodes / (below.sum(dim=0)[:, None] + 1e-6)
            above.append(torch.softmax(_standardised(matrix(blocks), self.sharpness), dim=1))
            levels.append(below @ above[-1])
        return Indicators(levels, above)


def _standardised(scores: Tensor, sharpness: float) -> Tensor:
    """Give every column mean 0 and standard deviation ``sharpness`` over the rows, in one pass forth and one back."""
    if len(scores) < 2:
        return torch.zeros_like(scores)
    weight = scores.new_full((scores.shape[1],), sharpness)
    return batch_norm(scores, None, None, weight=weight, training=True, eps=_TINY)
