"""Questions with several intents: a generated corpus, and what hypothetical queries bring on it (MuISQA)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from ...generators.intents.worlds import FAR
from ...reports.tables import made_by
from ...support import application, write_whole

__all__ = ["app"]

_Seed = Annotated[int, typer.Option(metavar="N", help="The same seed writes the same corpus and questions.")]

_Far = Annotated[float, typer.Option(metavar="SHARE", help="Facts worded without the question's words: the harder.")]


def generate(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the data set goes.")],
    seed: _Seed = 0,
    questions: Annotated[int, typer.Option(metavar="N", help="How many; each has its topic to itself.")] = 100,
    far: _Far = FAR,
) -> None:
    """Write corpus.jsonl and questions.jsonl."""
    from ...generators.intents.generating import generate as write

    corpus, *_ = write(folder, seed=seed, questions=questions, far=far)
    with corpus.open(encoding="utf-8") as lines:
        print(f"Wrote {sum(1 for _ in lines)} sections and {questions} questions into {folder}.")


def run(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the corpus, the answers and the results go.")],
    seed: _Seed = 0,
    far: _Far = FAR,
    limit: Annotated[int | None, typer.Option(metavar="N", help="Ask the first questions only.")] = None,
    arms: Annotated[list[str] | None, typer.Option("--arm", metavar="NAME", help="Only these; may repeat.")] = None,
    sweeps: Annotated[bool, typer.Option(help="Whether rrf_k and top_k are swept.")] = True,
    page: Annotated[Path | None, typer.Option(metavar="FILE", help="A page to write, with pictures beside it.")] = None,
    encoder: Annotated[str | None, typer.Option(metavar="NAME", help="The encoder, if not the default.")] = None,
) -> None:
    """Generate the corpus, ingest it, ask every arm, and write the results."""
    from ...evaluation.progress import ProgressWatcher
    from .arms import ARMS
    from .page import markdown
    from .running import IntentsOptions
    from .running import run as measured

    with ProgressWatcher() as watch:
        results = measured(IntentsOptions(seed, out, limit, arms or ARMS, sweeps, encoder, far=far), watch)
    report = markdown(results)
    if page is not None:
        write_whole(page, f"{_head(seed, far)}\n\n{report}{_pictures(results, page)}")
    print(report)


def _head(seed: int, far: float) -> str:
    given = f"--seed {seed}" + (f" --far {far}" if far != FAR else "")
    return (
        "# Evaluation: questions with several intents\n\n"
        f"{made_by(f'python -m multicube.evals intents run {given}')} "
        "[What the measures are](evaluation.md); [hypothetical queries](hqg.md).\n\n"
        "The generator and its wordings came before the rules. These were made while looking at seeds 0 to 3 with a "
        "fifth of the facts worded without the question's words; the names, values and numbers of another seed are "
        "others, the wordings the same."
    )


def _pictures(results: Mapping[str, Any], page: Path) -> str:
    """The sweeps' pictures, drawn into a folder beside the page."""
    from .drawing import draw

    if not results["sweeps"]:
        return ""
    drawn = draw(results["sweeps"], page.parent / "pictures")
    return "".join(f"\n![{path.stem}](pictures/{path.name})\n" for path in drawn)


def cost(
    kb: Annotated[Path, typer.Argument(metavar="KB", help="The folder of a knowledge base.")],
    questions: Annotated[Path, typer.Argument(metavar="FILE", help="Questions: JSONL, as in a data set.")],
    statements: Annotated[int, typer.Option(metavar="N", help="Statements of an expansion.")] = 20,
    encoder: Annotated[str | None, typer.Option(metavar="NAME", help="The encoder, if not the default.")] = None,
) -> None:
    """Measure what looking up an expansion costs beside looking up one query."""
    from ....agent.app.facade import MultiCube
    from .cost import cost as measured
    from .page import costs

    asked = [json.loads(line)["question"] for line in questions.read_text(encoding="utf-8").splitlines()]
    with MultiCube.open(kb, engine="embedded", encoder=encoder) as opened:
        found = measured(opened, asked, statements=statements)
    print(costs(asdict(found)) if found is not None else "Too few statements were made to measure anything.")


app = application(generate, run, cost, help=__doc__)
