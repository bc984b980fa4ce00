"""The state of a run while it is driven: its thread, what updates change, what it ends as, where a fork starts."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import AsyncGenerator, Callable, Generator, Iterator
from typing import TYPE_CHECKING, Any

from ...cubes.core.errors import MultiCubeError, UsageError
from ...cubes.core.folding import base_key, fold
from ...graphs.reasoner import Reasoner
from ...graphs.records import Hop, Run, Usage
from .events import Event

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig

    from ...cubes.knowledge.base import KnowledgeBase
    from ...graphs.answer import AnswerGraph

__all__ = [
    "absorb",
    "check_fork",
    "failed_run",
    "finished_run",
    "first_state",
    "forked_question",
    "forked_state",
    "last_run",
    "ms_since",
    "pump",
    "reopened",
    "restored",
    "retracted_facts",
    "spent_on",
    "thread_config",
    "underway_run",
    "written",
]


def thread_config(run: Run, recursion_limit: int = 25) -> RunnableConfig:
    """Return LangGraph's config for a run: its thread of checkpoints, and how many supersteps it may take."""
    return {"configurable": {"thread_id": run.id}, "recursion_limit": recursion_limit}


def first_state(run: Run) -> dict[str, Any]:
    """Return the state that a run starts with."""
    return {"question": run.question, "settings": run.settings, "filters": run.filters}


def absorb(values: dict[str, Any], change: dict[str, Any] | None) -> None:
    """Follow the state from the updates, so that the run needs no second read of it."""
    from ...graphs.state import merge_hops

    for key, value in (change or {}).items():
        values[key] = merge_hops(values.get("hops", ()), value) if key == "hops" else value


def finished_run(run: Run, values: dict[str, Any], ms: float, usage: Usage | None = None) -> Run:
    """Return the run as its last state makes it, with what it spent."""
    return run.model_copy(
        update={
            "answer": values.get("answer", ""),
            "form": values.get("form", "short"),
            "quote": values.get("quote"),
            "status": "answered" if values.get("answer") else "abstained",
            "note": values.get("note", ""),
            "stopped": values.get("stopped", ""),
            "confidence": values.get("confidence", 0.0),
            "table": values.get("table"),
            "citations": tuple(values.get("citations", ())),
            "closest": tuple(values.get("closest", ())),
            "hops": tuple(values.get("hops", ())),
            "retrieved": tuple(values.get("retrieved", ())),
            "usage": run.usage.plus(usage or Usage()),
            "ms": run.ms + ms,
        }
    )


def last_run(events: Iterator[Event]) -> Run:
    """Follow a run to its end and return it."""
    run = None
    for event in events:
        run = event.run or run
    assert run is not None
    return run


def ms_since(started: float) -> float:
    """Return the milliseconds since a reading of `time.perf_counter`."""
    return (time.perf_counter() - started) * 1000


def spent_on(reasoner: Reasoner) -> Usage | None:
    """Return what a run's engine has spent so far; None where it costs nothing."""
    usage: Usage | None = getattr(reasoner, "usage", None)  # the protocol's own check would reckon it up twice
    return usage


def underway_run(run: Run, values: dict[str, Any], usage: Usage | None = None) -> Run:
    """Return the run as it stands after a hop."""
    return run.model_copy(update={"hops": tuple(values["hops"]), "usage": run.usage.plus(usage or Usage())})


def failed_run(run: Run, values: dict[str, Any], error: BaseException, ms: float, usage: Usage | None = None) -> Run:
    """Return the run as an error ended it, a cap stopped it, or whoever followed it left."""
    ended = {"status": "failed", "stopped": "error", "note": f"{type(error).__name__}: {error}"}
    if isinstance(error, GeneratorExit | KeyboardInterrupt):
        ended = {"status": "paused", "stopped": "interrupted", "note": "It was interrupted before it came to an end."}
    elif isinstance(error, MultiCubeError):
        ended["note"] = str(error)
        if error.pauses:
            ended |= {"status": "paused", "stopped": "cap"}
    return finished_run(run, values, ms, usage).model_copy(update=ended)


