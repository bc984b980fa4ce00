"""Figures that are kept as soon as they are known, so that a run that was stopped goes on with what is missing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from ....cubes.core.errors import LockedError, UsageError

__all__ = ["Kept", "Row", "held"]

Row = Mapping[str, Any]
_FILE = "figures.jsonl"


class Kept:
    """``figures.jsonl``: one line a figure, under its kind, its name and the conditions it was measured under.

    A figure is found again under the same conditions only; one measured anew takes the place of the earlier, and those
    that were measured with other code are left out (``left_out`` counts them). A process killed while writing leaves at
    most one broken line, which counts as not measured.
    """

    def __init__(self, out: Path, still: Callable[[str], bool]) -> None:
        self._path = out / _FILE
        self._rows: dict[tuple[str, str], tuple[str, Row]] = {}
        for line in self._path.read_text("utf-8").splitlines() if self._path.is_file() else ():
            try:
                told = json.loads(line)
                self._rows[told["kind"], told["name"]] = (told["conditions"], dict(told["row"]))
            except (ValueError, TypeError, KeyError):
                continue
        old = [name for name, (conditions, _) in self._rows.items() if not still(conditions)]
        self.left_out = len(old)
        for name in old:
            del self._rows[name]

    def get(self, kind: str, name: str, conditions: str) -> Row | None:
        """Return the figure measured under these conditions, None where there is none."""
        known, row = self._rows.get((kind, name), ("", None))
        return row if known == conditions else None

    def put(self, kind: str, name: str, conditions: str, row: Row) -> Row:
        """Keep a figure, written through to the disk, and return it."""
        self._rows[kind, name] = (conditions, row)
        told = {"kind": kind, "name": name, "conditions": conditions, "row": row}
        with self._path.open("a", encoding="utf-8") as stream:
            stream.write("\n" * self._cut_off() + json.dumps(told, ensure_ascii=False) + "\n")
        return row

    def all(self, kind: str) -> list[Row]:
        """Return the figures of a kind, in the order in which they were first measured."""
        return [row for (each, _), (_, row) in self._rows.items() if each == kind]

    def _cut_off(self) -> bool:
        """Whether the last line has no end, since what wrote it was killed."""
        content = self._path.read_bytes() if self._path.is_file() else b""
        return bool(content) and not content.endswith(b"\n")


@contextmanager
def held(out: Path, still: Callable[[str], bool]) -> Iterator[Kept]:
    """Make the folder, hold it against other processes, and hand out what it keeps.

    ``still`` says of conditions whether they are those of today's code.

    Raises LockedError where another process measures into it, UsageError where it cannot be written.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        with FileLock(out / ".lock", timeout=0):
            yield Kept(out, still)
    except Timeout as error:
        raise LockedError(f"Another process measures into {out}; wait for it or give another --out.") from error
    except (FileExistsError, NotADirectoryError, PermissionError) as error:
        raise UsageError(f"The folder {out} cannot be written ({error.strerror}); give another --out.") from error
