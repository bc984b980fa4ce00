"""How likely a fact in a cell answers, fitted to questions of one hop whose facts nobody wrote rules for.

``python -m multicube.evals calibrate facts DATASET --kb KB`` asks a knowledge base its questions, with nothing read,
fits a model to those that one fact answers, and writes the weights that `fact_probability` takes. It prints how well
the model does on sections that it was fitted without.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated
from zlib import crc32

import numpy as np
import typer
import yaml

from ....agent.app.facade import MultiCube
from ....agent.engines.embedded.confidence import Logistic, fact_signals
from ....agent.engines.embedded.options import EngineOptions
from ....cubes.core.folding import fold
from ....cubes.core.records import Fact
from ....cubes.model.cells import CubeSet
from ....graphs.records import Hop
from ...datasets.load import load_dataset
from ...metrics.basic import best_over, exact_match
from ...support import write_whole
from .fitting import Record, fit_logistic

__all__ = ["TARGET", "facts", "fit_facts"]

TARGET = Path(__file__).resolve().parents[3] / "agent" / "engines" / "embedded" / "facts.yaml"
_HEAD = (
    "# What the signals of a fact weigh (see fact_signals in confidence.py). Written by `python -m multicube.evals\n"
    "# calibrate facts`; nothing in it is drawn by chance. Fitted to {} facts of {}.\n"
)
_UNREAD = EngineOptions(least_answerable=0.0, reader=False)
_FOLDS = 5


def facts(
    dataset: Annotated[Path, typer.Argument(metavar="DATASET", help="The data set whose corpus is asked.")],
    kb: Annotated[Path, typer.Option(metavar="DIR", help="A knowledge base of that corpus.")],
    target: Annotated[Path, typer.Option(metavar="FILE", help="Where the weights go.")] = TARGET,
) -> None:
    """Fit how likely a fact answers, write the weights, and print what they do where they were not fitted."""
    rows = list(_asked(dataset, kb))
    model = fit_facts(rows)
    weights = {name: round(weight, 3) for name, weight in model.weights.items() if round(weight, 3)}
    told = yaml.safe_dump({"bias": round(model.bias, 3), "weights": weights}, sort_keys=False)
    write_whole(target, _HEAD.format(len(rows), load_dataset(dataset).name) + told)
    right = np.array([row.right for row in rows])
    brier = float(np.mean((_left_out(rows) - right) ** 2))
    typer.echo(
        f"{len(rows)} facts, {100 * right.mean():.1f} % right. Brier score of sections left out: {brier:.4f} "
        f"({right.var():.4f} where all are as likely)."
    )


def fit_facts(rows: Sequence[Record]) -> Logistic:
    """Fit the model to what was recorded; no signal speaks against a fact."""
    names = sorted({name for row in rows for name in row.signals})
    filled = [row.model_copy(update={"signals": dict.fromkeys(names, 0.0) | row.signals}) for row in rows]
    return fit_logistic(filled, names, lambda row: row.right, np.ones(len(rows)))


def _left_out(rows: Sequence[Record]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """What each fact is likely by a model that was fitted without its section."""
    likely = np.zeros(len(rows))
    for part in range(_FOLDS):
        model = fit_facts([row for row in rows if crc32(row.asked.encode()) % _FOLDS != part])
        for at, row in enumerate(rows):
            if crc32(row.asked.encode()) % _FOLDS == part:
                likely[at] = model.probability(dict.fromkeys(model.weights, 0.0) | row.signals)
    return likely


def _asked(dataset: Path, kb: Path) -> Iterator[Record]:
    """A record of each question that one fact answers; ``asked`` is the section that the fact is of."""
    data = load_dataset(dataset)
    with MultiCube.open(kb, engine_options=_UNREAD) as opened:
        for question in data.questions:
            run = opened.ask(question.question, save=False) if question.answers else None
            fact = _fact_of(opened.kb.cubes, run.hops[0]) if run is not None and len(run.hops) == 1 else None
            if run is None or fact is None or not question.answers:
                continue
            title = next(e.title for e in run.hops[0].evidence if e.section_id == fact.section_id)
            yield Record(
                corpus=data.name, asked=fact.section_id, id=question.id, answerable=True, answered=True,
                right=best_over(exact_match, run.answer, question.answers),
                signals=fact_signals(fact, title, run.hops[0].answers),
            )  # fmt: skip


def _fact_of(cubes: CubeSet, hop: Hop) -> Fact | None:
    told = hop.fact
    about = cubes.facts_about(fold(told.subject)) if told is not None and hop.answers else ()
    kept = (told.section_id, told.relation, told.value) if told is not None else None
    return next((each for each in about if (each.section_id, each.relation, each.value) == kept), None)