def reopened(run: Run, engine: str) -> Run:
    """Return a run that ended early as one under way again; it says where another engine goes on with it."""
    engines = run.engine if engine == run.engine.rpartition(", then ")[2] else f"{run.engine}, then {engine}"
    return run.model_copy(update={"status": "running", "stopped": "", "note": "", "engine": engines})


def restored(run: Run, graph: AnswerGraph) -> dict[str, Any] | None:
    """Return the state to start a run with that was cut off; None where the graph has one to go on from.

    A run that was killed left no checkpoint, only its finished hops: the graph is given them.
    """
    config = thread_config(run)
    if graph.get_state(config).values:
        return None
    if not run.hops:
        return first_state(run)
    graph.update_state(config, {**first_state(run), "hops": list(run.hops)}, as_node="answer")
    return None


def check_fork(origin: Run, hop: int, subquery: str | None = None, answer: str | None = None) -> None:
    """Raise UsageError where a run has no such hop to start a fork from, or not exactly one edit is given."""
    if (subquery is None) == (answer is None):
        raise UsageError("Give either the edited subquery or the edited answer of the hop.")
    if not 1 <= hop <= len(origin.hops):
        raise UsageError(f"Run {origin.id} has hops 1 to {len(origin.hops)}, not {hop}.")


def forked_state(origin: Run, hop: int, subquery: str | None, answer: str | None) -> tuple[dict[str, Any], str]:
    """The state to start a fork from, and the node it comes out of."""
    kept: list[Hop] = list(origin.hops[: hop - 1])
    values = first_state(origin)
    if answer is not None:
        edited = origin.hops[hop - 1].model_copy(
            update={
                "answer": answer,
                "answers": (answer,),
                "status": "edited",
                "confidence": 1.0,
                "fact": None,
                "conflicts": (),
            }
        )
        return {**values, "hops": [*kept, edited]}, "answer"
    return {
        **values,
        "hops": kept,
        "subquery": subquery,
        "messages": None,
        "notes": [],
        "hop_started": time.time(),
    }, "reason"


def forked_question(origin: Run, hop: int, subquery: str | None) -> str:
    """Return the question that a fork answers: the edited one, where the first hop asked the whole of it."""
    whole = hop == 1 and fold(origin.hops[0].subquery) == fold(origin.question)
    return subquery if subquery is not None and whole else origin.question


def written(token: str) -> None:
    """Show a piece of the final answer to whoever follows the run; outside of a graph's node there is no one."""
    from langchain_core.runnables.config import var_child_runnable_config
    from langgraph.config import get_stream_writer

    if var_child_runnable_config.get():
        get_stream_writer()({"token": token})


def retracted_facts(kb: KnowledgeBase) -> frozenset[tuple[str, str]]:
    """Return the keys (subject, value) of the facts that a person struck out or replaced."""
    edits = (c for c in kb.corrections() if c.kind in ("retract", "replace"))
    return frozenset((base_key(c.subject), fold(c.value)) for c in edits)


async def pump(make: Callable[[], Iterator[Event]]) -> AsyncGenerator[Event]:
    """Carry events from a worker thread into the event loop in order; errors come through as themselves.

    Closing the iterator (or cancelling who waits for it) closes what ``make`` returned at its next event.
    """
    channel: queue.Queue[Event | BaseException | None] = queue.Queue()
    left = threading.Event()

    def work() -> None:
        try:
            events = make()
            for event in events:
                channel.put(event)
                if left.is_set() and isinstance(events, Generator):
                    events.close()
            channel.put(None)
        except BaseException as error:
            channel.put(error)

    threading.Thread(target=work, daemon=True).start()
    try:
        while (item := await asyncio.to_thread(channel.get)) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        left.set()
