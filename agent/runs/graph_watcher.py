"""The tools and the nodes of a run, as LangChain calls them, for whoever follows the run (a collector)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.tracers.context import register_configure_hook

__all__ = ["GraphWatcher", "NodeRun", "ToolRun", "watching"]

_A_NODE = "graph:step:"
"""How the tag begins that LangGraph gives a node's own run, and no other inside it."""


@dataclass(slots=True)
class ToolRun:
    """One look-up of a tool; times are nanoseconds since 1970, ``error`` the name of what went wrong."""

    tool: str
    asked: str
    began: int
    said: str = ""
    ended: int = 0
    error: str = ""


@dataclass(slots=True)
class NodeRun:
    """One visit of a node of the graph; times and ``error`` as a tool's."""

    node: str
    began: int
    ended: int = 0
    error: str = ""


class GraphWatcher(BaseCallbackHandler):
    """Times the tools and the nodes of one run and tells of each that has ended; several may run at once."""

    run_inline = True

    def __init__(self, tool: Callable[[ToolRun], None], node: Callable[[NodeRun], None]) -> None:
        self._tool, self._node = tool, node
        self._tools: dict[UUID, ToolRun] = {}
        self._nodes: dict[UUID, NodeRun] = {}

    def on_tool_start(
        self,
        serialized: dict[str, Any],
        input_str: str,
        *,
        run_id: UUID,
        inputs: dict[str, Any] | None = None,
        **_: Any,
    ) -> None:
        """Note what a tool is asked."""
        asked = str((inputs or {}).get("subquery", input_str))
        self._tools[run_id] = ToolRun(str(serialized.get("name", "tool")), asked, time.time_ns())

    def on_tool_end(self, output: Any, *, run_id: UUID, **_: Any) -> None:
        """Hand on what a tool said."""
        self._close_tool(run_id, said=str(getattr(output, "content", output)))

    def on_tool_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        """Hand on that a tool failed."""
        self._close_tool(run_id, error=type(error).__name__)

    def on_chain_start(self, *_: Any, run_id: UUID, tags: list[str] | None = None, **more: Any) -> None:
        """Note that a node begins."""
        if any(tag.startswith(_A_NODE) for tag in tags or ()):
            self._nodes[run_id] = NodeRun(str(more.get("name")), time.time_ns())

    def on_chain_end(self, *_: Any, run_id: UUID, **__: Any) -> None:
        """Hand on that a node has ended."""
        self._close_node(run_id)

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        """Hand on that a node failed."""
        self._close_node(run_id, type(error).__name__)

    def _close_tool(self, run_id: UUID, said: str = "", error: str = "") -> None:
        if (run := self._tools.pop(run_id, None)) is not None:
            run.said, run.error, run.ended = said, error, time.time_ns()
            with suppress(Exception):
                self._tool(run)

    def _close_node(self, run_id: UUID, error: str = "") -> None:
        if (run := self._nodes.pop(run_id, None)) is not None:
            run.error, run.ended = error, time.time_ns()
            with suppress(Exception):
                self._node(run)


_watcher: ContextVar[GraphWatcher | None] = ContextVar("multicube_graph", default=None)
register_configure_hook(_watcher, inheritable=True)


@contextmanager
def watching(watcher: GraphWatcher) -> Iterator[None]:
    """Let a watcher know of each tool and node that ends inside, also in the nodes of a graph that is run there."""
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)
