"""Who is told how an evaluation goes on."""

from __future__ import annotations

from typing import Any, Protocol

from .predictions import Prediction

__all__ = ["Silent", "Watcher"]


class Watcher(Protocol):
    """Is told how an evaluation goes on."""

    def say(self, sentence: str) -> None:
        """Take note of something a person should know."""
        ...

    def ingest(self, progress: Any) -> None:
        """See a step of the ingest (the knowledge base's own progress record)."""
        ...

    def begin(self, system: str, total: int, done: int) -> None:
        """See a system begin; ``done`` questions were answered by an earlier, interrupted run."""
        ...

    def step(self, prediction: Prediction) -> None:
        """See one question done."""
        ...


class Silent:
    """Watches without a word."""

    def say(self, sentence: str) -> None:
        """Ignore it."""

    def ingest(self, progress: Any) -> None:
        """Ignore it."""

    def begin(self, system: str, total: int, done: int) -> None:
        """Ignore it."""

    def step(self, prediction: Prediction) -> None:
        """Ignore it."""
