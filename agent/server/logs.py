"""The server's log: one line a request with the id of its run, as text or as JSON, on stderr.

A line names a request by its method and path, never by what it asks or says. The question is in it where that was asked
for (``questions``).
"""

from __future__ import annotations

import json
import logging
import time
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Literal

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..runs.metrics import request_answered

__all__ = ["RUN", "LogFormat", "RequestLog", "log_to_stderr"]

LogFormat = Literal["text", "json"]
RUN: ContextVar[str] = ContextVar("multicube_run", default="")
"""The run that a request or a thread works on: what is logged meanwhile is told with it."""

_log = logging.getLogger("multicube.server.requests")
_PROBES = ("/health", "/ready")


def log_to_stderr(form: LogFormat) -> None:
    """Write every record of this process to stderr, ours from INFO on, those of libraries from WARNING on."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Json() if form == "json" else _Text())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("multicube").setLevel(logging.INFO)
    logging.captureWarnings(True)


def _told(record: logging.LogRecord) -> dict[str, Any]:
    """Return what a record says besides its message."""
    request: dict[str, Any] = getattr(record, "request", {})
    return request if "run" in request or not RUN.get() else {**request, "run": RUN.get()}


class _Json(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line; a traceback is the text of ``error``."""
        said = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(), "logger": record.name, "message": record.getMessage(), **_told(record),
        }  # fmt: skip
        if record.exc_info:
            said["error"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False, default=str)


class _Text(logging.Formatter):
    """A record as a line for people."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (logging's name)
        """Return the line, with what it says besides as NAME=VALUE."""
        more = (f" {name}={value!r}" for name, value in _told(record).items() if name in ("run", "question"))
        return super().formatMessage(record) + "".join(more)


class RequestLog:
    """Middleware: one line for each request once it is answered, and its time for a collector."""

    def __init__(self, app: ASGIApp, *, questions: bool = False) -> None:
        self._app, self._questions = app, questions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an HTTP request, and tell of it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), 500  # what a client gets where nothing was answered

        async def noted(message: Message) -> None:
            nonlocal status
            status = message["status"] if message["type"] == "http.response.start" else status
            await send(message)

        try:
            await self._app(scope, receive, noted)
        finally:
            self._tell(scope, status, time.perf_counter() - began)

    def _tell(self, scope: Scope, status: int, seconds: float) -> None:
        method, path, asked = scope["method"], scope["path"], scope.get("state") or {}
        request_answered(method, getattr(scope.get("route"), "path", None), status, seconds)
        told = {"method": method, "path": path, "status": status, "ms": round(seconds * 1000, 1)}
        if run := RUN.get() or scope.get("path_params", {}).get("run_id"):
            told["run"] = run
        if self._questions and "question" in asked:
            told["question"] = asked["question"]
        level = logging.DEBUG if path in _PROBES and status == 200 else logging.INFO
        _log.log(level, "%s %s %d %d ms", method, path, status, told["ms"], extra={"request": told})
