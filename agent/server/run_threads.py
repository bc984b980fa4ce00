"""Runs in worker threads, followed from the event loop; whoever stops following ends the run."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

from ..runs.events import Event
from ..runs.metrics import turn_came, watch_queue
from .errors import RunInProgressError, ServerBusyError, ShuttingDownError
from .limits import Limits
from .logs import RUN

__all__ = ["Make", "RunPool", "RunStarted", "Step"]


@dataclass(frozen=True, slots=True)
class RunStarted:
    """A run begins: its id, the question as it was put, and as it is asked (a follow-up made one that stands alone)."""

    run: str
    question: str
    asked: str
    forked_from: str | None = None


Step = RunStarted | Event
"""What whoever follows a run is told."""
Make = Callable[[], Iterator[Step]]
"""Starts a run and yields what happens; called in a thread of its own."""


Tell = Callable[[Step | BaseException | None], None]
"""Says what happened to whoever follows: an event, the error that ended the run, or None at its end."""

_STOPPING = "The server is stopping; the run is kept, and POST /runs/{}/resume goes on with it."
_STOPPED = "The server is stopping; ask again when it is back."


@dataclass(eq=False, slots=True)
class _Followed:
    """A run that somebody follows, or has left while it works: how to tell them, and whether it shall end."""

    run_id: str
    tell: Tell
    ended: bool = False  # no lock in it: a signal handler sets it, too
    task: Future[None] | None = None

    def stop(self) -> None:
        """End it at its next step; whoever follows is told at once, as a step may take long."""
        begun = self.task is None or not self.task.cancel()
        self.ended = True
        self.tell(ShuttingDownError(_STOPPING.format(self.run_id) if begun else _STOPPED))


class RunPool:
    """Answers questions side by side, so many at once; the others wait their turn."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._pool = ThreadPoolExecutor(max_workers=limits.asks, thread_name_prefix="ask")
        self._followed: set[_Followed] = set()
        self._stopping = False
        watch_queue(self.sizes)

    async def follow(self, run_id: str, make: Make) -> AsyncGenerator[Step | None]:
        """Yield what happens to a run; None where nothing happened for a while.

        Closing the iterator ends the run, which keeps its trace; whoever follows the same run next waits until it has
        ended there. Raises what `check` raises, what the run raised, and ShuttingDownError where the server ends.
        """
        self.check(run_id)
        channel: asyncio.Queue[Step | BaseException | None] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def tell(item: Step | BaseException | None) -> None:
            with suppress(RuntimeError):  # the loop is closed: nobody listens any more
                loop.call_soon_threadsafe(channel.put_nowait, item)

        followed = _Followed(run_id, tell)
        self._followed.add(followed)
        try:
            while (before := self._before(followed)) is not None:
                await asyncio.wait({asyncio.wrap_future(before)}, timeout=self._limits.silence_s)
                yield None
            self._begin(make, followed)
            while True:
                try:
                    async with asyncio.timeout(self._limits.silence_s):  # wait_for may lose a cancellation
                        item = await channel.get()
                except TimeoutError:
                    yield None
                    continue
                if item is None:
                    return
                if isinstance(item, BaseException):
                    raise item
                yield item
        finally:
            followed.ended = True
            if followed.task is None:
                self._followed.discard(followed)
            else:
                followed.task.cancel()

    def _before(self, followed: _Followed) -> Future[None] | None:
        """Return the work on the same run of somebody who has left it, as long as it goes on: a run has one writer."""
        others = (each for each in tuple(self._followed) if each is not followed and each.run_id == followed.run_id)
        return next((each.task for each in others if each.task is not None), None)

    def _begin(self, make: Make, followed: _Followed) -> None:
        if self._stopping:
            raise ShuttingDownError(_STOPPED)
        followed.task = self._pool.submit(_work, make, followed, time.perf_counter())
        followed.task.add_done_callback(lambda _: self._followed.discard(followed))

    @property
    def under_way(self) -> int:
        """How many questions are being answered or wait their turn."""
        return sum(not followed.ended for followed in tuple(self._followed))

    def sizes(self) -> dict[str, int]:
        """How many questions are being answered, and how many wait their turn."""
        now = tuple(self._followed)
        answering = sum(each.task is not None and each.task.running() for each in now)
        return {"answering": answering, "waiting": len(now) - answering}

    def check(self, run_id: str) -> None:
        """Raise what keeps a run from being followed now: ServerBusyError, ShuttingDownError, RunInProgressError."""
        if self._stopping:
            raise ShuttingDownError(_STOPPED)
        if len(self._followed) >= self._limits.asks + self._limits.waiting:
            raise ServerBusyError("Too many questions are waiting; ask again in a while.")
        if any(followed.run_id == run_id and not followed.ended for followed in tuple(self._followed)):
            raise RunInProgressError(f"Run {run_id} is under way.")

    def check_idle(self, run_id: str) -> None:
        """Raise RunInProgressError as long as anything is written of a run, also where whoever followed it has left."""
        if any(followed.run_id == run_id for followed in tuple(self._followed)):
            raise RunInProgressError(f"Run {run_id} is under way.")

    def stop(self) -> None:
        """End every run at its next step, and take no more; may be called from a signal handler."""
        self._stopping = True
        for followed in tuple(self._followed):
            followed.stop()

    def close(self) -> None:
        """Wait for the runs to have been kept."""
        self.stop()
        self._pool.shutdown(wait=True, cancel_futures=True)


def _work(make: Make, followed: _Followed, since: float) -> None:
    """Go through a run, telling of each step, until its end or until it shall end."""
    RUN.set(followed.run_id)
    turn_came(time.perf_counter() - since)
    last: BaseException | None = None
    try:
        events = make()
        for event in events:
            followed.tell(event)
            if followed.ended and not (isinstance(event, Event) and event.kind == "final"):
                events.close()  # type: ignore[attr-defined]  # runs are generators
                return
    except BaseException as error:
        last = error
    followed.tell(last)
