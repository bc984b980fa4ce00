"""Encoding trees: every node of the graph is a leaf, every node above stands for the leaves under it (section 4.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np

from ...core.errors import UsageError
from .network import Floats, Ints

__all__ = ["EncodingTree", "TreeNode"]


class TreeNode(NamedTuple):
    """An internal node of a tree: its level (1 is right above the leaves) and its number there."""

    level: int
    number: int


@dataclass(frozen=True, eq=False)
class EncodingTree:
    """A tree whose leaves are a graph's nodes (V_leaf = V), all at the same depth below a root.

    ``levels[m - 1][i]`` is the node of level m above leaf i; numbers of a level run from 0 without gaps. Leaves
    that share a node at one level share one at every level above: the trees nest. The root is no level; with the
    paper it is no internal node either.
    """

    levels: tuple[Ints, ...]

    def __post_init__(self) -> None:
        """Check that it is a tree; raises UsageError where it is none."""
        if not self.levels or len({len(level) for level in self.levels}) != 1:
            raise UsageError("An encoding tree needs at least one level, and as many leaves on each.")
        for level in self.levels:
            if len(level) and not np.array_equal(np.unique(level), np.arange(level.max() + 1)):
                raise UsageError("The nodes of a level are numbered from 0 without gaps.")
        for lower, upper in zip(self.levels, self.levels[1:], strict=False):
            if len(np.unique(np.stack([lower, upper]), axis=1).T) != len(np.unique(lower)):
                raise UsageError("The levels do not nest: two leaves part that were together a level below.")

    @classmethod
    def of(cls, *levels: Sequence[int] | Ints) -> Self:
        """Make a tree of any names of the nodes above each leaf, finest level first; raises UsageError as above."""
        return cls(tuple(np.unique(np.asarray(level), return_inverse=True)[1].astype(np.int64) for level in levels))

    @classmethod
    def from_indicators(cls, finest: Floats, above: Sequence[Floats] = ()) -> Self:
        """Build a tree by equation 9 from what was learnt.

        ``finest`` is Y_k1, a row of probabilities for each leaf; ``above[m - 1]`` says for each node of level m
        which one of level m + 1 it belongs to, as a row of probabilities, so that Y_k(m+1) = Y_km · above[m - 1].
        Equation 9 speaks of indicators that are 0 or 1; a row's greatest probability is read as the 1 (the first
        of equals). Nodes without a leaf are left out.
        """
        levels = [np.argmax(finest, axis=1)]
        for step in above:
            levels.append(np.argmax(step, axis=1)[levels[-1]])
        return cls.of(*levels)

    @property
    def leaves(self) -> int:
        """How many leaves there are: the graph's nodes."""
        return len(self.levels[0])

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many nodes each level has, finest first."""
        return tuple(int(level.max()) + 1 if len(level) else 0 for level in self.levels)

    def internals(self) -> Iterator[TreeNode]:
        """Yield every internal node, finest level first (V_inte: neither leaf nor root)."""
        for level, size in enumerate(self.sizes, 1):
            yield from (TreeNode(level, number) for number in range(size))

    def members(self, node: TreeNode) -> Ints:
        """Return the leaves under a node, ascending (equation 1's N_v, read as all descendant leaves)."""
        order, starts = self._grouped[node.level - 1]
        return order[starts[node.number] : starts[node.number + 1]]

    def parent(self, node: TreeNode) -> TreeNode | None:
        """Return the node above; None under the root."""
        if node.level == len(self.levels):
            return None
        return TreeNode(node.level + 1, int(self.levels[node.level][self.members(node)[0]]))

    def children(self, node: TreeNode) -> tuple[TreeNode, ...]:
        """Return the internal nodes right below, in order; none right above the leaves."""
        if node.level == 1:
            return ()
        below = np.unique(self.levels[node.level - 2][self.members(node)])
        return tuple(TreeNode(node.level - 1, int(number)) for number in below)

    def path(self, leaf: int) -> tuple[TreeNode, ...]:
        """Return the nodes above a leaf, finest first."""
        return tuple(TreeNode(level, int(of[leaf])) for level, of in enumerate(self.levels, 1))

    @cached_property
    def _grouped(self) -> list[tuple[Ints, Ints]]:
        """Of each level the leaves in the order of their nodes, and where each node's leaves begin."""
        found = []
        for level, size in zip(self.levels, self.sizes, strict=True):
            starts = np.zeros(size + 1, dtype=np.int64)
            np.cumsum(np.bincount(level, minlength=size), out=starts[1:])
            found.append((np.argsort(level, kind="stable"), starts))
        return found
