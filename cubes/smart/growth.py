"""Trees of an earlier graph carried over to the graph after new documents, so that only touched nodes change.

Training anew would number and group everything afresh. While most entities are known, a new one joins the node that
most of its neighbours are in, level by level through the finest; one without a known neighbour joins the largest.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .graph import EntityGraph
from .trees.encoding_trees import EncodingTree
from .trees.network import CompressedRows, Ints

__all__ = ["carried_over", "share_known"]


def share_known(graph: EntityGraph, leaves: Sequence[str]) -> float:
    """Return which share of a graph's entities are leaves (ids) of earlier trees."""
    known = set(leaves)
    return sum(entity.id in known for entity in graph.entities) / max(len(graph.entities), 1)


def carried_over(graph: EntityGraph, leaves: Sequence[str], trees: Sequence[EncodingTree]) -> tuple[EncodingTree, ...]:
    """Return trees over a graph's entities, from trees over the ``leaves`` (ids of entities) of an earlier graph."""
    former = {leaf: place for place, leaf in enumerate(leaves)}
    places = np.array([former.get(entity.id, -1) for entity in graph.entities], dtype=np.int64)
    return tuple(_grown(graph, tree, places) for tree in trees)


def _grown(graph: EntityGraph, tree: EncodingTree, places: Ints) -> EncodingTree:
    finest = np.where(places >= 0, tree.levels[0][np.maximum(places, 0)], -1)
    rows = graph.network.rows
    waiting = [int(n) for n in np.flatnonzero(finest < 0)]
    while waiting:
        # All of a round are decided by what was known before it, so that their order decides nothing.
        choices = {n: _chosen(n, finest, rows) for n in waiting}
        joined = {n: choice for n, choice in choices.items() if choice is not None}
        if not joined:
            break
        for n, choice in joined.items():
            finest[n] = choice
        waiting = [n for n in waiting if n not in joined]
    finest[finest < 0] = int(np.argmax(np.bincount(tree.levels[0])))
    first = [int(tree.members(node)[0]) for node in tree.internals() if node.level == 1]
    return EncodingTree.of(finest, *(level[first][finest] for level in tree.levels[1:]))


def _chosen(node: int, finest: Ints, rows: CompressedRows) -> int | None:
    """The finest node that the neighbours of a leaf weigh most for; None where none of them is in one."""
    held = slice(int(rows.starts[node]), int(rows.starts[node + 1]))
    groups, strengths = finest[rows.columns[held]], rows.weights[held]
    known = groups >= 0
    return int(np.argmax(np.bincount(groups[known], strengths[known]))) if known.any() else None
