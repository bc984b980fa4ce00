"""A chat in a terminal: a line editor with history and completion, and Ctrl-C that ends what runs and nothing else."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.history import FileHistory, History, InMemoryHistory

from ..console import note
from .completion import ChatCompleter
from .state import history_file

if TYPE_CHECKING:
    from .background_opening import BackgroundLoader
    from .commands import Chat

__all__ = ["Terminal"]

_PROMPT = "› "
_PLAIN_PROMPT = "> "


class Terminal:
    """Reads lines from the person and has a chat carry them out."""

    def __init__(self, chat: Chat, opening: BackgroundLoader, *, history: bool = True) -> None:
        self._chat, self._opening = chat, opening
        self._failure: BaseException | None = None
        self._prompt: PromptSession[str] = PromptSession(
            history=_history() if history else InMemoryHistory(),
            completer=ChatCompleter(opening),
            complete_while_typing=False,
            complete_in_thread=True,
            enable_history_search=True,
        )
        opening.on_failure = self._tell

    def run(self) -> None:
        """Read and carry out lines until the person leaves; raises what made the knowledge base unusable."""
        # The heavy imports begin once the prompt is there: they would slow its first drawing down.
        self._prompt.app.after_render += lambda _: self._opening.start()
        goes_on = True
        while goes_on:
            try:
                line = self._prompt.prompt(_sign())
            except KeyboardInterrupt:
                continue  # at the prompt it clears the line
            except EOFError:
                break
            if self._failure is not None:
                break
            goes_on = self._carry_out(line)
        if self._failure is not None:
            raise self._failure

    def _carry_out(self, line: str) -> bool:
        try:
            return self._chat.handle(line)
        except KeyboardInterrupt:
            self._chat.interrupt()
            return True

    def _tell(self, error: BaseException) -> None:
        """Leave the prompt, from the thread in which opening failed."""
        self._failure = error
        app, loop = self._prompt.app, self._prompt.app.loop
        if loop is not None and app.is_running:
            with contextlib.suppress(RuntimeError):  # it ended by itself just now
                loop.call_soon_threadsafe(self._end)

    def _end(self) -> None:
        with contextlib.suppress(Exception):  # the same, a moment later
            self._prompt.app.exit(exception=EOFError())


def _history() -> History:
    path = history_file()
    if path is None:
        note("past questions cannot be kept: the state folder cannot be written", style="yellow")
        return InMemoryHistory()
    return FileHistory(str(path))


def _sign() -> str:
    """The prompt's sign, in letters that the terminal has."""
    return _PROMPT if (sys.stdout.encoding or "").lower().replace("-", "") == "utf8" else _PLAIN_PROMPT
