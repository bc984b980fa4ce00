"""The loop for LangGraph Server and Studio: `langgraph.json` names `make_graph`.

The knowledge base is the one that MULTICUBE_KB names, or ./kb. MULTICUBE_MODEL and its companions choose the
engine.
"""

from __future__ import annotations

import asyncio
import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ..cubes.core.errors import UsageError

if TYPE_CHECKING:
    from ..graphs.answer import AnswerGraph

__all__ = ["make_graph"]


async def make_graph() -> AnswerGraph:
    """Return the compiled loop; the server brings its own checkpointer, and calls this whenever it needs the graph.

    Raises UsageError where no knowledge base is named, KnowledgeBaseError where it cannot be opened.
    """
    return await asyncio.to_thread(_graph)


@cache
def _graph() -> AnswerGraph:
    """Open the knowledge base, once in a process and not while this module is imported."""
    from ..graphs.answer import build_answer_graph
    from .app.facade import MultiCube

    folder = Path(os.environ.get("MULTICUBE_KB") or "kb")
    if not folder.is_dir():
        raise UsageError(f"There is no knowledge base in {folder}; set MULTICUBE_KB to the folder of one.")
    kb = MultiCube.open(folder)
    return build_answer_graph(kb.kb.ontology, default=kb.context, served=True)
