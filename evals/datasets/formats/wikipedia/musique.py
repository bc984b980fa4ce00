"""MuSiQue (Trivedi et al. 2022): JSON lines of questions with twenty paragraphs and their single-hop decomposition."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..reading import items, listed, strings
from ..sink import BrokenRecordError, Sink

__all__ = ["chain", "fits", "hops_of", "read"]

_HOPS = re.compile(r"(\d+)hop")
_TWIN = "its answerable twin is in the same file, so the pooled corpus holds the answer that its own paragraphs lack"


def fits(_: Path, row: Any) -> bool:
    """Whether a file is MuSiQue's, by its first record."""
    return isinstance(row, Mapping) and {"question", "paragraphs", "id"} <= row.keys()


def read(path: Path, sink: Sink) -> None:
    """Read a file of MuSiQue-Answerable or -Full.

    An unanswerable question of the full set differs from its answerable twin in its paragraphs alone. In a pooled
    corpus both find the same, so it is set aside where the twin is there.
    """
    unanswerable = list[tuple[str, Mapping[str, Any], dict[int, str]]]()
    answerable = set[str]()
    for place, row in items(path, sink.aside):
        with sink.guard(path, place):
            ids, supporting = _pooled(path, place, row, sink)
            if row.get("answerable") is False:
                unanswerable.append((place, row, ids))
                continue
            answers = [*strings(row.get("answer")), *strings(row.get("answer_aliases"))]
            _ask(sink, row, answers or None, supporting=supporting, decomposition=chain(row, ids))
            answerable.add(str(row["id"]))
    for place, row, ids in unanswerable:
        with sink.guard(path, place):
            if str(row.get("id")) in answerable:
                raise BrokenRecordError(_TWIN)
            _ask(sink, row, [], supporting=[], decomposition=chain(row, ids))


def chain(row: Mapping[str, Any], ids: Mapping[int, str]) -> list[dict[str, str]]:
    """Return the single-hop questions with their answers and the ids of their passages."""
    steps = [step for step in listed(row.get("question_decomposition") or [], "question_decomposition") if step]
    if not all(isinstance(step, Mapping) for step in steps):
        raise BrokenRecordError('the field "question_decomposition" is not a list of questions')
    return [
        {
            "question": str(step.get("question") or ""),
            "answer": str(step.get("answer") or ""),
            **({"supporting": ids[place]} if (place := step.get("paragraph_support_idx")) in ids else {}),
        }
        for step in steps
    ]


def hops_of(row: Mapping[str, Any]) -> int | None:
    """Return the hops that the decomposition or, without one, the id ("3hop1__…") says."""
    steps = row.get("question_decomposition")
    named = _HOPS.match(str(row.get("id") or ""))
    return len(steps) if isinstance(steps, list) and steps else int(named.group(1)) if named else None


def _pooled(path: Path, place: str, row: Any, sink: Sink) -> tuple[dict[int, str], list[str]]:
    """Pool a question's paragraphs; return their corpus ids by number, and those that support the answer."""
    if not isinstance(row, Mapping):
        raise BrokenRecordError("it is not a JSON object")
    found = listed(row.get("paragraphs"), "paragraphs")
    if not found or not all(isinstance(one, Mapping) for one in found):
        raise BrokenRecordError('the field "paragraphs" is not a list of paragraphs')
    if not strings(row.get("question")):
        raise BrokenRecordError('the field "question" is missing')
    ids, supporting = dict[int, str](), list[str]()
    for number, one in enumerate(found):
        with sink.guard(path, place):
            text = one.get("paragraph_text", one.get("text"))
            id = sink.document(str(one.get("title") or "").strip(), text.strip() if isinstance(text, str) else text)
            ids[one["idx"] if isinstance(one.get("idx"), int) else number] = id
            supporting.extend([id] if one.get("is_supporting") else [])
    return ids, list(dict.fromkeys(supporting))


def _ask(sink: Sink, row: Mapping[str, Any], answers: list[str] | None, **gold: Any) -> None:
    id = str(row.get("id") or "")
    type = id.split("__")[0] if _HOPS.match(id) else ""
    sink.question(row.get("question"), answers, id=id, type=type, hops=hops_of(row), **gold)
