"""The experiments: each returns figures that are written as JSON and shown as tables (see `tables`)."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ....cubes.smart.trees.encoding_trees import EncodingTree
from ....cubes.smart.trees.entropy import structural_entropy
from ....cubes.smart.trees.features import Matrix
from ....cubes.smart.trees.measures import (
    adjusted_rand_index,
    average_modularity,
    average_nmi,
    modularity,
    normalised_mutual_information,
)
from ....cubes.smart.trees.network import Ints, WeightedGraph
from ....cubes.smart.trees.training import TrainedTrees, TrainingSettings, TrainingStep, abstract, level_sizes
from ...generators.graphs import hierarchy, ring_of_blocks, two_partitions
from .leiden import least_similar, leiden_tree

__all__ = ["HIERARCHY", "PLANTED", "heads", "hierarchies", "planted", "real", "scaling"]

PLANTED = TrainingSettings(trees=2, levels=(4,))
HIERARCHY = TrainingSettings(trees=1, levels=(16, 4), restarts=5)
Figures = dict[str, Any]
Watch = Callable[[str], None]
_LEIDEN_RUNS = 5


def planted(seeds: Sequence[int], watch: Watch, settings: TrainingSettings = PLANTED) -> Iterator[Figures]:
    """Yield, for each seed, how well two trees and Leiden recover two planted partitions, at λ = 1 and at λ = 0."""
    for seed in seeds:
        made = two_partitions(seed)
        row: Figures = {"seed": seed}
        for weight in (settings.diversity, 0.0):
            found = abstract(made.network, replace(settings, seed=seed, diversity=weight))
            groups = [tree.levels[0] for tree in found.trees]
            name = "smart" if weight else "smart at λ=0"
            row[name] = {**_each_for_one(groups, made.groupings), "nmi": average_nmi(found.trees)}
        trees = [leiden_tree(made.network, settings.levels, run) for run in range(_LEIDEN_RUNS)]
        pair = least_similar(trees)
        row["leiden"] = {**_each_for_one([t.levels[0] for t in pair], made.groupings), "nmi": average_nmi(pair)}
        indices = sorted(adjusted_rand_index(one, trees[0].levels[0]) for one in made.groupings)
        row["leiden, one run"] = {"better": indices[1], "other": indices[0]}
        watch(f"planted, seed {seed}: {row}")
        yield row


def hierarchies(seeds: Sequence[int], watch: Watch, settings: TrainingSettings = HIERARCHY) -> Iterator[Figures]:
    """Yield, for each seed, how well a tree and Leiden recover both levels of a planted hierarchy."""
    for seed in seeds:
        made = hierarchy(seed)
        found = abstract(made.network, replace(settings, seed=seed)).trees[0]
        row: Figures = {"seed": seed}
        for name, tree in (("smart", found), ("leiden", leiden_tree(made.network, settings.levels, seed))):
            fine, coarse = (adjusted_rand_index(a, b) for a, b in zip(made.groupings, tree.levels, strict=True))
            row[name] = {"fine": fine, "coarse": coarse}
        watch(f"hierarchy, seed {seed}: {row}")
        yield row


def real(
    network: WeightedGraph, texts: Matrix | None, watch: Watch, settings: TrainingSettings | None = None, *,
    read_s: float = 0.0
) -> Figures:
    """Return what trees of a real graph say beside Leiden's of as many communities: seconds, and memory in MB.

    ``read_s`` is what making the graph and embedding its texts took, which is noted.
    """
    chosen = settings or TrainingSettings()
    chosen = replace(chosen, levels=chosen.levels or level_sizes(network.size))
    started = time.perf_counter()
    found = _watched(network, texts, watch, chosen)
    seconds = time.perf_counter() - started
    # A learnt level may leave nodes of a tree empty: Leiden gets as many communities as the trees have on average.
    sizes = tuple(round(float(np.mean(counts))) for counts in zip(*(tree.sizes for tree in found.trees), strict=True))
    pair = least_similar([leiden_tree(network, sizes, seed) for seed in range(_LEIDEN_RUNS)])
    trees = [
        *({"tree": f"SMART {n}", **_of_tree(network, tree)} for n, tree in enumerate(found.trees, 1)),
        *({"tree": f"Leiden {n}", **_of_tree(network, tree)} for n, tree in enumerate(pair, 1)),
    ]
    return {
        "nodes": network.size, "edges": network.edges, "levels": chosen.levels, "trees": trees,
        "nmi": {"SMART": _by_level(found.trees), "Leiden, least similar of five runs": _by_level(pair)},
        "seconds": seconds, "read_s": read_s, "peak_mb": _peak(), "losses": found.losses, "epochs": found.epochs,
    }  # fmt: skip


def heads(
    network: WeightedGraph, texts: Matrix | None, counts: Sequence[int], watch: Watch,
    settings: TrainingSettings | None = None,
    *, answered: Callable[[Sequence[EncodingTree]], Figures] | None = None,
) -> Iterator[Figures]:  # fmt: skip
    """Yield Table 4's columns for each number of trees: those of answers where ``answered`` asks with the trees."""
    for count in counts:
        found = _watched(network, texts, watch, replace(settings or TrainingSettings(), trees=count))
        row = {
            "heads": count, "modularity": average_modularity(network, found.trees), "nmi": average_nmi(found.trees),
            "restarts": len(found.losses), "epochs": max(found.epochs), **(answered(found.trees) if answered else {}),
        }  # fmt: skip
        watch(f"heads: {row}")
        yield row


