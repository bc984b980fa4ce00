"""The command ``python -m multicube.evals hypercube``: see docs/evaluation-hypercube.md."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ....cubes.core.errors import UsageError
from ...support import application, names, numbers
from .running import EXPERIMENTS, Options, run

__all__ = ["app"]

_DEFAULTS = Options(Path(), Path(), Path())


def _command(
    dataset: Annotated[Path, typer.Argument(metavar="DATASET", help="A folder with corpus, questions and labels.")],
    work: Annotated[Path, typer.Option(metavar="DIR", help="Where knowledge bases and answers are kept.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the page and its pictures go.")] = Path("docs"),
    ontology: Annotated[str, typer.Option(metavar="NAME|FILE", help="The hypercube.")] = _DEFAULTS.ontology,
    experiments: Annotated[str, typer.Option(metavar="A,B,...", help="Some of them.")] = ",".join(EXPERIMENTS),
    labels: Annotated[str, typer.Option(metavar="A,B", help="Whose: own, authors.")] = ",".join(_DEFAULTS.labels),
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="Ask a random sample of N questions.")] = None,
    taus: Annotated[str, typer.Option(metavar="T,T,...", help="Thresholds.")] = ",".join(map(str, _DEFAULTS.taus)),
    question: Annotated[str, typer.Option(metavar="TEXT", help="The question that is explained.")] = _DEFAULTS.question,
) -> None:
    """Measure parts, dimensions and threshold of hypercubes on a data set, and explain an example question."""
    chosen, whose, at = names(experiments), names(labels), sorted(numbers("taus", taus, float))
    if not set(chosen) <= set(EXPERIMENTS) or not set(whose) <= set(_DEFAULTS.labels):
        raise UsageError(f"--experiments are {', '.join(EXPERIMENTS)}; --labels are {', '.join(_DEFAULTS.labels)}.")
    if not all(0 <= tau <= 1 for tau in at):
        raise UsageError(f"--taus {taus} are not all between 0 and 1; write for example 0.5,0.75.")
    options = Options(dataset, out, work, ontology, chosen, whose, limit, at, question)
    typer.echo(run(options, lambda sentence: print(sentence, file=sys.stderr, flush=True)).read_text(encoding="utf-8"))


app = application(_command)
