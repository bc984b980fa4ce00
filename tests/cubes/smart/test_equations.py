"""Equations 1 to 6 against the definitions, counted by brute force on small graphs."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from multicube.cubes.core.errors import UsageError
from multicube.cubes.smart.trees.encoding_trees import EncodingTree
from multicube.cubes.smart.trees.entropy import (
    is_encoding_tree,
    mutual_information,
    node_entropy,
    objective,
    overlap,
    structural_entropy,
    theta,
)
from multicube.cubes.smart.trees.measures import (
    adjusted_rand_index,
    modularity,
    normalised_mutual_information,
)
from multicube.cubes.smart.trees.network import WeightedGraph
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

Edges = dict[tuple[int, int], float]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, Edges]:
    size = draw(st.integers(2, 8))
    pairs = list(itertools.combinations(range(size), 2))
    chosen = draw(st.lists(st.sampled_from(pairs), min_size=1, unique=True))
    return size, {pair: draw(st.sampled_from([0.5, 1.0, 3.0])) for pair in chosen}


@st.composite
def trees(draw: st.DrawFn, size: int) -> EncodingTree:
    fine = draw(st.lists(st.integers(0, size - 1), min_size=size, max_size=size))
    above = draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
    return EncodingTree.of(fine, [above[block] for block in fine])


def made(graph: tuple[int, Edges]) -> WeightedGraph:
    return WeightedGraph.of(graph[0], list(graph[1]), list(graph[1].values()))


def brute_entropy(edges: Edges, tree: EncodingTree) -> float:
    """Equations 1 and 2 word by word: over internal nodes, over directed edges."""
    total = 2 * sum(edges.values())
    found = 0.0
    for node in tree.internals():
        inside = set(tree.members(node).tolist())
        parent = tree.parent(node)
        siblings = tree.leaves if parent is None else len(tree.members(parent))
        leaving = sum(
            weight for (i, j), weight in edges.items() for a, b in ((i, j), (j, i)) if a in inside and b not in inside
        )
        found += math.log(len(inside) / siblings) * leaving / total
    return found


def brute_information(one: EncodingTree, other: EncodingTree) -> float:
    """The sum above equation 5, over all pairs of internal nodes."""
    found = 0.0
    for a, b in itertools.product(one.internals(), other.internals()):
        first, second = set(one.members(a).tolist()), set(other.members(b).tolist())
        joint = len(first & second) / one.leaves
        if joint:
            found += joint * math.log(joint / (len(first) / one.leaves * len(second) / one.leaves))
    return found


@given(st.data())
def test_structural_entropy_is_what_equations_1_and_2_say(data: st.DataObject) -> None:
    graph = data.draw(graphs())
    tree = data.draw(trees(graph[0]))
    found = structural_entropy(made(graph), tree)
    assert found == pytest.approx(brute_entropy(graph[1], tree))
    assert found == pytest.approx(sum(node_entropy(made(graph), tree, node) for node in tree.internals()))
    assert found <= 1e-12
    assert all(theta(tree, node) <= 0 for node in tree.internals())


@given(st.data())
def test_mutual_information_is_what_equation_5_says(data: st.DataObject) -> None:
    size = data.draw(st.integers(2, 8))
    some = [data.draw(trees(size)) for _ in range(3)]
    assert mutual_information(some[0], some[1]) == pytest.approx(brute_information(some[0], some[1]), abs=1e-9)
    pairs = itertools.combinations(some, 2)
    assert overlap(some) == pytest.approx(sum(brute_information(a, b) for a, b in pairs), abs=1e-9)
    assert overlap(some) >= -1e-9


def test_the_best_of_all_groupings_parts_two_cliques() -> None:
    """Equation 3, over every tree with two blocks of three leaves."""
    network = WeightedGraph.of(6, [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5), (2, 3)])
    halves = [EncodingTree.of([0 if leaf in chosen else 1 for leaf in range(6)])
              for chosen in itertools.combinations(range(6), 3)]  # fmt: skip
    best = max(halves, key=lambda tree: structural_entropy(network, tree))
    assert {tuple(best.members(node)) for node in best.internals()} == {(0, 1, 2), (3, 4, 5)}


def test_equation_7_prefers_trees_that_say_different_things() -> None:
    """A square of four nodes whose two pairs of sides are equally good groupings."""
    square = WeightedGraph.of(4, [(0, 1), (2, 3), (0, 2), (1, 3)])
    rows, columns = EncodingTree.of([0, 0, 1, 1]), EncodingTree.of([0, 1, 0, 1])
    assert objective(square, [rows, columns]) < objective(square, [rows, rows])
    assert objective(square, [rows, columns], 0.0) == pytest.approx(objective(square, [rows, rows], 0.0))
    assert overlap([rows, columns]) == pytest.approx(0.0)


def test_a_tree_of_other_leaves_is_no_tree_of_the_graph() -> None:
    """Equation 4."""
    network = WeightedGraph.of(3, [(0, 1)])
    assert is_encoding_tree(EncodingTree.of([0, 0, 1]), network)
    assert not is_encoding_tree(EncodingTree.of([0, 1]), network)
    with pytest.raises(UsageError, match="2 leaves"):
        structural_entropy(network, EncodingTree.of([0, 1]))


@given(st.data())
def test_measures_are_those_of_the_literature(data: st.DataObject) -> None:
    graph = data.draw(graphs())
    one, other = (data.draw(trees(graph[0])).levels[0] for _ in range(2))
    assert adjusted_rand_index(one, other) == pytest.approx(adjusted_rand_score(one, other))
    expected = normalized_mutual_info_score(one, other)
    assert normalised_mutual_information(one, other) == pytest.approx(expected, abs=1e-9)
    network, total = made(graph), 2 * sum(graph[1].values())
    weights = {**graph[1], **{(j, i): w for (i, j), w in graph[1].items()}}
    brute = sum(
        weights.get((i, j), 0.0) / total - network.degrees[i] * network.degrees[j] / total**2
        for i, j in itertools.product(range(graph[0]), repeat=2)
        if one[i] == one[j]
    )
    assert modularity(network, one) == pytest.approx(brute)


def test_pairs_given_twice_add_up_and_bad_ones_are_refused() -> None:
    network = WeightedGraph.of(3, [(0, 1), (1, 0), (2, 2)], [1.0, 2.0, 5.0])
    assert (network.edges, network.volume, network.degrees.tolist()) == (1, 6.0, [3.0, 3.0, 0.0])
    with pytest.raises(UsageError, match="not there"):
        WeightedGraph.of(2, [(0, 2)])
    with pytest.raises(UsageError, match="above 0"):
        WeightedGraph.of(2, [(0, 1)], [0.0])


def test_trees_nest_and_are_built_by_equation_9() -> None:
    finest = np.array([[0.9, 0.1, 0.0], [0.2, 0.3, 0.5], [0.8, 0.1, 0.1], [0.0, 0.1, 0.9]])
    tree = EncodingTree.from_indicators(finest, [np.array([[0.1, 0.9], [0.6, 0.4], [0.7, 0.3]])])
    assert tree.levels[0].tolist() == [0, 1, 0, 1]
    assert tree.levels[1].tolist() == [1, 0, 1, 0]
    assert tree.sizes == (2, 2)
    assert [node.number for node in tree.path(1)] == [1, 0]
    assert tree.children(tree.path(1)[1]) == (tree.path(1)[0],)
    above = [np.eye(4)[[1, 0, 1, 2]], np.array([[0.2, 0.8], [0.9, 0.1], [0.3, 0.7], [0.5, 0.5]])]
    three = EncodingTree.from_indicators(np.eye(4), above)
    assert [level.tolist() for level in three.levels] == [[0, 1, 2, 3], [1, 0, 1, 2], [0, 1, 0, 1]]
    with pytest.raises(UsageError, match="do not nest"):
        EncodingTree.of([0, 0, 1], [0, 1, 1])
