"""The one place where a request is tried again: with growing waits, as long as there is patience."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from ..errors import ModelTimeoutError, RateLimitError
from .failures import RequestFailure

__all__ = ["Retry"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Retry:
    """How long and how often to try again.

    ``patience_s`` bounds the failed tries and the waits between them (and not the wait for a place among the requests
    under way, which is nobody's failure); the waits begin at ``first_s``, double up to
    ``longest_s`` and vary by half, so that many clients do not come back at once. A wait that the endpoint asks for
    is kept, if patience allows. ``absent_s`` is the patience with an endpoint that nobody has ever heard of: it is more
    likely misspelt, or not started, than about to come back. Where somebody waits for an answer until a deadline, that
    is the patience with an endpoint that is slow or busy, and ``failing_s`` with one that fails by itself.
    """

    patience_s: float = 240.0
    absent_s: float = 10.0
    failing_s: float = 60.0
    first_s: float = 0.5
    longest_s: float = 30.0
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = field(default=random.random)

    def run(self, attempt: Callable[[], T], left: Callable[[], float] | None = None) -> T:
        """Return what the first successful attempt returns; ``left`` tells the seconds until a deadline.

        An attempt raises Failure; one that cannot be mended by trying again, or the last one, ends as its error.
        """
        spent, tries = 0.0, 0
        while True:
            tries += 1
            try:
                return attempt()
            except RequestFailure as failure:
                wait = self._wait(tries, failure.retry_after)
                spent += failure.seconds
                over = spent + wait > self._patience(failure, bounded=left is not None)
                if not failure.error.retryable or over or (left is not None and wait >= left()):
                    raise failure.final(tries, spent) from failure.cause
            self.sleep(wait)
            spent += wait

    def _patience(self, failure: RequestFailure, *, bounded: bool) -> float:
        if failure.absent:
            return min(self.patience_s, self.absent_s)
        if not bounded:
            return self.patience_s
        waits = isinstance(failure.error, RateLimitError | ModelTimeoutError)
        return math.inf if waits else min(self.patience_s, self.failing_s)

    def _wait(self, tries: int, asked: float | None) -> float:
        backoff = min(self.longest_s, self.first_s * 2.0 ** min(tries - 1, 30))
        backoff *= 0.5 + 0.5 * self.chance()
        return max(asked, backoff) if asked is not None else backoff
