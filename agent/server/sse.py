"""Server-sent events: a stream of named JSON messages that ends with its connection."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from typing import Any

from fastapi import Request
from starlette.responses import StreamingResponse
from starlette.types import Send

__all__ = ["KEEP_ALIVE", "EventStream", "data", "message", "wants_events"]

KEEP_ALIVE = b": keep-alive\n\n"
"""A comment: it says to those in between that the connection is still needed."""


def wants_events(request: Request) -> bool:
    """Whether a client asks for a stream of events instead of one JSON."""
    return "text/event-stream" in request.headers.get("accept", "").lower()


def message(name: str, said: str | dict[str, Any]) -> bytes:
    """Return one event; ``said`` is JSON already, or what to make it of.

    JSON has no bare line break, so that nothing in a text can begin another event.
    """
    text = said if isinstance(said, str) else _json(said)
    return f"event: {name}\ndata: {text}\n\n".encode()


def data(said: dict[str, Any]) -> bytes:
    """Return one event without a name, as OpenAI's streams have them."""
    return f"data: {_json(said)}\n\n".encode()


def _json(said: dict[str, Any]) -> str:
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))


class EventStream(StreamingResponse):
    """A response of events; a client that goes away closes the generator behind it at once."""

    media_type = "text/event-stream"

    def __init__(self, events: AsyncGenerator[bytes]) -> None:
        super().__init__(events, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        self._events = events

    async def stream_response(self, send: Send) -> None:
        """Send the events; see the class."""
        try:
            await super().stream_response(send)
        finally:
            await self._events.aclose()
