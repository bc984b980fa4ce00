"""The `multicube` command: its groups, its plugins, and how it ends when something goes wrong."""

from __future__ import annotations

import errno
import logging
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ...cubes.core.errors import MultiCubeError, UsageError
from ..views.text import shorten
from . import chat
from .commands import ask, docs, ingest, mcp, ontology, prompts, serve, smart, tokens, trace, upkeep
from .console import debugging, fail, note
from .cubes import command as cube
from .options import flag
from .plugins import plugin_commands

__all__ = ["app", "main"]

_BUILD, _ASK, _LOOK = "Build and keep", "Ask", "Look inside"
_MORE = "More"
_BEGINNING = """\
To begin:
  multicube ask "Your question" FOLDER   reads the documents in FOLDER, once, and answers
  multicube serve --kb kb                opens a page for documents and questions
"""


class Commands(TyperGroup):
    """The built-in commands and, when needed, those of plugins; turns every error into one sentence."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return all commands, the built-in ones first."""
        self._adopt(None)
        return super().list_commands(ctx)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command; a plugin is loaded only where no built-in command has the name."""
        if cmd_name not in self.commands:
            self._adopt(cmd_name)
        return super().get_command(ctx, cmd_name)

    def invoke(self, ctx: Any) -> Any:
        """Run the command; a reader that closed the pipe has simply seen enough."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError as error:
            _hush()
            raise typer.Exit(0) from error
        return result

    def main(  # type: ignore[override]
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        *,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Parse and run; in standalone mode end the process with the exit status of the contract."""
        run = super().main
        if not standalone_mode:
            return run(args, prog_name, standalone_mode=False, **extra)
        sys.exit(_guarded(lambda: run(args, prog_name, standalone_mode=False, **extra)))

    def _adopt(self, wanted: str | None) -> None:
        for name, command in plugin_commands(wanted).items():
            command.rich_help_panel = getattr(command, "rich_help_panel", None) or _MORE
            self.commands.setdefault(name, command)


app = typer.Typer(
    name="multicube",
    cls=Commands,
    help="Ask multi-hop questions over a folder of documents, and see hop by hop how each answer was found.",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"multicube {version('multicube-rag')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    _version: Annotated[
        bool, flag("--version", help="Print the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Ask multi-hop questions over a folder of documents, and see hop by hop how each answer was found."""
    if context.invoked_subcommand is None:
        typer.echo(_BEGINNING)
        typer.echo(context.get_help())


app.command("ingest", rich_help_panel=_BUILD)(ingest.ingest)
app.command("ask", rich_help_panel=_ASK)(ask.ask)
app.command("chat", rich_help_panel=_ASK)(chat.chat)
app.command("trace", rich_help_panel=_ASK)(trace.trace)
app.command("runs", hidden=True)(trace.trace)  # what the lists of runs are called elsewhere
app.command("serve", rich_help_panel=_ASK)(serve.serve)
app.command("mcp", rich_help_panel=_ASK)(mcp.mcp)
app.add_typer(tokens.app, name="tokens", rich_help_panel=_ASK)
app.command("cube", rich_help_panel=_LOOK)(cube.cube)
app.add_typer(docs.app, name="docs", rich_help_panel=_LOOK)
app.add_typer(smart.app, name="smart", rich_help_panel=_LOOK)
app.add_typer(prompts.app, name="prompts", rich_help_panel=_LOOK)
app.add_typer(ontology.app, name="ontology", rich_help_panel=_BUILD)
app.command("status", rich_help_panel=_BUILD)(upkeep.status)
app.command("rebuild", rich_help_panel=_BUILD)(upkeep.rebuild)
app.command("doctor", rich_help_panel=_BUILD)(upkeep.doctor)


def main() -> None:
    """Run the command line and exit: 0 success, 1 a run-time failure, 2 wrong use, 130 interrupted."""
    app(prog_name="multicube")


def _guarded(run: Callable[[], Any]) -> int:
    """Run and return the exit status; every error and warning has become one sentence on stderr."""
    logging.lastResort = _Sentences(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _warned
            return _status(run())
    except UsageError as error:
        return _failed(str(error), 2)
    except MultiCubeError as error:
        return _failed(str(error), 1)
    except typer.TyperException as error:
        return _misused(error)
    except (typer.Abort, KeyboardInterrupt):
        return _failed("stopped; nothing was changed.", 1)
    except BrokenPipeError:
        _hush()
        return 0
    except OSError as error:
        return _failed(_system(error), 1)
    except Exception as error:
        hint = "" if debugging() else " Set MULTICUBE_DEBUG=1 to see where."
        return _failed(f"a fault in multicube itself: {type(error).__name__}: {error}.{hint}", 1)


class _Sentences(logging.Handler):
    """Shows what a library logs, where nobody else takes it, as one short note."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print a record's beginning on stderr."""
        note(f"note: {shorten(record.getMessage(), 160)}", style="yellow")


def _warned(message: Warning | str, *_: Any, **__: Any) -> None:
    """Show a warning as a note, without the place in the code that it comes from."""
    note(f"note: {message}", style="yellow")


def _status(result: Any) -> int:
    code = result if isinstance(result, int) else 0
    if code == 130:
        fail("interrupted; what was finished is kept, and the same command goes on from there.")
    return code


def _failed(message: str, code: int) -> int:
    fail(message)
    return code


def _misused(error: typer.TyperException) -> int:
    context = getattr(error, "ctx", None)
    hint = f" See: {context.command_path} --help" if context is not None else ""
    said = error.format_message().rstrip(".")
    return _failed(f"{said}{'' if said.endswith('?') else '.'}{hint}", error.exit_code)


def _system(error: OSError) -> str:
    if error.errno == errno.ENOSPC:
        return "the disk is full; make room and run the same command again."
    where = f": {error.filename}" if error.filename else ""
    return f"{error.strerror or error}{where}."


def _hush() -> None:
    """Let the interpreter's last flush of stdout go nowhere."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return  # stdout is no real file (a test's); there is nothing left to flush into a pipe.
