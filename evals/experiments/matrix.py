"""The whole matrix by one command: every data set, every system, and one report of all (``make eval``).

``python -m multicube.evals matrix 2wiki hotpotqa musique`` evaluates one data set after the other as `multicube eval`
does, in as many processes as there are cores, then has `multicube report` write the page. Killed at any time, the same
command goes on where it stopped.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from ...cubes.core.errors import UsageError
from ..ablations import WHOLE
from ..datasets.dataset import resolve_folder
from ..evaluation.options import EvalOptions
from ..evaluation.progress import ProgressWatcher, in_words
from ..evaluation.runner import evaluate
from ..reports.making import make
from ..support import application
from ..systems.presets import PRESETS

__all__ = ["DATASETS", "Matrix", "app", "run"]

DATASETS = ("2wiki", "hotpotqa", "musique")
"""What is evaluated where nothing else is named: those that readers can get, in the layout of docs/evaluation.md."""
SAMPLE = "sample"
_ALL = "matrix"  # the group of all systems
_PAGE = "evaluation-matrix"
_TITLE = "Every system on every data set"
_NOTE = (
    "Made by make eval. Development figures: rules were written with questions of 2wiki, hotpotqa and musique in view, "
    "so expect less of others; no question was read by a span reader that has learnt from it."
)


@dataclass(frozen=True)
class Matrix:
    """What is evaluated, and where it goes: ``work`` holds a folder for each data set, ``docs`` the page of all.

    Some of the questions, or of the systems, are no matrix: their page stays with the results.
    """

    datasets: Sequence[str]
    systems: str = _ALL
    work: Path = Path("out/matrix")
    docs: Path = Path("docs")
    limit: int | None = None
    shuffle: bool = False
    seed: int = 0
    jobs: int | None = None

    @property
    def folder(self) -> Path:
        """Where the evaluations of so many questions go: nothing of the whole is set aside for a part of it."""
        if self.limit is None:
            return self.work
        drawn = f"-seed-{self.seed}" if self.shuffle else ""
        return self.work.with_name(f"{self.work.name}-limit-{self.limit}{drawn}")


def run(matrix: Matrix) -> list[Path]:
    """Evaluate every data set and return the folders; what was done before is not done again.

    Raises UsageError for a data set that is not there, before anything is asked.
    """
    for name in matrix.datasets:
        resolve_folder(name)
        if [Path(other).name for other in matrix.datasets].count(Path(name).name) > 1:
            raise UsageError(f"Two data sets are called {Path(name).name}, which is one folder; name each once.")
    jobs, folders = matrix.jobs or _cores(), []
    for number, name in enumerate(matrix.datasets, start=1):
        out, started = matrix.folder / Path(name).name, time.monotonic()
        asked = _systems(matrix.systems, out.name)
        options = EvalOptions(name, out, asked, matrix.limit, matrix.shuffle, matrix.seed, jobs=jobs)
        with ProgressWatcher() as watcher:
            watcher.say(f"{name} ({number} of {len(matrix.datasets)} data sets), in {jobs} processes.")
            results = evaluate(options, watcher)
            took = in_words(time.monotonic() - started)
            watcher.say(f"{name}: {len(results['systems'])} systems, {results['questions']} questions, {took}.")
        folders.append(out)
    return folders


def _systems(wanted: str, dataset: str) -> str:
    """All systems with, for a data set of MultiCube-RAG's Table 5, the cubes that the paper made for it left out."""
    if wanted != _ALL or dataset not in PRESETS:
        return wanted
    return f"{WHOLE},baselines,ablations,cubes:{dataset},limits"


def page(matrix: Matrix, folders: Sequence[Path]) -> Path:
    """Have `multicube report` write the report of all, and return its Markdown page.

    It goes into the docs where every system was asked every question of `DATASETS` at least; the HTML page stays with
    the results.
    """
    whole = matrix.limit is None and matrix.systems == _ALL and set(DATASETS) <= set(matrix.datasets)
    written = (matrix.docs if whole else matrix.folder) / f"{_PAGE}.md"
    known = set(matrix.datasets) & set(DATASETS)
    report = make(folders, title=_TITLE, remark=_NOTE if known else None)
    report.write_markdown(written, None)
    report.write_html(matrix.folder / f"{_PAGE}.html")
    return written


def _command(
    datasets: Annotated[
        list[str] | None, typer.Argument(metavar="DATASET...", help="Folders, or names in MULTICUBE_DATA.")
    ] = None,
    systems: Annotated[str, typer.Option(metavar="A,B,...", help="Systems, or groups of them.")] = _ALL,
    limit: Annotated[int | None, typer.Option(metavar="N", help="Ask only the first N questions of each.")] = None,
    shuffle: Annotated[bool, typer.Option("--shuffle", help="With --limit: a random sample instead.")] = False,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of --shuffle and of the intervals.")] = 0,
    jobs: Annotated[int | None, typer.Option(metavar="N", help="Processes; as many as cores by default.")] = None,
    work: Annotated[Path, typer.Option(metavar="DIR", help="Where the evaluations go.")] = Path("out/matrix"),
    docs: Annotated[Path, typer.Option(metavar="DIR", help="Where the page goes.")] = Path("docs"),
) -> None:
    """Evaluate every system on every data set and write one report; an interrupted run goes on where it stopped."""
    try:
        matrix = Matrix(_there(datasets or DATASETS), systems, work, docs, limit, shuffle, seed, jobs)
        written = page(matrix, run(matrix))
    except KeyboardInterrupt:
        _say("Interrupted; the same command goes on where it stopped.")
        raise typer.Exit(130) from None
    _say(f"The report is in {written}.")


def _there(datasets: Sequence[str]) -> Sequence[str]:
    """The data sets, or the bundled sample where the folder of data sets is not there at all."""
    data = Path(os.environ.get("MULTICUBE_DATA", "../shared/data"))
    if data.is_dir() or any(Path(name).is_dir() for name in datasets):
        return datasets
    _say(f"There is no folder of data sets at {data} (MULTICUBE_DATA names another); the bundled sample is evaluated.")
    return (SAMPLE,)


def _cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr)


app = application(_command)
