"""`multicube ingest`: build or extend a knowledge base from files and folders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from ....cubes.core.errors import MultiCubeError, UsageError
from ....cubes.documents.folders import absent
from ..console import note, say, say_json
from ..engine_options import AS_CONFIGURED, EngineArguments, announce, report_costs, takes_model
from ..options import EncoderOption, JsonOption, KbOption, flag, knowledge_base, locate
from ..progress import progress_bar

if TYPE_CHECKING:
    from ....cubes.core.spending import CostEstimate
    from ....cubes.ingest.pipeline import IngestReport
    from ...engines.llm.engine import ModelOptions

__all__ = ["ingest", "read_first"]

_SHOWN = 20
FILES = (
    "Files or folders of .md .rst .txt .html .htm .pdf .docx .pptx .epub .csv .xlsx .json .jsonl, text without a "
    "suffix, and any of these as .gz."
)


@takes_model("read_model")
def ingest(
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="PATH...", help=FILES),
    ],
    kb: KbOption = None,
    ontology: Annotated[
        str | None,
        typer.Option(
            metavar="auto|NAME|FILE",
            help="Classes and dimensions: a built-in ontology (see multicube ontology list), a YAML file, or auto: "
            "designed from the documents. Another one than before reads all anew.",
        ),
    ] = None,
    labels: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Cube labels that the corpus's authors give, imported instead of extracted."),
    ] = None,
    thinking: EngineArguments = AS_CONFIGURED,
    encoder: EncoderOption = None,
    dry_run: Annotated[bool, flag("--dry-run", help="Say what would be done; change nothing.")] = False,
    retry: Annotated[bool, flag("--retry", help="Also read again what was set aside.")] = False,
    prune: Annotated[bool, flag("--prune", help="Also remove documents whose file is gone.")] = False,
    format_with_model: Annotated[
        bool, flag("--format-with-model", help="Let the model turn PDF, DOCX and HTML into Markdown. (costs more)")
    ] = False,
    describe_figures: Annotated[
        bool, flag("--describe-figures", help="Let the model say what figures show. (costs more; a vision model)")
    ] = False,
    ray: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Let the workers of a Ray cluster read and embed: auto (the one that runs), local (start one) or "
            "HOST:PORT. The result is the same.",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Build or extend a knowledge base; only what is new or changed is read.

    What cannot be read is set aside, one line each, and the rest goes on.
    """
    from ...app.factory import authored, refinements

    folder, model = locate(kb), thinking.options()
    _check_paths(paths, folder)
    options: dict[str, Any] = {
        "dry_run": dry_run,
        "retry": retry,
        "prune": prune,
        "format_with_model": format_with_model or None,
        "describe_figures": describe_figures or None,
        "ray": ray,
    }
    refinements(model, options["format_with_model"], options["describe_figures"])
    options["labels"] = authored(labels)
    build = _dry if dry_run else _build
    report = build(paths, folder, ontology, encoder, model, options)
    _notes(report)
    if not dry_run:
        _still_aside(folder, report)
    if json:
        say_json(_record(report))
    else:
        say(_summary(report))
    if report.problems and not (report.added or report.updated or report.unchanged or report.reread):
        raise MultiCubeError("Nothing of what was named could be read.")


def read_first(paths: Sequence[Path], kb: Path | None, encoder: str | None, model: ModelOptions | None) -> Path:
    """Read what is new or changed before a question is asked of it; return the knowledge base, and say where it is.

    Where none is named, documents have one of their own in the cache folder, which forgets files that are gone.
    """
    from ...app.factory import refinements

    for path in paths:
        if not path.exists():
            raise UsageError(absent(path))
    folder, named = kb or _own(paths), [path.resolve() for path in paths]
    markdown, figures = refinements(model, None, None)
    options = {"prune": kb is None, "format_with_model": markdown, "describe_figures": figures, "labels": None}
    report = _build(named, folder, None, encoder, model, options)
    _notes(report)
    read = report.added + report.updated
    note(f"read {read:,} {'document' if read == 1 else 'documents'}, {report.unchanged:,} unchanged; kept in {folder}")
    return folder


def _own(paths: Sequence[Path]) -> Path:
    """Return the folder of the knowledge base that belongs to these documents."""
    from ...engines.encoders.minilm import cache_folder

    places = sorted({str(path.resolve()) for path in paths})
    mark = blake2b("\0".join(places).encode(), digest_size=4).hexdigest()
    return cache_folder() / "folders" / f"{Path(places[0]).name or 'root'}-{mark}"


def _still_aside(folder: Path, report: IngestReport) -> None:
    """Say that what an earlier ingest set aside still waits, as unchanged files are not read again."""
    with knowledge_base(folder) as kb:
        earlier = len(kb.status().problems) - len(report.problems)
    if earlier > 0:
        note(f"{earlier:,} more are still set aside from before: multicube status", style="yellow")


