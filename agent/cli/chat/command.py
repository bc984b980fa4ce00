"""`multicube chat`: the command and its options."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ....cubes.core.errors import UsageError
from ..console import note, stderr_console
from ..engine_options import AS_CONFIGURED, EngineArguments, report_costs, takes_model
from ..options import EncoderOption, KbOption, flag, locate, multicube
from .background_opening import BackgroundLoader
from .commands import Chat
from .display import Screen

if TYPE_CHECKING:
    from ....graphs.records import LoopSettings
    from ...app.facade import MultiCube

__all__ = ["chat"]

_SETTINGS = "The loop"
_INTERRUPTED = 130
_DUMB = ("", "dumb", "unknown")  # terminals in which no line can be edited


@takes_model("extract_model")
def chat(
    kb: KbOption = None,
    json: Annotated[bool, flag("--json", help="Print each run as one line of JSON.")] = False,
    hops: Annotated[
        bool, flag("--hops/--no-hops", help="Show hops as they happen; /why shows them afterwards.")
    ] = False,
    history: Annotated[bool, flag("--history/--no-history", help="Keep past questions for the arrow keys.")] = True,
    k: Annotated[int, typer.Option("--k", min=1, max=100, help="Sections per hop.", rich_help_panel=_SETTINGS)] = 5,
    max_hops: Annotated[int, typer.Option(min=1, max=50, help="At most so many hops.", rich_help_panel=_SETTINGS)] = 6,
    deadline: Annotated[
        float,
        typer.Option(metavar="SECONDS", max=86_400, help="Stop a run after so long.", rich_help_panel=_SETTINGS),
    ] = 120.0,
    min_confidence: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Hold an answer back that is less likely right.", rich_help_panel=_SETTINGS),
    ] = None,
    thinking: EngineArguments = AS_CONFIGURED,
    encoder: EncoderOption = None,
) -> None:
    """Talk to a knowledge base: ask, ask on ("and her mother?"), see why, edit a hop.

    With a pipe on stdin each line is a question, and plain answers are printed. /help lists the commands.
    """
    if not deadline > 0:
        raise UsageError(f"--deadline '{deadline}' does not fit: it must be more than 0.")
    folder = _there(kb)

    def settings() -> LoopSettings:
        from ..commands.ask import loop_settings

        return loop_settings(
            k=k, max_hops=max_hops, deadline=deadline, tau=None, retrieval="cubes", expand="auto",
            min_confidence=min_confidence,
        )  # fmt: skip

    def opened() -> MultiCube:
        return multicube(folder, encoder, thinking.options())

    interactive = sys.stdin.isatty() and sys.stdout.isatty() and not json
    opening = BackgroundLoader(opened)
    screen = Screen(hops=hops, as_json=json)
    talk = Chat(opening, screen, settings)
    try:
        if interactive:
            _in_terminal(talk, opening, history=history)
        else:
            _in_lines(talk)
    finally:
        _leave(talk, opening, 0 if interactive else _INTERRUPTED)
    if talk.failed and not interactive:
        raise typer.Exit(1)


def _there(kb: Path | None) -> Path:
    """Return the knowledge base's folder; where there is none that is said before a prompt is shown."""
    from ....cubes.store.database import is_there

    folder = locate(kb)
    if not is_there(folder / "catalog.sqlite"):
        multicube(folder).close()  # raises what is wrong with it
    return folder


def _in_terminal(talk: Chat, opening: BackgroundLoader, *, history: bool) -> None:
    note("multicube chat: ask a question, and ask on; /why shows how, /help lists the commands, Ctrl-D leaves")
    if os.environ.get("TERM", "").lower() in _DUMB:
        from .lines import converse

        converse(talk, opening)
        return
    from .terminal import Terminal

    Terminal(talk, opening, history=history).run()


def _in_lines(talk: Chat) -> None:
    from .lines import read_lines

    try:
        read_lines(talk)
    except KeyboardInterrupt:
        raise typer.Exit(_INTERRUPTED) from None


def _leave(talk: Chat, opening: BackgroundLoader, status: int) -> None:
    """Close what was opened; a run that hangs in a request to a model is not waited for, the process ends so."""
    ended = talk.leave()
    if opening.opened is not None:
        report_costs(opening.opened.spent)
    if not ended:
        # Its threads would keep the process alive until the model answers; what it found is in the traces already.
        sys.stdout.flush()
        stderr_console().file.flush()
        os._exit(status)
    opening.close()
