"""A chat in a real terminal (pexpect), or through a pipe, as a process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pexpect

__all__ = ["Talk", "piped"]

MAIN = ["-c", "from multicube.agent.cli import main; main()", "chat"]
_STYLE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]")
_PROMPTED = r"\x1b\[\?2004h"  # the line editor takes over: pasting is bracketed
_PATIENCE = 90  # seconds; a busy machine is no failure


def environment(home: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MULTICUBE_")}
    return {**kept, "XDG_STATE_HOME": str(home), "PROMPT_TOOLKIT_NO_CPR": "1", "TERM": "xterm-256color", **more}


class Talk:
    """A scripted session: each line is sent when the prompt is there, and what it prints comes back as plain text."""

    def __init__(self, kb: Path, home: Path, *options: str, prompted: str = _PROMPTED, **env: str) -> None:
        self._prompted = prompted
        self._child: Any = pexpect.spawn(
            sys.executable,
            [*MAIN, "--kb", str(kb), *options],
            env=environment(home, **env),
            encoding="utf-8",
            dimensions=(50, 400),
            timeout=_PATIENCE,
            # A shell has what it runs in the background ignore Ctrl-C, and that is inherited.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        self._child.delaybeforesend = None
        self.raw = ""
        self.greeting = self._until_prompt()

    def __enter__(self) -> Talk:
        return self

    def __exit__(self, *_: object) -> None:
        self._child.close(force=True)

    def say(self, line: str) -> str:
        """Send a line and return what it printed, up to the next prompt."""
        self._child.send(f"{line}\r")
        return self._until_prompt()

    def type(self, keys: str) -> None:
        """Send keys and wait for nothing."""
        self._child.send(keys)

    def see(self, pattern: str) -> str:
        """Wait until something is printed, and return all up to it."""
        self._child.expect(pattern)
        self.raw += self._child.before + self._child.after
        return plain(self._child.before + self._child.after)

    def interrupt(self) -> str:
        """Press Ctrl-C, and return what is printed up to the next prompt."""
        self._child.sendintr()
        return self._until_prompt()

    def prompt(self) -> str:
        """Return what is printed up to the next prompt."""
        return self._until_prompt()

    def leave(self, keys: str = "\x04") -> tuple[str, int]:
        """Press Ctrl-D (or send other keys); returns what is printed last, and the exit status."""
        self._child.send(keys)
        self._child.expect(pexpect.EOF)
        self.raw += self._child.before
        said = plain(self._child.before)
        self._child.close()
        return said, int(self._child.exitstatus if self._child.exitstatus is not None else -1)

    def _until_prompt(self) -> str:
        self._child.expect(self._prompted)
        self.raw += self._child.before + self._child.after
        return plain(self._child.before)


def plain(text: str) -> str:
    """What a person reads: without styles, spinners drawn over, or carriage returns."""
    lines = (line.rsplit("\r", 1)[-1] for line in _STYLE.sub("", text).replace("\r\n", "\n").split("\n"))
    return "\n".join(lines)


def piped(kb: Path, home: Path, text: str, *options: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Send lines through a pipe and return what came of it."""
    return subprocess.run(
        [sys.executable, *MAIN, "--kb", str(kb), *options],
        input=text,
        env=environment(home, **env),
        capture_output=True,
        text=True,
        timeout=_PATIENCE * 2,
        check=False,
    )
