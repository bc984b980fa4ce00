"""The command `multicube report`, which comes to the command line through the group ``multicube.commands``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["register"]

NAMES = ("full-report", "difference")
"""What the files are called by default: `multicube eval` writes a report.md of its own."""


def register(app: typer.Typer) -> None:
    """Add the command to an application."""
    app.command("report")(report)


def report(
    out: Annotated[
        list[Path] | None,
        typer.Argument(metavar="OUT...", help="Folders that multicube eval wrote with --out.", show_default=False),
    ] = None,
    md: Annotated[
        Path | None, typer.Option("--md", metavar="FILE", help="Write the Markdown here, and no HTML unless asked.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write the page here, and no Markdown unless asked.")
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Where both go; into the first OUT by default.", show_default=False),
    ] = None,
    pictures: Annotated[
        Path | None, typer.Option("--pictures", metavar="DIR", help="Write the Markdown's plots here as SVG.")
    ] = None,
    diff: Annotated[
        tuple[str, str] | None,
        typer.Option("--diff", metavar="A B", help="Compare two runs of a data set: FOLDER or FOLDER:SYSTEM."),
    ] = None,
    traces: Annotated[
        str,
        typer.Option("--traces", metavar="main|all|A,B", help="Systems whose hops the page keeps."),
    ] = "main",
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="The report's heading.")] = None,
    remark: Annotated[
        str | None, typer.Option("--note", metavar="TEXT", help="What readers should know first, below the heading.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the tables as data; write only the files that are named.")
    ] = False,
) -> None:
    """Report on evaluations: tables beside the papers', plots, every question with its trace, what a change did.

    Writes full-report.md and full-report.html; the page is complete in itself and asks for nothing.
    """
    from ...agent.cli.console import note, say, say_json
    from ...cubes.core.errors import UsageError
    from .making import make

    made = make(out or [], diff, title, traces, remark)
    for run in made.runs:
        if run.unread:
            note(f"{run.unread} lines of {run.path / 'predictions.jsonl'} could not be read and are left out.")
    if folder is not None or not (md or html or as_json):
        place = (folder or made.runs[0].path) / NAMES[0 if out else 1]
        md, html = md or place.with_suffix(".md"), html or place.with_suffix(".html")
    if pictures is not None and md is None:
        raise UsageError("--pictures are those of the Markdown, which is not written; add --md FILE.")
    if md is not None:
        made.write_markdown(md, pictures)
    if html is not None:
        made.write_html(html)
    if as_json:
        say_json(made.data())
    else:
        say(str(path) for path in (md, html) if path is not None)
