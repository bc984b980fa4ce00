"""Progress on stderr: a bar where a person watches, silence where nobody does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..text import shorten
from .console import stderr_console

if TYPE_CHECKING:
    from ...cubes.ingest import Progress

__all__ = ["progress_bar"]


@contextmanager
def progress_bar() -> Iterator[Callable[[Progress], None]]:
    """Yield a function that draws each step it is told of."""
    console = stderr_console()
    if not console.is_terminal:
        yield lambda _: None
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

        yield draw
