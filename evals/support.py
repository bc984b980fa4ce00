"""What every command needs: errors that end in one sentence, and files that are never half written."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

import typer

from ..cubes.errors import MultiCubeError, UsageError

__all__ = ["application", "names", "numbers", "told", "write_whole"]

P = ParamSpec("P")
N = TypeVar("N", int, float)


def application(*commands: Callable[..., None], help: str | None = None) -> typer.Typer:
    """Make an experiment's command: one function is the command itself, several are its subcommands."""
    several = len(commands) > 1
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, help=help, no_args_is_help=several)
    for command in commands:
        app.command()(told(command))
    return app


def told(command: Callable[P, None]) -> Callable[P, None]:
    """Make a command end with one sentence on stderr and a status: 2 for wrong use, 1 for all else."""

    @wraps(command)
    def telling(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except (MultiCubeError, OSError) as error:
            print(f"multicube: {error}", file=sys.stderr)
            raise typer.Exit(2 if isinstance(error, UsageError) else 1) from error

    return telling


def names(text: str) -> tuple[str, ...]:
    """Read names between commas, each once."""
    return tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def numbers(option: str, text: str, kind: Callable[[str], N]) -> tuple[N, ...]:
    """Read numbers between commas, each once; UsageError for anything else."""
    try:
        return tuple(dict.fromkeys(kind(part) for part in names(text)))
    except ValueError as error:
        what = "whole numbers" if kind is int else "numbers"
        raise UsageError(f"--{option} {text} is not a list of {what}; write for example 1,5,10.") from error


def write_whole(path: Path, text: str) -> None:
    """Write a text file all or nothing, making its folder where there is none; OSError where that cannot be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_name(f".{path.name}.part")
    scratch.write_text(text, encoding="utf-8")
    scratch.replace(path)
