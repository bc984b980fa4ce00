"""What was spent: every request counted per stage, failed tries and cached replies told apart."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, Self

from .....graphs.records import ModelUsage, Usage

__all__ = ["Call", "Ledger", "Spending", "Tokens"]

_EXPECTED_OUTPUT = 200  # what a stage is expected to write before it has written anything


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a request: ``cache_read`` are those of ``input`` that the endpoint had cached (and bills lower).

    ``estimated`` says that the endpoint did not report them.
    """

    input: int = 0
    output: int = 0
    cache_read: int = 0
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """One request, or one reply that came out of the cache; ``cost_usd`` is None where the price is not known."""

    stage: str
    model: str
    tokens: Tokens = Tokens()
    cost_usd: float | None = 0.0
    failed: bool = False
    cached: bool = False


@dataclass(frozen=True, slots=True)
class Spending:
    """What several calls came to.

    ``failed`` are among the ``requests``, ``cached`` are not: they cost nothing. ``estimated`` counts the requests
    whose tokens are estimates. ``cost_usd`` is None where the price of any of it is not known.
    """

    requests: int = 0
    failed: int = 0
    cached: int = 0
    estimated: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = 0.0

    @classmethod
    def of(cls, calls: Iterable[Call]) -> Self:
        """Sum calls up."""
        total = cls()
        for call in calls:
            total = total.plus(call)
        return total

    def plus(self, call: Call) -> Self:
        """Return what it comes to with one more call."""
        known = self.cost_usd is not None and call.cost_usd is not None
        return type(self)(
            self.requests + (not call.cached),
            self.failed + call.failed,
            self.cached + call.cached,
            self.estimated + call.tokens.estimated,
            self.input_tokens + call.tokens.input,
            self.output_tokens + call.tokens.output,
            (self.cost_usd or 0.0) + (call.cost_usd or 0.0) if known else None,
        )

    @property
    def tokens(self) -> int:
        """Input and output together."""
        return self.input_tokens + self.output_tokens


def _counts(spending: Spending) -> dict[str, Any]:
    return {field.name: getattr(spending, field.name) for field in fields(spending)}


class Ledger:
    """Counts calls from several threads; what a child counts, its parent counts too."""

    def __init__(self, parent: Ledger | None = None) -> None:
        self._parent = parent
        self._lock = threading.Lock()
        self._total = Spending()
        self._stages: dict[str, Spending] = {}

    def child(self) -> Ledger:
        """Return a ledger of its own for one run."""
        return Ledger(self)

    def add(self, call: Call) -> None:
        """Count a call."""
        with self._lock:
            self._total = self._total.plus(call)
            self._stages[call.stage] = self._stages.get(call.stage, Spending()).plus(call)
        if self._parent is not None:
            self._parent.add(call)

    @property
    def total(self) -> Spending:
        """What everything came to so far."""
        with self._lock:
            return self._total

    def by_stage(self) -> dict[str, Spending]:
        """Return what each stage came to, in the order in which they were first used."""
        with self._lock:
            return dict(self._stages)

    def usage(self) -> Usage:
        """Return the total as a run records it."""
        with self._lock:
            total, stages = self._total, dict(self._stages)
        return Usage(**_counts(total), stages={name: ModelUsage(**_counts(spent)) for name, spent in stages.items()})

    def expected_output(self, stage: str) -> int:
        """Return how many tokens the next reply of a stage will have: as many as those before it on average."""
        with self._lock:
            seen = self._stages.get(stage, Spending())
        answered = seen.requests - seen.failed
        if answered > 0:
            return -(-seen.output_tokens // answered)
        return self._parent.expected_output(stage) if self._parent is not None else _EXPECTED_OUTPUT
