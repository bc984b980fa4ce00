"""How the commands of `python -m` end where they meet what a person can mend: with a sentence."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import typer

from ..cubes.errors import MultiCubeError, UsageError

__all__ = ["told"]

P = ParamSpec("P")


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