def scaling(edges: Sequence[int], watch: Watch, settings: TrainingSettings | None = None) -> Iterator[Figures]:
    """Yield the processor seconds of training on graphs of so many edges, with the same settings and epochs."""
    chosen = settings or TrainingSettings(trees=3, levels=(64, 16, 4), restarts=1, epochs=3)
    abstract(ring_of_blocks(0, 1_000).network, replace(chosen, epochs=1))  # what is loaded once is no cost of edges
    for count in edges:
        made = ring_of_blocks(0, count)
        started = time.process_time()
        found = abstract(made.network, chosen)
        seconds = time.process_time() - started
        row = {
            "edges": made.network.edges, "nodes": made.network.size, "epochs": found.epochs[0], "seconds": seconds,
            "seconds_per_million_edges_and_epoch": seconds / found.epochs[0] / made.network.edges * 1e6,
            "peak_mb": _peak(),
        }  # fmt: skip
        watch(f"scaling: {row}")
        yield row


def _each_for_one(groups: Sequence[Ints], planted_ones: Sequence[Ints]) -> Figures:
    """Give each planted partition a tree of its own, as fits best; their adjusted Rand indices."""
    indices = np.array([[adjusted_rand_index(one, group) for group in groups] for one in planted_ones])
    straight, crossed = (indices[0, 0], indices[1, 1]), (indices[0, 1], indices[1, 0])
    a, b = max(straight, crossed, key=sum)
    return {"a": float(a), "b": float(b)}


def _of_tree(network: WeightedGraph, tree: EncodingTree) -> Figures:
    return {
        "communities": tree.sizes,
        "modularity": [modularity(network, level) for level in tree.levels],
        "entropy": structural_entropy(network, tree),
    }


def _by_level(trees: Sequence[EncodingTree]) -> list[float]:
    """The mean NMI of all pairs of trees at each level."""
    levels = range(len(trees[0].levels))
    pairs = [(a, b) for n, a in enumerate(trees) for b in trees[n + 1 :]]
    return [float(np.mean([normalised_mutual_information(a.levels[m], b.levels[m]) for a, b in pairs])) for m in levels]


def _watched(network: WeightedGraph, texts: Matrix | None, watch: Watch, settings: TrainingSettings) -> TrainedTrees:
    def step(at: TrainingStep) -> None:
        if at.epoch % 10 == 0:
            watch(f"restart {at.restart + 1}/{at.restarts}, epoch {at.epoch}/{at.epochs}: loss {at.loss:.4f}")

    return abstract(network, settings, texts=texts, progress=step)


def _peak() -> float:
    """The greatest memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
