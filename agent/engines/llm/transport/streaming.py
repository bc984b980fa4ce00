"""Showing a reply while it is written, also when it has to be begun again."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["ReplyStreamer"]


class ReplyStreamer:
    """Hands the pieces of a reply to whoever shows them, each once.

    When a reply breaks off and is asked for again, ``on_restart`` is told, and the new reply is shown from its start.
    Without it, only what goes beyond the words shown already is handed on, and nothing more if the new reply says
    something else: what is returned at the end is the reply, whatever was shown.
    """

    def __init__(self, on_token: Callable[[str], None], on_restart: Callable[[], None] | None = None) -> None:
        self._on_token, self._on_restart = on_token, on_restart
        self._shown, self._read = "", ""

    def begin(self) -> None:
        """A try begins."""
        self._read = ""
        if self._shown and self._on_restart is not None:
            self._shown = ""
            self._on_restart()

    def piece(self, text: str) -> None:
        """A piece was read."""
        self._read += text
        if len(self._read) > len(self._shown) and self._read.startswith(self._shown):
            new, self._shown = self._read[len(self._shown) :], self._read
            self._on_token(new)
