"""Reading JSON and JSONL files record by record."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ..core.records import Document, Problem
from .records_reader import DocumentBuilder
from .textfiles import MAX_FILE, MAX_RECORD, RawLine, TextFileFault, decode, lines, read_text

__all__ = ["json_documents", "jsonl_documents"]


def jsonl_documents(builder: DocumentBuilder) -> Iterator[Document | Problem]:
    """One document a line."""
    empty = True
    for line in lines(builder.content, MAX_RECORD):
        if line.data is not None and not line.data.strip():
            continue
        if empty and line.data is not None and line.data.strip() in (b"{", b"["):
            message = "This is JSON over several lines, not a record a line; name the file .json."
            raise TextFileFault(message, line.number)
        empty = False
        yield _json_line(builder, line)
    if empty:
        raise TextFileFault("The file is empty.")


def _json_line(builder: DocumentBuilder, line: RawLine) -> Document | Problem:
    try:
        if line.data is None:
            limit = f"{MAX_RECORD // 2**20} MB"
            raise TextFileFault(f"The line is longer than {limit}; split the record into smaller ones.")
        return builder.attempt(_parse(decode(line.data, line.number)), line.number, line.number)
    except TextFileFault as fault:
        return Problem(str(builder.path), line.number, fault.message)


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise TextFileFault(
            f"The line is not valid JSON ({error.msg.removesuffix(' at')} at column {error.colno})."
        ) from error
    except (RecursionError, ValueError) as error:
        raise TextFileFault("The line's JSON is nested too deeply or holds too long a number.") from error


def json_documents(builder: DocumentBuilder) -> Iterator[Document | Problem]:
    """One record, or a list of them. Elements before a fault of the syntax are still good."""
    text = read_text(builder.content, MAX_FILE)
    start = len(text) - len(text.lstrip())
    if text[start] != "[":
        record, end = _decode_at(text, start)
        _check_end(text, end, isinstance(record, dict))
        yield _single(builder, record, text.count("\n", 0, start) + 1)
        return
    number = 0
    for number, (record, line) in enumerate(_elements(text, start + 1), start=1):
        yield builder.attempt(record, number, line)
    if number == 0:
        raise TextFileFault("The list is empty.")


def _single(builder: DocumentBuilder, record: Any, line: int) -> Document | Problem:
    """A file of one record is named like the file."""
    if isinstance(record, dict) and record.get("id") in (None, ""):
        record = {**record, "id": builder.stem}
    return builder.attempt(record, 1, line)


def _elements(text: str, start: int) -> Iterator[tuple[Any, int]]:
    """Yield the elements of a JSON list with the lines they begin on."""
    position, line, counted = _skip(text, start), 1, 0
    while text[position : position + 1] != "]":
        line += text.count("\n", counted, position)
        counted = position
        record, end = _decode_at(text, position)
        yield record, line
        position = _skip(text, end)
        if text[position : position + 1] == ",":
            position = _skip(text, position + 1)
        elif text[position : position + 1] != "]":
            raise _not_json(text, position, "Expecting ',' or ']'")
    _check_end(text, position + 1, False)


def _skip(text: str, position: int) -> int:
    """Return the next position that is not white space."""
    while text[position : position + 1].isspace():
        position += 1
    return position


def _decode_at(text: str, position: int) -> tuple[Any, int]:
    try:
        return json.JSONDecoder().raw_decode(text, position)
    except json.JSONDecodeError as error:
        raise _not_json(text, error.pos, error.msg) from error
    except (RecursionError, ValueError) as error:
        line = text.count("\n", 0, position) + 1
        raise TextFileFault("The JSON is nested too deeply or holds too long a number.", line) from error


def _check_end(text: str, position: int, record: bool) -> None:
    position = _skip(text, position)
    if position < len(text):
        if record and text[position] == "{":
            line = text.count("\n", 0, position) + 1
            raise TextFileFault("There is one record after another; name the file .jsonl.", line)
        raise _not_json(text, position, "Extra data")


def _not_json(text: str, position: int, reason: str) -> TextFileFault:
    column = position - text.rfind("\n", 0, position)
    line = text.count("\n", 0, position) + 1
    return TextFileFault(f"The file is not valid JSON ({reason.removesuffix(' at')} at column {column}).", line)
