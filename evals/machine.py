"""The machine that figures are measured on: its processor, memory, and the disk that a knowledge base takes."""

from __future__ import annotations

import os
import platform
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from ..cubes.core.errors import UsageError
from ..cubes.core.spending import CACHE_FILE, JOURNAL_FILE
from ..cubes.smart.perspectives import FOLDER as SMART_FOLDER
from ..cubes.store.catalog import CATALOG_FILE
from ..cubes.store.derived import COLUMNS_FOLDER
from ..cubes.store.figures import FIGURES
from ..cubes.store.vectors import CHROMA_FOLDER

__all__ = ["folder_bytes", "index_bytes", "load", "machine", "peak_rss_mb"]

def machine() -> dict[str, Any]:
    """Return processor, cores, system, Python and how busy the machine is (None where it does not say)."""
    return {
        "cpu": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "load": load(),
    }


def peak_rss_mb() -> float | None:
    """Return this process's largest resident memory so far, in MiB; None where the system does not say."""
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1 << 20 if sys.platform == "darwin" else 1 << 10), 1)


def load() -> float | None:
    """Return the load average of the last minute: beside other work even processor time grows."""
    with suppress(AttributeError, OSError):
        return round(os.getloadavg()[0], 1)
    return None


def _processor() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "Unknown processor"


_GRAPH = ("entities", "entity_sections", "relations", "relation_sections", "apart")
_TABLES = ("documents", "sections", "facts", "extractions", "vectors", "corrections", "figures")
_CHROMA_DATABASE = "chroma.sqlite3"
_FILES = {CACHE_FILE: "cache", JOURNAL_FILE: "cache", "runs.sqlite": "runs"}
_FOLDERS = {SMART_FOLDER: "smart", FIGURES: "figures"}


def folder_bytes(folder: Path) -> int:
    """Return the size of all files in a folder."""
    return sum(file.stat().st_size for file in _files(folder))


def index_bytes(kb_path: str | Path) -> dict[str, int]:
    """Return the bytes of a knowledge base's folder by part, largest first; they add up to the folder's size.

    ``catalog.TABLE`` are tables with their indexes (``catalog.graph`` those of the entity graph), ``chroma.COLLECTION``
    the vectors of a collection, ``chroma.records`` what Chroma notes of them and ``chroma.log`` its write-ahead log,
    ``columns.NAME`` the derived tables (words, links, cubes), ``smart``, ``figures``, ``runs`` and ``cache`` what these
    words say. A database that SQLite cannot look into by table counts as one part.

    Raises UsageError where there is no folder.
    """
    root = Path(kb_path)
    if not root.is_dir():
        raise UsageError(f"There is no knowledge base at {root}; give its folder.")
    vectors = _collections(root / CHROMA_FOLDER / _CHROMA_DATABASE)
    parts: Counter[str] = Counter()
    for file in _files(root):
        parts.update(_parts(root, file, vectors))
    return dict(parts.most_common())


def _parts(root: Path, file: Path, vectors: Mapping[str, str]) -> Mapping[str, int]:
    place, size = file.relative_to(root).parts, file.stat().st_size
    if place == (CATALOG_FILE,):
        return _by_table(file, size, "catalog", {**{name: name for name in _TABLES}, **dict.fromkeys(_GRAPH, "graph")})
    if place == (CHROMA_FOLDER, _CHROMA_DATABASE):
        return _by_table(file, size, "chroma", {"embeddings_queue": "log"}, "records")
    return {_part(place, vectors): size}


def _part(place: tuple[str, ...], vectors: Mapping[str, str]) -> str:
    """The part that a file belongs to, by its place in the folder."""
    first = place[0]
    if first == CHROMA_FOLDER:
        return f"chroma.{vectors.get(place[1], 'records')}"
    if first == COLUMNS_FOLDER:
        return f"columns.{Path(place[-1]).stem}"
    if first.startswith(CATALOG_FILE):
        return "catalog.other"  # its write-ahead log
    database = next((part for name, part in _FILES.items() if first.startswith(name)), "other")
    return _FOLDERS.get(first, database)


def _by_table(file: Path, size: int, name: str, named: Mapping[str, str], rest: str = "other") -> Mapping[str, int]:
    """Pages of a SQLite file by table, an index counting to its table; all of it as one where they cannot be told."""
    parts: Counter[str] = Counter()
    try:
        with closing(_opened(file)) as database:
            rows = database.execute(
                "SELECT coalesce(s.tbl_name, d.name), sum(d.pgsize) FROM dbstat d "
                "LEFT JOIN sqlite_schema s ON s.name = d.name WHERE d.aggregate = TRUE GROUP BY 1"
            )
            for table, taken in rows:
                parts[f"{name}.{named.get(table, rest)}"] += taken
    except sqlite3.Error:
        return {name: size}
    parts[f"{name}.{rest}"] += size - parts.total()  # free pages
    return parts


def _collections(database: Path) -> dict[str, str]:
    """The collections of Chroma by the folders that hold their vectors; none where it cannot be asked."""
    if not database.is_file():
        return {}
    try:
        with closing(_opened(database)) as opened:
            return dict(
                opened.execute(
                    "SELECT s.id, c.name FROM segments s JOIN collections c ON c.id = s.collection "
                    "WHERE s.scope = 'VECTOR'"
                )
            )
    except sqlite3.Error:
        return {}


def _opened(file: Path) -> sqlite3.Connection:
    """Open a database as it lies on the disk: nothing is written, not even beside it."""
    return sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro&immutable=1", uri=True)


def _files(folder: Path) -> Iterator[Path]:
    return (file for file in folder.rglob("*") if file.is_file() and not file.is_symlink())
