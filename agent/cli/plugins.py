"""Commands that other packages bring through the entry-point group ``multicube.commands``.

An entry point names a function ``register(app: typer.Typer) -> None`` that adds commands to the application
it is given. It is called only when its command is asked for, or the help lists all commands. A plugin that
cannot be loaded costs one sentence on stderr; everything else works.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any

import typer
from typer.main import get_group

from .console import fail

if TYPE_CHECKING:
    from typer.core import TyperGroup

__all__ = ["GROUP", "plugin_commands"]

GROUP = "multicube.commands"


def plugin_commands(wanted: str | None = None) -> dict[str, Any]:
    """Return plugin commands by name: of the entry point called ``wanted``, else of every entry point."""
    commands: dict[str, Any] = {}
    for entry in _entries(wanted):
        commands.update(_load(entry))
    return commands


def _entries(wanted: str | None) -> Iterator[EntryPoint]:
    found = sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value))
    named = [entry for entry in found if entry.name == wanted]
    return iter(named or found)


def _load(entry: EntryPoint) -> dict[str, Any]:
    plugin = typer.Typer()
    try:
        entry.load()(plugin)
        group: TyperGroup = get_group(plugin)
    except Exception as error:
        # Whatever a foreign package raises, the other commands must stay usable.
        fail(f"the command '{entry.name}' ({entry.value}) cannot be loaded: {type(error).__name__}: {error}.")
        return {}
    return dict(group.commands)
