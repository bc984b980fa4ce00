"""Documents and sections as columns (see `columns`); each becomes an object when it is asked for."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import overload

import numpy as np

from ..core.columns import Array, Arrays, PackedStrings, packed
from ..core.records import Section
from .database import DocumentInfo

__all__ = ["StoredDocuments", "StoredSections", "content_columns"]


class StoredSections(Sequence[Section]):
    """Every section, in order; ``by_id`` finds one."""

    def __init__(self, arrays: Arrays) -> None:
        self._ids, self._texts, self._paths = (
            PackedStrings(arrays, f"section.{name}") for name in ("id", "text", "path")
        )
        self._of, self._ordinals, self._starts = (
            arrays[f"section.{name}"].data for name in ("document", "ordinal", "start")
        )
        self._documents, self._records = PackedStrings(arrays, "document.id"), PackedStrings(arrays, "document.record")

    def __len__(self) -> int:
        return len(self._ids)

    @overload
    def __getitem__(self, number: int) -> Section: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Section]: ...
    def __getitem__(self, number: int | slice) -> Section | Sequence[Section]:
        """Return one section, or some."""
        if isinstance(number, slice):
            return [self._section(n) for n in range(*number.indices(len(self)))]
        return self._section(range(len(self))[number])

    def __iter__(self) -> Iterator[Section]:
        return map(self._section, range(len(self)))

    def __eq__(self, other: object) -> bool:
        """Sections are equal to a sequence of equal ones, as lists are."""
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The ids in order."""
        return tuple(self._ids)

    @cached_property
    def by_id(self) -> Mapping[str, Section]:
        """Section id -> section."""
        return _ById(self)

    def _section(self, number: int) -> Section:
        document = self._of[number]
        return Section(
            self.ids[number], self._documents.text(document), self._records.text(document), self._ordinals[number],
            tuple(json.loads(self._paths[number])), self._texts[number], self._starts[number],
        )  # fmt: skip


class _ById(Mapping[str, Section]):
    def __init__(self, sections: StoredSections) -> None:
        self._sections = sections
        self._numbers = {section_id: n for n, section_id in enumerate(sections.ids)}

    def __getitem__(self, section_id: str) -> Section:
        return self._sections[self._numbers[section_id]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._sections.ids)

    def __len__(self) -> int:
        return len(self._numbers)


class StoredDocuments(Mapping[str, DocumentInfo]):
    """Document id -> document, in the order they came."""

    def __init__(self, arrays: Arrays, sections: StoredSections) -> None:
        self._ids, self._rest = PackedStrings(arrays, "document.id"), PackedStrings(arrays, "document.rest")
        self._ends, self._order = arrays["document.ends"].data, arrays["document.order"].data
        self._sections = sections

    def __getitem__(self, document_id: str) -> DocumentInfo:
        number = self._number(document_id)
        held = tuple(self._sections.ids[self._ends[number] : self._ends[number + 1]])
        source, record, title, metadata, *rest = json.loads(self._rest[number])
        return DocumentInfo(document_id, source, record, title, metadata, held, *rest)

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    def _number(self, document_id: str) -> int:
        place = bisect_left(self._order, document_id, key=self._ids.text)
        if place == len(self._order) or self._ids.text(self._order[place]) != document_id:
            raise KeyError(document_id)
        return self._order[place]


def content_columns(documents: Sequence[DocumentInfo], sections: Sequence[Section]) -> dict[str, Array]:
    """Lay down documents and their sections, both in order."""
    numbers = {document.id: n for n, document in enumerate(documents)}
    of = np.array([numbers[section.document_id] for section in sections], dtype=np.int32)
    rest = ((d.source, d.record_id, d.title, d.metadata, d.language, d.added_at, d.media_type, d.content_hash)
            for d in documents)  # fmt: skip
    return {
        **packed("document.id", (document.id for document in documents)),
        **packed("document.record", (document.record_id for document in documents)),
        **packed("document.rest", map(json.dumps, rest)),
        "document.order": np.array(sorted(range(len(documents)), key=lambda n: documents[n].id), dtype=np.int32),
        "document.ends": np.searchsorted(of, np.arange(len(documents) + 1)).astype(np.int64),
        **packed("section.id", (section.id for section in sections)),
        **packed("section.text", (section.text for section in sections)),
        **packed("section.path", (json.dumps(section.path) for section in sections)),
        "section.document": of,
        "section.ordinal": np.array([section.ordinal for section in sections], dtype=np.int32),
        "section.start": np.array([section.start for section in sections], dtype=np.int64),
    }
