"""The abstractor on small planted graphs: it finds them, the same every time, and goes on where it was killed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from multicube.cubes.core.errors import UsageError
from multicube.cubes.smart.trees.abstractor import Indicators
from multicube.cubes.smart.trees.measures import adjusted_rand_index, average_nmi, modularity
from multicube.cubes.smart.trees.network import WeightedGraph
from multicube.cubes.smart.trees.objective import Batch, kept_inside, loss, shared
from multicube.cubes.smart.trees.sampling import parts, whole
from multicube.cubes.smart.trees.training import (
    TrainedTrees,
    TrainingSettings,
    TrainingStep,
    abstract,
    level_sizes,
)
from multicube.evals.generators.graphs import Planted, two_partitions

SETTINGS = TrainingSettings(trees=2, levels=(4,), spectral=16, hidden=32, epochs=60, restarts=1, patience=60)


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def block_model(seed: int, *, blocks: int = 4, size: int = 40) -> Planted:
    rng = np.random.default_rng(seed)
    of = rng.permutation(blocks * size) % blocks
    chance = np.where(of[:, None] == of, 0.3, 0.02)
    return Planted(WeightedGraph.of(len(of), np.argwhere(np.triu(rng.random(chance.shape) < chance, 1))), (of,))


def same(one: TrainedTrees, other: TrainedTrees) -> bool:
    return one.losses == other.losses and all(
        np.array_equal(a.levels, b.levels) for a, b in zip(one.trees, other.trees, strict=True)
    )


def test_planted_blocks_are_recovered_the_same_every_time() -> None:
    made = block_model(1)
    settings = replace(SETTINGS, trees=1)
    found = abstract(made.network, settings)
    assert adjusted_rand_index(made.groupings[0], found.trees[0].levels[0]) >= 0.95
    assert same(found, abstract(made.network, settings))


def test_two_trees_take_a_partition_each() -> None:
    made = two_partitions(3)
    found = abstract(made.network, SETTINGS)
    best = [max(adjusted_rand_index(one, tree.levels[0]) for tree in found.trees) for one in made.groupings]
    assert min(best) >= 0.9
    nmi = average_nmi(found.trees)
    assert nmi is not None
    assert nmi <= 0.05


def test_training_in_batches_of_edges_finds_the_blocks_too() -> None:
    made = block_model(2, size=80)
    settings = replace(SETTINGS, trees=1, batch_edges=made.network.edges // 3, epochs=40)
    found = abstract(made.network, settings)
    assert adjusted_rand_index(made.groupings[0], found.trees[0].levels[0]) >= 0.9


def test_a_killed_training_goes_on_and_comes_to_the_same(tmp_path: Path) -> None:
    made, settings = block_model(1), replace(SETTINGS, epochs=24, restarts=2)
    kept = tmp_path / "training.pt"
    seen: list[TrainingStep] = []

    def killed(step: TrainingStep) -> None:
        seen.append(step)
        if (step.restart, step.epoch) == (1, 14):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        abstract(made.network, settings, progress=killed, checkpoint=kept)
    seen.clear()
    found = abstract(made.network, settings, progress=seen.append, checkpoint=kept)
    assert (seen[0].restart, seen[0].epoch) == (1, 11)
    assert same(found, abstract(made.network, settings))
    seen.clear()
    assert same(found, abstract(made.network, settings, progress=seen.append, checkpoint=kept))
    assert seen == []


@pytest.mark.parametrize("damage", [b"", b"no checkpoint"])
def test_a_damaged_checkpoint_or_one_of_another_graph_is_begun_anew(tmp_path: Path, damage: bytes) -> None:
    kept = tmp_path / "training.pt"
    settings = replace(SETTINGS, epochs=12)
    kept.write_bytes(damage)
    one = abstract(block_model(1).network, settings, checkpoint=kept)
    other = abstract(block_model(2).network, settings, checkpoint=kept)
    assert same(one, abstract(block_model(1).network, settings))
    assert not same(one, other)


def test_the_seeds_of_the_caller_are_left_alone() -> None:
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    abstract(block_model(1).network, replace(SETTINGS, epochs=2))
    assert torch.equal(torch.rand(3), expected)


def test_the_best_restart_is_kept() -> None:
    found = abstract(block_model(4).network, replace(SETTINGS, epochs=15, restarts=3))
    assert found.loss == min(found.losses)
    assert len(found.losses) == len(found.epochs) == 3


def test_text_tells_apart_what_the_graph_does_not() -> None:
    """A graph of pairs alone says nothing of which pairs belong together; their texts do."""
    pairs = [(2 * n, 2 * n + 1) for n in range(60)]
    topics = np.repeat(np.arange(60) % 3, 2)
    rng = np.random.default_rng(0)
    texts = (np.eye(3)[topics] + 0.05 * rng.standard_normal((120, 3))).astype(np.float32)
    settings = replace(SETTINGS, trees=1, levels=(3,), textual=3, spectral=2)
    found = abstract(WeightedGraph.of(120, pairs), settings, texts=texts)
    assert adjusted_rand_index(topics, found.trees[0].levels[0]) >= 0.9
    with pytest.raises(UsageError, match="text embeddings"):
        abstract(WeightedGraph.of(120, pairs), settings, texts=texts[:5])


def test_the_first_term_is_modularity_for_hard_blocks() -> None:
    made = block_model(1)
    part = whole(made.network)
    hard = torch.from_numpy(np.eye(4, dtype=np.float32)[made.groupings[0]])
    batch = Batch(part.weights, part.degrees)
    inside, expected = kept_inside(hard, batch)
    assert float(inside - expected) == pytest.approx(modularity(made.network, made.groupings[0]), abs=1e-5)
    tree = Indicators([hard], [])
    assert float(loss([tree, tree], batch, 1.0)) == pytest.approx(1 - 2 * float(inside - expected), abs=1e-4)
    assert float(shared(hard, hard)) == pytest.approx(1.0, abs=1e-5)


def test_mu_as_printed_is_taken_with_the_normalised_matrix() -> None:
    made = block_model(1)
    part = whole(made.network, normalised=True)
    hard = torch.from_numpy(np.eye(4, dtype=np.float32)[made.groupings[0]])
    sizes = made.network.normalised
    sums = np.array([sizes.weights[a:b].sum() for a, b in zip(sizes.starts, sizes.starts[1:], strict=False)])
    blocks = np.bincount(made.groupings[0], sums)
    _, expected = kept_inside(hard, Batch(part.weights, part.degrees, 1e-3))
    assert float(expected) == pytest.approx(1e-3 * float((blocks**2).sum()) / sums.sum(), rel=1e-4)


def test_batches_hold_every_edge_once_and_keep_sums_right() -> None:
    network = block_model(1).network
    rng = np.random.default_rng(0)
    some = list(parts(network, edges=100, neighbours=4, rng=rng))
    assert len(some) == -(-network.edges // 100)
    assert sum(float(part.degrees.sum()) for part in some) == pytest.approx(network.volume)
    constant = torch.ones(network.size, 1)
    exact = whole(network).mixing.matrix @ constant
    drawn = torch.zeros(network.size, 1)
    for part in (part for _ in range(30) for part in parts(network, edges=100, neighbours=4, rng=rng)):
        assert part.nodes is not None
        assert part.ends is not None
        places = torch.from_numpy(part.nodes)
        drawn[places[part.ends]] += (part.mixing.matrix @ constant[places])[part.ends]
    times = torch.zeros(network.size, 1)
    for part in parts(network, edges=100, neighbours=4, rng=rng):
        times[torch.from_numpy(part.nodes)[part.ends]] += 30
    assert float(drawn.sum() / (times * exact).sum()) == pytest.approx(1.0, abs=0.05)


def test_settings_and_graphs_that_fit_no_tree_are_refused() -> None:
    with pytest.raises(UsageError, match="no edges"):
        abstract(WeightedGraph.of(3, []), SETTINGS)
    with pytest.raises(UsageError, match="level"):
        TrainingSettings(levels=(4, 16))
    with pytest.raises(UsageError, match="at least 1"):
        TrainingSettings(trees=0)
    assert level_sizes(20_000) == (216, 36, 6)
    assert level_sizes(10) == (8, 4, 2)
