"""A run as a response: its events as they happen, or the whole of it at its end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import asdict
from typing import Any

from fastapi import Request
from starlette.responses import Response

from ...cubes.core.errors import MultiCubeError
from ...graphs.records import Run
from ..app.conversation import standalone
from ..engines.turns import Turn
from ..runs.events import Event
from .errors import logged
from .logs import RUN
from .run_threads import Make, RunStarted, Step
from .service import Service
from .sse import KEEP_ALIVE, EventStream, message, wants_events

__all__ = ["EVENTS", "announced", "answered", "finished", "responded"]


EVENTS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The run; with `Accept: text/event-stream` its events as they happen: `started`, then "
        "`subquery`, `route`, `retrieved`, `answered` and `token`, at last `final` with the run, or `failure`.",
        "model": Run,
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}
"""How the answers of routes that drive a run are documented."""


def answered(served: Service, question: str, turns: Sequence[Turn], **options: Any) -> Iterator[Step]:
    """Answer a question, made one that stands alone by the turns before it, and yield what happens.

    ``options`` are those of `MultiCube.stream`, with the ``run_id``.
    """
    asked = standalone(question, turns, served.kb) if turns else " ".join(question.split())
    yield from announced(served.kb.stream(asked, **options), RunStarted(options["run_id"], question, asked))


def announced(events: Iterator[Event], start: RunStarted) -> Iterator[Step]:
    """Say how a run is called as soon as it is kept, so that whoever is told its id finds it."""
    for event in events:
        yield start if event.kind == "started" else event


async def responded(request: Request, served: Service, run_id: str, make: Make) -> Response:
    """Return a run as the client wants it: as JSON at its end, or its events as they happen."""
    RUN.set(run_id)
    served.asks.check(run_id)
    if wants_events(request):
        return EventStream(_events(served, run_id, make))
    run = await finished(request, served, run_id, make)
    return Response(run.model_dump_json(), media_type="application/json")


async def _events(served: Service, run_id: str, make: Make) -> AsyncGenerator[bytes]:
    """Yield a run's steps in their wire form; an error is the last of them."""
    try:
        async with aclosing(served.asks.follow(run_id, make)) as steps:
            async for step in steps:
                if step is None:
                    yield KEEP_ALIVE
                elif isinstance(step, RunStarted):
                    yield message("started", asdict(step))
                else:
                    yield message(step.kind, step.model_dump_json())
    except Exception as error:
        yield message("failure", {"message": logged(f"run {run_id}", error), "run": run_id})


async def finished(request: Request, served: Service, run_id: str, make: Make) -> Run:
    """Follow a run to its end and return it; where the client goes away, the run ends."""
    following = asyncio.ensure_future(_last(served, run_id, make))
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait({following, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not following.done():
            raise ClientDisconnectedError("The client went away; its run is kept and can be resumed.")
        return following.result()
    finally:
        leaving.cancel()
        following.cancel()


class ClientDisconnectedError(MultiCubeError):
    """Nobody waits for the answer any more."""


async def _last(served: Service, run_id: str, make: Make) -> Run:
    run = None
    async with aclosing(served.asks.follow(run_id, make)) as steps:
        async for step in steps:
            run = step.run or run if isinstance(step, Event) else run
    assert run is not None
    return run


async def _left(request: Request) -> None:
    """Return when the client has closed the connection; its body has been read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
