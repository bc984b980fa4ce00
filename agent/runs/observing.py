"""Following a run for the collectors that the environment names: its spans, and what is counted and timed.

Without one nothing is imported. A collector that cannot be reached loses spans and counts, never a run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Protocol

from ...graphs.records import Run
from .events import Event
from .otlp import collector

if TYPE_CHECKING:
    from ..engines.llm.transport.observers import Exchange
    from .graph_watcher import NodeRun, ToolRun

__all__ = ["observed"]


class Follower(Protocol):
    """What is told of a run while it is followed; what it raises is passed over."""

    def take(self, event: Event) -> None:
        """Follow an event of the run."""
        ...

    def exchanged(self, made: Exchange) -> None:
        """Follow an exchange with a language model."""
        ...

    def looked_up(self, made: ToolRun) -> None:
        """Follow a look-up of a tool."""
        ...

    def visited(self, made: NodeRun) -> None:
        """Follow a visit of a node of the graph."""
        ...

    def failed(self, error: BaseException) -> None:
        """Note what ended the run before its end."""
        ...

    def end(self) -> None:
        """Note that nothing more comes."""
        ...


def observed(run: Run, events: Iterator[Event]) -> Iterator[Event]:
    """Return the events of a run; while they are followed, collectors are told, where any is named."""
    followers: list[Follower] = []
    with suppress(Exception):  # whatever is wrong with a collector's libraries or settings, the run goes on
        followers.extend(_followers(run))
    return _followed(followers, events) if followers else events


def _followers(run: Run) -> Iterator[Follower]:
    if collector(signal="traces") is not None:
        from .spans import RunSpans

        yield RunSpans(run)
    if collector(signal="metrics") is not None:
        from .metrics import RunMetrics

        yield RunMetrics(run)


def _followed(followers: Sequence[Follower], events: Iterator[Event]) -> Iterator[Event]:
    from ..engines.llm.transport.observers import listening
    from .graph_watcher import GraphWatcher, watching

    def tell(what: Callable[[Follower], None]) -> None:
        for each in followers:
            with suppress(Exception):
                what(each)

    graph = GraphWatcher(lambda made: tell(lambda f: f.looked_up(made)), lambda made: tell(lambda f: f.visited(made)))
    try:
        while True:
            # Listeners are set for one step at a time: what the caller does between two is none of the run's.
            with listening(lambda made: tell(lambda f: f.exchanged(made))), watching(graph):
                event = next(events, None)
            if event is None:
                break
            tell(partial(_take, event))
            yield event
    except BaseException as error:
        tell(partial(_fail, error))
        if isinstance(error, GeneratorExit):
            events.close()  # type: ignore[attr-defined]
        raise
    finally:
        tell(lambda f: f.end())


def _take(event: Event, follower: Follower) -> None:
    follower.take(event)


def _fail(error: BaseException, follower: Follower) -> None:
    follower.failed(error)
