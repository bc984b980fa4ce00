"""What an evaluation left in its folder, read tolerantly: older and newer files have fewer and more keys."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from ...cubes.core.errors import UsageError
from ..ablations import ABLATIONS, WHOLE
from ..metrics.measures import answer_scores
from ..metrics.predictions import HopSummary, Prediction

__all__ = ["Answer", "Loaded", "figure", "is_ablation", "load"]

_VARIANTS = ("no-", "limit-", "preset:")
_KNOWN = frozenset(Prediction.model_fields)
_KNOWN_OF_HOP = frozenset(HopSummary.model_fields)


class _Results(BaseModel):
    """What must be there of ``results.json``; every other key may be absent."""

    model_config = ConfigDict(extra="allow")

    dataset: str
    questions: int
    sections: int
    engine: str
    systems: dict[str, dict[str, Any]]
    ingest: dict[str, Any] | None = None
    comparisons: list[dict[str, Any]] | None = None
    run: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A system's answer to a question, judged. ``em`` and ``f1`` are 0 to 1, None where the gold is not known.

    ``cause`` is why it is wrong, where the evaluation found one.
    """

    given: Prediction
    em: float | None
    f1: float | None
    cause: str = ""

    @property
    def outcome(self) -> str:
        """Return right, wrong, abstained or failed; answered where the gold is not known."""
        if self.given.status == "failed":
            return "failed"
        if self.em == 1.0:
            return "right"
        if self.given.status == "abstained":
            return "abstained"
        return "answered" if self.em is None else "wrong"


@dataclass(frozen=True)
class Loaded:
    """One evaluation: its figures, its answers by system and question, and how it was run.

    ``unread`` counts the lines of ``predictions.jsonl`` that could not be read. ``label`` is what the run is called
    where several are of one data set.
    """

    path: Path
    results: _Results
    answers: Mapping[str, Mapping[str, Answer]]
    run: Mapping[str, Any]
    unread: int = 0
    label: str = ""

    @property
    def dataset(self) -> str:
        """What the run is called in a report: the data set's name, or the label."""
        return self.label or self.results.dataset

    @property
    def systems(self) -> Mapping[str, Mapping[str, Any]]:
        """The figures by system."""
        return self.results.systems

    @cached_property
    def named(self) -> list[str]:
        """The systems without the ablations; all of them where there are only such."""
        return [name for name in self.systems if not is_ablation(name)] or list(self.systems)

    @cached_property
    def main(self) -> str:
        """The system that the report is about: the whole one, else the first."""
        return WHOLE if WHOLE in self.systems else next(iter(self.systems))

    @property
    def size(self) -> str:
        """What ours were measured with and on, in words."""
        results = self.results
        return f"{results.engine} engine, {results.questions:,} questions, {results.sections:,} sections"


def is_ablation(name: str) -> bool:
    """Whether a system is the whole one with something taken from it."""
    return name in ABLATIONS or name.startswith(_VARIANTS)


def figure(scores: Mapping[str, Any] | None, key: str | None) -> float | None:
    """Return the figure at a key of a system's entry; None where it is absent, null or no number.

    A key is looked for as it is, else among ``metrics``; ``metrics.judge.correct`` leads into them.
    """
    if scores is None or key is None:
        return None
    metrics = scores.get("metrics")
    place: Any = scores
    if key.startswith("metrics.") or key not in scores:
        place, key = metrics, key.removeprefix("metrics.")
    for part in [key] if isinstance(place, Mapping) and key in place else key.split(".", 1):
        place = place.get(part) if isinstance(place, Mapping) else None
    return float(place) if isinstance(place, int | float) and not isinstance(place, bool) else None


def load(folder: Path) -> Loaded:
    """Read an evaluation's folder. UsageError where there is no finished one, or its files are not laid out as ours."""
    results = _results(folder / "results.json")
    causes = {(row.get("system"), row.get("id")): str(row.get("cause", "")) for row in _rows(folder / "errors.jsonl")}
    answers: dict[str, dict[str, Answer]] = {name: {} for name in results.systems}
    unread = 0
    for row in _rows(folder / "predictions.jsonl"):
        answer = _answer(row, causes)
        if answer is None:
            unread += 1
        elif answer.given.system in answers:
            answers[answer.given.system][answer.given.id] = answer
    run = _object(folder / "run.json")
    return Loaded(folder, results, answers, {**run, **(results.run or {})}, unread)


def _results(path: Path) -> _Results:
    if not path.parent.is_dir():
        raise UsageError(f"There is no folder {path.parent}; give one that multicube eval wrote with --out.")
    if not path.exists():
        raise UsageError(
            f"{path.parent} holds no results.json; let multicube eval finish there, or give another folder."
        )
    try:
        found = _Results.model_validate_json(_text(path))
    except ValidationError as error:
        raise UsageError(
            f"{path} is not laid out as this version of multicube eval writes it; evaluate again with this version."
        ) from error
    if not found.systems:
        raise UsageError(f"{path} has no system in it; evaluate at least one.")
    return found


def _answer(row: Mapping[str, Any], causes: Mapping[tuple[Any, Any], str]) -> Answer | None:
    """Judge a line of the predictions; None where it is none."""
    kept = {"gold": None, **{key: value for key, value in row.items() if key in _KNOWN}}
    hops = row.get("hops") or ()
    kept["hops"] = [{k: v for k, v in hop.items() if k in _KNOWN_OF_HOP} for hop in hops if isinstance(hop, Mapping)]
    try:
        given = Prediction.model_validate(kept)
    except ValidationError:
        return None
    em, f1 = answer_scores(given) or (None, None)
    return Answer(given, em, f1, causes.get((given.system, given.id), ""))


def _rows(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the lines of a JSONL file as objects, an empty one for what is no object; nothing without the file."""
    lines: Iterable[str] = _text(path).rstrip("\n").split("\n") if path.exists() else ()
    for line in lines:
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        yield row if isinstance(row, dict) else {}


def _object(path: Path) -> Mapping[str, Any]:
    if not path.exists():
        return {}
    try:
        found = json.loads(_text(path))
    except ValueError as error:
        raise UsageError(f"{path} cannot be read as JSON; remove it or write it again.") from error
    return found if isinstance(found, dict) else {}


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}); give another folder.") from error
