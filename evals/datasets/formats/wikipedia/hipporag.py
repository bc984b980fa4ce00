"""The corpora of HippoRAG (Gutiérrez et al. 2024, 2025): ``NAME_corpus.json`` and the questions in ``NAME.json``.

The questions keep the fields of the set they are from: HotpotQA's, MuSiQue's, or NQ's and PopQA's contexts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..reading import first_item, items, listed, opened, strings
from ..sink import BrokenRecordError, Sink
from .hotpotqa import gold_titles, join_sentences, paragraphs, triples
from .musique import chain, hops_of

__all__ = ["corpus_of", "fits", "read"]

_CORPUS = "_corpus.json"
_ANSWERS = ("answer", "answers", "gold_ans", "reference", "obj", "possible_answers", "answer_aliases", "o_aliases")


def corpus_of(path: Path) -> Path:
    """Return where the corpus of a question file stands."""
    return path.with_name(path.name.removesuffix(".json") + _CORPUS)


def fits(path: Path, row: Any) -> bool:
    """Whether a file has questions, and a corpus beside it."""
    own = path.suffix == ".json" and not path.name.endswith(_CORPUS)
    return own and corpus_of(path).is_file() and isinstance(row, Mapping) and "question" in row


def read(path: Path, sink: Sink) -> None:
    """Read a corpus and its questions."""
    by_content, by_title = _read_corpus(corpus_of(path), sink)
    for place, row in items(path, sink.aside):
        with sink.guard(path, place):
            if not isinstance(row, Mapping):
                raise BrokenRecordError("it is not a JSON object")
            _read_question(row, sink, by_content, by_title)


def _read_question(row: Mapping[str, Any], sink: Sink, by_content: dict[str, str], by_title: dict[str, str]) -> None:
    numbered = {place: _found(one, by_content, by_title) for place, one in _own(row)}
    gold = [_found(pair, by_content, by_title) for pair in _gold(row)]
    facts = triples(row["evidences"]) if row.get("evidences") else []
    sink.question(
        row.get("question"), _answers(row) or None, id=row.get("_id") or row.get("id"), type=_type(row),
        supporting=list(dict.fromkeys(gold)), evidences=facts, decomposition=chain(row, numbered),
        hops=hops_of(row) or len(facts) or None,
    )  # fmt: skip


def _read_corpus(path: Path, sink: Sink) -> tuple[dict[str, str], dict[str, str]]:
    """Add the corpus; return the ids of its records by title and text, and by title."""
    by_content, by_title = dict[str, str](), dict[str, str]()
    for place, row in _records(path, sink):
        with sink.guard(path, place):
            if not isinstance(row, Mapping):
                raise BrokenRecordError("it is not a JSON object")
            title, text = str(row.get("title") or "").strip(), row.get("text", row.get("paragraph_text"))
            id = sink.document(title, text.strip() if isinstance(text, str) else text)
            by_content.setdefault(_key(title, str(text)), id)
            by_title.setdefault(title, id)
    return by_content, by_title


def _records(path: Path, sink: Sink) -> Iterator[tuple[str, Any]]:
    """The records; HotpotQA's corpus of the first release is one object: title to sentences."""
    first = first_item(path)
    if isinstance(first, Mapping) and "text" not in first and "paragraph_text" not in first:
        with opened(path) as stream:
            whole = json.loads(stream.read().decode("utf-8-sig", "replace"))
        for number, (title, said) in enumerate(whole.items(), start=1):
            yield f", record {number}", {"title": title, "text": join_sentences(strings(said))}
        return
    yield from items(path, sink.aside)


def _key(title: str, text: str) -> str:
    return " ".join(f"{title} {text}".split())


def _found(pair: tuple[str, str], by_content: Mapping[str, str], by_title: Mapping[str, str]) -> str:
    """The record with this title and text, or with this title; a passage that the corpus lacks is never found."""
    return by_content.get(_key(*pair)) or by_title.get(pair[0]) or f"title:{pair[0]}"


def _gold(row: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Titles and texts of the gold passages, as HippoRAG's evaluation takes them."""
    if "supporting_facts" in row:
        titles = set(gold_titles(row))
        return [pair for pair in (paragraphs(row) if titles else []) if pair[0] in titles]
    return [pair for pair, supports in _contexts(row) if supports]


def _own(row: Mapping[str, Any]) -> Iterator[tuple[int, tuple[str, str]]]:
    """A MuSiQue question's paragraphs by number."""
    for number, one in enumerate(row.get("paragraphs") or []):
        if isinstance(one, Mapping):
            place = one["idx"] if isinstance(one.get("idx"), int) else number
            yield place, (str(one.get("title") or "").strip(), _said(one))


def _contexts(row: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str], bool]]:
    name = next((name for name in ("contexts", "paragraphs") if row.get(name)), None)
    for one in listed(row[name], name) if name else []:
        if not isinstance(one, Mapping):
            raise BrokenRecordError(f'the field "{name}" is not a list of paragraphs')
        yield (str(one.get("title") or "").strip(), _said(one)), one.get("is_supporting") is not False


def _said(one: Mapping[str, Any]) -> str:
    return str(one.get("text", one.get("paragraph_text")) or "").strip()


def _answers(row: Mapping[str, Any]) -> list[str]:
    """The accepted answers, wherever the source keeps them."""
    found = list[str]()
    for name in _ANSWERS:
        value = row.get(name)
        if isinstance(value, str) and value.startswith("["):
            with suppress(ValueError):
                value = json.loads(value)
        found.extend(strings(value))
    return list(dict.fromkeys(found))


def _type(row: Mapping[str, Any]) -> str:
    id = str(row.get("id") or "")
    return str(row.get("type") or (id.split("__")[0] if "hop" in id and "__" in id else ""))
