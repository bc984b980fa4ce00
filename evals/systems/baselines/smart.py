"""SMART as a baseline: sections with the abstractions of what they speak of, in one look-up for the whole question."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from ....cubes.core.errors import UsageError
from ....cubes.core.extras import require
from ....cubes.knowledge.base import KnowledgeBase
from ....cubes.smart.trees.training import TrainingSettings
from ....graphs.comprehensive import search_smart
from ....graphs.context import AnswerContext
from ....graphs.records import LoopSettings
from ..protocols import RANKING_DEPTH
from .pipeline import RetrievedSections
from .side_folders import beside

if TYPE_CHECKING:
    from ....agent.app.facade import MultiCube

__all__ = ["SmartSearch"]

SETTINGS = TrainingSettings(restarts=1)
"""How the trees are learnt: as `multicube smart build` does it, but once, and not the best of three trainings."""
_DEEP = 30


class SmartSearch:
    """Retrieves by `graphs.comprehensive` over the whole question: hits of the base retriever, findings, their grounds.

    The trees are learnt the first time this system is asked, in a copy of the knowledge base beside it: trees in the
    original would be used by the other systems too. One that has trees already is taken as it is.
    """

    def __init__(self) -> None:
        self._missing: UsageError | None = None

    def prepare(self, asker: MultiCube) -> MultiCube:
        """Build the trees, unless they are there; where they cannot be, every question fails and says why."""
        if asker.kb.perspectives is not None:
            return asker
        try:
            return asker.over(_with_trees(asker.kb))
        except UsageError as error:
            self._missing = error
            return asker

    def find(self, question: str, context: AnswerContext, settings: LoopSettings) -> RetrievedSections:
        """Return hits with findings, then the sections that these rest on; UsageError where there are no trees."""
        if self._missing is not None:
            raise UsageError(f"There are no abstraction trees, without which this is not SMART: {self._missing}")
        evidence = search_smart(question, settings, None, context)
        mode = settings.retrieval if settings.retrieval in ("bm25", "dense") else "hybrid"
        below = context.knowledge.retriever.passages(question, k=_DEEP, mode=mode).hits
        records = [context.knowledge.section(hit.section_id).record_id for hit in below]
        ranked = [*(e.record_id for e in evidence), *records]
        return RetrievedSections(evidence, tuple(dict.fromkeys(ranked))[: max(RANKING_DEPTH, len(evidence))])


def _with_trees(kb: KnowledgeBase) -> KnowledgeBase:
    """Open the copy that has the trees of this content, made now where there is none; a killed training goes on."""
    require("torch_geometric", "smart", "The system 'smart'")
    from ....cubes.knowledge.smart_trees import build

    encoder = kb.encoder
    if encoder is None:
        raise UsageError("SMART embeds its abstractions, which needs an encoder, and none is open here.")
    with beside(kb, "smart") as folder:
        if not _is_copy(folder, kb.state):
            _copied(kb.path, folder)
        with KnowledgeBase.create(folder, encoder=lambda: encoder) as made:
            if made.perspectives is None:
                build(made, SETTINGS, encoder=encoder)
    return KnowledgeBase.open(folder, encoder=lambda: encoder)


def _is_copy(folder: Path, state: str) -> bool:
    """Whether a folder holds a knowledge base of this state."""
    if not (folder / "catalog.sqlite").exists():
        return False
    with KnowledgeBase.open(folder) as there:
        return there.state == state


def _copied(source: Path, folder: Path) -> None:
    """Copy a knowledge base without its runs and locks, all or nothing."""
    scratch = folder.with_name(f"{folder.name}.part")
    for old in (scratch, folder):
        shutil.rmtree(old, ignore_errors=True)
    shutil.copytree(source, scratch, ignore=shutil.ignore_patterns("*.lock", "runs.sqlite*"))
    scratch.replace(folder)
