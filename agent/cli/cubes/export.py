"""Writing facts to a CSV or Parquet file."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from ....cubes.core.errors import MultiCubeError, UsageError

__all__ = ["FORMATS", "export_facts"]

FORMATS = (".csv", ".parquet")


def export_facts(rows: Iterable[dict[str, Any]], path: Path) -> int:
    """Write rows to a file in the format its suffix names and return how many there were.

    The file appears only when it is complete. Raises UsageError for another suffix or a missing folder,
    MultiCubeError for Parquet without pyarrow.
    """
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise UsageError(f"'{path}' does not say a format; name a file ending in {' or '.join(FORMATS)}.")
    if not path.absolute().parent.is_dir():
        raise UsageError(f"There is no folder '{path.parent}' to write '{path.name}' in.")
    return _csv(rows, path) if suffix == ".csv" else _parquet(rows, path)


def _csv(rows: Iterable[dict[str, Any]], path: Path) -> int:
    count = 0
    with _complete(path) as part, part.open("w", encoding="utf-8", errors="replace", newline="") as file:
        writer = None
        for row in rows:
            if writer is None:
                writer = csv.DictWriter(file, fieldnames=list(row))
                writer.writeheader()
            writer.writerow(row)
            count += 1
    return count


def _parquet(rows: Iterable[dict[str, Any]], path: Path) -> int:
    try:
        pyarrow: Any = import_module("pyarrow")
        parquet: Any = import_module("pyarrow.parquet")
    except ImportError:
        raise MultiCubeError(
            "Writing Parquet needs pyarrow: install it (pip install pyarrow), or export to a .csv file."
        ) from None
    table = pyarrow.Table.from_pylist(list(rows))
    with _complete(path) as part:
        parquet.write_table(table, part)
    return int(table.num_rows)


@contextmanager
def _complete(path: Path) -> Iterator[Path]:
    """Write beside the file and rename at the end, so that no half-written file is left under its name."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
