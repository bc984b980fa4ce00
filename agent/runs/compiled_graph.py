"""The compiled answer graph of a knowledge base, for the cubes that it has now."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

    from ...cubes.knowledge.base import KnowledgeBase
    from ...graphs.answer import AnswerGraph
    from ...graphs.context import MakeContext

__all__ = ["AnswerGraphs"]


class AnswerGraphs:
    """Compiles a knowledge base's graph when it is first asked for, and again once cubes come or go.

    It may be another process that makes them.
    """

    def __init__(
        self,
        kb: KnowledgeBase,
        *,
        default: MakeContext | None = None,
        checkpointer: Callable[[], BaseCheckpointSaver[Any]] | None = None,
    ) -> None:
        self._kb, self._default, self._checkpointer = kb, default, checkpointer
        self._compiled: AnswerGraph | None = None
        self._ontology = kb.ontology
        self._lock = threading.Lock()

    def current(self) -> AnswerGraph:
        """Return the graph for the present state of the knowledge base."""
        from ...graphs.answer import build_answer_graph

        with self._lock:
            self._kb.refresh()
            ontology = self._kb.ontology
            if ontology != self._ontology:  # other cubes are other tools
                self._compiled = None
            self._ontology = ontology
            if self._compiled is None:
                saver = self._checkpointer() if self._checkpointer is not None else None
                self._compiled = build_answer_graph(ontology, default=self._default, checkpointer=saver)
            return self._compiled
