"""What the abstractor is told of a node at first: where it lies in the graph, and what its text means.

Random columns, multiplied again and again with the normalised adjacency matrix and kept apart from each other (block
power iteration), turn towards its leading eigenvectors, in which blocks of the graph show. That costs a few passes
over the edges. Sparse real graphs (the paper's have one or two edges a node) say too little by themselves, so
embeddings of the nodes' texts come beside them where there are any.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...core.errors import UsageError
from .network import CompressedRows, Floats, WeightedGraph

__all__ = ["node_features", "product", "spectral_features"]

Matrix = npt.NDArray[np.float32]
_TURNS = 30  # multiplications; enough to lift an eigenvalue above noise that is a fifth smaller
_APART_EVERY = 3


def node_features(network: WeightedGraph, texts: Matrix | None, *, spectral: int, textual: int, seed: int) -> Matrix:
    """Return the features of all nodes, each column with mean square 1.

    ``spectral`` columns come from the graph; at most ``textual`` from ``texts`` (one embedding a node, along the
    directions in which they differ most). Raises UsageError where there is not one text for each node.
    """
    columns = [spectral_features(network, spectral, seed)]
    if texts is not None:
        if len(texts) != network.size:
            raise UsageError(f"There are {len(texts)} text embeddings for {network.size} nodes.")
        columns.append(_leading(texts, textual))
    found = np.concatenate(columns, axis=1)
    scale = np.sqrt((found**2).mean(axis=0))
    return (found / np.where(scale > 0, scale, 1.0)).astype(np.float32)


def spectral_features(network: WeightedGraph, count: int, seed: int) -> Floats:
    """Return ``count`` columns near the span of the leading eigenvectors; the same for the same seed."""
    rows = network.normalised
    found = np.random.default_rng(seed).standard_normal((network.size, count))
    for turn in range(1, _TURNS + 1):
        found = product(rows, found)
        if turn % _APART_EVERY == 0:
            found = _apart(found)
    return found


def product(rows: CompressedRows, dense: Floats) -> Floats:
    """Multiply a sparse matrix with a dense one."""
    import torch

    from .matrices import sparse

    found: Floats = (sparse(rows, double=True) @ torch.from_numpy(np.ascontiguousarray(dense))).numpy()
    return found


def _apart(columns: Floats) -> Floats:
    """Make columns orthogonal; more columns than rows are left as they are, only scaled."""
    if columns.shape[1] > columns.shape[0]:
        return columns / max(float(np.abs(columns).max()), 1e-12)
    found: Floats = np.linalg.qr(columns)[0]
    return found


def _leading(texts: Matrix, count: int) -> Floats:
    """Turn embeddings into their leading principal components, by the covariance of their dimensions."""
    centred = texts.astype(np.float64) - texts.mean(axis=0, dtype=np.float64)
    _, directions = np.linalg.eigh(centred.T @ centred)
    chosen = directions[:, ::-1][:, :count]
    signs = np.sign(chosen[np.abs(chosen).argmax(axis=0), np.arange(chosen.shape[1])])
    found: Floats = centred @ (chosen * signs)
    return found
