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

    ``patience_s`` bounds the whole, tries and waits together; the waits begin at ``first_s``, double up to
    ``longest_s`` and vary by half, so that many clients do not come back at once. A wait that the endpoint asks for
    is kept, if patience allows.
    """

    patience_s: float = 240.0
    first_s: float = 0.5
    longest_s: float = 30.0
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = field(default=random.random)

    def run(self, attempt: Callable[[], T]) -> T:
        """Return what the first successful attempt returns.

        An attempt raises Failure; one that cannot be mended by trying again, or the last one, ends as its error.
        """
        began, tries = self.clock(), 0
        while True:
            tries += 1
            try:
                return attempt()
            except Failure as failure:
                wait = self._wait(tries, failure.retry_after)
                if not failure.error.retryable or self.clock() - began + wait > self.patience_s:
                    raise failure.final(tries, self.clock() - began) from failure.cause
            self.sleep(wait)

    def _wait(self, tries: int, asked: float | None) -> float:
        backoff = min(self.longest_s, self.first_s * 2.0 ** min(tries - 1, 30))
        backoff *= 0.5 + 0.5 * self.chance()
        return max(asked, backoff) if asked is not None else backoff
