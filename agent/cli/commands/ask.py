"""`multicube ask`: answer a question with citations, and with its hops where asked."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ....cubes.core.errors import MultiCubeError, UsageError
from ....cubes.core.memory import keeping_all
from ..console import is_plain, note, say, say_json, stderr_console, stdout_console
from ..engine_options import AS_CONFIGURED, EngineArguments, announce, reporting_costs, takes_model
from ..model_mention import mention_model
from ..options import EncoderOption, JsonOption, KbOption, filters, flag, kb_named, multicube
from ..waits import reporting_waits
from .ingest import read_first

if TYPE_CHECKING:
    from ....cubes.core.records import Filters
    from ....graphs.records import LoopSettings, Run
    from ...app.facade import MultiCube
    from ...runs.events import Event

__all__ = ["ask", "loop_settings", "show_run"]

_SETTINGS, _FILTERS = "The loop", "Which documents"


@takes_model("extract_model")
def ask(
    question: Annotated[str, typer.Argument(help="The question, in quotes; - reads it from stdin.")],
    documents: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[PATH]...", help="Files or folders to answer from; read first, where new or changed."
        ),
    ] = None,
    kb: KbOption = None,
    trace: Annotated[bool, flag("--trace", help="Print every hop: cubes, cells, evidence, sub-answer.")] = False,
    json: JsonOption = False,
    show: Annotated[bool, flag("--show", help="Print the cited sections in full.")] = False,
    save: Annotated[bool, flag("--save/--no-save", help="Keep the trace in the knowledge base.")] = True,
    k: Annotated[int, typer.Option("--k", min=1, max=100, help="Sections per hop.", rich_help_panel=_SETTINGS)] = 5,
    max_hops: Annotated[int, typer.Option(min=1, max=50, help="At most so many hops.", rich_help_panel=_SETTINGS)] = 6,
    deadline: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            max=86_400,
            help="Stop after so long, with what is known.",
            rich_help_panel=_SETTINGS,
        ),
    ] = 120.0,
    tau: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Least similarity of a dense label match.", rich_help_panel=_SETTINGS),
    ] = None,
    min_confidence: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Hold an answer back that is less likely right.", rich_help_panel=_SETTINGS),
    ] = None,
    retrieval: Annotated[
        str,
        typer.Option(metavar="cubes|bm25|dense|hybrid|hiqa", help="How sections are found.", rich_help_panel=_SETTINGS),
    ] = "cubes",
    alpha: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            help="Weight of meaning against words where chapters of documents are searched; "
            "by the collection's structure if not given.",
            rich_help_panel=_SETTINGS,
        ),
    ] = None,
    beta: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=100,
            help="Weight of critical keywords there; by the number of documents to their pages if not given.",
            rich_help_panel=_SETTINGS,
        ),
    ] = None,
    keywords: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            envvar="MULTICUBE_KEYWORDS",
            help="Critical keywords of experts, one a line with its synonyms after commas.",
            rich_help_panel=_SETTINGS,
        ),
    ] = None,
    context_tokens: Annotated[
        int | None,
        typer.Option(min=1, help="Tokens of sections an answer is read from (2,000).", rich_help_panel=_SETTINGS),
    ] = None,
    expand: Annotated[
        str,
        typer.Option(
            metavar="auto|always|never",
            help="When to add hypothetical queries; auto: for several intents, or partial coverage.",
            rich_help_panel=_SETTINGS,
        ),
    ] = "auto",
    strategy: Annotated[
        str | None,
        typer.Option(metavar="hqg|rewrite|hyde|core_subq", help="How these are made (hqg).", rich_help_panel=_SETTINGS),
    ] = None,
    hypotheses: Annotated[
        int | None,
        typer.Option(min=1, max=50, help="Hypothetical answers to search with (5).", rich_help_panel=_SETTINGS),
    ] = None,
    top_k: Annotated[
        int | None,
        typer.Option(min=1, max=100, help="Passages for each of these queries (10).", rich_help_panel=_SETTINGS),
    ] = None,
    fusion: Annotated[
        str | None,
        typer.Option(
            metavar="balanced|plain",
            help="How what these find is fused; plain: as MuISQA prints it.",
            rich_help_panel=_SETTINGS,
        ),
    ] = None,
    abstractions: Annotated[
        str | None,
        typer.Option(
            metavar="ranked|all", help="Abstractions said beside passages (ranked).", rich_help_panel=_SETTINGS
        ),
    ] = None,
    thinking: EngineArguments = AS_CONFIGURED,
    encoder: EncoderOption = None,
    source: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GLOB",
            help="Only documents of this file, folder or pattern (repeatable).",
            rich_help_panel=_FILTERS,
        ),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            help="Only documents with this metadata (repeatable).",
            rich_help_panel=_FILTERS,
        ),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(metavar="DATE", help="Only documents dated then or later.", rich_help_panel=_FILTERS),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(metavar="DATE", help="Only documents dated then or earlier.", rich_help_panel=_FILTERS),
    ] = None,
    as_group: Annotated[
        list[str] | None,
        typer.Option(
            "--as",
            metavar="GROUP",
            help="Only what this group may read, see `multicube docs permit` (repeatable).",
            rich_help_panel=_FILTERS,
        ),
    ] = None,
) -> None:
    """Answer a question with citations: from a knowledge base, or at once from documents.

    A question that the documents do not answer ends in a plain "No answer", with status 0.
    """
    with keeping_all():
        asked, model = question_text(question), thinking.options()
        settings = loop_settings(
            k=k,
            max_hops=max_hops,
            deadline=deadline,
            tau=tau,
            retrieval=retrieval,
            expand=expand,
            strategy=strategy,
            hypotheses=hypotheses,
            top_k=top_k,
            fusion=fusion,
            abstractions=abstractions,
            min_confidence=min_confidence,
            alpha=alpha,
            beta=beta,
            keywords=keywords,
            context_tokens=context_tokens,
        )
        chosen = filters(source or [], where or [], since, until)
        if documents:
            kb = read_first(documents, kb, encoder, model)
        with multicube(kb, encoder, model) as opened, reporting_costs(opened):
            announce(model, "reason", "read")
            if not opened.kb.complete:
                note("an ingest has not finished: what it has not read yet cannot be found", style="yellow")
            asker = _as_reader(opened, as_group) if as_group else opened
            run = _ask(asker, asked, settings, chosen, save, kb)
        show_run(run, as_json=json, hops=trace, in_full=show)
        if save and not json:
            note("how this was found:")
            note(f"multicube trace {run.id}{kb_named(kb)}")
        if not json:
            mention_model(model, thinking.engine)


def question_text(question: str) -> str:
    """Return the question, read from stdin for "-"; refuses what is no question before anything is opened."""
    from ...app.factory import check_question

    return check_question(sys.stdin.read(100_000) if question == "-" else question)


def loop_settings(
    *,
    k: int,
    max_hops: int,
    deadline: float,
    tau: float | None,
    retrieval: str,
    expand: str,
    strategy: str | None = None,
    hypotheses: int | None = None,
    top_k: int | None = None,
    fusion: str | None = None,
    abstractions: str | None = None,
    min_confidence: float | None = None,
    alpha: float | None = None,
    beta: float | None = None,
    keywords: Path | None = None,
    context_tokens: int | None = None,
) -> LoopSettings:
    """Return the loop's settings from the options; raises UsageError naming the option that does not fit.

    InputError where the file of keywords cannot be read.
    """
    from pydantic import ValidationError

    from ....graphs.records import LoopSettings

    given = {
        "sections_per_hop": k,
        "max_hops": max_hops,
        "deadline_s": deadline,
        "retrieval": retrieval,
        "expand": expand,
    }
    unless_default: dict[str, object] = {"tau": tau, "min_confidence": min_confidence, "alpha": alpha, "beta": beta}
    unless_default |= {"strategy": strategy, "hypotheses": hypotheses, "top_k": top_k}
    unless_default |= {"fusion": fusion, "abstractions": abstractions}
    unless_default |= {"context_tokens": context_tokens, "keywords": _lines_of(keywords)}
    given |= {name: value for name, value in unless_default.items() if value is not None}
    try:
        return LoopSettings.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        option = {"deadline_s": "deadline", "sections_per_hop": "k"}.get(str(first["loc"][0]), str(first["loc"][0]))
        raise UsageError(f"--{option.replace('_', '-')} '{first['input']}' does not fit: {first['msg']}.") from error


def _lines_of(keywords: Path | None) -> tuple[str, ...] | None:
    if keywords is None:
        return None
    from ....cubes.retrieval.hiqa.experts import read_keywords

    return read_keywords(keywords)


def _as_reader(opened: MultiCube, groups: list[str]) -> MultiCube:
    """Return what answers somebody of these groups."""
    from ...app.readers import Reader, Readers

    return Readers(opened).of(Reader("", frozenset(groups)))


def _ask(
    opened: MultiCube, question: str, settings: LoopSettings, chosen: Filters | None, save: bool, kb: Path | None
) -> Run:
    """Ask, showing the hop under way where a person watches stderr."""
    run: Run | None = None
    with stderr_console().status("thinking") as status, reporting_waits(opened.model, lambda line: status.update(line)):
        said = ""
        try:
            for event in opened.stream(question, settings=settings, filters=chosen, save=save):
                said = said + event.note if event.kind == "token" else ""
                status.update(_progress(event, said) if event.kind != "started" else "thinking")
                run = event.run or run
        except MultiCubeError:
            if save:
                status.stop()
                _tell_how_to_go_on(opened, question, kb)
            raise
    if run is None:
        raise MultiCubeError("The run ended without a result; ask again.")
    return run


def _tell_how_to_go_on(opened: MultiCube, question: str, kb: Path | None) -> None:
    """Say how to go on with the run that has just ended early."""
    latest = next(iter(opened.runs(1)), None)
    if latest is not None and latest.question == question and latest.status in ("paused", "failed"):
        from ....graphs.quoting import so_far

        hops = f"{len(latest.hops)} {'hop' if len(latest.hops) == 1 else 'hops'}"
        for line in so_far(latest.hops):
            note(line)
        note(f"run {latest.id} is kept with {hops}; to go on:")
        note(f"multicube trace {latest.id} --resume{kb_named(kb)}")


def _progress(event: Event, said: str) -> str:
    from ...views.text import shorten

    if said:
        return f"answering: {shorten(said, 70)}"
    return f"hop {event.hop}: {event.kind} {shorten(event.subquery, 60)}"


def show_run(run: Run, *, as_json: bool = False, hops: bool = False, in_full: bool = False) -> None:
    """Print a run: as JSON, or its hops where asked, then the answer. A failed run ends with status 1."""
    from ...views import terminal as rendering

    if as_json:
        say_json(run.model_dump_json(indent=2))
    elif hops:
        say(rendering.trace(run, plain=is_plain(stdout_console())))
    else:
        say(rendering.answer(run))
    if in_full and not as_json:
        say(rendering.sections(run))
    if run.status == "failed":
        raise MultiCubeError(f"The run failed: {run.note or run.stopped or 'no reason was recorded'}")
