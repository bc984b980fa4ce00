"""Each exchange with a language model, for whoever follows a run and wants to know of it (a trace collector)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from ..cost.usage import Tokens
from .structured import ModelReply, ModelRequest

__all__ = ["Exchange", "exchange", "listening"]


@dataclass(slots=True)
class Exchange:
    """One request and what came back; times are nanoseconds since 1970.

    ``answered`` is the reply, with its tokens where the endpoint reports them; ``error`` the name of the error that
    came in its place.
    """

    stage: str
    model: str
    messages: tuple[tuple[str, str], ...]
    began: int
    ended: int = 0
    answered: tuple[ModelReply, Tokens | None] = (ModelReply(), None)
    error: str = ""


Listener = Callable[[Exchange], None]
_listener: ContextVar[Listener | None] = ContextVar("multicube_exchanges", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Let a listener know of each exchange that is made inside, also by the nodes of a graph that is run there."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


@contextmanager
def exchange(stage: str, model: str, asked: ModelRequest) -> Iterator[Exchange]:
    """Time an exchange; who listens is told when it has ended, well or not."""
    made = Exchange(stage, model, asked.messages, time.time_ns())
    try:
        yield made
    except BaseException as error:
        made.error = type(error).__name__
        raise
    finally:
        made.ended = time.time_ns()
        listener = _listener.get()
        if listener is not None:
            listener(made)
