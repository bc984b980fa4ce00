"""`multicube trace`: list and search runs, show, export or delete one, and resume, replay or fork it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ....cubes.core.errors import UsageError
from ..console import confirm_removal, note, reading_width, say, say_json, say_raw
from ..engine_options import AS_CONFIGURED, EngineArguments, announce, reporting_costs, takes_model
from ..options import EncoderOption, JsonOption, KbOption, complete_run, flag, multicube
from .ask import show_run

if TYPE_CHECKING:
    from ....graphs.records import Run
    from ...app.facade import MultiCube

__all__ = ["trace"]

_AGAIN, _WHICH, _EXPORT = "Go on from a run", "Which runs", "Export and delete"


@dataclass(frozen=True, slots=True)
class _Search:
    """Which runs are to be listed."""

    words: str | None
    status: str | None
    since: str | None
    until: str | None

    def __bool__(self) -> bool:
        return any(said is not None for said in (self.words, self.status, self.since, self.until))


@takes_model("extract_model")
def trace(
    run: Annotated[
        str | None,
        typer.Argument(metavar="RUN", help="A run's id, its beginning, or 'latest'.", autocompletion=complete_run),
    ] = None,
    kb: KbOption = None,
    json: JsonOption = False,
    mermaid: Annotated[
        bool, flag("--mermaid", help="Print the hops as a Mermaid flowchart.", rich_help_panel=_EXPORT)
    ] = False,
    html: Annotated[
        bool, flag("--html", help="Print the run as a page that opens anywhere.", rich_help_panel=_EXPORT)
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write JSON, flowchart or page there.", rich_help_panel=_EXPORT),
    ] = None,
    delete: Annotated[
        bool, flag("--delete", help="Remove the run, its trace and its checkpoints.", rich_help_panel=_EXPORT)
    ] = False,
    yes: Annotated[bool, flag("--yes", "-y", help="Remove without asking.", rich_help_panel=_EXPORT)] = False,
    search: Annotated[
        str | None,
        typer.Option(
            metavar="WORDS", help="Only runs with these words in question, hops or answer.", rich_help_panel=_WHICH
        ),
    ] = None,
    status: Annotated[
        str | None,
        typer.Option(metavar="answered|abstained|running|paused|failed", help="Only these.", rich_help_panel=_WHICH),
    ] = None,
    since: Annotated[
        str | None, typer.Option(metavar="DATE", help="Only runs of then or later (UTC).", rich_help_panel=_WHICH)
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="DATE", help="Only runs of then or earlier (UTC).", rich_help_panel=_WHICH)
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="List at most so many runs.", rich_help_panel=_WHICH)] = 20,
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
    thinking: EngineArguments = AS_CONFIGURED,
    encoder: EncoderOption = None,
) -> None:
    """List the latest runs, or show one hop by hop.

    Examples: multicube trace --search "salt lantern" --since 2026-11; multicube trace 3fa9 --html --out run.html;
    multicube trace 3fa9 --fork 2 --answer "Jane Doe".
    """
    wanted = _Search(search, status, since, until)
    form = _form(json, mermaid, html)
    _check(resume, replay, fork, subquery, answer)
    _check_one(run, wanted, form, out, delete, resume or replay or fork is not None)
    asks = resume or replay or fork is not None
    model = thinking.options() if asks else None
    with multicube(kb, encoder, model) as opened, reporting_costs(opened):
        if delete:
            _delete(opened, str(run), yes)
            return
        if run is None and not asks and form in (None, "json") and out is None:
            _list(opened, wanted, limit, json)
            return
        origin = opened.trace(None if run == "latest" else run)
        if fork is not None:
            from ...runs.state import check_fork

            check_fork(origin, fork, subquery, answer)
        if asks:
            announce(model, "reason", "read")
        found = _run(opened, origin, resume, replay, fork, subquery, answer)
    _show(found, form, out)


def _form(json: bool, mermaid: bool, html: bool) -> str | None:
    """Return the form in which a run is to be exported, if in any."""
    chosen = [name for name, asked in (("json", json), ("mermaid", mermaid), ("html", html)) if asked]
    if len(chosen) > 1:
        raise UsageError("Use only one of --json, --mermaid and --html.")
    return chosen[0] if chosen else None


def _check(resume: bool, replay: bool, fork: int | None, subquery: str | None, answer: str | None) -> None:
    """Refuse ways of going on that exclude each other."""
    if sum((resume, replay, fork is not None)) > 1:
        raise UsageError("Use only one of --resume, --replay and --fork.")
    edits = [text for text in (subquery, answer) if text is not None]
    if fork is None and edits:
        raise UsageError("--subquery and --answer edit a hop; say which with --fork HOP.")
    if fork is not None and (len(edits) != 1 or not edits[0].strip()):
        raise UsageError("--fork needs either --subquery or --answer, with the text to go on with.")


def _check_one(run: str | None, wanted: _Search, form: str | None, out: Path | None, delete: bool, asks: bool) -> None:
    """Refuse options for one run where many are meant, and the other way round."""
    if wanted and (run is not None or asks or delete or form in ("mermaid", "html")):
        raise UsageError("--search, --status, --since and --until list runs; leave RUN and what is done with one away.")
    if delete and (run is None or asks or form is not None):
        raise UsageError("--delete removes one run and does nothing else: multicube trace RUN --delete.")
    if out is not None and (form is None or wanted):
        raise UsageError("--out writes one run as --json, --mermaid or --html; add one of these.")


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


def _list(opened: MultiCube, wanted: _Search, limit: int, as_json: bool) -> None:
    from ...views import terminal as rendering

    found = opened.search_runs(
        wanted.words or "", status=wanted.status, since=wanted.since, until=wanted.until, limit=limit
    )
    if as_json:
        say_json([opened.trace(run.id).model_dump(mode="json") for run in found.runs])
    elif found.runs:
        say(rendering.runs(found.runs, reading_width()))
        if found.total > len(found.runs):
            note(f"... and {found.total - len(found.runs):,} more; --limit N shows more of them")
    elif wanted:
        note("no run fits; fewer words find more")
    else:
        note('no runs yet; ask a question first: multicube ask "..."')


def _delete(opened: MultiCube, run_id: str, sure: bool) -> None:
    run = opened.trace(run_id)
    if not sure:
        note(f"{run.id}  {run.question}")
        confirm_removal("this run")
    opened.delete_run(run.id)
    note(f"removed: run {run.id}")


def _show(run: Run, form: str | None, out: Path | None) -> None:
    from ...app.traces import exported

    if form is None or (form == "json" and out is None):
        show_run(run, as_json=form == "json", hops=True)
    elif out is None:
        say_raw(exported(run, form))
    else:
        out.write_text(exported(run, form), encoding="utf-8")
        note(f"written: {out}")
