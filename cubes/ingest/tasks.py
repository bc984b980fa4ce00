"""What an ingest asks of workers beside it (such as `ray_tasks`), and looking ahead, so that they have work to do."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

__all__ = ["Pending", "Tasks", "looking_ahead"]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Pending(Protocol[T_co]):
    """What a worker is busy with; a future of `concurrent.futures` is one."""

    def result(self) -> T_co:
        """Wait for what came of it; raises what the work raised."""
        ...


class Tasks(Protocol):
    """Workers that run functions; they share neither memory nor files with who asks."""

    @property
    def many(self) -> int:
        """How many tasks keep every worker busy."""
        ...

    def submit(self, work: Callable[..., T], *arguments: object) -> Pending[T]:
        """Begin ``work(*arguments)`` on a worker; a worker that dies is replaced, and its work is done again."""
        ...

    def share(self, value: T) -> Callable[[], T]:
        """Send a value once; what is returned can be an argument, and gives a worker its own copy.

        Raises UsageError for a value that cannot be sent.
        """
        ...


def looking_ahead(items: Iterable[T], room: int, size: Callable[[T], int] = lambda _: 1) -> Iterator[T]:
    """Yield items in order, having drawn those that come next, as many as there is room for."""
    waiting: deque[T] = deque()
    held = 0
    for item in items:
        waiting.append(item)
        held += size(item)
        while waiting and held > room:
            held -= size(waiting[0])
            yield waiting.popleft()
    yield from waiting
