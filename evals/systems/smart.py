"""SMART as a baseline: sections with the abstractions of what they speak of, in one look-up for the whole question."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from ...cubes.errors import UsageError
from ...cubes.knowledge import KnowledgeBase
from ...cubes.smart.training import Settings
from ...graphs.comprehensive import search_smart
from ...graphs.context import AnswerContext
from ...graphs.records import LoopSettings
from .pipeline import Found
from .protocols import RANKING_DEPTH

if TYPE_CHECKING:
    from .pipeline import Engines

__all__ = ["SmartSearch"]

SETTINGS = Settings()
"""How the trees are learnt: as `multicube smart build` does it."""
_DEEP = 30


class SmartSearch:
    """Retrieves by `graphs.comprehensive` over the whole question: hits of the base retriever, findings, their grounds.

    The trees are learnt the first time this system is asked, in a copy of the knowledge base beside it: trees in the
    original would be used by the other systems too. One that has trees already is taken as it is.
    """

    def prepare(self, asker: Engines) -> Engines:
        """Build the trees, unless they are there; UsageError where the facts make no graph, or nothing can be embedded.
        """
        if asker.kb.perspectives is not None:
            return asker
        return asker.over(_with_trees(asker.kb))

    def find(self, question: str, context: AnswerContext, settings: LoopSettings) -> Found:
        """Return hits with findings, then the sections that these rest on."""
        evidence = search_smart(question, settings, None, context)
        mode = settings.retrieval if settings.retrieval in ("bm25", "dense") else "hybrid"
        below = context.knowledge.retriever.passages(question, k=_DEEP, mode=mode).hits
        records = [context.knowledge.section(hit.section_id).record_id for hit in below]
        ranked = [*(e.record_id for e in evidence), *records]
        return Found(evidence, tuple(dict.fromkeys(ranked))[: max(RANKING_DEPTH, len(evidence))])


def _with_trees(kb: KnowledgeBase) -> KnowledgeBase:
    """Open the copy that has the trees of this content, made now where there is none."""
    encoder = kb.encoder
    if encoder is None:
        raise UsageError("SMART embeds its abstractions, which needs an encoder, and none is open here.")
    folder = kb.path.with_name(f"{kb.path.name}-smart")
    if (folder / "catalog.sqlite").exists():
        copy = KnowledgeBase.open(folder, encoder=lambda: encoder)
        if copy.state == kb.state and copy.perspectives is not None:
            return copy
        copy.close()
    _copied(kb.path, folder)
    with KnowledgeBase.create(folder, encoder=lambda: encoder) as made:
        from ...cubes.smart.building import build

        build(made, SETTINGS, encoder=encoder)
    return KnowledgeBase.open(folder, encoder=lambda: encoder)


def _copied(source: Path, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("*.lock", "runs.sqlite*"))
