"""The look-alike benchmark on the command line: ``python -m multicube.evals.lookalike generate DIR``."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from ...cubes.errors import MultiCubeError, UsageError

__all__ = ["main"]

_FolderArgument = Annotated[Path, typer.Argument(metavar="DIR", help="Where the benchmark lies.")]


def main(arguments: Iterable[str] | None = None) -> None:
    """Run one of the benchmark's commands."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, help=__doc__)
    app.callback()(lambda: None)
    app.command("generate")(_generate)
    command = typer.main.get_command(app)
    try:
        status = command.main(None if arguments is None else list(arguments), standalone_mode=False)
    except MultiCubeError as error:
        print(f"multicube: {error}", file=sys.stderr)
        raise SystemExit(2 if isinstance(error, UsageError) else 1) from error
    except typer.TyperException as error:
        print(f"multicube: {error}", file=sys.stderr)
        raise SystemExit(2) from error
    raise SystemExit(status or 0)


def _generate(
    folder: _FolderArgument,
    documents: Annotated[int, typer.Option(metavar="N", help="How many datasheets.")] = 40,
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed writes the same files.")] = 0,
    format: Annotated[str, typer.Option(metavar="NAME", help="mixed, pdf, docx, html or md.")] = "mixed",
) -> None:
    """Write the datasheets, the tree of their chapters and the questions."""
    from .generating import generate

    files = generate(folder, documents=documents, seed=seed, format=format)
    print(f"Wrote {len(files)} documents, chapters.json and questions.jsonl into {folder}.")


if __name__ == "__main__":
    main()
