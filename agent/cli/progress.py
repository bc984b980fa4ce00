"""Progress on stderr: a bar where a person watches, a line every ten seconds where it goes to a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from ..views.text import shorten
from .console import note, stderr_console
from .waits import reporting_waits

if TYPE_CHECKING:
    from ...cubes.ingest.pipeline import Progress
    from ..engines.llm.engine import ModelOptions

__all__ = ["ThrottledProgress", "progress_bar"]

_PAUSE = 10.0  # seconds


class ThrottledProgress:
    """Tells of steps in lines, at most one in ten seconds."""

    def __init__(self, tell: Callable[[str], None], clock: Callable[[], float] = monotonic) -> None:
        self._tell, self._clock = tell, clock
        self._told = clock()

    def __call__(self, step: Progress) -> None:
        """Say how far it is, if the last line is long enough ago."""
        now = self._clock()
        if now - self._told >= _PAUSE:
            self._told = now
            self._tell(f"{step.stage}: {step.done:,} of {step.total:,}")


@contextmanager
def progress_bar(model: ModelOptions | None = None) -> Iterator[Callable[[Progress], None]]:
    """Yield a function that draws each step it is told of; the waits for a model are told as well."""
    console = stderr_console()
    if not console.is_terminal:
        with reporting_waits(model):
            yield ThrottledProgress(note)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bars(*columns, console=console, transient=True) as bars:
        tasks: dict[str, TaskID] = {}

        def draw(step: Progress) -> None:
            if step.stage not in tasks:
                tasks[step.stage] = bars.add_task(step.stage, total=step.total)
            bars.update(tasks[step.stage], completed=step.done, total=step.total, description=shorten(step.stage, 30))

        def show(line: str) -> None:
            for stage in list(tasks)[-1:]:
                bars.update(tasks[stage], description=line)

        with reporting_waits(model, show):
            yield draw
