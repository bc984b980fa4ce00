"""Natural Questions (Kwiatkowski et al. 2019): with DPR's passages, in Google's simplified form, or as NQ-open.

NQ-open has questions and answers alone; DPR's ``psgs_w100.tsv`` beside it is then the corpus.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from ..reading import first_item, items, listed, strings, table
from ..sink import BrokenRecordError, Sink

__all__ = ["PASSAGES", "fits", "passages_of", "read"]

PASSAGES = ("psgs_w100.tsv", "psgs_w100.tsv.gz")
"""DPR's Wikipedia in passages of 100 words: id, text, title."""
_CONTEXTS = ("positive_ctxs", "negative_ctxs", "hard_negative_ctxs")
_ANNOTATED = 1000  # the score that DPR gives to the passage of the annotated answer
_TAG = re.compile(r"<[^<>]*>")
_SIMPLE = {"question_text", "document_text", "long_answer_candidates"}


def fits(path: Path, row: Any) -> bool:
    """Whether a file is of one of the three forms."""
    whole = isinstance(row, Mapping) and ({"question", "positive_ctxs"} <= row.keys() or row.keys() >= _SIMPLE)
    beside = passages_of(path) is not None and path.name not in PASSAGES
    return whole or (beside and (_is_open(row) or path.name.endswith(".csv")))


def passages_of(path: Path) -> Path | None:
    """Return DPR's passages where they stand beside a file."""
    return next((path.with_name(name) for name in PASSAGES if path.with_name(name).is_file()), None)


def read(path: Path, sink: Sink) -> None:
    """Read questions, and passages from wherever the form has them."""
    row = first_item(path) if not path.name.endswith(".csv") else None
    if isinstance(row, Mapping) and row.keys() >= _SIMPLE:
        _each(path, sink, _simplified)
    elif isinstance(row, Mapping) and "positive_ctxs" in row:
        _each(path, sink, _dpr)
    else:
        _read_open(path, sink)


def _each(path: Path, sink: Sink, convert: Any) -> None:
    for place, row in items(path, sink.aside):
        with sink.guard(path, place):
            if not isinstance(row, Mapping):
                raise BrokenRecordError("it is not a JSON object")
            convert(row, sink)


def _dpr(row: Mapping[str, Any], sink: Sink) -> None:
    """Gold is the annotated passage where scores tell it, otherwise every positive one."""
    pools = [(name, one) for name in _CONTEXTS for one in listed(row.get(name) or [], name)]
    if not all(isinstance(one, Mapping) for _, one in pools):
        raise BrokenRecordError("a passage is not a JSON object")
    if not strings(row.get("question")):
        raise BrokenRecordError('the field "question" is missing')
    gold = list[tuple[bool, str]]()
    for name, one in pools:
        id = sink.document(str(one.get("title") or "").strip(), one.get("text"))
        if name == "positive_ctxs":
            gold.append((_score(one) >= _ANNOTATED, id))
    annotated = [id for sure, id in gold if sure] or [id for _, id in gold]
    answers = strings(row.get("answers", row.get("answer")))
    sink.question(row.get("question"), answers or None, id=row.get("id"), supporting=list(dict.fromkeys(annotated)))


def _score(one: Mapping[str, Any]) -> float:
    score = one.get("score")
    return float(score) if isinstance(score, int | float) else 0.0


def _simplified(row: Mapping[str, Any], sink: Sink) -> None:
    """The outermost candidates of the page are the passages; the one around the long answer is gold."""
    tokens = str(row["document_text"]).split(" ")
    title = _title(str(row.get("document_url") or ""), tokens)
    notes = [one for one in listed(row.get("annotations") or [], "annotations") if isinstance(one, Mapping)]
    longs = [_span(note.get("long_answer")) for note in notes]
    gold = list[str]()
    for one in listed(row["long_answer_candidates"], "long_answer_candidates"):
        start, end = _span(one)
        text = _words(tokens[start:end])
        if not one.get("top_level", True) or not text:
            continue
        id = sink.document(title, text)
        gold.extend(id for begin, finish in longs if start <= begin < finish <= end)
    answers = [answer for note in notes for answer in _short(note, tokens)]
    known = answers or (None if not notes else [])
    sink.question(row["question_text"], known, id=row.get("example_id"), supporting=list(dict.fromkeys(gold)))


def _short(note: Mapping[str, Any], tokens: Sequence[str]) -> Iterator[str]:
    for one in note.get("short_answers") or []:
        start, end = _span(one)
        yield from strings(_words(tokens[start:end]))
    said = str(note.get("yes_no_answer") or "NONE").lower()
    yield from [said] if said in ("yes", "no") else []


def _span(one: object) -> tuple[int, int]:
    if not isinstance(one, Mapping):
        return -1, -1
    start, end = one.get("start_token"), one.get("end_token")
    return (start, end) if isinstance(start, int) and isinstance(end, int) and 0 <= start < end else (-1, -1)


def _words(tokens: Sequence[str]) -> str:
    return " ".join(unescape(_TAG.sub(" ", " ".join(tokens))).split())


def _title(url: str, tokens: Sequence[str]) -> str:
    named = parse_qs(urlsplit(url).query).get("title", [""])[0].replace("_", " ")
    head = " ".join(tokens[:40])
    return named or (head.split(" - wikipedia")[0].strip() if " - wikipedia" in head.lower() else "")


def _is_open(row: object) -> bool:
    if not isinstance(row, Mapping) or {"context", "paragraphs"} & row.keys():
        return False
    return {"question", "answer"} <= row.keys()


def _read_open(path: Path, sink: Sink) -> None:
    passages = passages_of(path)
    assert passages is not None
    for place, cells in table(passages, delimiter="\t"):
        with sink.guard(passages, place):
            if cells[0] == "id":
                continue
            if len(cells) < 3:
                raise BrokenRecordError("the row has fewer than three cells")
            sink.document(cells[2], cells[1], id=cells[0])
    for place, question, answers in _open_rows(path, sink):
        with sink.guard(path, place):
            sink.question(question, answers or None)


def _open_rows(path: Path, sink: Sink) -> Iterator[tuple[str, object, list[str]]]:
    if path.name.endswith(".csv"):
        for place, cells in table(path, delimiter="\t"):
            yield place, cells[0], _python_list(cells[1]) if len(cells) > 1 else []
        return
    for place, row in items(path, sink.aside):
        answers = row.get("answer") if isinstance(row, Mapping) else None
        yield place, row.get("question") if isinstance(row, Mapping) else None, strings(answers)


def _python_list(text: str) -> list[str]:
    """DPR writes the answers as a list of Python's; it is read as a literal and never run."""
    try:
        return strings(ast.literal_eval(text))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return strings(text)
