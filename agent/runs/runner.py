"""Driving a run through the graph to its end, and keeping what became of it, however it ends."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any, cast

from ...graphs.reasoner import MeteredReasoner
from ...graphs.records import Run
from .events import Event, translate
from .state import absorb, failed_run, finished_run, ms_since, spent_on, thread_config, underway_run

if TYPE_CHECKING:
    from langgraph.types import StreamMode

    from ...graphs.answer import AnswerGraph
    from ...graphs.context import AnswerContext
    from .store import RunStore

__all__ = ["drive"]

Updates = Generator[tuple[str, dict[str, Any]], None, None]


def drive(
    graph: AnswerGraph, context: AnswerContext, store: RunStore | None, run: Run, state: dict[str, Any] | None
) -> Iterator[Event]:
    """Run the graph to its end, yielding events; ``store`` is given the run at its start, each hop and its end.

    A checkpoint is written when the graph stops, for whatever reason. One at every step would take longer than
    the steps, and a run that was killed can go on from its last hop. Whoever closes the iterator, or interrupts the
    process, ends the run there: it is kept as a paused one, with the hops that were finished.
    """
    from ...graphs.answer import recursion_limit

    if store is not None:
        store.save(run)
    config = thread_config(run, recursion_limit(run.settings.max_hops))
    started, values = time.perf_counter(), dict(state or {})
    # Tokens are passed on by threads, which cost more than all else: not where an engine writes none.
    modes: list[StreamMode] = ["updates", "custom"] if isinstance(context.reasoner, MeteredReasoner) else ["updates"]
    durability = "exit" if store is not None else None
    updates = cast(Updates, graph.stream(
        cast(Any, state), config, context=context, stream_mode=modes, durability=cast(Any, durability)
    ))  # fmt: skip
    if state is None:
        values = dict(graph.get_state(config).values)
    try:
        yield Event(kind="started", hop=len(run.hops) + 1, note=run.id)
        for kind, update in updates:
            if kind == "custom":
                yield Event(kind="token", hop=len(values.get("hops") or ()), note=update["token"])
                continue
            for node, change in update.items():
                absorb(values, change)
                if store is not None and node == "answer":
                    store.save(underway_run(run, values, spent_on(context.reasoner)))
                yield from translate(node, change or {}, values)
    except (Exception, GeneratorExit, KeyboardInterrupt) as error:
        updates.close()
        if store is not None and not _is_ended(store, run):
            store.save(failed_run(run, values, error, ms_since(started), spent_on(context.reasoner)))
        raise
    finished = finished_run(run, values, ms_since(started), spent_on(context.reasoner))
    if store is not None:
        store.save(finished)
    yield Event(kind="final", hop=len(finished.hops), run=finished)


def _is_ended(store: RunStore, run: Run) -> bool:
    """Whether a run was taken up by someone else meanwhile and came to its end."""
    return store.find(run.id).status in ("answered", "abstained")
