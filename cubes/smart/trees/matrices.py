"""Sparse matrices of PyTorch from compressed rows; importing this imports PyTorch."""

from __future__ import annotations

import warnings

import torch

from .network import CompressedRows

__all__ = ["sparse"]


def sparse(rows: CompressedRows, *, double: bool = False) -> torch.Tensor:
    """Return a matrix with the given rows, square, in single precision or double."""
    size = len(rows.starts) - 1
    values = torch.from_numpy(rows.weights)
    with warnings.catch_warnings():  # PyTorch announces once that its compressed rows may still change
        warnings.filterwarnings("ignore", "Sparse CSR tensor support is in beta")
        return torch.sparse_csr_tensor(
            torch.from_numpy(rows.starts), torch.from_numpy(rows.columns), values if double else values.float(),
            (size, size), check_invariants=False,
        )  # fmt: skip
