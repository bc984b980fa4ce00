"""Progress on stderr: a bar where a person watches, silence where nobody does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..text import shorten
from .console import stderr_console
from .waits import waits_told

if TYPE_CHECKING:
    from ...cubes.ingest import Progress
    from ..llm.engine import ModelOptions

__all__ = ["progress_bar"]


@contextmanager
def progress_bar(model: ModelOptions | None = None) -> Iterator[Callable[[Progress], None]]:
    """Yield a function that draws each step it is told of; the waits for a model are told as well."""
    console = stderr_console()
    if not console.is_terminal:
        with waits_told(model):
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

        def show(line: str) -> None:
            for stage in list(tasks)[-1:]:
                bars.update(tasks[stage], description=line)

        with waits_told(model, show):
            yield draw
