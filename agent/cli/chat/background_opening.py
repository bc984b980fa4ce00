"""A knowledge base that is opened while the person types the first question."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...app.facade import MultiCube

__all__ = ["BackgroundLoader"]


class BackgroundLoader:
    """Opens in a thread once it is started; ``on_failure`` is told there what went wrong."""

    def __init__(self, make: Callable[[], MultiCube]) -> None:
        self._make = make
        self.on_failure: Callable[[BaseException], None] | None = None
        self._opened: MultiCube | None = None
        self._error: BaseException | None = None
        self._done = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin, unless that was done before."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, daemon=True, name="multicube-opening")
            self._thread.start()

    @property
    def opened(self) -> MultiCube | None:
        """The knowledge base, None as long as it is not open."""
        return self._opened

    def get(self) -> MultiCube:
        """Wait for the knowledge base; raises what opening it raised."""
        self.start()
        self._done.wait()
        if self._error is not None:
            raise self._error
        assert self._opened is not None
        return self._opened

    def close(self) -> None:
        """Close the knowledge base, if it was opened."""
        if self._opened is not None:
            self._opened.close()

    def _work(self) -> None:
        try:
            made = self._make()
            _ = made.reasoner, made.graph  # what the first question would wait for
            self._opened = made
        except BaseException as error:
            self._error = error
        self._done.set()
        if self._error is not None and self.on_failure is not None:
            self.on_failure(self._error)
