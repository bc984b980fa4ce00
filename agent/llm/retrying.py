"""The one place where a request is tried again: with growing waits, as long as there is patience."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from .failures import Failure

__all__ = ["Retry"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Retry:
    """How long and how often to try again.

    ``patience_s`` bounds the failed tries and the waits between them (and not the wait for a place among the requests
    under way, which is nobody's failure); the waits begin at ``first_s``, double up to
    ``longest_s`` and vary by half, so that many clients do not come back at once. A wait that the endpoint asks for
    is kept, if patience allows. ``absent_s`` is the patience with an endpoint that nobody has ever heard of: it is more
    likely misspelt, or not started, than about to come back.
    """

    patience_s: float = 240.0
    absent_s: float = 10.0
    first_s: float = 0.5
    longest_s: float = 30.0
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = field(default=random.random)

    def run(self, attempt: Callable[[], T]) -> T:
        """Return what the first successful attempt returns.

        An attempt raises Failure; one that cannot be mended by trying again, or the last one, ends as its error.
        """
        spent, tries = 0.0, 0
        while True:
            tries += 1
            try:
                return attempt()
            except Failure as failure:
                wait = self._wait(tries, failure.retry_after)
                spent += failure.seconds
                patience = min(self.patience_s, self.absent_s) if failure.absent else self.patience_s
                if not failure.error.retryable or spent + wait > patience:
                    raise failure.final(tries, spent) from failure.cause
            self.sleep(wait)
            spent += wait

    def _wait(self, tries: int, asked: float | None) -> float:
        backoff = min(self.longest_s, self.first_s * 2.0 ** min(tries - 1, 30))
        backoff *= 0.5 + 0.5 * self.chance()
        return max(asked, backoff) if asked is not None else backoff
