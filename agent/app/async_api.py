"""Asking without blocking the event loop, and many questions side by side."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from typing import Any

from ...graphs.records import Run
from ..runs.events import Event
from ..runs.state import pump

__all__ = ["AsyncApi"]


class AsyncApi(ABC):
    """What can be asked one question, can be asked it without blocking, or many at once."""

    @abstractmethod
    def ask(self, *args: Any, **options: Any) -> Run:
        """Answer a question."""

    @abstractmethod
    def stream(self, *args: Any, **options: Any) -> Iterator[Event]:
        """Answer a question and yield what happens as it happens."""

    async def aask(self, question: str, **options: Any) -> Run:
        """Answer a question without blocking the event loop; see `ask`."""
        return await asyncio.to_thread(lambda: self.ask(question, **options))

    async def astream(self, question: str, **options: Any) -> AsyncIterator[Event]:
        """Yield what happens as it happens, without blocking the event loop; see `stream`."""
        async with aclosing(pump(lambda: self.stream(question, **options))) as events:
            async for event in events:
                yield event

    def batch(self, questions: Sequence[str], *, concurrency: int = 10, **options: Any) -> list[Run]:
        """Answer many questions side by side; the runs come in the order of the questions."""
        with ThreadPoolExecutor(max_workers=max(1, concurrency)) as pool:
            return list(pool.map(lambda q: self.ask(q, **options), questions))

    async def abatch(self, questions: Sequence[str], *, concurrency: int = 10, **options: Any) -> list[Run]:
        """Answer many questions side by side without blocking the event loop; see `batch`."""
        return await asyncio.to_thread(lambda: self.batch(questions, concurrency=concurrency, **options))
