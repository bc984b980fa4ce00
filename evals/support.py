"""What every command needs: errors that end in one sentence, lists of options, files that are never half written."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Generic, ParamSpec, TypeVar

import typer
from pydantic import BaseModel

from ..cubes.core.errors import MultiCubeError, UsageError

__all__ = ["RowLog", "application", "names", "numbers", "told", "write_whole"]

P = ParamSpec("P")
N = TypeVar("N", int, float)
Row = TypeVar("Row", bound=BaseModel)


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


class RowLog(Generic[Row]):
    """Rows of one kind in a file of JSON lines, each written through to the disk as soon as it is known.

    A process killed while writing leaves at most one broken line, which `read` passes over.
    """

    def __init__(self, path: Path, kind: type[Row]) -> None:
        self.path, self._kind = path, kind

    def read(self) -> list[Row]:
        """Read the whole rows and leave the file as it is; nothing where there is none."""
        lines = self.path.read_bytes().splitlines() if self.path.exists() else []
        return [row for row in map(self._parsed, lines) if row is not None]

    def load(self) -> list[Row]:
        """Read the whole rows and rewrite the file without what is broken."""
        kept = self.read()
        if self.path.exists():
            self.replace(kept)
        return kept

    def append(self, row: Row) -> None:
        """Write one row; what a killed process left half written is ended first."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab+") as stream:
            if stream.tell():
                stream.seek(-1, os.SEEK_END)
                stream.write(b"" if stream.read() == b"\n" else b"\n")
            stream.write(_line(row).encode())
            stream.flush()
            os.fsync(stream.fileno())

    def replace(self, rows: Iterable[Row]) -> None:
        """Put exactly these rows into the file, all or nothing."""
        write_whole(self.path, "".join(map(_line, rows)))

    def _parsed(self, line: bytes) -> Row | None:
        try:
            return self._kind.model_validate_json(line)
        except ValueError:
            return None


def _line(row: BaseModel) -> str:
    return json.dumps(row.model_dump(mode="json"), ensure_ascii=False) + "\n"


def write_whole(path: Path, text: str) -> None:
    """Write a text file all or nothing, making its folder where there is none; OSError where that cannot be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_name(f".{path.name}.part")
    scratch.write_text(text, encoding="utf-8")
    scratch.replace(path)
