"""How an evaluation shows on stderr while it runs."""

from __future__ import annotations

import time
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from ..metrics.predictions import Prediction

if TYPE_CHECKING:
    from ...cubes.ingest.pipeline import Progress as IngestProgress

__all__ = ["ProgressWatcher", "Silent", "Watcher", "in_words"]

_MINUTE = 60


@dataclass
class _Count:
    """How far one system is."""

    total: int
    done: int
    failed: int = 0
    bar: TaskID | None = None


class ProgressWatcher:
    """A bar for each stage of the ingest, each system at work and all of them; sentences anywhere.

    Bars are for terminals. Elsewhere a sentence tells of each system that is through, where there are several.
    """

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
        self._stages: dict[str, TaskID] = {}
        self._systems: dict[str, _Count] = {}
        self._all: TaskID | None = None
        self._started: float | None = None
        self._answered = 0

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
        """Take note of a system; its bar comes with its first question."""
        self._systems[system] = _Count(total, done)

    def step(self, prediction: Prediction) -> None:
        """Move the bars; the first failure of a system is printed, the others are counted."""
        system = self._systems[prediction.system]
        system.done += 1
        self._answered += 1
        self._started = self._started or time.monotonic()
        if prediction.status == "failed":
            system.failed += 1
            if system.failed == 1:
                self.say(f"{prediction.system}: question {prediction.id} failed: {prediction.error}")
        self._show(prediction.system, system)
        if system.done >= system.total and len(self._systems) > 1:
            self._through(prediction.system, system)

    def _show(self, name: str, system: _Count) -> None:
        if system.bar is None:
            system.bar = self._bars.add_task(name, total=system.total, note="")
        note = f"{system.failed} failed" if system.failed else ""
        self._bars.update(system.bar, completed=system.done, note=note)
        if len(self._systems) > 1:
            if self._all is None:
                self._all = self._bars.add_task("all systems", note="")
            total, done = (sum(getattr(each, key) for each in self._systems.values()) for key in ("total", "done"))
            self._bars.update(self._all, total=total, completed=done, note=self._left())

    def _through(self, name: str, system: _Count) -> None:
        """Make room for the next, and say how many there are yet."""
        assert system.bar is not None
        self._bars.update(system.bar, visible=False)
        through = sum(each.done >= each.total for each in self._systems.values())
        if not self._console.is_terminal:
            self.say(f"{name} is through: {through} of {len(self._systems)} systems. {self._left()}".rstrip())

    def _left(self) -> str:
        """How long the rest takes if it goes on like this."""
        left = sum(each.total - each.done for each in self._systems.values())
        if not left or self._started is None:
            return ""
        return f"About {in_words(left * (time.monotonic() - self._started) / self._answered)} left."


def in_words(seconds: float) -> str:
    """Say how long something takes: "40 s", "12 min"."""
    return f"{seconds:.0f} s" if seconds < 2 * _MINUTE else f"{seconds / _MINUTE:.0f} min"


class Watcher(Protocol):
    """Is told how an evaluation goes on."""

    def say(self, sentence: str) -> None:
        """Take note of something a person should know."""
        ...

    def ingest(self, progress: Any) -> None:
        """See a step of the ingest (the knowledge base's own progress record)."""
        ...

    def begin(self, system: str, total: int, done: int) -> None:
        """See a system begin; ``done`` questions were answered by an earlier, interrupted run."""
        ...

    def step(self, prediction: Prediction) -> None:
        """See one question done."""
        ...


class Silent:
    """Watches without a word."""

    def say(self, sentence: str) -> None:
        """Ignore it."""

    def ingest(self, progress: Any) -> None:
        """Ignore it."""

    def begin(self, system: str, total: int, done: int) -> None:
        """Ignore it."""

    def step(self, prediction: Prediction) -> None:
        """Ignore it."""
