"""Fitting what the engine says of its answers: the probability that the documents hold one, and that it is right.

``python -m multicube.evals calibrate record DATASET --kb KB --asked OTHER --out FILE`` asks a knowledge base its own
questions and those of other data sets, with nothing held back, and keeps the signals of each answer: numbers only. A
file that is there is added to. ``python -m multicube.evals calibrate fit FILE`` fits the models to them, writes the
weights that `multicube.agent.engines.embedded.confidence` reads, and prints how well the models do on a corpus that
they were fitted without.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
import yaml

from ....agent.app.facade import MultiCube
from ....agent.engines.embedded.confidence import Calibration, calibration
from ....agent.engines.embedded.options import EngineOptions
from ....agent.engines.embedded.reasoner import EmbeddedReasoner
from ....cubes.core.errors import UsageError
from ....graphs.records import Run
from ...datasets.dataset import Question
from ...datasets.load import load_dataset
from ...evaluation.refusals import foreign_questions
from ...metrics.basic import best_over, exact_match
from ...support import application, write_whole
from .facts import facts
from .fitting import Record, Tested, calibrated, cross_fitted

__all__ = ["app"]

_TARGET = Path(__file__).resolve().parents[3] / "agent" / "engines" / "embedded" / "confidence.yaml"
_HEAD = (
    "# What the signals of an answer weigh (see confidence.py). Written by `python -m multicube.evals calibrate fit`;\n"
    "# nothing in it is drawn by chance. Fitted to: {}.\n"
)
_UNHELD = EngineOptions(least_answerable=0.0)


def record(
    dataset: Annotated[Path, typer.Argument(metavar="DATASET", help="The data set whose corpus is asked.")],
    kb: Annotated[Path, typer.Option(metavar="DIR", help="A knowledge base of that corpus.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where the records are added.")],
    asked: Annotated[list[Path] | None, typer.Option(metavar="OTHER", help="Other data sets to ask it.")] = None,
    limit: Annotated[int | None, typer.Option(help="The first so many questions of each only.")] = None,
) -> None:
    """Ask a knowledge base questions with nothing held back, and keep the signals of the answers."""
    here = load_dataset(dataset)
    own = here.select(limit)
    sets = [own, *(foreign_questions(here, other, limit=limit) for other in asked or ())]
    with MultiCube.open(kb, engine_options=_UNHELD) as opened, out.open("a", encoding="utf-8") as stream:
        engine = opened.reasoner
        assert isinstance(engine, EmbeddedReasoner)
        for each in sets:
            for question in each.questions:
                run = opened.ask(question.question, save=False)
                stream.write(_recorded(here.name, each.name, question, run, engine).model_dump_json() + "\n")
                stream.flush()


def fit(
    records: Annotated[list[Path], typer.Argument(metavar="FILE...", help="What was recorded.")],
    target: Annotated[Path, typer.Option(metavar="FILE", help="Where the weights go.")] = _TARGET,
    at_home: Annotated[
        list[str] | None, typer.Option(metavar="CORPUS", help="Corpora that rules were written with.")
    ] = None,
    right_only: Annotated[bool, typer.Option(help="Leave what is refused as it is.")] = False,
) -> None:
    """Fit the models, write their weights, and print what they do where they were not fitted."""
    rows = _read(records)
    fitted = calibrated(rows, at_home or (), calibration() if right_only else None)
    write_whole(target, _HEAD.format(_listed(rows)) + _weights(fitted))
    for tested in cross_fitted(rows):
        typer.echo(_line(tested))


def _recorded(corpus: str, asked: str, question: Question, run: Run, engine: EmbeddedReasoner) -> Record:
    signals = engine.signals(question.question, run.hops)
    own = bool(question.answers)
    return Record(
        corpus=corpus,
        asked=asked,
        id=question.id,
        answerable=own,
        answered=bool(run.answer),
        right=best_over(exact_match, run.answer, question.answers or ()) if own and run.answer else 0.0,
        signals=signals.shares(),
    )


def _read(files: Sequence[Path]) -> list[Record]:
    missing = next((file for file in files if not file.is_file()), None)
    if missing is not None:
        raise UsageError(f"{missing} is not there; write it with: python -m multicube.evals calibrate record.")
    rows = {
        (row.corpus, row.asked, row.id): row
        for file in files
        for row in map(Record.model_validate_json, file.read_text(encoding="utf-8").splitlines())
    }
    found = list(rows.values())
    if not any(row.answerable for row in found) or all(row.answerable for row in found):
        raise UsageError("The records need questions with an answer and questions without; add some with --asked.")
    return found


def _listed(rows: Sequence[Record]) -> str:
    return ", ".join(sorted({f"{row.asked} asked of {row.corpus}" for row in rows}))


def _weights(fitted: Calibration) -> str:
    models = {
        name: {"bias": round(model.bias, 3), "weights": {key: round(w, 3) for key, w in model.weights.items()}}
        for name, model in (("answerable", fitted.answerable), ("right", fitted.right))
    }
    return yaml.safe_dump({"least": round(fitted.least, 3), **models}, sort_keys=False)


def _line(tested: Tested) -> str:
    foreign = ", ".join(f"{100 * share:.1f} % of {name}" for name, share in tested.foreign.items())
    error = "" if tested.error is None else f"; calibration error {100 * tested.error:.1f}, Brier {tested.brier:.3f}"
    return f"{tested.corpus}: refused {100 * tested.own:.1f} % of its own, {foreign or 'no others asked'}{error}."


app = application(record, fit, facts, help=__doc__)
