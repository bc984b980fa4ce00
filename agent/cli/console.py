"""Where output goes: results on stdout, all else on stderr, nothing that a pipe or a terminal chokes on."""

from __future__ import annotations

import json
import logging
import os
import re
import sys
import traceback
from collections.abc import Iterable
from typing import Any

import typer
from rich.console import Console
from rich.text import Text

from ...cubes.core.errors import UsageError
from ..views.text import clean

__all__ = [
    "confirm_removal",
    "debugging",
    "fail",
    "is_plain",
    "note",
    "reading_width",
    "say",
    "say_json",
    "say_json_items",
    "say_raw",
    "stderr_console",
    "stdout_console",
]

_log = logging.getLogger("multicube")
_JSON_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class _Console(Console):
    """A rich console that leaves a closed pipe to the caller."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def stdout_console() -> Console:
    """Return a console for results: text is never read as markup; lines wrap at words, in a terminal alone."""
    return _make(sys.stdout)


def stderr_console() -> Console:
    """Return a console for progress and notes."""
    return _make(sys.stderr)


def _make(stream: Any) -> Console:
    # A document may hold characters that the terminal's encoding lacks; showing them escaped beats failing.
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="backslashreplace")
    return _Console(file=stream, markup=False, highlight=False, emoji=False, soft_wrap=not _wraps(stream))


def _wraps(stream: Any) -> bool:
    """Whether a person reads a stream, so that lines wrap at words; what a program reads is never broken."""
    return bool(getattr(stream, "isatty", lambda: False)())


def reading_width() -> int | None:
    """Return how many characters a line of stdout has; None where no person reads it."""
    console = stdout_console()
    return None if is_plain(console) else console.width


def is_plain(console: Console) -> bool:
    """Whether the console shows no styles, so that emphasis needs characters."""
    return not console.is_terminal


def say(lines: Iterable[Text | str]) -> None:
    """Print result lines on stdout as they come."""
    console = stdout_console()
    for line in lines:
        console.print(line)


def say_json(data: Any) -> None:
    """Print JSON on stdout: a string is taken as JSON already; no control character reaches the stream."""
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, indent=2, default=str)
    sys.stdout.write(_safe_json(text) + "\n")


def say_json_items(items: Iterable[Any]) -> None:
    """Print a JSON list with one item on each line, so that two lists can be compared line by line."""
    before = "[\n"
    for item in items:
        sys.stdout.write(before + _safe_json(json.dumps(item, ensure_ascii=False, sort_keys=True, default=str)))
        before = ",\n"
    sys.stdout.write("\n]\n" if before == ",\n" else "[]\n")


def say_raw(text: str) -> None:
    """Print a file's text on stdout as it is, in the encoding that the file names (UTF-8)."""
    if hasattr(sys.stdout, "buffer"):
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8"))
    else:
        sys.stdout.write(text)


def _safe_json(text: str) -> str:
    """Escape what could disturb a terminal, and what stdout's encoding lacks."""
    text = _JSON_UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    if (sys.stdout.encoding or "").lower().replace("-", "") != "utf8":
        text = "".join(char if ord(char) < 128 else json.dumps(char)[1:-1] for char in text)
    return text


def note(text: str, style: str = "dim") -> None:
    """Print one line on stderr; a command to be copied stays whole. A process that keeps a log writes it there."""
    if _log.isEnabledFor(logging.INFO):
        _log.info(clean(text))
        return
    console = stderr_console()
    console.print(Text(clean(text), style=style), soft_wrap=console.soft_wrap or text.startswith("multicube "))


def confirm_removal(what: str) -> None:
    """Ask on stderr before something is removed; anything but yes ends the command.

    Raises UsageError where nobody can be asked.
    """
    stderr_console().print(f"Remove {what} for good? [y/N] ", end="")
    answer = sys.stdin.readline()
    if not answer:
        raise UsageError("Removing needs a yes; add --yes where nobody can be asked.")
    if answer.strip().lower() not in ("y", "yes"):
        raise typer.Abort


def fail(message: str) -> None:
    """Print one plain sentence on what is wrong, and the traceback where MULTICUBE_DEBUG asks for it."""
    if debugging() and sys.exc_info()[0] is not None:
        traceback.print_exc()
    if _log.isEnabledFor(logging.INFO):
        _log.error(clean(message))
        return
    stderr_console().print(Text("multicube: ", style="bold red").append(clean(message), style="default"))


def debugging() -> bool:
    """Whether MULTICUBE_DEBUG is set to anything but "" and "0"."""
    return os.environ.get("MULTICUBE_DEBUG", "0").lower() not in ("", "0", "false", "no")
