"""Systems that are the answer graph itself under settings of their own: with cubes or passages, looping or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ...graphs.records import LoopSettings, Run
from .protocols import RANKING_DEPTH, Asker, PassageMode

__all__ = ["LoopSystem"]

_SECTIONS = 30
"""As many as a loop of six hops can read; several may be of one document."""


class LoopSystem:
    """The loop under one set of settings."""

    def __init__(self, name: str, asker: Asker, settings: LoopSettings) -> None:
        self.name = name
        self._asker = asker
        self._settings = settings

    def answer(self, question: str) -> Run:
        """Ask the loop; nothing is saved, since the evaluation keeps its own record."""
        return self._asker.ask(question, settings=self._settings, save=False)

    def ranking(self, run: Run) -> Sequence[str]:
        """Return the run's merged ranking.

        A single-shot system reads five sections as every hop does. Its ranking is continued below them, or
        its recall@8 and recall@10 would be cut off where an iterative system's are not.
        """
        found, mode = tuple(dict.fromkeys(run.retrieved)), self._settings.retrieval
        if mode == "cubes" or not self._settings.single_shot or len(found) >= RANKING_DEPTH:
            return found
        return tuple(dict.fromkeys((*found, *self._deeper(run.question, mode))))[:RANKING_DEPTH]

    def _deeper(self, question: str, mode: PassageMode | Literal["hiqa"]) -> list[str]:
        kb = self._asker.kb
        if mode == "hiqa":
            hits = kb.retriever.hiqa(question, k=_SECTIONS).hits
        else:
            hits = kb.retriever.passages(question, k=_SECTIONS, mode=mode).hits
        return [kb.section(hit.section_id).record_id for hit in hits]
