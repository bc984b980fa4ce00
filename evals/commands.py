"""The commands `multicube eval` and `multicube score`; the entry points ``multicube.commands`` name them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..agent.cli.engine_options import AS_CONFIGURED, EngineArguments, takes_model
from .datasets.formats.commands import complete_formats
from .evaluation.rescoring import register as register_score

if TYPE_CHECKING:
    from ..agent.engines.llm.engine import ModelOptions
    from .evaluation.runner import EvalOptions

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the commands to an application."""
    app.command("eval")(evaluate)
    register_score(app)


@takes_model()
def evaluate(
    dataset: Annotated[
        str,
        typer.Argument(
            metavar="DATASET",
            help='A data set folder or published file, its name in MULTICUBE_DATA, or "sample" for the bundled one.',
        ),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where results.json and predictions.jsonl go.")],
    systems: Annotated[
        str | None,
        typer.Option(
            "--systems",
            metavar="A,B,...",
            help="Systems to compare.",
            autocompletion=lambda: _complete_systems(),
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", metavar="N", help="Ask only the first N questions.")] = None,
    shuffle: Annotated[
        bool,
        typer.Option("--shuffle", help="With --limit: a random sample (by --seed) instead of the first N."),
    ] = False,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Seed of --shuffle and of the intervals.")] = 0,
    thinking: EngineArguments = AS_CONFIGURED,
    labels: Annotated[
        str,
        typer.Option(
            "--labels",
            metavar="own|embedded|authors",
            help="Whose cube labels: of what thinks, of the embedded engine, or labels.jsonl's.",
        ),
    ] = "own",
    ontology: Annotated[
        str | None,
        typer.Option(
            "--ontology", metavar="auto|NAME|FILE", help="Classes and dimensions, as multicube ingest takes them."
        ),
    ] = None,
    kb: Annotated[
        Path | None,
        typer.Option("--kb", metavar="DIR", help="Where the knowledge base goes; the kb folder of --out by default."),
    ] = None,
    encoder: Annotated[
        str | None,
        typer.Option(
            "--encoder",
            metavar="NAME",
            envvar="MULTICUBE_ENCODER",
            help="The model that embeds labels and passages.",
        ),
    ] = None,
    concurrency: Annotated[
        int,
        typer.Option(
            "--concurrency", metavar="N", help="Questions asked side by side; above 1 their times are longer."
        ),
    ] = 1,
    corpus: Annotated[
        list[str] | None,
        typer.Option(
            "--corpus",
            metavar="OTHER",
            help="A data set whose corpus is merged into the searched one; may be repeated.",
        ),
    ] = None,
    refusals: Annotated[
        list[str] | None,
        typer.Option(
            "--refusals",
            metavar="OTHER",
            help="A data set whose questions are asked too although the corpus does not hold their answers: how many "
            "are refused; may be repeated.",
        ),
    ] = None,
    ablate: Annotated[
        bool, typer.Option("--ablate", help="Ask the system with each of its parts off, beside the whole.")
    ] = False,
    jobs: Annotated[
        int, typer.Option("--jobs", metavar="N", help="Processes that share the questions; the result is the same.")
    ] = 1,
    retrieval_only: Annotated[
        bool,
        typer.Option("--retrieval-only", help="Read no answers and score what is found: many times as fast."),
    ] = False,
    semantic: Annotated[
        bool, typer.Option("--semantic", help="Score answers by meaning too: their nearness to the gold ones.")
    ] = False,
    judge: Annotated[
        bool, typer.Option("--judge", help="Let a language model judge whether answers are correct and complete.")
    ] = False,
    judge_model: Annotated[
        str | None,
        typer.Option(
            "--judge-model",
            metavar="NAME|URL#NAME",
            envvar="MULTICUBE_JUDGE_MODEL",
            help="The model that judges; the one that thinks by default.",
        ),
    ] = None,
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help="The published format of DATASET, where it is not plain; multicube datasets lists them.",
            autocompletion=lambda: complete_formats(),
        ),
    ] = None,
    download: Annotated[
        bool, typer.Option("--download", help="Fetch a published DATASET that is not here; nothing is fetched without.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print results.json instead of the table.")] = False,
) -> None:
    """Compare systems on a data set: answers, retrieval, speed, and why what is wrong is wrong, question by question.

    An evaluation that was interrupted goes on where it stopped when the same command is given again. Caps on what a
    language model may spend hold for the ingest and for all questions of a system together.
    """
    from .evaluation.runner import EvalOptions

    model, judges = _models(thinking, judge, judge_model)
    options = EvalOptions(
        dataset, out, systems, limit, shuffle, seed, labels, kb, concurrency, encoder, corpus=tuple(corpus or ()),
        refusals=tuple(refusals or ()), ablate=ablate, model=model,
        ontology=ontology, retrieval_only=retrieval_only, jobs=jobs, semantic=semantic, judge=judges,
        format=format, download=download,
    )  # fmt: skip
    _show(_run(options), as_json)


def _models(
    thinking: EngineArguments, judge: bool, judge_model: str | None
) -> tuple[ModelOptions | None, ModelOptions | None]:
    """Return the model that thinks and the one that judges; the caps hold for each, or for the judge alone."""
    from ..agent.app.factory import chosen_model

    if not judge:
        return thinking.options(together=True), None
    from ..agent.engines.llm.cost.limits import Caps
    from .metrics.judge import judge_options

    caps = Caps(thinking.max_requests, thinking.max_tokens, thinking.max_cost)
    if chosen_model(thinking.model, thinking.engine) is None:
        thinking = replace(thinking, max_requests=None, max_tokens=None, max_cost=None)
    model = thinking.options(together=True)
    return model, judge_options(judge_model, model, caps)


def _run(options: EvalOptions) -> dict[str, Any]:
    from .evaluation.progress import ProgressWatcher
    from .evaluation.runner import evaluate as run

    with ProgressWatcher() as watcher:
        return run(options, watcher)


def _show(results: dict[str, Any], as_json: bool) -> None:
    from ..agent.cli.console import fail, say, say_json
    from .reports.results import markdown

    if as_json:
        say_json(results)
    else:
        say(markdown(results).splitlines())
    broken = [name for name, scores in results["systems"].items() if scores["failed"] == results["questions"]]
    if broken:
        fail(f"Every question failed with {', '.join(broken)}; predictions.jsonl has the reasons.")
        raise typer.Exit(1)


def _complete_systems() -> list[str]:
    from .systems import all_names

    return all_names()
