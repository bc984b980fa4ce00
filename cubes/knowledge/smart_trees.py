"""Building the perspectives of a knowledge base: graph, trees, abstractions (Algorithm 1, lines 1 to 8)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from ..core.errors import UsageError
from ..core.records import Fact, Section
from ..ingest.pipeline import Progress
from ..smart.abstractions import Reporter, report_on
from ..smart.extracts import ExtractiveReporter
from ..smart.graph import EntityGraph
from ..smart.growth import carried_over, share_known
from ..smart.perspectives import CHECKPOINT, Perspectives, kept
from ..smart.trees.encoding_trees import EncodingTree
from ..smart.trees.training import TrainingSettings, TrainingStep, abstract, level_sizes
from .fact_graph import graph_of

if TYPE_CHECKING:
    from ..core.encoding import Encoder
    from .base import KnowledgeBase

__all__ = ["TreeBuildReport", "build"]

_KNOWN = 0.8
"""The share of entities that earlier trees must know for these to be carried over instead of learnt anew."""

Watch = Callable[[Progress], None]
Read = Callable[[Sequence[Section], Callable[[int, int], None]], Sequence[Fact]]
"""Reads the relations of sections that the cubes do not foresee, and tells how many are read."""


@dataclass(frozen=True, slots=True)
class TreeBuildReport:
    """What a build did: ``trained`` or carried over, how many reports were written and how many were kept."""

    perspectives: Perspectives
    trained: bool
    written: int
    reused: int
    vectors: int


def build(
    kb: KnowledgeBase,
    settings: TrainingSettings | None = None,
    *,
    depth: int = 3,
    encoder: Encoder | None = None,
    reporter: Callable[[EntityGraph], Reporter] = ExtractiveReporter,
    read: Read | None = None,
    retrain: bool = False,
    progress: Watch = lambda _: None,
) -> TreeBuildReport:
    """Build the perspectives of a knowledge base, or bring them up to date, and keep them with it.

    ``depth`` is m, the number of levels, where the settings name no sizes. Trees of the same settings that know most
    entities are carried over, unless ``retrain``; a training that was stopped goes on from its checkpoint. Only reports
    of nodes that are touched are written. ``read`` brings relations beyond the facts into the graph. ``encoder``
    embeds the entities' texts, which the training is told as well.
    Raises UsageError where there are no relations, and KnowledgeBaseError where the knowledge base was changed
    meanwhile.
    """
    settings = settings or TrainingSettings()
    state = kb.state
    relations = () if read is None else read(kb.sections(), lambda n, of: progress(Progress("relations", n, of)))
    graph = graph_of(kb, read=relations).without_lonely()
    if not graph.relations:
        raise UsageError("The facts of this knowledge base make no graph: none of them ties two things.")
    former, chosen = kept(kb.path), {**_plain(settings), "depth": depth}
    trees = None if former is None or retrain else _carried(graph, former, chosen)
    trained = trees is None
    if trees is None:
        sizes = settings.levels or level_sizes(graph.network.size, depth)
        trees = _learnt(kb, graph, replace(settings, levels=sizes), encoder, progress)
    known = {} if former is None else former.by_digest

    def step(done: int, total: int) -> None:
        progress(Progress("reports", done, total))

    found = tuple(report_on(graph, trees, reporter(graph), known=known, step=step))
    made = Perspectives(graph, trees, found, state, chosen)
    vectors = kb.keep_perspectives(made, progress)
    reused = sum(one.digest in known for one in found)
    return TreeBuildReport(made, trained, len(found) - reused, reused, vectors)


def _carried(
    graph: EntityGraph, former: Perspectives, settings: dict[str, object]
) -> tuple[EncodingTree, ...] | None:
    if former.settings != settings or share_known(graph, former.leaves) < _KNOWN:
        return None
    return carried_over(graph, former.leaves, former.trees)


def _learnt(
    kb: KnowledgeBase, graph: EntityGraph, settings: TrainingSettings, encoder: Encoder | None, progress: Watch
) -> tuple[EncodingTree, ...]:
    def step(at: TrainingStep) -> None:
        progress(Progress("training", at.restart * at.epochs + at.epoch, at.restarts * at.epochs))

    texts = encoder.encode(graph.texts()) if encoder is not None else None
    return abstract(graph.network, settings, texts=texts, progress=step, checkpoint=kb.path / CHECKPOINT).trees


def _plain(settings: TrainingSettings) -> dict[str, object]:
    """The settings as they are read back from a file."""
    plain: dict[str, object] = json.loads(json.dumps(asdict(settings)))
    return plain
