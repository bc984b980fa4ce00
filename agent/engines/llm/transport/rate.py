"""How many requests an endpoint gets at once: fewer when it says it is busy, slowly more while it is not."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["Limiter"]

_SHARED: weakref.WeakValueDictionary[str, Limiter] = weakref.WeakValueDictionary()
_SHARED_LOCK = threading.Lock()


class Limiter:
    """Bounds the requests under way at one endpoint (additive increase, multiplicative decrease)."""

    def __init__(
        self,
        most: int = 32,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._most, self._limit = float(most), float(most)
        self._clock, self._sleep = clock, sleep
        self._free = threading.Condition()
        self._under_way = 0
        self._heard = False
        self._cut_at = float("-inf")
        self._paused_until = float("-inf")

    @classmethod
    def of(cls, endpoint: str) -> Limiter:
        """Return the limiter that all clients of an endpoint share in this process."""
        with _SHARED_LOCK:
            limiter = _SHARED.get(endpoint)
            if limiter is None:
                limiter = _SHARED[endpoint] = cls()
            return limiter

    @property
    def limit(self) -> int:
        """How many requests may be under way now."""
        with self._free:
            return int(self._limit)

    @property
    def heard(self) -> bool:
        """Whether the endpoint has ever answered here."""
        return self._heard

    @contextmanager
    def slot(self, within: float | None = None) -> Iterator[float]:
        """Wait for a place and hold it; yields when the request begins, to be told to `busy` if it is refused.

        Raises TimeoutError where there is none ``within`` so many seconds.
        """
        self._wait_out_pause(within)
        with self._free:
            if not self._free.wait_for(lambda: self._under_way < int(self._limit), within):
                raise TimeoutError
            self._under_way += 1
        try:
            yield self._clock()
        finally:
            with self._free:
                self._under_way -= 1
                self._free.notify_all()

    def answered(self) -> None:
        """A request was answered: after about as many as run at once, one more may."""
        with self._free:
            self._heard = True
            self._limit = min(self._most, self._limit + 1 / self._limit)
            self._free.notify_all()

    def busy(self, began: float, retry_after: float | None = None) -> None:
        """A request was refused for want of room: half as many may run at once.

        Those that began before the last cut say nothing new and cut no further. With ``retry_after`` nobody asks
        before so many seconds are over.
        """
        now = self._clock()
        with self._free:
            if began >= self._cut_at:
                self._limit = max(1.0, self._limit / 2)
                self._cut_at = now
            if retry_after:
                self._paused_until = max(self._paused_until, now + retry_after)

    def _wait_out_pause(self, within: float | None) -> None:
        while True:
            with self._free:
                left = self._paused_until - self._clock()
            if left <= 0:
                return
            if within is not None and left > within:
                raise TimeoutError
            self._sleep(left)
