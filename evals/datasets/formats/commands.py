"""The command `multicube datasets`: which published data sets are known, and where they are published."""

from __future__ import annotations

from typing import Annotated, Any

import typer

__all__ = ["complete_formats", "register"]


def register(app: typer.Typer) -> None:
    """Add the command to an application."""
    app.command("datasets")(datasets)


def datasets(
    as_json: Annotated[bool, typer.Option("--json", help="Print the list for machines.")] = False,
) -> None:
    """List the published data sets that multicube eval reads: names, files, where they are published, licence."""
    from ....agent.cli.console import say, say_json

    found = _listed()
    if as_json:
        say_json(found)
        return
    lines = list[str]()
    for one in found:
        lines += [f"{one['title']} (--format {one['name']})", f"    published at {one['published']}; {one['licence']}"]
        lines += [f"    {r['name']}: {r['files']}{'' if r['download'] else ' (by hand)'}" for r in one["sets"]]
    say([*lines, "", "multicube eval NAME --download --out DIR fetches a set and evaluates on it."])


def complete_formats() -> list[str]:
    """Return what ``--format`` takes, for a shell's completion."""
    from .registry import names

    return names()


def _listed() -> list[dict[str, Any]]:
    from .registry import FORMATS

    return [
        {
            "name": one.name,
            "title": one.title,
            "published": one.published,
            "licence": one.licence,
            "sets": [
                {"name": each.name, "files": each.files, "download": [url for url, _ in each.fetched]}
                for each in one.releases
            ],
        }
        for one in FORMATS
    ]
