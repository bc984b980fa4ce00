"""A graph as the abstractor sees it: nodes by number, each pair of neighbours once, with a weight. Nothing dense."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

from ...core.errors import UsageError

__all__ = ["CompressedRows", "Floats", "Ints", "WeightedGraph"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class CompressedRows:
    """The neighbours of every node, in compressed rows: those of node i are ``columns[starts[i]:starts[i + 1]]``."""

    starts: Ints
    columns: Ints
    weights: Floats


@dataclass(frozen=True, eq=False)
class WeightedGraph:
    """An undirected graph of ``size`` nodes; edge e joins ``first[e]`` < ``second[e]`` with ``weights[e]`` > 0.

    Section 3's G without what its nodes and edges mean; `of` makes one of any list of pairs.
    """

    size: int
    first: Ints
    second: Ints
    weights: Floats

    @classmethod
    def of(cls, size: int, pairs: Sequence[tuple[int, int]] | Ints, weights: Sequence[float] | Floats = ()) -> Self:
        """Make a graph: pairs given several times, in either direction, add up; a node is not its own neighbour.

        ``weights`` are 1 each where none are given. Raises UsageError for a node that is not there, a weight that
        is not above 0, or another number of weights than of pairs.
        """
        ends = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
        strengths = np.asarray(weights, dtype=np.float64) if len(weights) else np.ones(len(ends))
        if len(ends) and (ends.min() < 0 or ends.max() >= size):
            raise UsageError(f"An edge names a node that is not there; nodes are 0 to {size - 1}.")
        if len(strengths) != len(ends) or not (strengths > 0).all():
            raise UsageError("Every edge needs one weight above 0.")
        ends = np.sort(ends, axis=1)
        apart = ends[:, 0] != ends[:, 1]
        keys, places = np.unique(ends[apart, 0] * size + ends[apart, 1], return_inverse=True)
        return cls(size, keys // max(size, 1), keys % max(size, 1), _sums(places, strengths[apart], len(keys)))

    @property
    def edges(self) -> int:
        """How many pairs of neighbours there are."""
        return len(self.first)

    @property
    def volume(self) -> float:
        """Twice the weight of all edges (2m)."""
        return 2.0 * float(self.weights.sum())

    @cached_property
    def degrees(self) -> Floats:
        """The weight of each node's edges."""
        ends = np.concatenate([self.first, self.second])
        return _sums(ends, np.concatenate([self.weights, self.weights]), self.size)

    @cached_property
    def rows(self) -> CompressedRows:
        """The neighbours of every node, each edge in both directions."""
        sources = np.concatenate([self.first, self.second])
        columns = np.concatenate([self.second, self.first])
        order = np.lexsort((columns, sources))
        starts = np.zeros(self.size + 1, dtype=np.int64)
        np.cumsum(np.bincount(sources, minlength=self.size), out=starts[1:])
        return CompressedRows(starts, columns[order], np.concatenate([self.weights, self.weights])[order])

    @cached_property
    def normalised(self) -> CompressedRows:
        """The neighbours with the weights of the normalised adjacency matrix D^-1/2 A D^-1/2 (equation 10's A)."""
        rows = self.rows
        scale = 1.0 / np.sqrt(np.where(self.degrees > 0, self.degrees, 1.0))
        sources = np.repeat(np.arange(self.size), np.diff(rows.starts))
        return CompressedRows(rows.starts, rows.columns, rows.weights * scale[sources] * scale[rows.columns])

    @cached_property
    def fingerprint(self) -> str:
        """Changes with anything in the graph."""
        digest = hashlib.blake2b(str(self.size).encode(), digest_size=16)
        for column in (self.first, self.second, self.weights):
            digest.update(np.ascontiguousarray(column).tobytes())
        return digest.hexdigest()


def _sums(places: Ints, weights: Floats, size: int) -> Floats:
    return np.bincount(places, weights, size).astype(np.float64)
