"""The tools of a run, as LangChain calls them, for whoever follows the run (a trace collector)."""

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

__all__ = ["ToolRun", "ToolWatcher", "watching_tools"]


@dataclass(slots=True)
class ToolRun:
    """One look-up of a tool; times are nanoseconds since 1970, ``error`` the name of what went wrong."""

    tool: str
    asked: str
    began: int
    said: str = ""
    ended: int = 0
    error: str = ""


class ToolWatcher(BaseCallbackHandler):
    """Times the tools of one run and tells ``ended`` of each; several may run at once."""

    run_inline = True

    def __init__(self, ended: Callable[[ToolRun], None]) -> None:
        self._ended = ended
        self._open: dict[UUID, ToolRun] = {}

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
        self._open[run_id] = ToolRun(str(serialized.get("name", "tool")), asked, time.time_ns())

    def on_tool_end(self, output: Any, *, run_id: UUID, **_: Any) -> None:
        """Hand on what a tool said."""
        self._close(run_id, said=str(getattr(output, "content", output)))

    def on_tool_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        """Hand on that a tool failed."""
        self._close(run_id, error=type(error).__name__)

    def _close(self, run_id: UUID, said: str = "", error: str = "") -> None:
        if (run := self._open.pop(run_id, None)) is not None:
            run.said, run.error, run.ended = said, error, time.time_ns()
            with suppress(Exception):
                self._ended(run)


_watcher: ContextVar[ToolWatcher | None] = ContextVar("multicube_tools", default=None)
register_configure_hook(_watcher, inheritable=True)


@contextmanager
def watching_tools(watcher: ToolWatcher) -> Iterator[None]:
    """Let a watcher know of each tool that ends inside, also in the nodes of a graph that is run there."""
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)
