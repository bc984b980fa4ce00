"""Says on stderr that a model is being waited for, so that nobody takes a slow one for a dead one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .console import note, stderr_console

if TYPE_CHECKING:
    from ..engines.llm.engine import ModelOptions

__all__ = ["WaitNotifier", "reporting_waits"]

_SOON = 3
_MOMENTS = (10, 30, 60, 120, 300, 600)
"""The seconds at which a log hears of it; a terminal is told every second."""


class WaitNotifier:
    """Decides when to tell: ``show`` replaces what it told before, ``log`` adds a line each time."""

    def __init__(self, log: Callable[[str], None], show: Callable[[str], None] | None = None) -> None:
        self._log, self._show = log, show
        self._told = 0

    def __call__(self, seconds: float) -> None:
        """Tell of so long a wait, if it is time to."""
        if self._show is not None:
            if seconds >= _SOON:
                self._show(_line(seconds))
            return
        due = sum(seconds >= moment for moment in _MOMENTS)
        if due > self._told:
            self._log(_line(seconds))
        self._told = due


@contextmanager
def reporting_waits(model: ModelOptions | None, show: Callable[[str], None] | None = None) -> Iterator[None]:
    """Tell of the waits inside, with ``show`` where a terminal shows what is under way; rules keep nobody waiting."""
    if model is None:
        yield
        return
    from ..engines.llm.waits import following

    with following(WaitNotifier(note, show if stderr_console().is_terminal else None)):
        yield


def _line(seconds: float) -> str:
    return f"waiting for the model, {seconds:.0f} s"
