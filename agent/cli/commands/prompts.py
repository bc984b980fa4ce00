"""`multicube prompts`: list, show and export the prompts that a language model is sent."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from ..console import note, say, say_json
from ..options import JsonOption, flag

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....prompts import Prompt, PromptLibrary

__all__ = ["PromptsOption", "app"]

app = typer.Typer()

PromptsOption = Annotated[
    Path | None,
    typer.Option(
        "--prompts",
        metavar="short|papers|DIR",
        envvar="MULTICUBE_PROMPTS",
        help="The short prompts for small models, the papers' own, or a folder whose prompts replace these.",
    ),
]


@app.callback(invoke_without_command=True)
def prompts(context: typer.Context) -> None:
    """List, show and export the prompts that a language model is sent; the embedded engine uses none."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command("list")
def list_prompts(folder: PromptsOption = None, json: JsonOption = False) -> None:
    """List the prompts: name, version, what it is for, and the paper's passage that it follows."""
    from ...views import terminal as rendering

    library = _library(folder)
    if json:
        say_json([_record(prompt) for prompt in library.values()])
        return
    rows = [(p.name, p.fingerprint, "yours" if p.name in library.replaced else "", p.source) for p in library.values()]
    say(rendering.columns(("name", "version", "", "after"), rows))


@app.command("show")
def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The prompt's name.", autocompletion=lambda: _names())],
    folder: PromptsOption = None,
    json: JsonOption = False,
) -> None:
    """Show a prompt: what it is for, its variables, and its text."""
    from ....cubes.core.errors import UsageError
    from ....prompts import PromptError

    try:
        prompt = _library(folder)[name]
    except PromptError as error:
        raise UsageError(str(error)) from error
    if json:
        say_json(_record(prompt))
    else:
        say(_described(prompt))


@app.command("export")
def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to write them.")],
    short: Annotated[bool, flag("--short", help="The short ones for small models.")] = False,
) -> None:
    """Write the prompts into a folder, to be edited and used with --prompts DIR; nothing there is overwritten."""
    from ....prompts import PromptLibrary

    written = PromptLibrary.export(folder, "short" if short else "papers")
    for file in written:
        say([str(file)])
    note(f"{len(written)} written; files that were there are left as they are. Use them with --prompts {folder}")


def _library(folder: Path | None) -> PromptLibrary:
    from ...engines.llm.engine import load_prompts, size_named

    size = size_named(folder)
    return load_prompts(folder) if size is None else load_prompts(None, size)


def _names() -> list[str]:
    from ....prompts import PromptLibrary

    return list(PromptLibrary.load())


def _record(prompt: Prompt) -> dict[str, object]:
    return {**prompt.model_dump(mode="json"), "fingerprint": prompt.fingerprint}


def _described(prompt: Prompt) -> Iterator[Text]:
    yield Text(f"{prompt.name} {prompt.fingerprint}", style="bold")
    yield Text(f"{prompt.purpose}\nAfter {prompt.source}.", style="dim")
    if prompt.max_tokens:
        yield Text(f"A reply has at most {prompt.max_tokens:,} tokens.", style="dim")
    for variable, meaning in prompt.variables.items():
        fence = " (between fences)" if variable in prompt.fenced else ""
        yield Text(f"  {{{variable}}}: {meaning}{fence}")
    for deviation in prompt.deviations:
        yield Text(f"Not as in the paper: {deviation.reason}", style="dim")
        for mark, words in (("-", deviation.paper), ("+", deviation.ours)):
            if words:
                yield Text(f"  {mark} {words}", style="dim")
    for role, text in (("system", prompt.system), ("user", prompt.user)):
        if text:
            yield Text(f"\n[{role}]", style="dim")
            yield Text(text.strip())
