"""Retrieval of gold characters (LegalBench-RAG): how much of what was retrieved is gold, and of the gold retrieved.

Characters are counted in the text of corpus records, each once however often it was retrieved. A retrieved section is
found in its record by its words, whatever the spaces between them; one that is not found there has no gold characters
and counts as retrieved with its length.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from .predictions import Passage, Prediction, Snippet

__all__ = ["snippet_precision_at", "snippet_recall_at"]

Spans = Mapping[str, Sequence[tuple[int, int]]]
"""Disjoint (start, end) by record, in order."""

_HEAD = 12  # words by which a passage is first looked for


def snippet_precision_at(row: Prediction, texts: Mapping[str, str], k: int) -> float | None:
    """Share of gold among the characters of the first ``k`` passages; 0.0 of none, None without gold snippets.

    ``texts`` are the corpus records' by id.
    """
    if not row.gold_snippets:
        return None
    found, lost = _retrieved(row.passages[:k], texts)
    read = _length(found) + lost
    return _shared(found, _gold(row.gold_snippets)) / read if read else 0.0


def snippet_recall_at(row: Prediction, texts: Mapping[str, str], k: int) -> float | None:
    """Share of the gold characters that the first ``k`` passages hold; None without gold snippets."""
    gold = _gold(row.gold_snippets)
    wanted = _length(gold)
    return _shared(_retrieved(row.passages[:k], texts)[0], gold) / wanted if wanted else None


def _gold(snippets: Iterable[Snippet]) -> Spans:
    return _joined((snippet.record_id, snippet.start, snippet.end) for snippet in snippets)


def _retrieved(passages: Iterable[Passage], texts: Mapping[str, str]) -> tuple[Spans, int]:
    """Return where the passages stand, and how many characters those have that stand nowhere."""
    spans, lost = [], 0
    for passage in passages:
        place = _place(passage.text, texts.get(passage.record_id, ""))
        if place is None:
            lost += len(passage.text)
        else:
            spans.append((passage.record_id, *place))
    return _joined(spans), lost


def _place(passage: str, text: str) -> tuple[int, int] | None:
    at = text.find(passage)
    if at >= 0:
        return at, at + len(passage)
    words = passage.split()
    head = re.compile(r"\s+".join(map(re.escape, words[:_HEAD]))) if words else None
    for start in (found.start() for found in head.finditer(text)) if head else ():
        end = _end(words, text, start)
        if end is not None:
            return start, end
    return None


def _end(words: Sequence[str], text: str, at: int) -> int | None:
    """Where the words end that stand in the text from a place on, nothing but spaces between them."""
    for word in words:
        while at < len(text) and text[at].isspace():
            at += 1
        if not text.startswith(word, at):
            return None
        at += len(word)
    return at


def _joined(spans: Iterable[tuple[str, int, int]]) -> Spans:
    found: dict[str, list[tuple[int, int]]] = {}
    for record, start, end in sorted(spans):
        of = found.setdefault(record, [])
        if of and start <= of[-1][1]:
            of[-1] = (of[-1][0], max(of[-1][1], end))
        elif start < end:
            of.append((start, end))
    return found


def _length(spans: Spans) -> int:
    return sum(end - start for of in spans.values() for start, end in of)


def _shared(one: Spans, other: Spans) -> int:
    return sum(
        max(0, min(end, to) - max(start, since))
        for record, of in one.items()
        for start, end in of
        for since, to in other.get(record, ())
    )
