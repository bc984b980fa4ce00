"""`QuestionAnswering`: what searching, retrievers and tools need of `MultiCube`, which offers them itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ...cubes.core.records import Filters
    from ...cubes.knowledge.base import KnowledgeBase
    from ...graphs.context import AnswerContext
    from ...graphs.records import LoopSettings, Run

__all__ = ["QuestionAnswering"]


class QuestionAnswering(Protocol):
    """A knowledge base that can be searched and asked; see `MultiCube` for each part."""

    @property
    def kb(self) -> KnowledgeBase:
        """The knowledge base."""

    @property
    def settings(self) -> LoopSettings:
        """The settings of a question that names none."""

    def context(self, deadline_s: float | None = None) -> AnswerContext:
        """Return what the nodes of the graph need."""

    def ask(self, question: str, *, settings: LoopSettings | None = None, filters: Filters | None = None) -> Run:
        """Answer a question."""

    def trace(self, run_id: str | None = None) -> Run:
        """Return an earlier run; the latest for None."""
