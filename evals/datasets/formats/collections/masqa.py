"""MasQA-style sets (HiQA, Chen et al. 2024): a folder of look-alike documents and questions of many kinds about them.

SMART's multi-perspective questions have the same form: a question, its answer, the aspects that it has to name, and
its documents, in a folder or with the question.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..reading import items, strings
from ..sink import BrokenRecordError, Sink
from .library import Library, library_of
from .muisqa import rows_of

__all__ = ["fits", "read"]

_ANSWERS = ("answers", "answer", "reference")
_ASPECTS = ("perspectives", "aspects")
_GOLD = ("supporting", "document", "file", "source", "sources")
_INLINE = ("documents", "contexts")
_OTHERS = {"paragraphs", "context", "positive_ctxs", "snippets", "evidence_list", "claim"}


def fits(path: Path, row: Any) -> bool:
    """Whether a file has questions over a folder of documents, or with their documents."""
    if not isinstance(row, Mapping) or "question" not in row or _OTHERS & row.keys():
        return False
    library = library_of(path)
    answered = any(isinstance(row.get(name), str | list) for name in _ANSWERS) and not _has_rows(row)
    return answered and ((library is not None and library.is_dir()) or bool(_inline(row)))


def read(path: Path, sink: Sink) -> None:
    """Read documents and questions; ``perspectives`` are the aspects that an answer has to name."""
    place_of = library_of(path)
    library = Library(place_of if place_of is not None and place_of.is_dir() else None, sink)
    for place, row in items(path, sink.aside):
        with sink.guard(path, place):
            if not isinstance(row, Mapping):
                raise BrokenRecordError("it is not a JSON object")
            answers = [one for name in _ANSWERS for one in strings(row.get(name))]
            named = [one for name in _GOLD for one in strings(row.get(name))]
            named += [str(one["document"]) for one in row.get("gold_sections") or [] if "document" in one]
            inline = [library.add((), title, text) for title, text in _inline(row)]
            aspects = [one for name in _ASPECTS for one in _perspectives(row.get(name))]
            sink.question(
                _written(row), answers or None, id=row.get("id") or row.get("_id"),
                type=str(row.get("type") or row.get("question_type") or row.get("category") or ""),
                supporting=list(dict.fromkeys([*library.find(named), *inline])), perspectives=aspects,
            )  # fmt: skip


def _perspectives(value: object) -> list[list[str]]:
    """The key phrases of each aspect: a list, or an object that has them under ``keys``."""
    found = value if isinstance(value, list) else []
    return [keys for one in found if (keys := strings(one.get("keys") if isinstance(one, Mapping) else one))]


def _written(row: Mapping[str, Any]) -> object:
    """The question with its options, where it has some that it does not name itself."""
    question, options = row.get("question"), row.get("options")
    if not isinstance(question, str) or not isinstance(options, Mapping | list):
        return question
    pairs = options.items() if isinstance(options, Mapping) else zip("ABCDEFGHIJ", options, strict=False)
    lines = [f"{letter}: {text}" for letter, text in pairs if str(text) not in question]
    return "\n".join([question, *lines])


def _inline(row: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Titles and texts of the documents that a question brings with it."""
    lists = [value for name in _INLINE if isinstance(value := row.get(name), list)]
    rows = [one for found in lists for one in found if isinstance(one, Mapping)]
    texts = [(str(one.get("title") or ""), one.get("text") or one.get("content")) for one in rows]
    return [(title, text) for title, text in texts if isinstance(text, str)]


def _has_rows(row: Mapping[str, Any]) -> bool:
    try:
        return bool(rows_of(row))
    except BrokenRecordError:
        return False
