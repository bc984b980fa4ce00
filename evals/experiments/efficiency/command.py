"""``python -m multicube.evals efficiency DATASET...``: see docs/efficiency.md."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ....agent.cli.engine_options import AS_CONFIGURED, EngineArguments, takes_model
from ....cubes.core.errors import UsageError
from ...support import application, names, numbers
from .options import PARTS, Crowd, Options
from .running import FILE, run

_DEFAULTS = Options(("sample",), Path())


@takes_model("prompts", "no_cache")
def _command(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where figures and knowledge bases are kept.")],
    datasets: Annotated[
        list[str] | None, typer.Argument(metavar="DATASET...", help="Folders or names; the bundled sample by default.")
    ] = None,
    parts: Annotated[
        str, typer.Option(metavar="A,B,...", help=f"What to measure: {', '.join(PARTS)}; all by default.")
    ] = ",".join(PARTS),
    systems: Annotated[
        str, typer.Option(metavar="A,B,...", help="As multicube eval takes them; the first at each concurrency.")
    ] = ",".join(_DEFAULTS.systems),
    queries: Annotated[int, typer.Option(metavar="N", help="Questions of each data set.")] = _DEFAULTS.queries,
    concurrency: Annotated[
        str, typer.Option(metavar="N,N", help="How many questions at a time; the others one at a time.")
    ] = ",".join(map(str, _DEFAULTS.concurrency)),
    sizes: Annotated[
        str, typer.Option(metavar="N,N", help="Sections to which the first data set is grown, as 20000,100000.")
    ] = "",
    crowd: Annotated[
        str | None, typer.Option(metavar="DATASET", help="The data set that is asked among off-topic documents.")
    ] = None,
    among: Annotated[
        list[str] | None, typer.Option(metavar="OTHER", help="A data set of such documents; may be repeated.")
    ] = None,
    size: Annotated[int, typer.Option(min=1, metavar="N", help="Documents in all, with --crowd.")] = 11_539,
    crowd_questions: Annotated[int, typer.Option(min=1, metavar="N", help="Questions asked with --crowd.")] = 80,
    ontology: Annotated[
        str | None, typer.Option(metavar="NAME|FILE", help="The ontology of --crowd, as multicube ingest takes it.")
    ] = None,
    predictions: Annotated[
        list[Path] | None,
        typer.Option(metavar="DIR", help="The --out of an evaluation, for tokens and money; may be repeated."),
    ] = None,
    starts: Annotated[
        int, typer.Option(metavar="N", help="New processes that a figure of cold is the median of.")
    ] = _DEFAULTS.starts,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the samples and of the copies.")] = 0,
    encoder: Annotated[
        str | None, typer.Option(metavar="NAME", envvar="MULTICUBE_ENCODER", help="The model that embeds.")
    ] = None,
    page: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The page; efficiency.md in --out by default.")
    ] = None,
    thinking: EngineArguments = AS_CONFIGURED,
) -> None:
    """Measure time, memory, disk, model calls, tokens and money. A call that was stopped goes on when given again."""
    try:
        options = Options(
            datasets or ["sample"], out, names(parts), names(systems), queries,
            numbers("concurrency", concurrency, int), numbers("sizes", sizes, int),
            _crowd(crowd, among or [], size, ontology, crowd_questions),
            predictions or [], starts, seed, encoder, thinking.options(together=True),
        )  # fmt: skip
        run(options, lambda sentence: print(sentence, file=sys.stderr, flush=True), written=page)
    except KeyboardInterrupt:
        print("Stopped; the same command goes on with what is missing.", file=sys.stderr)
        raise typer.Exit(130) from None
    typer.echo(f"{out / FILE}\n{page or out / 'efficiency.md'}")


def _crowd(dataset: str | None, others: list[str], size: int, ontology: str | None, questions: int) -> Crowd | None:
    if dataset is None and not others:
        return None
    if dataset is None or not others:
        raise UsageError("--crowd DATASET and --among OTHER belong together; give both.")
    return Crowd(dataset, others, size, ontology, questions)



app = application(_command)
