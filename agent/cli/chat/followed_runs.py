"""Runs followed from another thread, so that Ctrl-C ends one at once whatever it waits for."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...runs.events import Event

__all__ = ["RunFollower"]

_MOMENT = 0.2
"""Seconds between two looks whether a signal came."""


class RunFollower:
    """The events of a run, as they happen in a thread of its own; errors come through as themselves.

    After `stop` nothing more is passed on. The run ends with the step that it is in, and is kept as a paused one.
    """

    def __init__(self, make: Callable[[], Iterator[Event]]) -> None:
        self._make = make
        self._channel: queue.SimpleQueue[Event | BaseException | None] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True, name="multicube-run")
        self._thread.start()

    def __iter__(self) -> Iterator[Event]:
        while (item := self._next()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item

    def stop(self) -> None:
        """End the run as soon as the step that it is in lets go of it."""
        self._stopping.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the run has ended; returns whether it has."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _next(self) -> Event | BaseException | None:
        """Wait for what comes next, a moment at a time: a signal just before a wait is noticed only after it."""
        while True:
            try:
                return self._channel.get(timeout=_MOMENT)
            except queue.Empty:
                continue

    def _work(self) -> None:
        try:
            events = self._make()
            for event in events:
                if self._stopping.is_set():
                    _close(events)
                    break
                self._channel.put(event)
            self._channel.put(None)
        except BaseException as error:
            self._channel.put(error)


def _close(events: Iterator[Event]) -> None:
    if isinstance(events, Generator):
        events.close()
