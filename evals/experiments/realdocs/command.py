"""Real documents: fetch the four corpora, ask a hundred questions about them, and write the page of the results."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ...ablations import WHOLE
from ...support import application, write_whole
from .recipe import RECIPE, corpora

__all__ = ["app"]

_Out = Annotated[Path, typer.Option(metavar="DIR", help="Where packages, corpora, knowledge bases and answers go.")]
_Recipe = Annotated[Path, typer.Option(metavar="DIR", help="corpora.yaml and questions/; another benchmark's, say.")]
_OUT = Path("out/realdocs")


def fetch(out: _Out = _OUT, recipe: _Recipe = RECIPE) -> None:
    """Download the packages with apt-get and lay out a folder of documents for each corpus; nothing is installed."""
    from .fetching import fetch as fetched

    fetched(corpora(recipe), out, lambda sentence: print(sentence, file=sys.stderr))


def run(
    out: _Out = _OUT,
    recipe: _Recipe = RECIPE,
    system: Annotated[str, typer.Option(metavar="NAME", help="An ablation; its answers have its name.")] = WHOLE,
) -> None:
    """Ingest each corpus, ask its questions with the embedded engine, and write answers.jsonl; a count is printed."""
    from ...evaluation.progress import ProgressWatcher
    from .running import run as asked

    with ProgressWatcher() as watch:
        rows = asked(out, recipe=recipe, system=system, watcher=watch)
    print(f"{sum(row.verdict == 'right' for row in rows)} of {len(rows)} right.")


def page(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The page to write.")],
    out: _Out = _OUT,
    recipe: _Recipe = RECIPE,
) -> None:
    """Write the page of what was answered last."""
    from .page import markdown
    from .running import read_answers

    write_whole(file, markdown(corpora(recipe), read_answers(out)))


app = application(fetch, run, page, help=__doc__)
