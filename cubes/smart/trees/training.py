"""Training the fact abstractor on a graph: seeded, with restarts, early stopping, and a checkpoint to go on from."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.errors import UsageError
from .encoding_trees import EncodingTree
from .features import node_features
from .network import WeightedGraph

if TYPE_CHECKING:
    from .abstractor import Abstractor, Indicators
    from .sampling import Subgraph

__all__ = ["TrainedTrees", "TrainingSettings", "TrainingStep", "abstract", "level_sizes"]

Matrix = npt.NDArray[np.float32]
_SHARPEST = 4.0
_SHARPENING = 0.7  # share of the steps in which sharpness rises; only then may training stop early
_BARELY = 1e-4  # a gain smaller than this is none
_FEWEST, _MOST = 32, 128  # features from the graph: blocks that many directions cannot tell apart would melt together
_LARGE = 10_000  # nodes; in larger graphs one training differs less from the next
_DRAWN = 8_192  # nodes that tell two trees' joint blocks well enough: the product of all would be the dearest step


@dataclass(frozen=True)
class TrainingSettings:
    """How trees are learnt; the first four are the paper's (A.4).

    ``trees`` is κ, ``levels`` the numbers of nodes of each level, finest first (empty: `level_sizes` for three
    levels), ``diversity`` λ, ``mu`` μ (None: scaled with the graph, see `objective`). ``spectral`` and ``textual`` are
    how many features come from the graph (None: as many as the finest level has nodes, 32 to 128) and from texts,
    ``hidden`` is the width of embeddings. ``restarts`` trainings begin differently and the one with the lowest loss is
    kept (None: three, or two of a large graph); each takes at most ``epochs`` passes over the edges, and stops where
    ``patience`` of them bring nothing. ``batch_edges`` edges are trained on at a time, with ``neighbours`` drawn for a
    node where the graph has more edges than that.
    """

    trees: int = 3
    levels: tuple[int, ...] = ()
    diversity: float = 1.0
    mu: float | None = None
    spectral: int | None = None
    textual: int = 32
    hidden: int = 128
    rate: float = 0.02
    epochs: int = 100
    restarts: int | None = None
    patience: int = 20
    batch_edges: int = 1_000_000
    neighbours: int = 8
    seed: int = 0

    def __post_init__(self) -> None:
        """Raise UsageError for settings that fit no tree."""
        restarts = 1 if self.restarts is None else self.restarts
        spectral = 1 if self.spectral is None else self.spectral
        positive = (self.trees, self.hidden, spectral, self.epochs, restarts, self.batch_edges)
        if min(*positive, self.neighbours) < 1 or self.rate <= 0 or self.diversity < 0 or self.textual < 0:
            raise UsageError("Trees, widths, epochs, restarts and batches must be at least 1, rate and λ not negative.")
        if min(self.levels, default=1) < 1 or any(a < b for a, b in zip(self.levels, self.levels[1:], strict=False)):
            raise UsageError("A level has at least one node, and never more than the level below it.")


class TrainingStep(NamedTuple):
    """Where a training is: restart ``restart`` of ``restarts``, pass ``epoch`` of at most ``epochs``, and its loss."""

    restart: int
    restarts: int
    epoch: int
    epochs: int
    loss: float


@dataclass(frozen=True)
class TrainedTrees:
    """The trees that were learnt, κ of them, with their loss; ``losses`` and ``epochs`` are those of every restart."""

    trees: tuple[EncodingTree, ...]
    loss: float
    losses: tuple[float, ...]
    epochs: tuple[int, ...]


def level_sizes(nodes: int, levels: int = 3) -> tuple[int, ...]:
    """Return how many nodes each level of a tree over so many leaves has by default, finest first.

    Every node has as many children as there are nodes on the top level, between 2 and 6.
    """
    branching = min(6, max(2, round(nodes ** (1 / (levels + 1)))))
    return tuple(branching**level for level in range(levels, 0, -1))


def abstract(
    network: WeightedGraph,
    settings: TrainingSettings | None = None,
    *,
    texts: Matrix | None = None,
    progress: Callable[[TrainingStep], None] | None = None,
    checkpoint: Path | None = None,
) -> TrainedTrees:
    """Learn the trees of a graph (Algorithm 1, lines 2 and 3); the same for the same seed and number of threads.

    ``texts`` are embeddings of the nodes' texts, one a node. ``checkpoint`` is a file in which training notes where
    it is: run again with the same graph and settings, it goes on from there and comes to the same; it is left when
    done, so that a further run only reads it. One that cannot be read, or is of something else, is begun anew.
    Raises UsageError for a graph without edges.
    """
    settings = settings or TrainingSettings()
    if not network.edges:
        raise UsageError("The graph has no edges, so there is nothing to abstract from.")
    return _Training(network, settings, texts, progress, checkpoint).run()


class _Training:
    def __init__(
        self,
        network: WeightedGraph,
        settings: TrainingSettings,
        texts: Matrix | None,
        progress: Callable[[TrainingStep], None] | None,
        checkpoint: Path | None,
    ) -> None:
        self.network, self.settings, self.texts = network, settings, texts
        self.progress, self.checkpoint = progress, checkpoint
        self.levels = settings.levels or level_sizes(network.size)
        self.restarts = settings.restarts or (3 if network.size <= _LARGE else 2)
        self.spectral = settings.spectral or min(max(self.levels[0], _FEWEST), _MOST)
        self.state: dict[str, Any] = {"key": self._key(), "losses": [], "epochs": [], "best": None, "running": None}

    def run(self) -> TrainedTrees:
        """Train what is left to be trained, and build the trees of the best restart."""
        import torch

        with torch.random.fork_rng(devices=[]):
            self._resume()
            for restart in range(len(self.state["losses"]), self.restarts):
                self._restart(restart)
            best = int(np.argmin(self.state["losses"]))
            trees = tuple(EncodingTree.of(*levels) for levels in self.state["best"].numpy())
        return TrainedTrees(trees, self.state["losses"][best], tuple(self.state["losses"]), tuple(self.state["epochs"]))

    def _restart(self, restart: int) -> None:
        import torch

        from .abstractor import Abstractor

        seed = self.settings.seed * 10_007 + restart
        torch.manual_seed(seed)
        features = torch.from_numpy(
            node_features(
                self.network, self.texts, spectral=self.spectral, textual=self.settings.textual, seed=seed
            )
        )
        model = Abstractor(features.shape[1], self.settings.hidden, self.levels, self.settings.trees)
        epochs = self._train(model, features, restart, seed)
        loss, trees = self._finished(model, features)
        if not self.state["losses"] or loss < min(self.state["losses"]):
            self.state["best"] = trees
        self.state["losses"].append(loss)
        self.state["epochs"].append(epochs)
        self.state["running"] = None
        self._save()

    def _train(self, model: Abstractor, features: Any, restart: int, seed: int) -> int:
        """Train one restart to its end, from the checkpoint's place if it was under way; returns the epochs."""
        import torch

        optimiser = torch.optim.Adam(model.parameters(), lr=self.settings.rate)
        lowest, since, first = float("inf"), 0, 0
        if running := self.state["running"]:
            model.load_state_dict(running["model"])
            optimiser.load_state_dict(running["optimiser"])
            lowest, since, first = running["lowest"], running["since"], running["epoch"]
        for epoch in range(first, self.settings.epochs):
            model.sharpness = self._sharpness(epoch)
            loss = self._epoch(model, optimiser, features, np.random.default_rng([seed, epoch]))
            if self.progress is not None:
                self.progress(TrainingStep(restart, self.restarts, epoch + 1, self.settings.epochs, loss))
            gained = loss < lowest - _BARELY
            lowest, since = (loss, 0) if gained else (lowest, since + 1)
            if since >= self.settings.patience and epoch >= _SHARPENING * self.settings.epochs:
                return epoch + 1
            if self.checkpoint is not None and (epoch + 1) % 10 == 0:
                state = {"model": model.state_dict(), "optimiser": optimiser.state_dict(), "epoch": epoch + 1}
                self.state["running"] = {**state, "lowest": lowest, "since": since}
                self._save()
        return self.settings.epochs

    def _sharpness(self, epoch: int) -> float:
        """How sharp the softmax is: rising from .5 to 4, each step by the same factor."""
        share = min(1.0, epoch / max(_SHARPENING * self.settings.epochs, 1.0))
        return 0.5 * float((_SHARPEST / 0.5) ** share)

    def _epoch(self, model: Abstractor, optimiser: Any, features: Any, rng: np.random.Generator) -> float:
        """Go once over the edges; returns the mean loss of the batches."""
        losses = []
        for part in self._parts(rng):
            optimiser.zero_grad()
            loss = self._loss(self._indicators(model, features, part), part, rng)
            loss.backward()
            optimiser.step()
            losses.append(float(loss.detach()))
        return float(np.mean(losses))

    def _parts(self, rng: np.random.Generator) -> Iterator[Subgraph]:
        from .sampling import parts

        settings, literal = self.settings, self.settings.mu is not None
        if self.network.edges <= settings.batch_edges:
            yield self._whole
            return
        yield from parts(
            self.network, edges=settings.batch_edges, neighbours=settings.neighbours, rng=rng, normalised=literal
        )

    @property
    def _whole(self) -> Subgraph:
        from .sampling import whole

        if not hasattr(self, "_kept"):
            self._kept = whole(self.network, normalised=self.settings.mu is not None)
        return self._kept

    def _indicators(self, model: Abstractor, features: Any, part: Subgraph) -> list[Indicators]:
        import torch

        chosen = features if part.nodes is None else features[torch.from_numpy(part.nodes)]
        found: list[Indicators] = model(chosen, part.mixing, part.ends)
        return found

    def _loss(self, trees: list[Indicators], part: Subgraph, rng: np.random.Generator | None = None) -> Any:
        """Equation 10; with ``rng``, mutual information is estimated from nodes that it draws."""
        import torch

        from .objective import Batch, loss

        nodes, drawn = len(part.degrees), None
        if rng is not None and nodes > _DRAWN:
            drawn = torch.from_numpy(rng.choice(nodes, _DRAWN, replace=False))
        return loss(trees, Batch(part.weights, part.degrees, self.settings.mu, drawn), self.settings.diversity)

    def _finished(self, model: Abstractor, features: Any) -> tuple[float, Any]:
        """Return the loss on the whole graph, and the levels of each tree (equation 9) as numbers."""
        import torch

        model.sharpness = _SHARPEST
        with torch.no_grad():
            trees = self._indicators(model, features, self._whole)
            loss = float(self._loss(trees, self._whole))
        built = [EncodingTree.from_indicators(t.levels[0].numpy(), [a.numpy() for a in t.above]) for t in trees]
        return loss, torch.from_numpy(np.stack([np.stack(tree.levels) for tree in built]))

    # The checkpoint.

    def _key(self) -> str:
        """Name what is trained: a checkpoint of anything else is of no use."""
        texts = b"" if self.texts is None else np.ascontiguousarray(self.texts).tobytes()
        named = [self.network.fingerprint, json.dumps(asdict(self.settings)), hashlib.blake2b(texts).hexdigest()]
        return hashlib.blake2b("/".join(named).encode(), digest_size=16).hexdigest()

    def _resume(self) -> None:
        import torch

        if self.checkpoint is None or not self.checkpoint.is_file():
            return
        try:
            found = torch.load(self.checkpoint, weights_only=True)
            if found["key"] == self.state["key"]:
                self.state = found
        except Exception:  # damaged in any of torch's many ways: training begins anew, which loses nothing but time
            return

    def _save(self) -> None:
        """Write the checkpoint beside the old one and put it in its place."""
        import torch

        if self.checkpoint is None:
            return
        self.checkpoint.parent.mkdir(parents=True, exist_ok=True)
        beside = self.checkpoint.with_suffix(".new")
        with beside.open("wb") as file:
            torch.save(self.state, file)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self.checkpoint)
