"""Caps on requests, tokens and money, kept before a request is sent and also when several are under way."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

from .....cubes.core.errors import UsageError
from ..errors import BudgetExceededError
from .usage import Ledger, Tokens

__all__ = ["Budget", "Caps"]


@dataclass(frozen=True, slots=True)
class Caps:
    """The most that may be spent; None is no cap."""

    requests: int | None = None
    tokens: int | None = None
    cost_usd: float | None = None

    def __post_init__(self) -> None:
        for name in ("requests", "tokens", "cost_usd"):
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise UsageError(f"The cap on {_SAID[name]} is {value}; it must be 0 or more.")


class Budget:
    """Holds the caps of a ledger; what is being asked for counts as spent until it is."""

    def __init__(self, caps: Caps, ledger: Ledger, parent: Budget | None = None) -> None:
        self._caps, self._ledger, self._parent = caps, ledger, parent
        self._lock = threading.Lock()
        self._held = {"requests": 0.0, "tokens": 0.0, "cost_usd": 0.0}

    @contextmanager
    def reserve(self, expected: Tokens, cost_usd: float | None) -> Iterator[None]:
        """Hold what a request is expected to spend until it is counted; raises BudgetExceededError if there is not as
        much."""
        asked = {"requests": 1.0, "tokens": float(expected.input + expected.output), "cost_usd": cost_usd or 0.0}
        with self._parent.reserve(expected, cost_usd) if self._parent is not None else nullcontext():
            with self._lock:
                self._check(asked, priced=cost_usd is not None)
                self._move(asked, 1)
            try:
                yield
            finally:
                with self._lock:
                    self._move(asked, -1)

    def _check(self, asked: dict[str, float], *, priced: bool) -> None:
        total = self._ledger.total
        spent = {"requests": total.requests, "tokens": total.tokens, "cost_usd": total.cost_usd or 0.0}
        if self._caps.cost_usd is not None and not (priced and total.cost_usd is not None):
            raise BudgetExceededError(_UNPRICED, cap="cost_usd", limit=self._caps.cost_usd, spent=spent["cost_usd"])
        for name, amount in asked.items():
            limit: float | None = getattr(self._caps, name)
            if limit is not None and spent[name] + self._held[name] + amount > limit:
                raise BudgetExceededError(_reached(name, limit, spent[name]), cap=name, limit=limit, spent=spent[name])

    def _move(self, asked: dict[str, float], sign: int) -> None:
        for name, amount in asked.items():
            self._held[name] += sign * amount


_SAID = {"requests": "requests", "tokens": "tokens", "cost_usd": "money"}
_UNPRICED = (
    "There is a cap on money, but the model's price is not known: name it in a file of your own "
    "(MULTICUBE_PRICES), or cap the tokens instead."
)


def _reached(name: str, limit: float, spent: float) -> str:
    form = "${:.4f}" if name == "cost_usd" else "{:,.0f}"
    return (
        f"The cap on {_SAID[name]} ({form.format(limit)}) is reached: {form.format(spent)} spent so far, and the next "
        "request would exceed it. Raise the cap and run the same command again; what was paid for is kept."
    )
