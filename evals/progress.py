"""How an evaluation shows on stderr while it runs."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from .predictions import Prediction

if TYPE_CHECKING:
    from ..cubes.ingest import Progress as IngestProgress

__all__ = ["ProgressWatcher"]


class ProgressWatcher:
    """A bar for each stage of the ingest and each system, where a person watches; sentences anywhere."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True, markup=False, highlight=False)
        self._bars = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[note]}", markup=False),
            console=self._console,
            disable=not self._console.is_terminal,
        )
        self._task: TaskID | None = None
        self._stages: dict[str, TaskID] = {}
        self._failed = 0

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.stop()

    def say(self, sentence: str) -> None:
        """Print a sentence."""
        self._console.print(sentence, soft_wrap=True)

    def ingest(self, progress: IngestProgress) -> None:
        """Move the bar of the ingest's stage."""
        if progress.stage not in self._stages:
            self._stages[progress.stage] = self._bars.add_task(progress.stage, total=progress.total, note="")
        self._bars.update(self._stages[progress.stage], completed=progress.done, total=progress.total)

    def begin(self, system: str, total: int, done: int) -> None:
        """Start a system's bar."""
        self._failed = 0
        self._task = self._bars.add_task(system, total=total, completed=done, note="")

    def step(self, prediction: Prediction) -> None:
        """Move the system's bar; the first failure of a system is printed, the others are counted."""
        assert self._task is not None
        if prediction.status == "failed":
            self._failed += 1
            if self._failed == 1:
                self.say(f"{prediction.system}: question {prediction.id} failed: {prediction.error}")
        self._bars.update(self._task, advance=1, note=f"{self._failed} failed" if self._failed else "")
