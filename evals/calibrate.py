"""Fitting the engine's confidence: from what evaluations have asked, how often answers of each score are right.

``python -m multicube.evals.calibrate out/A out/B`` reads the predictions of these evaluations, each weighted alike, and
writes the line that `multicube.agent.embedded.confidence` reads. It is isotonic: more score never means less
probability. The errors printed are out of fold: a question's probability comes from a line fitted without it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from ..agent.embedded.confidence import Knots, interpolate
from ..cubes.errors import MultiCubeError, UsageError
from .calibration import calibration_error
from .predictions import Prediction, PredictionLog
from .scoring import answer_scores

__all__ = ["fit", "main", "scored"]

Sample = tuple[float, float, float]
"""Score of an answer's weakest hop, whether the answer was right, and the weight of the question."""

_TARGET = Path(__file__).resolve().parents[1] / "agent" / "embedded" / "confidence.yaml"
_HEAD = (
    "# Score of an answer's weakest hop -> how often such answers are right. "
    "Written by `python -m multicube.evals.calibrate`.\n"
)
_BIN = 15  # answers in a bin at least
_BINS = 12
_FOLDS = 5
_PRIOR = 1.0  # answers of either kind added to each bin, so that no line promises certainty


def scored(predictions: Iterable[Prediction], weight: float = 1.0) -> list[Sample]:
    """Return the answered questions that have an answer or should have been refused, with their scores."""
    return [
        (
            min((hop.confidence for hop in row.hops if hop.answer or hop.answers), default=0.0),
            answer_scores(row)[0],
            weight,
        )
        for row in predictions
        if row.status == "answered"
    ]


def fit(samples: Sequence[Sample]) -> Knots:
    """Fit a rising line: bins of equal numbers, pooled where they fall (pool adjacent violators)."""
    rows = sorted(samples)
    size = max(_BIN, -(-len(rows) // _BINS))
    cuts = [rows[start : start + size] for start in range(0, len(rows), size)]
    if len(cuts) > 1 and len(cuts[-1]) < _BIN:
        cuts[-2:] = [[*cuts[-2], *cuts[-1]]]
    pooled: list[list[Sample]] = []
    for group in cuts:
        pooled.append(group)
        while len(pooled) > 1 and (
            _share(pooled[-2]) >= _share(pooled[-1]) or _middle(pooled[-2]) >= _middle(pooled[-1])
        ):
            pooled[-2:] = [[*pooled[-2], *pooled[-1]]]
    return tuple((round(_middle(group), 4), round(_share(group), 4)) for group in pooled) or ((0.0, 0.0),)


def out_of_fold(sets: Sequence[Sequence[Sample]]) -> list[list[tuple[float, float]]]:
    """Return (probability, right) of each sample of each data set, by lines fitted on the other folds of all."""
    judged: list[list[tuple[float, float]]] = [[] for _ in sets]
    for fold in range(_FOLDS):
        line = fit([row for samples in sets for place, row in enumerate(samples) if place % _FOLDS != fold])
        for into, samples in zip(judged, sets, strict=True):
            into += [(interpolate(line, score), right) for score, right, _ in samples[fold::_FOLDS]]
    return judged


def main(arguments: Iterable[str] | None = None) -> None:
    """Fit from the command line."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(_command)
    typer.main.get_command(app)(args=None if arguments is None else list(arguments))


def _command(
    evaluations: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Output folders of `multicube eval`.")],
    system: Annotated[str, typer.Option(metavar="NAME", help="Whose answers.")] = "multicube",
    target: Annotated[Path, typer.Option(metavar="FILE", help="Where the line goes.")] = _TARGET,
) -> None:
    """Fit the engine's confidence to the answers of evaluations, and write it."""
    try:
        sets = [_read(folder, system) for folder in evaluations]
    except MultiCubeError as error:
        print(f"multicube: {error}", file=sys.stderr)
        raise typer.Exit(2 if isinstance(error, UsageError) else 1) from error
    line = fit([sample for samples in sets for sample in samples])
    target.write_text(f"{_HEAD}knots: {[list(knot) for knot in line]}\n", encoding="utf-8")
    for folder, samples, judged in zip(evaluations, sets, out_of_fold(sets), strict=True):
        before = calibration_error((min(1.0, score), right) for score, right, _ in samples)
        after = calibration_error(judged)
        if before is not None and after is not None:
            change = f"calibration error {100 * before:.1f} -> {100 * after:.1f} (out of fold)"
            typer.echo(f"{folder.name}: {len(samples)} answers, {change}.")


def _read(folder: Path, system: str) -> list[Sample]:
    path = folder / "predictions.jsonl"
    if not path.is_file():
        raise UsageError(f"{folder} has no predictions.jsonl; give the --out folder of an evaluation.")
    rows = [
        row for log in (path, folder / "refusals.jsonl") for row in PredictionLog(log).read() if row.system == system
    ]
    if not rows:
        raise UsageError(f"{folder} has no answers of {system}; name another with --system.")
    return scored(rows, 1 / len(rows))


def _share(group: Sequence[Sample]) -> float:
    total = sum(weight for *_, weight in group)
    even = total / len(group) * _PRIOR
    return (sum(right * weight for _, right, weight in group) + even) / (total + 2 * even)


def _middle(group: Sequence[Sample]) -> float:
    return sum(score * weight for score, _, weight in group) / sum(weight for *_, weight in group)


if __name__ == "__main__":
    main()
