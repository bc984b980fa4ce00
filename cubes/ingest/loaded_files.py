"""Loading the files of one ingest, which looks at each twice; what it takes long to read is read once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..core.records import Document, Problem
from ..documents.folders import kind_by_name
from ..documents.formats.records import LAYOUTS

__all__ = ["FileLoader", "is_slow"]

_MOST_KEPT = 256 * 2**20  # bytes: of texts and images that wait for the second look

Item = Document | Problem


def is_slow(path: Path) -> bool:
    """Whether a file's text has to be worked out from a layout."""
    return kind_by_name(path) in LAYOUTS


class FileLoader:
    """Reads files; what the first look worked out is handed to the second, as far as there is room."""

    def __init__(self) -> None:
        self._kept: dict[Path, list[Item]] = {}
        self._room = _MOST_KEPT

    def first(self, path: Path) -> Iterator[Item]:
        """Load a file that will be loaded once more."""
        if not is_slow(path):
            return _load(path)
        items = list(_load(path))
        size = sum(_size(item) for item in items)
        if size <= self._room:
            self._room -= size
            self._kept[path] = items
        return iter(items)

    def second(self, path: Path) -> Iterator[Item]:
        """Load a file for the last time."""
        items = self._kept.pop(path, None)
        if items is None:
            return _load(path)
        self._room += sum(_size(item) for item in items)
        return iter(items)


def _size(item: Item) -> int:
    if isinstance(item, Problem):
        return 0
    return len(item.text) + sum(len(figure.data) for figure in item.figures)


def _load(path: Path) -> Iterator[Item]:
    from ..documents.loaders import load

    return iter(load(path))
