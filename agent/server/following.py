"""A run as a response: its events as they happen, or the whole of it at its end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing
from typing import Any

from fastapi import Request
from starlette.responses import Response

from ...cubes.errors import MultiCubeError
from ...graphs.records import Run
from ..events import Event
from .errors import sentence
from .service import Service
from .sse import KEEP_ALIVE, EventStream, message, wants_events

__all__ = ["EVENTS", "Make", "finished", "responded"]

Make = Callable[[], Iterator[Event]]
"""Starts a run and yields what happens; called in a thread of its own."""


EVENTS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The run; with `Accept: text/event-stream` its events as they happen: `started`, then "
        "`subquery`, `route`, `retrieved`, `answered` and `token`, at last `final` with the run, or `failure`.",
        "model": Run,
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}
"""How the answers of routes that drive a run are documented."""


async def responded(request: Request, served: Service, make: Make, started: dict[str, Any]) -> Response:
    """Return a run as the client wants it; ``started`` is told first where it wants events."""
    if wants_events(request):
        return EventStream(_events(served, make, started))
    run = await finished(request, served, make)
    return Response(run.model_dump_json(), media_type="application/json")


async def _events(served: Service, make: Make, started: dict[str, Any]) -> AsyncGenerator[bytes]:
    """Yield a run's events in their wire form; an error is the last of them."""
    yield message("started", started)
    try:
        async with aclosing(served.asks.follow(make)) as events:
            async for event in events:
                yield KEEP_ALIVE if event is None else message(event.kind, event.model_dump_json())
    except Exception as error:
        yield message("failure", {"message": sentence(error), "run": started["run"]})


async def finished(request: Request, served: Service, make: Make) -> Run:
    """Follow a run to its end and return it; where the client goes away, the run ends."""
    following = asyncio.ensure_future(_last(served, make))
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait({following, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not following.done():
            raise ClientLeftError("The client went away; its run is kept and can be resumed.")
        return following.result()
    finally:
        leaving.cancel()
        following.cancel()


class ClientLeftError(MultiCubeError):
    """Nobody waits for the answer any more."""


async def _last(served: Service, make: Make) -> Run:
    run = None
    async with aclosing(served.asks.follow(make)) as events:
        async for event in events:
            run = event.run or run if event is not None else run
    assert run is not None
    return run


async def _left(request: Request) -> None:
    """Return when the client has closed the connection; its body has been read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
