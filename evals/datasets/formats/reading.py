"""Reading published files record by record: JSON lists of any size, JSON lines, gzip; what is broken is reported."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import IO, Any

from ....cubes.core.errors import InputError
from .archives import Limited
from .sink import BrokenRecordError

__all__ = [
    "Report",
    "first_item",
    "items",
    "lines",
    "listed",
    "note",
    "noted",
    "opened",
    "plain_text",
    "strings",
    "table",
]

Report = Callable[[Path, str, str], None]
"""Is told the file, the place within it (":12" or ", record 3") and what is wrong there."""
_CHUNK = 1 << 20
_HEAD = 4096
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+(?P<open>"?)|[\[\]{}]', re.DOTALL)
_DECODER = json.JSONDecoder(strict=False)
_BOM = "\ufeff"


_NOTED: ContextVar[set[Path] | None] = ContextVar("noted", default=None)


@contextmanager
def noted() -> Iterator[set[Path]]:
    """Keep which files and folders are read meanwhile: what a conversion depends on."""
    used = set[Path]()
    token = _NOTED.set(used)
    try:
        yield used
    finally:
        _NOTED.reset(token)


def note(path: Path) -> None:
    """Keep a file, or a folder whose files are read, as one that is used."""
    used = _NOTED.get()
    if used is not None:
        used.add(path)


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading, unpacked where it is gzip.

    Raises InputError where it cannot be read or unpacks to more than anything sensible.
    """
    note(path)
    try:
        with path.open("rb") as raw:
            if path.suffix != ".gz":
                yield raw
            else:
                with gzip.open(raw) as unpacked:
                    yield io.BufferedReader(Limited(unpacked, path.stat().st_size, path))
    except (OSError, EOFError) as error:
        raise InputError(f"{path}: the file cannot be read ({error}); fetch it anew.") from error


def items(path: Path, report: Report, *, within: str | None = None) -> Iterator[tuple[str, Any]]:
    """Yield (place, value) of a JSON list, of the list under the key ``within``, or of JSON lines.

    What is broken is reported and passed over. Only one record is held at a time.
    """
    with opened(path) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8", errors="surrogateescape")
        head = _head(text)
        start = _list_start(head, within)
        if start is None:
            yield from _json_lines(path, head, text, report)
        else:
            yield from _json_list(path, head[start:], text, report)


def first_item(path: Path, *, within: str | None = None) -> Any:
    """Return the first record that can be read; None where there is none, or the file is of another kind."""
    try:
        return next((value for _, value in items(path, lambda *_: None, within=within)), None)
    except InputError:
        return None


def lines(path: Path) -> Iterator[tuple[str, str]]:
    """Yield (place, line) of a text file, without line ends and empty lines."""
    with opened(path) as stream:
        for number, line in enumerate(io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace"), start=1):
            if line.strip():
                yield f":{number}", line.rstrip("\r\n")


def table(path: Path, *, delimiter: str = ",") -> Iterator[tuple[str, list[str]]]:
    """Yield (place, cells) of a CSV or TSV file, the first row included."""
    csv.field_size_limit(sys.maxsize)
    with opened(path) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace", newline="")
        rows = csv.reader(text, delimiter=delimiter)
        try:
            for row in rows:
                if any(row):
                    yield f":{rows.line_num}", row
        except csv.Error as error:
            raise InputError(f"{path}:{rows.line_num}: the table cannot be read ({error}); mend it.") from error


def plain_text(path: Path) -> str:
    """Return a text file as Python's own text mode reads it, which is what published character spans count."""
    with opened(path) as stream:
        return io.TextIOWrapper(stream, encoding="utf-8", errors="replace").read()


def listed(value: object, name: str) -> list[Any]:
    """Return a list that may also be written as the JSON of one; BrokenRecordError for anything else."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            value = None
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise BrokenRecordError(f'the field "{name}" is missing or not a list')
    return list(value)


def strings(value: object) -> list[str]:
    """Return one text, or the texts of a list, without empty ones; numbers are written out."""
    found = value if isinstance(value, list | tuple) else [value]
    texts = (str(one) if isinstance(one, int | float) and not isinstance(one, bool) else one for one in found)
    return [one.strip() for one in texts if isinstance(one, str) and one.strip()]


def _head(text: io.TextIOWrapper) -> str:
    head = text.read(_HEAD).removeprefix(_BOM)
    while head and not head.strip():
        head = text.read(_HEAD)
    return head.lstrip()


def _list_start(head: str, within: str | None) -> int | None:
    """Where a list's first record may begin; None where the file holds JSON lines."""
    if head.startswith("["):
        return 1
    found = re.search(rf'"{re.escape(within)}"\s*:\s*\[', head) if within and head.startswith("{") else None
    return found.end() if found else None


def _json_lines(path: Path, head: str, text: io.TextIOWrapper, report: Report) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(_all_lines(head, text), start=1):
        if not line.strip():
            continue
        try:
            yield f":{number}", _DECODER.decode(line.strip())
        except (ValueError, RecursionError):
            report(path, f":{number}", "the line is not valid JSON")


def _all_lines(head: str, text: io.TextIOWrapper) -> Iterator[str]:
    *whole, rest = head.split("\n")
    yield from whole
    yield rest + text.readline()
    yield from text


def _json_list(path: Path, buffer: str, text: io.TextIOWrapper, report: Report) -> Iterator[tuple[str, Any]]:
    """Decode one record after the other; a broken one is passed over to where its brackets close."""
    number, at, more = 0, 0, True
    while True:
        at = _skip(buffer, at)
        if at < len(buffer) and buffer[at] == "]":
            return
        found = _decoded(buffer, at) if at < len(buffer) else None
        if found is None and more:
            chunk = text.read(max(_CHUNK, len(buffer) - at))
            buffer, at, more = buffer[at:] + chunk, 0, bool(chunk)
            continue
        number += 1
        if found is None:
            report(path, f", record {number}", "the file ends in the middle of it, or its brackets do not close")
            return
        value, at = found
        if value is _BROKEN:
            report(path, f", record {number}", "it is not valid JSON")
        else:
            yield f", record {number}", value


_BROKEN = object()


def _skip(buffer: str, at: int) -> int:
    while at < len(buffer) and buffer[at] in " \t\r\n,":
        at += 1
    return at


def _decoded(buffer: str, at: int) -> tuple[Any, int] | None:
    """A record and its end; ``_BROKEN`` where its brackets close but it is not JSON; None where it does not end."""
    try:
        value, end = _DECODER.raw_decode(buffer, at)
        if end < len(buffer) or isinstance(value, Mapping | list):
            return value, end
    except (ValueError, RecursionError):
        closing = _closing(buffer, at)
        return None if closing is None else (_BROKEN, closing)
    return None


def _closing(buffer: str, at: int) -> int | None:
    depth = 0
    for token in _TOKEN.finditer(buffer, at):
        if token.group("open") == "":
            return None  # the string goes on
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token.group(), 0)
        if depth <= 0 and token.group() in ("]", "}"):
            return token.end() if depth == 0 else token.start()
    return None
