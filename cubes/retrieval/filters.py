"""Which sections a retrieval may use: filters on source, metadata and date."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path, PurePath
from typing import Protocol

import numpy as np

from ..core.dates import PartialDate, parse_date
from ..core.errors import UsageError
from ..core.lexical import Mask
from ..core.records import Filters, MetadataValue, Section

__all__ = ["FilteredDocument", "allows", "section_mask"]


class FilteredDocument(Protocol):
    """What filters look at in a document."""

    @property
    def source(self) -> str:
        """The file it was read from."""
        ...

    @property
    def metadata(self) -> Mapping[str, MetadataValue]:
        """What its record says besides title and text."""
        ...


def section_mask(
    sections: Sequence[Section], documents: Mapping[str, FilteredDocument], filters: Filters
) -> Mask:
    """Return for each section whether its document is allowed; an unknown document is not.

    Raises UsageError for a date that cannot be read.
    """
    check = _Check(filters)
    verdicts = {document_id: check(document) for document_id, document in documents.items()}
    return np.array([verdicts.get(section.document_id, False) for section in sections], dtype=np.bool_)


def allows(filters: Filters, document: FilteredDocument) -> bool:
    """Whether a document passes the filters. Raises UsageError for a date that cannot be read."""
    return _Check(filters)(document)


class _Check:
    """Filters with their paths and dates read once."""

    def __init__(self, filters: Filters) -> None:
        self._sources = tuple((pattern, str(Path(pattern).resolve())) for pattern in filters.sources)
        self._metadata = filters.metadata
        self._since = _read_date(filters.since)
        self._until = _read_date(filters.until)

    def __call__(self, document: FilteredDocument) -> bool:
        return (
            (not self._sources or any(_is_from(document.source, *source) for source in self._sources))
            and all(_same(document.metadata.get(key), wanted) for key, wanted in self._metadata.items())
            and self._in_time(document.metadata.get("date"))
        )

    def _in_time(self, value: MetadataValue | None) -> bool:
        """Whether a date lies, at least in part, between the two; without either there is nothing to ask."""
        if self._since is None and self._until is None:
            return True
        date = parse_date(str(value)) if value is not None else None
        if date is None:
            return False
        late_enough = self._since is None or date.last() >= self._since.first()
        return late_enough and (self._until is None or date.first() <= self._until.last())


def _read_date(text: str | None) -> PartialDate | None:
    if text is None:
        return None
    date = parse_date(text)
    if date is None:
        raise UsageError(f"'{text}' is not a date; write it as 2024-05-31, 2024-05 or 2024.")
    return date


def _is_from(source: str, pattern: str, resolved: str) -> bool:
    """Whether a source is the file (path or name), lies in the folder, or fits the pattern (path or name)."""
    if source in (pattern, resolved) or source.startswith(resolved.rstrip("/") + "/"):
        return True
    name = PurePath(source).name
    if not set("*?[") & set(pattern):
        return name == pattern
    return fnmatchcase(source, pattern) or fnmatchcase(source, resolved) or fnmatchcase(name, pattern)


def _same(value: MetadataValue | None, wanted: MetadataValue) -> bool:
    """Equal as they are or as a command line writes them ("true", "1990")."""
    return value is not None and (value == wanted or str(value).casefold() == str(wanted).casefold())
