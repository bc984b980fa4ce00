"""The experiments on small graphs: figures that tables can be made of, and Leiden as the baseline."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from multicube.cubes.smart.trees.measures import adjusted_rand_index
from multicube.cubes.smart.trees.training import TrainingSettings
from multicube.evals.experiments.smart import experiments
from multicube.evals.experiments.smart.tables import write
from multicube.evals.generators.graphs import hierarchy, ring_of_blocks, two_partitions

SMALL = TrainingSettings(spectral=16, hidden=16, epochs=10, restarts=1, levels=(8, 4), trees=2)


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def ignore(sentence: str) -> None:
    """Nobody watches."""


def test_planted_graphs_are_as_dense_as_they_say_and_the_same_for_a_seed() -> None:
    made = two_partitions(5)
    assert made.network.volume / 1_000 == pytest.approx(39, abs=1.5)
    assert abs(adjusted_rand_index(*made.groupings)) < 0.02
    assert two_partitions(5).network.fingerprint == made.network.fingerprint
    assert two_partitions(6).network.fingerprint != made.network.fingerprint
    fine, coarse = hierarchy(5).groupings
    assert np.array_equal(fine // 4, coarse)


def test_leiden_finds_one_of_two_partitions_and_both_levels_of_a_hierarchy() -> None:
    leiden = pytest.importorskip("multicube.evals.experiments.smart.leiden")
    pytest.importorskip("leidenalg")
    made = two_partitions(1)
    found = leiden.leiden_tree(made.network, (4,), 0)
    assert found.sizes == (4,)
    assert max(adjusted_rand_index(one, found.levels[0]) for one in made.groupings) >= 0.9
    nested = hierarchy(1)
    tree = leiden.leiden_tree(nested.network, (16, 4), 0)
    assert tree.sizes == (16, 4)
    assert adjusted_rand_index(nested.groupings[1], tree.levels[1]) >= 0.9


def test_every_experiment_comes_to_a_table(tmp_path: Path) -> None:
    pytest.importorskip("leidenalg")
    network = ring_of_blocks(0, 1_000, size=20).network
    scaled = replace(SMALL, epochs=2)
    figures = {
        "planted": list(experiments.planted([1], ignore, replace(SMALL, levels=(4,), epochs=3))),
        "hierarchy": list(experiments.hierarchies([1], ignore, replace(SMALL, levels=(16, 4), epochs=3))),
        "real": [experiments.real(network, None, ignore, SMALL)],
        "heads": list(experiments.heads(network, None, [2, 3], ignore, scaled)),
        "scaling": list(experiments.scaling([500, 1_000], ignore, scaled)),
    }
    for name, found in figures.items():
        page = write(tmp_path / "docs", name, found)  # a folder that is not there yet, as in a quick sample
        assert json.loads((tmp_path / "docs" / f"smart-{name}.json").read_text())
    text = page.read_text()
    assert text.startswith("# SMART")
    for said in ("smart at λ=0", "fine ARI", "SMART 2", "Leiden 1", "average NMI", "per million edges and epoch"):
        assert said in text
    assert [tree["tree"] for tree in figures["real"][0]["trees"]] == ["SMART 1", "SMART 2", "Leiden 1", "Leiden 2"]
