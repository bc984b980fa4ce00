"""Asking in several processes: each takes a share of the questions and asks it of one system after the other.

A process keeps to its share, so that what its reader has read serves the next system too; one that is through with its
share helps with the longest that is left. Predictions come back one by one to the process that writes them, and none
depends on who made it. A process whose parent is gone ends with the question at hand.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import traceback
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from ...cubes.core.errors import MultiCubeError
from .asking import Answered, AskingContext, BatchRunner, QuestionBatch

__all__ = ["WorkQueue", "answer_all", "shares"]

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def shares(units: Sequence[QuestionBatch], count: int) -> list[list[QuestionBatch]]:
    """Divide the questions of every unit into so many shares, of each kind of question every ``count``-th.

    Each share begins with another system: what a system prepares once for all, such as SMART's trees, one process makes
    while the others have something else to do.
    """
    divided = []
    for n in range(count):
        share = [QuestionBatch(unit.system, unit.own[n::count], unit.foreign[n::count]) for unit in units]
        first = n * len(units) // count
        divided.append([unit for unit in (*share[first:], *share[:first]) if len(unit)])
    return divided


class WorkQueue:
    """Which unit is next for the process that a share belongs to."""

    def __init__(self, divided: Sequence[Sequence[QuestionBatch]]) -> None:
        self._left = [deque(share) for share in divided]

    def next(self, number: int) -> QuestionBatch | None:
        """Return the next unit of a share or, where none is left, the last one of the longest; None at the end."""
        if self._left[number]:
            return self._left[number].popleft()
        longest = max(self._left, key=lambda share: sum(map(len, share)))
        return longest.pop() if longest else None


def answer_all(setting: AskingContext, divided: Sequence[Sequence[QuestionBatch]]) -> Iterator[Answered]:
    """Ask every unit, in a process for each share (a single one in this process), and yield what comes.

    Raises what a system raises that cannot run, and MultiCubeError where a process ends before its time.
    """
    if len(divided) == 1:
        with BatchRunner(setting) as answering:
            yield from chain.from_iterable(map(answering.answers, divided[0]))
        return
    plan = WorkQueue(divided)
    with _processes(setting, len(divided)) as links:
        busy: dict[Connection, int] = {}
        for number, link in enumerate(links):
            unit = plan.next(number)
            link.send(unit)  # None where there are fewer shares than processes: that one ends, and is not waited for
            if unit is not None:
                busy[link] = number
        while busy:
            for ready in wait(list(busy)):
                assert isinstance(ready, Connection)
                said = _received(ready)
                if isinstance(said, Answered):
                    yield said
                    continue
                unit = plan.next(busy[ready])
                ready.send(unit)  # None: there is nothing left, and the process ends
                if unit is None:
                    del busy[ready]


def _received(link: Connection) -> Answered | None:
    try:
        said = link.recv()
    except (EOFError, ConnectionResetError) as error:
        raise MultiCubeError(
            "A process that asked questions ended before its time; what was answered is kept, and the same command "
            "goes on."
        ) from error
    if isinstance(said, BaseException):
        raise said
    assert said is None or isinstance(said, Answered)
    return said


@contextmanager
def _processes(setting: AskingContext, count: int) -> Iterator[list[Connection]]:
    """Start processes and return the line to each; at the end, or when something is raised, none is left."""
    context = multiprocessing.get_context("spawn")
    with ExitStack() as stack:
        links = []
        for _ in range(count):
            here, there = context.Pipe()
            process = context.Process(target=_work, args=(there, setting), daemon=True)
            with _one_thread():
                process.start()
            there.close()
            stack.callback(_end, process, here)
            links.append(here)
        yield links


def _end(process: BaseProcess, link: Connection) -> None:
    link.close()
    process.terminate()
    process.join()


def _work(link: Connection, setting: AskingContext) -> None:
    """Ask the units that come, until None does or the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it too, and ends its processes
    try:
        with BatchRunner(setting) as answering:
            while (unit := link.recv()) is not None:
                for answered in answering.answers(unit):
                    link.send(answered)
                link.send(None)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    except Exception as error:
        link.send(_told(error))


def _told(error: Exception) -> Exception:
    """The error as the parent can raise it; what is no sentence for a person comes with where it was raised."""
    if isinstance(error, MultiCubeError) and len(error.args) == 1:
        return error
    return RuntimeError("".join(traceback.format_exception(error)))


@contextmanager
def _one_thread() -> Iterator[None]:
    """Keep a process that starts now from spreading its arithmetic over processors that others use."""
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
