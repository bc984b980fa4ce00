"""`multicube trace`: list runs, show one, and resume, replay or fork it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ...cubes.errors import UsageError
from .ask import show_run
from .console import note, say, say_json
from .options import EncoderOption, JsonOption, KbOption, complete_run, flag, multicube
from .thinking import AS_CONFIGURED, Thinking, announce, spending_told, takes_model

if TYPE_CHECKING:
    from ...graphs.records import Run
    from ..facade import MultiCube

__all__ = ["trace"]

_AGAIN = "Go on from a run"


@takes_model("extract_model")
def trace(
    run: Annotated[
        str | None,
        typer.Argument(metavar="RUN", help="A run's id, its beginning, or 'latest'.", autocompletion=complete_run),
    ] = None,
    kb: KbOption = None,
    json: JsonOption = False,
    mermaid: Annotated[bool, flag("--mermaid", help="Print the hops as a Mermaid flowchart.")] = False,
    limit: Annotated[int, typer.Option(min=1, help="List at most so many runs.")] = 20,
    resume: Annotated[
        bool, flag("--resume", help="Finish a run that was interrupted, paused or failed.", rich_help_panel=_AGAIN)
    ] = False,
    replay: Annotated[
        bool, flag("--replay", help="Ask its question again, with its settings.", rich_help_panel=_AGAIN)
    ] = False,
    fork: Annotated[
        int | None,
        typer.Option(
            metavar="HOP",
            help="Start a new run at this hop, with --subquery or --answer.",
            rich_help_panel=_AGAIN,
        ),
    ] = None,
    subquery: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The hop's edited subquery.", rich_help_panel=_AGAIN)
    ] = None,
    answer: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The hop's edited sub-answer.", rich_help_panel=_AGAIN)
    ] = None,
    thinking: Thinking = AS_CONFIGURED,
    encoder: EncoderOption = None,
) -> None:
    """List the latest runs, or show one hop by hop.

    Example: multicube trace 3fa9 --fork 2 --answer "Jane Doe".
    """
    _check(resume, replay, fork, subquery, answer, json, mermaid)
    asks = resume or replay or fork is not None
    model = thinking.options() if asks else None
    with multicube(kb, encoder, model) as opened, spending_told(opened):
        if run is None and not (asks or mermaid):
            _list(opened.runs(limit), json)
            return
        origin = opened.trace(None if run == "latest" else run)
        if fork is not None:
            from ..running import check_fork

            check_fork(origin, fork, subquery, answer)
        if asks:
            announce(model, "reason", "read")
        found = _run(opened, origin, resume, replay, fork, subquery, answer)
    _show(found, json, mermaid)


def _check(
    resume: bool,
    replay: bool,
    fork: int | None,
    subquery: str | None,
    answer: str | None,
    json: bool,
    mermaid: bool,
) -> None:
    """Refuse options that exclude each other."""
    if sum((resume, replay, fork is not None)) > 1:
        raise UsageError("Use only one of --resume, --replay and --fork.")
    edits = [text for text in (subquery, answer) if text is not None]
    if fork is None and edits:
        raise UsageError("--subquery and --answer edit a hop; say which with --fork HOP.")
    if fork is not None and (len(edits) != 1 or not edits[0].strip()):
        raise UsageError("--fork needs either --subquery or --answer, with the text to go on with.")
    if json and mermaid:
        raise UsageError("Use only one of --json and --mermaid.")


def _run(
    opened: MultiCube,
    run: Run,
    resume: bool,
    replay: bool,
    fork: int | None,
    subquery: str | None,
    answer: str | None,
) -> Run:
    """Return the run, or what came of going on from it where that is asked."""
    if resume:
        return opened.resume(run.id)
    if replay:
        return _said(opened.replay(run.id), run)
    if fork is not None:
        return _said(opened.fork(run.id, fork, subquery=subquery, answer=answer), run)
    return run


def _said(made: Run, origin: Run) -> Run:
    note(f"run {made.id}, from run {origin.id}")
    return made


def _list(found: list[Run], as_json: bool) -> None:
    from .. import rendering

    if as_json:
        say_json([run.model_dump(mode="json") for run in found])
    elif found:
        say(rendering.runs(found))
    else:
        note('no runs yet; ask a question first: multicube ask "..."')


def _show(run: Run, as_json: bool, as_mermaid: bool) -> None:
    from ..mermaid import mermaid

    if as_mermaid:
        say([mermaid(run).rstrip("\n")])
    else:
        show_run(run, as_json=as_json, hops=True)
