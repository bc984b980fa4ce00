"""What the page's browser of questions is given: compact data, and nothing that could be markup."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ...agent.views.text import clean
from ..metrics.predictions import HopSummary
from .document import names
from .loading import Answer, Loaded

__all__ = ["OUTCOMES", "browser_data", "embedded"]

OUTCOMES = ("right", "wrong", "abstained", "failed", "answered")
_TEXT = 600
"""As much of an answer or a sentence as is shown."""


def browser_data(runs: Sequence[Loaded], traced: Sequence[Collection[str]]) -> dict[str, Any]:
    """Return all questions with every system's answer, and the hops of the ``traced`` systems of each run."""
    return {"outcomes": OUTCOMES, "runs": [_run(run, of) for run, of in zip(runs, traced, strict=True)]}


def embedded(data: Mapping[str, Any]) -> str:
    """Return the data as JSON that can stand in a script element: no ``<``, no line separators."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _run(run: Loaded, traced: Collection[str]) -> dict[str, Any]:
    ids = names(run.answers.values())
    listed = [name for name in run.systems if run.answers[name]]
    return {
        "name": f"{clean(run.dataset)}",
        "where": clean(run.path.name),
        "main": run.main,
        "systems": listed,
        "questions": [_question(next(a[key] for a in run.answers.values() if key in a)) for key in ids],
        "answers": {name: [_answer(run.answers[name].get(key)) for key in ids] for name in listed},
        "traces": {name: [_trace(run.answers[name].get(key)) for key in ids] for name in listed if name in traced},
    }


def _question(answer: Answer) -> list[Any]:
    given = answer.given
    gold = None if given.gold is None else [_cut(each) for each in given.gold]
    supporting = list(map(clean, given.supporting))
    return [clean(given.id), _cut(given.question), clean(given.type), given.hops_gold, gold, supporting]


def _answer(answer: Answer | None) -> list[Any] | int:
    """Outcome, answer, confidence, and where there are such the cause of the error and what the run noted."""
    if answer is None:
        return 0
    given = answer.given
    row: list[Any] = [OUTCOMES.index(answer.outcome), _cut(given.answer), round(given.confidence, 2)]
    cause, note = clean(answer.cause), _cut(given.error or given.note)
    return [*row, cause, note] if note else [*row, cause] if cause else row


def _trace(answer: Answer | None) -> list[Any] | int:
    return [_hop(hop) for hop in answer.given.hops] if answer else 0


def _hop(hop: HopSummary) -> dict[str, Any]:
    found = {
        "n": hop.number,
        "q": _cut(hop.subquery),
        "c": list(map(clean, hop.cubes)),
        "p": list(map(_cut, hop.components)),
        "r": list(map(clean, hop.retrieved)),
        "f": clean(hop.fallback or ""),
        "a": _cut(hop.answer),
        "s": clean(hop.status),
        "k": round(hop.confidence, 2),
        "t": _cut(hop.sentence),
        "m": round(hop.retrieval_ms, 1),
    }
    return {key: value for key, value in found.items() if value not in ("", [], None)}


def _cut(text: str) -> str:
    line = clean(text)
    return line if len(line) <= _TEXT else line[: _TEXT - 1] + "…"
