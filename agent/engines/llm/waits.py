"""How long a model has been waited for, for whoever wants to tell a person."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["following", "longest", "waiting"]

_lock = threading.Lock()
_begun: dict[object, float] = {}


@contextmanager
def waiting(clock: Callable[[], float] = time.monotonic) -> Iterator[None]:
    """A model is waited for inside, with all tries at one request."""
    mine = object()
    with _lock:
        _begun[mine] = clock()
    try:
        yield
    finally:
        with _lock:
            del _begun[mine]


def longest(clock: Callable[[], float] = time.monotonic) -> float:
    """Return for how many seconds the oldest request of this process has been waited for; 0 where there is none."""
    with _lock:
        return clock() - min(_begun.values()) if _begun else 0.0


@contextmanager
def following(tell: Callable[[float], None], every_s: float = 1.0) -> Iterator[None]:
    """Tell over and over how long a model has been waited for, from a thread of its own."""
    over = threading.Event()

    def follow() -> None:
        while not over.wait(every_s):
            tell(longest())

    thread = threading.Thread(target=follow, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
