"""Reading text files within bounds: a line or file that is too long, or is no text, is a `TextFileFault`."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO

from .encodings import guess, is_utf8

__all__ = [
    "MAX_FILE", "MAX_RECORD", "MAX_UNPACKED", "RawLine", "TextFileFault", "clean", "decode", "lines", "read_any",
    "read_text",
]  # fmt: skip

MAX_RECORD = 16 * 2**20
"""The longest line, cell or one-document file that is read, in bytes."""
MAX_FILE = 64 * 2**20
"""The longest .json file that is read, in bytes; .jsonl and .csv files are streamed, however long."""
MAX_UNPACKED = 512 * 2**20
"""What a small compressed file may swell to, in bytes."""

_SNIFF = 8_192
_CHUNK = 2**20
_BINARY = "This is a binary file, not text; convert it to .txt or .md."


class TextFileFault(Exception):  # noqa: N818 - it is caught and becomes a Problem, never an error of a call
    """Why a file or a line of it cannot be used: one sentence, and the line where there is one."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


@dataclass(frozen=True, slots=True)
class RawLine:
    """One line as UTF-8 bytes with its line break; None where it was too long and was passed over."""

    number: int
    data: bytes | None


def read_text(path: Path, limit: int) -> str:
    """Return a whole file of at most ``limit`` bytes as text with "\\n" line breaks.

    UTF-8 with or without a byte order mark, and UTF-16 with one, are read. Raises TextFileFault for anything
    else, and for a file without text.
    """
    return _text(_bytes(path, limit), decode)


def read_any(path: Path, limit: int) -> tuple[str, str]:
    """Return a file as `read_text` does, and its encoding by name; "" for UTF-8 and UTF-16.

    Another encoding is told by the text itself. Raises TextFileFault for what is no text.
    """
    data = _bytes(path, limit)
    found = "" if is_utf8(data) or _is_wide(data) else guess(data) or ""
    return _text(data, lambda raw: raw.decode(found, "replace") if found else decode(raw)), found


def _bytes(path: Path, limit: int) -> bytes:
    with path.open("rb") as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise TextFileFault(f"The file is longer than {limit // 2**20} MB; split it into smaller ones.")
    return data


def _text(data: bytes, decoded: Callable[[bytes], str]) -> str:
    if _is_wide(data):
        text = _decode_utf16(data)
    elif b"\0" in data:
        raise TextFileFault(_BINARY)
    else:
        text = decoded(data)
    text = clean(text.removeprefix("\ufeff"))
    if not text.strip():
        raise TextFileFault("The file is empty.")
    return text


def _is_wide(data: bytes) -> bool:
    return data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))


def lines(path: Path, limit: int, encoding: str = "") -> Iterator[RawLine]:
    """Stream the lines of a file, holding never more than one line of at most ``limit`` bytes.

    ``encoding`` is the file's where it is none of Unicode's. A byte order mark is left out, UTF-16 is recoded.
    Raises TextFileFault for a binary file and broken UTF-16.
    """
    with path.open("rb") as file:
        readline = _line_reader(file, encoding)
        number = 0
        while data := readline(limit + 1):
            number += 1
            if len(data) <= limit or data.endswith(b"\n"):
                yield RawLine(number, data.removeprefix(codecs.BOM_UTF8) if number == 1 else data)
                continue
            del data
            while (rest := readline(_CHUNK)) and not rest.endswith(b"\n"):
                pass
            yield RawLine(number, None)


def decode(data: bytes, line: int = 1) -> str:
    """Return UTF-8 bytes as text; raises TextFileFault naming the first byte that is not UTF-8 and its line.

    ``line`` is the number of the line that the bytes begin with.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        column = error.start - (before.rfind(b"\n") + 1) + 1
        raise TextFileFault(
            f"Byte 0x{data[error.start]:02X} at column {column} is not valid UTF-8; save the file as UTF-8.",
            line + before.count(b"\n"),
        ) from error


def clean(text: str) -> str:
    """Return text that can be stored anywhere: "\\n" line breaks, no NUL, no half of a surrogate pair."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        text = text.replace("\0", " ")
    if not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _line_reader(file: BinaryIO, encoding: str) -> Callable[[int], bytes]:
    """Return a function that reads up to the end of a line, but not more than so many bytes."""
    head = file.read(_SNIFF)
    file.seek(0)
    if not _is_wide(head):
        if b"\0" in head:
            raise TextFileFault(_BINARY)
        if not encoding:
            return file.readline
    recoded = encoding or "utf-16"
    wide = TextIOWrapper(file, encoding=recoded, errors="replace" if encoding else "strict", newline="\n")

    def readline(limit: int) -> bytes:
        try:
            return wide.readline(limit).encode("utf-8", "surrogatepass")
        except UnicodeDecodeError as error:
            raise TextFileFault(f"The file is not valid UTF-16 ({error.reason}); save it as UTF-8.") from error

    return readline


def _decode_utf16(data: bytes) -> str:
    try:
        return data.decode("utf-16")
    except UnicodeDecodeError as error:
        raise TextFileFault(f"The file is not valid UTF-16 ({error.reason}); save it as UTF-8.") from error