def _check_paths(paths: Sequence[Path], kb: Path) -> None:
    """Refuse a misspelt path before a knowledge base is made; later on a document may be gone."""
    for path in paths:
        if not path.exists() and not kb.exists():
            raise UsageError(absent(path))


def _dry(
    paths: Sequence[Path],
    kb: Path,
    ontology: str | None,
    encoder: str | None,
    model: ModelOptions | None,
    options: dict[str, Any],
) -> IngestReport:
    """Say what an ingest would do; one that would make a knowledge base is tried in a temporary folder."""
    if kb.exists():
        return _build(paths, kb, ontology, encoder, model, options)
    with TemporaryDirectory() as folder:
        return _build(paths, Path(folder) / "kb", ontology, encoder, model, options)


def _build(
    paths: Sequence[Path],
    kb: Path,
    ontology: str | None,
    encoder: str | None,
    model: ModelOptions | None,
    options: dict[str, Any],
) -> IngestReport:
    from ...app.facade import MultiCube
    from ...app.factory import AUTO, refuse_empty, writable

    refuse_empty(paths, kb)
    if ontology == AUTO:
        note("designing an ontology from the documents, unless this knowledge base has one of its own")
    made = writable(kb, ontology, encoder, [path for path in paths if path.exists()], options["labels"])
    with MultiCube(made, model=model) as opened:
        announce(model if options["labels"] is None else None, "extract")
        try:
            with progress_bar(model) as progress:
                return opened.ingest(paths, progress=progress, **options)
        except BaseException:
            report_costs(opened.spent)  # of an ingest that comes to its end the report tells it
            raise


def _notes(report: IngestReport) -> None:
    """Say on stderr what was set aside and what to be wary of, each in one line."""
    for problem in report.problems[:_SHOWN]:
        note(str(problem), style="yellow")
    if len(report.problems) > _SHOWN:
        note(f"... and {len(report.problems) - _SHOWN} more: multicube status", style="yellow")
    for warning in report.warnings[:_SHOWN]:
        note(str(warning), style="yellow")
    if len(report.warnings) > _SHOWN:
        note(f"... and {len(report.warnings) - _SHOWN} more warnings of the same kind", style="yellow")


def _record(report: IngestReport) -> dict[str, Any]:
    """Return a report as JSON-ready data."""
    problems = [{"source": p.source, "line": p.line, "message": p.message} for p in report.problems]
    return {**report.model_dump(mode="json", exclude={"problems"}), "problems": problems}


def _summary(report: IngestReport) -> Iterator[Text]:
    """Say in a few lines what was done, or would be."""
    would = "would be " if report.dry_run else ""
    for name in ("added", "updated", "unchanged", "removed", "reread"):
        count = getattr(report, name)
        if count or name in ("added", "updated", "unchanged", "removed"):
            yield Text(f"{'documents ' + would + name}: {count:,}")
    yield Text(f"sections: {report.sections:,}")
    if not report.dry_run:
        yield Text(f"facts: {report.facts:,}")
        yield Text(f"vectors: {report.vectors:,}")
    if report.retried:
        yield Text(f"sections read that had been set aside: {report.retried:,}")
    yield Text(f"set aside: {len(report.problems):,}", style="yellow" if report.problems else "")
    if report.missing and not report.removed:
        yield Text(f"files gone: {len(report.missing):,} (--prune removes their documents)", style="yellow")
    if report.estimate is not None:
        yield from _estimated(report.estimate)
    elif report.usage is not None:
        from ...views.terminal import spent

        yield Text(f"spent: {spent(report.usage)}")
    yield Text(f"seconds: {sum(report.seconds.values()):.1f}", style="dim")


def _estimated(estimate: CostEstimate) -> Iterator[Text]:
    """Say what the model would cost, and what that rests on."""
    kept = f" ({estimate.cached:,} more are paid for already)" if estimate.cached else ""
    yield Text(f"requests to {estimate.model}: {estimate.requests:,}{kept}")
    most = f" (at most {estimate.most_output_tokens:,})" if estimate.most_output_tokens else ""
    yield Text(f"tokens: about {estimate.input_tokens:,} read, {estimate.output_tokens:,} written{most}")
    if estimate.cost_usd is None:
        yield Text("money: the model's price is not known; name it in a file of your own (MULTICUBE_PRICES)")
    else:
        yield Text(f"money: about ${estimate.cost_usd:.4f}")
    yield Text(f"minutes: about {estimate.minutes:g}")
    for assumption in estimate.assumptions:
        yield Text(assumption, style="dim")
