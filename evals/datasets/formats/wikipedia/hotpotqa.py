"""HotpotQA (Yang et al. 2018): questions, each with its own paragraphs, in a JSON list or as JSON lines.

Paragraphs are ``[title, [sentences]]`` or, as newer releases have them, columns of titles and of sentence lists.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..reading import items, listed, strings
from ..sink import BrokenRecordError, Sink

__all__ = ["PendingQuestion", "fits", "gold_titles", "join_sentences", "paragraphs", "read", "read_contexts", "triples"]

Extra = Callable[[Mapping[str, Any]], Mapping[str, Any]]
Aliases = Callable[[Mapping[str, Any]], Sequence[str]]


@dataclass(slots=True)
class PendingQuestion:
    """A question that waits until all paragraphs are known; ``unresolved`` are gold titles it did not bring itself."""

    path: Path
    place: str
    row: Mapping[str, Any]
    supporting: list[str] = field(default_factory=list)
    unresolved: list[str] = field(default_factory=list)


def fits(_: Path, row: Any) -> bool:
    """Whether a file is HotpotQA's, by its first record: paragraphs, and no evidence triples."""
    if not isinstance(row, Mapping) or not {"question", "context"} <= row.keys() or "evidences" in row:
        return False
    return _paired(row) and ("_id" in row or "id" in row)


def read(path: Path, sink: Sink) -> None:
    """Read a file of HotpotQA."""
    read_contexts(path, sink, lambda _: {})


def read_contexts(path: Path, sink: Sink, extra: Extra, aliases: Aliases = lambda _: ()) -> None:
    """Pool the paragraphs of all questions; ``extra`` gives further gold fields of a row, ``aliases`` further answers.

    A gold title that a question's own paragraphs lack, as happens in the fullwiki setting, is the paragraph of that
    title in another question's; where there is none it stays gold that can never be found.
    """
    titled: dict[str, str] = {}
    waiting = list[PendingQuestion]()
    for place, row in items(path, sink.aside):
        with sink.guard(path, place):
            waiting.append(_pooled(path, place, row, sink, titled))
    for asked in waiting:
        with sink.guard(path, asked.place):
            row = asked.row
            found = [titled.get(title, f"title:{title}") for title in asked.unresolved]
            answers, id = strings(row.get("answer")), row.get("_id") or row.get("id")
            known = [*answers, *aliases(row)] if answers else None
            sink.question(
                row.get("question"), known, id=id, type=str(row.get("type") or ""),
                supporting=list(dict.fromkeys([*asked.supporting, *found])), **extra(row),
            )  # fmt: skip


def paragraphs(row: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return (title, text) of a question's paragraphs; BrokenRecordError where there are none."""
    context = row.get("context")
    if isinstance(context, Mapping):
        titles = listed(context.get("title"), "context.title")
        said = listed(context.get("sentences", context.get("content")), "context.sentences")
        pairs: list[Any] = [list(pair) for pair in zip(titles, said, strict=False)]
    else:
        pairs = listed(context, "context")
    if not pairs:
        raise BrokenRecordError('the field "context" holds no paragraph')
    return [_paragraph(pair) for pair in pairs]


def gold_titles(row: Mapping[str, Any]) -> list[str]:
    """Return the titles of the gold paragraphs, each once; none where they are not published."""
    facts = row.get("supporting_facts") or []
    if isinstance(facts, Mapping):
        return list(dict.fromkeys(strings(listed(facts.get("title"), "supporting_facts.title"))))
    pairs = listed(facts, "supporting_facts")
    if not all(isinstance(pair, Sequence) and pair and isinstance(pair[0], str) for pair in pairs):
        raise BrokenRecordError('the field "supporting_facts" is not a list of titles with sentence numbers')
    return list(dict.fromkeys(str(pair[0]).strip() for pair in pairs))


def triples(value: object) -> list[list[str]]:
    """Return evidence triples (subject, relation, object), from a list of them or from three columns."""
    if isinstance(value, Mapping):
        return [[str(part) for part in row] for row in zip(*(list(column) for column in value.values()), strict=False)]
    found = listed(value or [], "evidences")
    return [[str(part) for part in one] for one in found if isinstance(one, Sequence) and len(one) == 3]


def join_sentences(sentences: Sequence[str]) -> str:
    """Join sentences with one space, or none where they bring their own."""
    text = ""
    for sentence in sentences:
        glued = not text or text[-1:].isspace() or sentence[:1].isspace() or not sentence
        text += sentence if glued else " " + sentence
    return text.strip()


def _pooled(path: Path, place: str, row: Any, sink: Sink, titled: dict[str, str]) -> PendingQuestion:
    if not isinstance(row, Mapping):
        raise BrokenRecordError("it is not a JSON object")
    found, gold = paragraphs(row), gold_titles(row)
    if not strings(row.get("question")):
        raise BrokenRecordError('the field "question" is missing')
    asked, own = PendingQuestion(path, place, row), dict[str, list[str]]()
    for title, text in found:
        with sink.guard(path, place):
            id = sink.document(title, text)
            own.setdefault(title, []).append(id)
            titled.setdefault(title, id)
    for title in gold:
        asked.supporting.extend(own.get(title, []))
        asked.unresolved.extend([] if title in own else [title])
    return asked


def _paragraph(pair: Any) -> tuple[str, str]:
    if not isinstance(pair, Sequence) or len(pair) != 2 or not isinstance(pair[0], str):
        raise BrokenRecordError('the field "context" is not a list of titles with sentences')
    said = [pair[1]] if isinstance(pair[1], str) else pair[1]
    if not isinstance(said, Sequence) or not all(isinstance(one, str) for one in said):
        raise BrokenRecordError('the field "context" is not a list of titles with sentences')
    return pair[0].strip(), join_sentences(said)


def _paired(row: Mapping[str, Any]) -> bool:
    """Whether the context are paragraphs, and not one text as of other sets."""
    return "supporting_facts" in row or not isinstance(row["context"], str)
