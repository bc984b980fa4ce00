"""MultiHop-RAG (Tang and Yang 2024): news articles in ``corpus.json`` and questions in ``MultiHopRAG.json``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..reading import items, listed, strings
from ..sink import BrokenRecordError, Sink

__all__ = ["CORPUS", "fits", "read"]

CORPUS = "corpus.json"
_NO_ANSWER = "insufficient information"
_METADATA = ("author", "source", "category", "published_at", "url")


def fits(path: Path, row: Any) -> bool:
    """Whether a file has questions, and the articles beside it."""
    asked = isinstance(row, Mapping) and {"query", "evidence_list"} <= row.keys()
    return asked and path.with_name(CORPUS).is_file()


def read(path: Path, sink: Sink) -> None:
    """Read articles and questions; "Insufficient information." says that the corpus holds no answer."""
    urls, titles = dict[str, str](), dict[str, str]()
    corpus = path.with_name(CORPUS)
    for place, row in items(corpus, sink.aside):
        with sink.guard(corpus, place):
            if not isinstance(row, Mapping):
                raise BrokenRecordError("it is not a JSON object")
            title = str(row.get("title") or "").strip()
            id = sink.document(title, row.get("body"), metadata={name: row.get(name) for name in _METADATA})
            urls.setdefault(str(row.get("url") or ""), id)
            titles.setdefault(title, id)
    for place, row in items(path, sink.aside):
        with sink.guard(path, place):
            if not isinstance(row, Mapping):
                raise BrokenRecordError("it is not a JSON object")
            gold = list(dict.fromkeys(_gold(row, urls, titles)))
            answers = [one for one in strings(row.get("answer")) if _NO_ANSWER not in one.lower()]
            known = bool(strings(row.get("answer")))
            sink.question(
                row.get("query"), answers if known else None, type=str(row.get("question_type") or ""),
                supporting=gold, hops=len(gold) or None,
            )  # fmt: skip


def _gold(row: Mapping[str, Any], urls: Mapping[str, str], titles: Mapping[str, str]) -> Iterator[str]:
    """The articles of the evidence, by address or title."""
    for one in listed(row.get("evidence_list") or [], "evidence_list"):
        if not isinstance(one, Mapping):
            raise BrokenRecordError('the field "evidence_list" is not a list of objects')
        url, title = str(one.get("url") or ""), str(one.get("title") or "").strip()
        yield (urls.get(url) if url else None) or titles.get(title) or f"title:{title or url}"
