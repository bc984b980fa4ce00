"""LV-Eval (Yuan et al. 2024), above all hotpotwikiqa-mixup: one long context of numbered passages for each question."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..reading import items, strings
from ..sink import BrokenRecordError, Sink

__all__ = ["fits", "passages", "read"]

_HEADING = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]*|\*\*)?Passage[ \t]+\d+[ \t]*(?:\*\*)?[ \t]*(?::(?:\*\*)?[ \t]*|$)", re.MULTILINE
)
_TITLE = re.compile(r"(?:title[ \t]*:[ \t]*)?(\S[^\n]{0,119})\n\s*(?=\S)", re.IGNORECASE)


def fits(_: Path, row: Any) -> bool:
    """Whether a file is LV-Eval's, by its first record."""
    return isinstance(row, Mapping) and {"input", "context", "answers"} <= row.keys()


def read(path: Path, sink: Sink) -> None:
    """Read one length level. Which passages are gold is not published."""
    for place, row in items(path, sink.aside):
        with sink.guard(path, place):
            if not isinstance(row, Mapping):
                raise BrokenRecordError("it is not a JSON object")
            found, answers = passages(row.get("context")), strings(row.get("answers"))
            for title, text in found:
                sink.document(title, text)
            sink.question(
                row.get("input"), answers or None, id=_id(row), type=_type(row),
                keywords=strings(row.get("answer_keywords")),
            )  # fmt: skip


def passages(context: object) -> list[tuple[str, str]]:
    """Split a context into its passages' (title, text); BrokenRecordError where it has none.

    A first line that is short and no sentence is the passage's title.
    """
    if not isinstance(context, str):
        raise BrokenRecordError('the field "context" is missing')
    starts = list(_HEADING.finditer(context))
    ends = [*(start.start() for start in starts[1:]), len(context)]
    blocks = [context[start.end() : end].strip() for start, end in zip(starts, ends, strict=False)]
    found = [_titled(block) for block in blocks if block]
    if not found:
        raise BrokenRecordError('the field "context" holds no "Passage N" blocks')
    return found


def _titled(block: str) -> tuple[str, str]:
    first = _TITLE.match(block)
    if first is None or first.group(1).rstrip().endswith((".", "!", "?", ",", ";", "。")):
        return "", block
    return first.group(1).strip(), block[first.end() :].strip()


def _id(row: Mapping[str, Any]) -> object:
    return row.get("id") or row.get("_id")


def _type(row: Mapping[str, Any]) -> str:
    """The task without its length: all questions of a file are of one length."""
    return re.sub(r"_\d+k$", "", str(row.get("dataset") or ""))
