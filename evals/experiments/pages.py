"""The committed pages of figures: each evaluation run by its command line, its report written into the docs.

``python -m multicube.evals pages "sample --ablate" "FOLDER --corpus OTHER"`` runs each of these as `multicube eval`,
writes ``docs/evaluation-NAME.md``, and the summary between the marks of ``docs/evaluation.md``. An evaluation that was
interrupted goes on where it stopped.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from ..ablations import WHOLE
from ..commands import register
from ..reports.results import markdown
from ..reports.tables import between, made_by, number, table
from ..support import application, write_whole

__all__ = ["app", "page", "run_page", "summary"]

_MARKS = ("<!-- figures -->", "<!-- /figures -->")
_SUMMARY = ("data", "questions", "sections", "EM", "F1", "recall@5", "perfect@4", "perfect@8", "refused", "p50 ms")

Results = Mapping[str, Any]


def run_page(line: str, work: Path, docs: Path) -> Results:
    """Run one evaluation and write its page; ``line`` is what follows `multicube eval`, without --out."""
    out = work / re.sub(r"[^\w.]+", "-", line).strip("-")
    app = typer.Typer()
    app.callback()(lambda: None)
    register(app)
    typer.main.get_command(app).main(["eval", *shlex.split(line), "--out", str(out)], standalone_mode=False)
    results: Results = json.loads((out / "results.json").read_text("utf-8"))
    write_whole(docs / _page_name(results), page(line, results))
    return results


def page(line: str, results: Results) -> str:
    """Return a page: the command, where it ran, and the report."""
    command = " ".join(Path(word).name if "/" in word else word for word in shlex.split(line))
    return (
        f"# Evaluation: {results['dataset']}\n\n{made_by(f'multicube eval {command} --out out')} "
        "Development figures: the engine was built with these questions in view, so expect less on others. "
        "[What the figures mean](evaluation.md).\n\n"
        f"{markdown(results)}"
    )


def summary(evaluated: Iterable[Results]) -> str:
    """Return the table of all pages: the whole system's row of each."""
    rows = []
    for results in evaluated:
        scores = results["systems"].get(WHOLE) or next(iter(results["systems"].values()))
        more = scores["metrics"]
        refused = [found["refused"] for found in more.get("refusals", {}).values()] or [more["refused"]]
        rows.append(
            [
                f"[{results['dataset']}]({_page_name(results)})",
                str(results["questions"]),
                str(results["sections"]),
                *(between(scores[key], more[f"{key}_ci95"]) for key in ("em", "f1", "recall@5")),
                *(number(scores[key]) for key in ("perfect@4", "perfect@8")),
                ", ".join(map(number, refused)),
                number(scores["question_ms_p50"]),
            ]
        )
    return table(_SUMMARY, rows)


def fill(text: str, between: str) -> str:
    """Put a text between the marks; a page without marks stays as it is."""
    start, end = _MARKS
    if start not in text or end not in text:
        return text
    return f"{text[: text.index(start)]}{start}\n{between}\n{text[text.index(end) :]}"


def _command(
    lines: Annotated[list[str], typer.Argument(metavar="EVALUATION...", help='Such as "sample --ablate".')],
    docs: Annotated[Path, typer.Option(metavar="DIR", help="Where the pages go.")] = Path("docs"),
    work: Annotated[Path, typer.Option(metavar="DIR", help="Where the evaluations go.")] = Path("out/pages"),
) -> None:
    """Run evaluations and write their pages and the summary into the docs."""
    evaluated = [run_page(line, work, docs) for line in lines]
    index = docs / "evaluation.md"
    if index.exists():
        write_whole(index, fill(index.read_text("utf-8"), summary(evaluated)))


def _page_name(results: Results) -> str:
    return f"evaluation-{str(results['dataset']).replace('+', '-with-')}.md"


app = application(_command)
