"""An evaluation scored again from its saved predictions: nothing is asked, embedded only what is scored by meaning.

The command ``multicube score OUT`` prints what comes of it and, with ``--write``, puts it in the place of what was
there. Predictions that were not changed give the same figures.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...agent.cli.options import flag

if TYPE_CHECKING:
    from ...cubes.core.encoding import Encoder
    from ..datasets.dataset import Dataset
    from ..metrics.predictions import Prediction
    from .scoring import Scoring

__all__ = ["register", "rescored"]

Results = Mapping[str, Any]
_OF_CHAINS = "census"
"""What the gold chain tells, which predictions do not hold; it stays as it was."""


def register(app: typer.Typer) -> None:
    """Add the command to an application."""
    app.command("score")(_command)


def rescored(
    out: Path, *, dataset: Dataset | None = None, encoder: str | Encoder | None = None, seed: int | None = None
) -> dict[str, Any]:
    """Return ``results.json`` of an evaluation's folder, made anew from its predictions.

    It is scored as it was, by the same judge's verdicts (``judgements.jsonl``) and, if it was scored by meaning, with
    the same ``encoder``; ``seed`` draws other intervals. Where gold is characters, the ``dataset`` is read for them, or
    their figures stay as they were; so does the census of causes. Raises UsageError for a folder without an evaluation.
    """
    from ..metrics.predictions import PredictionLog
    from .refusals import refusal_scores
    from .scoring import score_run

    earlier = _read(out)
    answered = _by_system(PredictionLog(out / "predictions.jsonl").read(), list(earlier["systems"]))
    scoring = _scoring(out, earlier, answered, dataset, encoder, seed)
    scored = score_run(answered, scoring)
    for name, scores in scored["systems"].items():
        before = earlier["systems"][name]["metrics"]
        kept = [_OF_CHAINS] if dataset is not None else [_OF_CHAINS, *(key for key in before if "snippet" in key)]
        scores["metrics"].update({key: before[key] for key in kept if key in before})
        foreign = _foreign(out, name, before.get("refusals", {}))
        if foreign:
            scores["metrics"]["refusals"] = {
                other: refusal_scores(rows, answered[name], seed=scoring.seed) for other, rows in foreign.items()
            }
    return {**earlier, **scored}


def _read(out: Path) -> dict[str, Any]:
    from ...cubes.core.errors import UsageError

    for name in ("results.json", "predictions.jsonl"):
        if not (out / name).is_file():
            raise UsageError(f"{out} holds no {name}; give the --out folder of a finished multicube eval.")
    try:
        found = json.loads((out / "results.json").read_text("utf-8"))
    except ValueError as error:
        raise UsageError(f"{out / 'results.json'} cannot be read as JSON; run the evaluation again.") from error
    if not isinstance(found, dict) or "systems" not in found or "scoring" not in found:
        raise UsageError(f"{out / 'results.json'} is of an earlier version; run the evaluation again.")
    return found


def _by_system(rows: Sequence[Prediction], names: Sequence[str]) -> dict[str, list[Prediction]]:
    """Group the predictions of the systems that the results are of, in their order."""
    from ...cubes.core.errors import UsageError

    found = {name: [row for row in rows if row.system == name] for name in names}
    for name in (name for name, of in found.items() if not of):
        raise UsageError(f"predictions.jsonl holds no answer of {name}, which results.json names; run it again.")
    return found


def _scoring(
    out: Path,
    earlier: Results,
    answered: Mapping[str, Sequence[Prediction]],
    dataset: Dataset | None,
    encoder: str | Encoder | None,
    seed: int | None,
) -> Scoring:
    """Return how the run was scored, with what that takes."""
    from ..metrics.judge import VerdictLog, verdicts_of
    from .preparing import JUDGEMENTS
    from .scoring import Scoring, record_texts

    how, rows = earlier["scoring"], [row for of in answered.values() for row in of]
    scoring = Scoring(how["seed"] if seed is None else seed, how["answers"], how["documents"])
    if dataset is not None:
        scoring = replace(scoring, texts=record_texts(dataset.corpus, rows), documents=len(dataset.corpus_ids))
    if how["judge"] is not None:
        verdicts = verdicts_of(how["judge"], rows, VerdictLog(out / JUDGEMENTS))
        scoring = replace(scoring, judge=how["judge"], verdicts=verdicts)
    if how["encoder"] is not None:
        scoring = _by_meaning(scoring, how["encoder"], encoder)
    return scoring


def _by_meaning(scoring: Scoring, name: str, encoder: str | Encoder | None) -> Scoring:
    from ...cubes.core.errors import UsageError
    from .preparing import by_meaning

    meant = by_meaning(scoring, encoder)
    if meant.encoder != name:
        raise UsageError(
            f"It was scored by meaning with the encoder {name}, not {meant.encoder}; name that one with --encoder."
        )
    return meant


def _foreign(out: Path, system: str, refusals: Mapping[str, Any]) -> dict[str, list[Prediction]]:
    """The answers to the questions of other data sets, by data set (their ids begin with its name)."""
    from ..metrics.predictions import PredictionLog

    rows = [row for row in PredictionLog(out / "refusals.jsonl").read() if row.system == system] if refusals else []
    return {other: [row for row in rows if row.id.startswith(f"{other}:")] for other in refusals}


def _command(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The --out folder of a finished multicube eval.")],
    data: Annotated[
        str | None, typer.Option("--data", metavar="DATASET", help="Its data set, where gold is characters of it.")
    ] = None,
    encoder: Annotated[
        str | None,
        typer.Option(
            "--encoder", metavar="NAME", envvar="MULTICUBE_ENCODER", help="The one that answers were compared with."
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", help="Another seed for the intervals.")] = None,
    write: Annotated[bool, flag("--write", help="Put results.json and report.md in the place of those there.")] = False,
    as_json: Annotated[bool, flag("--json", help="Print results.json instead of the table.")] = False,
) -> None:
    """Score an evaluation again from its saved predictions, without asking anything."""
    from ...agent.cli.console import say, say_json
    from ..datasets.load import load_dataset
    from ..reports.results import markdown

    results = rescored(out, dataset=None if data is None else load_dataset(data), encoder=encoder, seed=seed)
    if write:
        _write(out, results, markdown(results))
    if as_json:
        say_json(results)
    else:
        say(markdown(results).splitlines())


def _write(out: Path, results: Results, report: str) -> None:
    from .workspace import Workspace

    workspace = Workspace(out)
    with workspace.locked():
        workspace.write("results.json", json.dumps(results, indent=2, ensure_ascii=False) + "\n")
        workspace.write("report.md", report)
