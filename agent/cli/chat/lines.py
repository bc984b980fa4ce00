"""A chat without a line editor: a question or command on each line of a pipe, or of a terminal that only prints."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, TextIO

from ..console import fail

if TYPE_CHECKING:
    from .background_opening import BackgroundLoader
    from .commands import Chat

__all__ = ["converse", "read_lines"]


def read_lines(chat: Chat, stdin: TextIO | None = None) -> None:
    """Carry out line after line until the last, or /quit; an interruption ends the run under way and is passed on."""
    for line in _lines(stdin or sys.stdin):
        try:
            goes_on = chat.handle(line)
        except KeyboardInterrupt:
            chat.interrupt()
            raise
        sys.stdout.flush()
        if not goes_on:
            return


def converse(chat: Chat, opening: BackgroundLoader) -> None:
    """Talk in a terminal that can only print: Ctrl-C ends what runs, or the line; Ctrl-D leaves."""
    opening.start()
    goes_on = True
    while goes_on:
        try:
            line = input("> ")
        except KeyboardInterrupt:
            print()
            continue
        except EOFError:
            break
        try:
            goes_on = chat.handle(line)
        except KeyboardInterrupt:
            chat.interrupt()


def _lines(stream: TextIO) -> Iterator[str]:
    """The lines; bytes that are no text are shown as the marks that stand for them, and lose nothing else."""
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="replace")
    try:
        yield from stream
    except OSError as error:
        fail(f"stdin cannot be read: {error.strerror or error}.")
