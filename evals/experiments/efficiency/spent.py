"""Model calls, tokens and money per question, from the predictions that evaluations keep."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ....cubes.core.errors import UsageError
from ....graphs.records import ModelUsage
from ...metrics.predictions import Prediction, PredictionLog, total_spent
from .options import Session

__all__ = ["measure", "per_question", "rows_of", "spent_rows"]

_KIND = "spent"
_PREDICTIONS = "predictions.jsonl"


def measure(session: Session) -> None:
    """Read the predictions that were named and keep a row for each of their systems."""
    for path in session.options.predictions:
        session.say(f"Reading what {path} spent.")
        for row in rows_of(path):
            name = " | ".join((row["dataset"], row["system"], row["engine"] or ""))
            session.kept.put(_KIND, name, f"{session.conditions.code}:", row)


def rows_of(path: Path) -> Iterator[dict[str, Any]]:
    """Yield what each system of an evaluation spent per question; ``path`` is its folder or its predictions.

    Cached replies cost nothing and are not requests; they are counted apart, since asked anew they would be. Where a
    language model thought but a question failed, what it spent is not known, and such questions are left out. Raises
    UsageError where there are no predictions.
    """
    file = path / _PREDICTIONS if path.is_dir() else path
    if not file.is_file():
        raise UsageError(f"There are no predictions at {file}; give the --out of an evaluation.")
    about = _about(file.parent)
    by_system: dict[str, list[Prediction]] = {}
    for row in PredictionLog(file).read():
        by_system.setdefault(row.system, []).append(row)
    for system, rows in by_system.items():
        known = [row for row in rows if row.status != "failed"]
        spent = total_spent(known)
        asked = about["engine"] == "embedded" or any(row.usage is not None for row in known)
        yield {**about, "system": system, **per_question(spent if asked else None, len(known))}


def per_question(spent: ModelUsage | None, questions: int) -> dict[str, Any]:
    """Return requests, tokens and dollars per question; None where nothing is known of it, or a price is not."""
    told: dict[str, Any] = {"questions": questions}
    for name in ("requests", "cached", "input_tokens", "output_tokens"):
        told[name] = None if spent is None or not questions else round(getattr(spent, name) / questions, 2)
    money = None if spent is None or spent.cost_usd is None or not questions else spent.cost_usd / questions
    return {**told, "usd": None if money is None else round(money, 6)}


def spent_rows(session: Session, timed: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield a row for each data set, system and engine: from predictions, else from the questions that were timed."""
    read = session.kept.all(_KIND)
    known = {(row["dataset"], row["system"], row["engine"]) for row in read}
    yield from (dict(row) for row in read)
    for row in timed:
        if (row["dataset"], row["system"], row["engine"]) not in known:
            names = {name: row[name] for name in ("dataset", "engine", "system")}
            yield {**names, **per_question(ModelUsage(**row["spent"]), row["questions"] - row["failed"])}


def _about(folder: Path) -> dict[str, Any]:
    """The data set and the engine of an evaluation, as far as its folder says them."""
    found: dict[str, Any] = {"dataset": folder.name, "engine": None}
    for name in ("run.json", "results.json"):
        try:
            told = json.loads((folder / name).read_text("utf-8"))
        except (OSError, ValueError):
            continue
        parts = told.get("parts", told) if isinstance(told, dict) else {}
        found |= {key: parts[key] for key in found if isinstance(parts.get(key), str)}
    return found
