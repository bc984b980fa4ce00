"""Loading the files of one ingest, which looks at each twice; what it takes long to read is read once.

Workers, where there are any, are sent the bytes of such files before these are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from ..core.records import Document, Problem
from ..documents.folders import kind_by_name
from ..documents.formats.records import LAYOUTS
from .tasks import Pending, Tasks

__all__ = ["FileLoader", "is_slow"]

_MOST_KEPT = 256 * 2**20  # bytes: of texts and images that wait for the second look

_WHOLE = frozenset({".docx", ".epub", ".pdf", ".pptx"})
"""Files that hold all that they show; a page also shows images that lie beside it, so that it is read where it lies."""

Item = Document | Problem


def is_slow(path: Path) -> bool:
    """Whether a file's text has to be worked out from a layout."""
    return kind_by_name(path) in LAYOUTS


class FileLoader:
    """Reads files; what the first look worked out is handed to the second, as far as there is room."""

    def __init__(self, tasks: Tasks | None = None) -> None:
        self._tasks = tasks
        self._begun: dict[Path, Pending[list[Item]]] = {}
        self._kept: dict[Path, list[Item]] = {}
        self._room = _MOST_KEPT

    def begin(self, path: Path) -> None:
        """Have a worker read a file that will be asked for soon, if it takes long and there are workers."""
        if self._tasks is None or path in self._kept or kind_by_name(path) not in _WHOLE:
            return
        from ..documents.loaders import load_content

        with suppress(OSError):  # it is met again, and told, when the file is asked for
            self._begun[path] = self._tasks.submit(load_content, path.resolve(), path.read_bytes())

    def first(self, path: Path) -> Iterator[Item]:
        """Load a file that will be loaded once more."""
        if not is_slow(path):
            return _load(path)
        items = list(self._loaded(path))
        size = sum(_size(item) for item in items)
        if size <= self._room:
            self._room -= size
            self._kept[path] = items
        return iter(items)

    def second(self, path: Path) -> Iterator[Item]:
        """Load a file for the last time."""
        items = self._kept.pop(path, None)
        if items is None:
            return self._loaded(path)
        self._room += sum(_size(item) for item in items)
        return iter(items)

    def _loaded(self, path: Path) -> Iterator[Item]:
        begun = self._begun.pop(path, None)
        return _load(path) if begun is None else iter(begun.result())


def _size(item: Item) -> int:
    if isinstance(item, Problem):
        return 0
    return len(item.text) + sum(len(figure.data) for figure in item.figures)


def _load(path: Path) -> Iterator[Item]:
    from ..documents.loaders import load

    return iter(load(path))
