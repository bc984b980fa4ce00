"""`multicube tokens`: who may read, write or administer a knowledge base that is served, or a folder of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ....cubes.core.errors import UsageError
from ..console import note, say, say_json
from ..options import JsonOption, KbOption, locate

if TYPE_CHECKING:
    from ...app.tokens import TokenFile

__all__ = ["app"]

app = typer.Typer()

KbsOption = Annotated[
    Path | None, typer.Option("--kbs", metavar="DIR", help="A folder of knowledge bases, as for serve --kbs.")
]
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="What the token is called.")]


@app.callback(no_args_is_help=True)
def tokens() -> None:
    """Make, list and remove the tokens that a server demands. As soon as there is one, every request must bring one.

    They are in tokens.json of the folder, hashed; a change counts at once.
    """


@app.command("add")
def add(
    name: NameArgument,
    kb: KbOption = None,
    kbs: KbsOption = None,
    right: Annotated[
        list[str] | None,
        typer.Option(metavar="read|write|admin", help="What it may do (read); KB=write: in one of --kbs (repeatable)."),
    ] = None,
    group: Annotated[
        list[str] | None,
        typer.Option(metavar="GROUP", help="A group of its reader, for `multicube docs permit` (repeatable)."),
    ] = None,
) -> None:
    """Make a token and print it; it is shown this once.

    read: ask, and look at what its groups may read. write: change documents too, where it may read all of them.
    admin: read every document and every run.
    """
    say([_file(kb, kbs).add(name, right or ["read"], group or [])])
    note(f"made the token '{name}'; it is not shown again")


@app.command("list")
def list_tokens(kb: KbOption = None, kbs: KbsOption = None, json: JsonOption = False) -> None:
    """List the tokens with their rights and groups."""
    from ...views import terminal as rendering

    entries = _file(kb, kbs).entries()
    if json:
        say_json([entry.model_dump(mode="json", exclude={"hash"}) for entry in entries])
        return
    rows = [
        (entry.name, ", ".join(r if kb == "*" else f"{kb}={r}" for kb, r in entry.rights.items()),
         ", ".join(entry.groups))
        for entry in entries
    ]  # fmt: skip
    say(rendering.columns(("name", "rights", "groups"), rows))


@app.command("remove")
def remove(name: NameArgument, kb: KbOption = None, kbs: KbsOption = None) -> None:
    """Remove a token, which counts no more from now on; a server without any left answers nobody."""
    _file(kb, kbs).remove(name)
    note(f"removed the token '{name}'")


def _file(kb: Path | None, kbs: Path | None) -> TokenFile:
    from ...app.tokens import TokenFile

    folder = kbs if kbs is not None else locate(kb)
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder.")
    return TokenFile(folder)
