"""Making documents from the records of a file, and saying what is wrong with a record."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..core.records import Document, Figure, MetadataValue, Problem
from .folders import READABLE, unpacked_name
from .sections import first_heading
from .textfiles import TextFileFault, clean

__all__ = ["DocumentBuilder", "document_id", "one_line"]

_HYPHEN = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
_ABOUT = re.compile(r"(?:^|[\W_])(?:readme|changelog|changes|news|history)(?:$|[\W_])", re.IGNORECASE)
_CHAPTER = re.compile(
    r"(?:introduction|overview|about|description|features|requirements|installation|installing|quick ?start"
    r"|getting started|usage|basic usage|examples?|example usage|change ?log|changes|(?:release )?history|release notes"
    r"|(?:version )?v?\d+(?:\.\d+)+.*)\W*",
    re.IGNORECASE,
)
_BIGGEST_INTEGER = 2**63


def document_id(source: str, record_id: str) -> str:
    """Return the stable id of a record of a file: 16 hexadecimal digits."""
    name = f"{source}\0{record_id}".encode("utf-8", "surrogateescape")
    return hashlib.blake2b(name, digest_size=8).hexdigest()


@dataclass(slots=True)
class DocumentBuilder:
    """Makes documents from the records of one file and notices what is wrong with them.

    ``content`` is what is read: the file, or what was unpacked from it. ``encoding`` is its own, "" for Unicode's.
    """

    path: Path
    media_type: str
    content: Path
    encoding: str = ""
    seen: dict[str, int | None] = field(default_factory=dict)

    @property
    def stem(self) -> str:
        """The file's name without its suffix: what stands in for a title or an id."""
        return clean(Path(unpacked_name(self.path)).stem)

    @property
    def name_in_words(self) -> str:
        """The file's name as words, for a text without a title; where it is only "README", its folder says of what."""
        name = unpacked_name(self.path).removesuffix(".txt").removesuffix(".md").removesuffix(".rst")
        if READABLE.match(name):
            return clean(f"{self.path.parent.name} {name}".strip())
        return _HYPHEN.sub(" ", self.stem.replace("_", " ")).strip() or self.stem

    def titled(self, heading: str | None) -> str:
        """The title of a text by its first heading; the file's name where it has none, or where a README or a list of
        changes begins with a chapter of any document's ("Introduction")."""
        general = heading is not None and _CHAPTER.fullmatch(heading) and _ABOUT.search(self.stem)
        return self.name_in_words if not heading or READABLE.fullmatch(heading) or general else heading

    def attempt(self, record: Any, number: int, line: int | None) -> Document | Problem:
        """Make a document from a JSON record, the ``number``-th of its file, or say what is wrong with it."""
        try:
            return self.record(record, f"{self.stem}:{number}", line)
        except TextFileFault as fault:
            return Problem(str(self.path), line if fault.line is None else fault.line, fault.message)
        except (RecursionError, ValueError):  # nested too deeply, or a number of thousands of digits
            return Problem(str(self.path), line, "The record's metadata cannot be kept as JSON; simplify it.")

    def record(self, record: Any, default_id: str, line: int | None) -> Document:
        """Make a document from a JSON record; raises TextFileFault."""
        if not isinstance(record, dict):
            raise TextFileFault(f"The record is {_kind(record)}, not an object with 'title' and 'text'.")
        text = _text_of(record)
        record_id = _identifier(record.get("id"), default_id)
        if record_id in self.seen:
            raise TextFileFault(_twice(record_id, self.seen[record_id]))
        title = one_line(record.get("title")) or first_heading(text) or self.stem
        document = self.document(record_id, title, text, _metadata(record))
        self.seen[record_id] = line
        return document

    def document(
        self,
        record_id: str,
        title: str,
        text: str,
        metadata: Mapping[str, MetadataValue],
        figures: tuple[Figure, ...] = (),
    ) -> Document:
        """Make a document from parts that are known to be good; raises TextFileFault where there is no text."""
        text = clean(text)
        if not text.strip():
            raise TextFileFault("The file has no text.")
        source = str(self.path)
        return Document(
            id=document_id(source, record_id),
            source=source,
            record_id=record_id,
            title=title,
            text=text,
            content_hash=_content_hash(title, text, metadata, figures),
            media_type=self.media_type,
            metadata=metadata,
            figures=figures,
            encoding=self.encoding,
        )


def _text_of(record: Mapping[str, Any]) -> str:
    text = record.get("text")
    if text is None or text == "":
        raise TextFileFault("The record has no text; give it a 'text'.")
    if not isinstance(text, str):
        raise TextFileFault(f"The record's 'text' is {_kind(text)}, not a string.")
    if not text.strip():
        raise TextFileFault("The record's 'text' is blank.")
    return text


def one_line(value: Any) -> str:
    """Return a title on one line, "" where there is none; raises TextFileFault for what is no text."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise TextFileFault(f"The record's 'title' is {_kind(value)}, not a string.")
    return " ".join(clean(str(value)).split())


def _identifier(value: Any, default: str) -> str:
    if value is None or value == "":
        return default
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise TextFileFault(f"The record's 'id' is {_kind(value)}, not a string.")
    return clean(str(value)).strip() or default


def _twice(record_id: str, line: int | None) -> str:
    where = "" if line is None else f" on line {line}"
    shown = record_id if len(record_id) <= 80 else record_id[:80] + "…"
    return f"The id '{shown}' was already used{where}; the first record was kept."


def _metadata(record: Mapping[str, Any]) -> dict[str, MetadataValue]:
    """Return a record's metadata and its other plain fields, such as a date.

    What is no scalar becomes JSON text.
    """
    given = record.get("metadata")
    if given is not None and not isinstance(given, dict):
        raise TextFileFault(f"The record's 'metadata' is {_kind(given)}, not an object.")
    taken = {"title", "text", "id", "metadata"}
    others = ((key, value) for key, value in record.items() if key not in taken)
    merged = {key: value for key, value in others if not isinstance(value, list | dict)} | (given or {})
    return {clean(key): _scalar(value) for key, value in merged.items() if value is not None}


def _scalar(value: Any) -> MetadataValue:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) < _BIGGEST_INTEGER else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return clean(json.dumps(value, ensure_ascii=False, sort_keys=True))


def _kind(value: Any) -> str:
    """Name the JSON type of a value, with its article."""
    names = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def _content_hash(
    title: str, text: str, metadata: Mapping[str, MetadataValue], figures: tuple[Figure, ...]
) -> str:
    shown = [[each.id, each.caption, each.media_type, each.description, each.page] for each in figures]
    content = json.dumps([title, text, dict(metadata), *([shown] if shown else [])], sort_keys=True)
    return hashlib.blake2b(content.encode(), digest_size=16).hexdigest()
