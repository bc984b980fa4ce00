"""A small evaluation made by hand, as `multicube eval` leaves one: systems and questions that a person can check."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

HOSTILE = '</script><script>window.struck = 1</script><img src=x onerror="window.struck = 2">'
TURNED = "\u202eright-to-left\u202c 'quoted\" & <b>bold</b>"
Make = Callable[..., Path]

QUESTIONS = (
    ("q1", "Who founded Kelp Records?", "compositional", ("Oren Vass",)),
    ("q2", "Were Low Sun and Salt Lantern made in one country?", "comparison", ("yes",)),
    ("q3", f"Who wrote {HOSTILE}?", "compositional", (TURNED,)),
    ("q4", "When was Stone Court built?", "comparison", ("1911",)),
)
ANSWERS = {
    "multicube": ("Oren Vass", "yes", HOSTILE, None),
    "hybrid": ("Mirren Tal", "yes", "", "1911"),
    "no-loop": ("Oren Vass", "no", "", ""),
}
"""An empty answer is an abstention, none at all a failure."""


def prediction(system: str, number: int, answer: str | None) -> dict[str, Any]:
    key, question, kind, gold = QUESTIONS[number]
    row: dict[str, Any] = {
        "system": system, "id": key, "question": question, "type": kind, "gold": gold, "supporting": ["d1", "d2"],
        "hops_gold": 2 if number % 2 else 4, "something_newer": {"of": "a later version"},
    }  # fmt: skip
    if answer is None:
        return {**row, "status": "failed", "error": "The engine gave up."}
    hop = {
        "number": 1, "subquery": f"first, for {system}: {question}", "cubes": ["person"],
        "components": ["person.name = X"],
        "retrieved": ["d1", "d3"], "answer": answer, "status": "answered", "confidence": 0.5, "sentence": "It says so.",
        "retrieval_ms": 3.0, "something_newer": 1,
    }  # fmt: skip
    status = "answered" if answer else "abstained"
    return {
        **row, "answer": answer, "status": status, "confidence": 0.5, "retrieved": ["d1", "d3"], "hops": [hop],
        "question_ms": 10.0, "retrieval_ms": 3.0,
    }  # fmt: skip


def figures(em: float, ms: float = 20.0, **more: Any) -> dict[str, Any]:
    return {
        "em": em, "f1": em + 1, "recall@5": 80.0, "failed": 1, "abstained": 1, "question_ms_p50": ms,
        "metrics": {"em_ci95": [em - 5, em + 5], "answered_em": em + 2, **more},
        "by_type": {
            "compositional": {"questions": 2, "em": em, "f1": em},
            "comparison": {"questions": 2, "em": None, "f1": None}
        },
    }  # fmt: skip


def evaluated(
    place: Path,
    name: str = "out",
    dataset: str = "2wiki",
    answers: Mapping[str, tuple[str | None, ...]] = ANSWERS,
    systems: Mapping[str, Any] | None = None,
    **more: Any,
) -> Path:
    folder = place / name
    folder.mkdir(parents=True)
    found = systems or {system: figures(50.0 - 10 * at, 20.0 * (at + 1)) for at, system in enumerate(answers)}
    results = {"dataset": dataset, "questions": 4, "sections": 9, "engine": "embedded", "systems": found, **more}
    (folder / "results.json").write_text(json.dumps(results))
    rows = [prediction(system, n, a) for system, row in answers.items() for n, a in enumerate(row)]
    (folder / "predictions.jsonl").write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    cause = {"system": "multicube", "id": "q3", "cause": "gold section never retrieved"}
    (folder / "errors.jsonl").write_text(json.dumps(cause) + "\n")
    run = {"fingerprint": "f00d", "parts": {"code": name, "versions": {"numpy": "2"}}}
    (folder / "run.json").write_text(json.dumps(run))
    return folder
