"""Which files an ingest has to open: those that are new, changed, or to be tried again."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..core.errors import InputError
from ..core.records import Problem
from ..store.catalog import Catalog, FileState
from ..store.database import clean

__all__ = ["IngestPlan", "PlannedFile", "nothing_to_read", "plan"]

_RACY_NS = 2_000_000_000
"""A file changed so shortly before it was read may change again unnoticed (see `_is_as_it_was`)."""


@dataclass(slots=True)
class PlannedFile:
    """A file, its state now, and whether it need not be opened.

    ``touched`` says that its size or time changed although its content did not; ``documents`` is how many it
    holds.
    """

    path: Path
    state: FileState
    unchanged: bool
    touched: bool = False
    documents: int = 0


@dataclass(frozen=True, slots=True)
class IngestPlan:
    """``skipped`` maps the folders named to what in them cannot be read; ``missing`` are files now gone."""

    files: list[PlannedFile]
    missing: tuple[str, ...]
    skipped: Mapping[str, Sequence[Problem]]


def plan(catalog: Catalog, paths: Sequence[Path], *, retry: bool, refined: str = "") -> IngestPlan:
    """Look at the files among and under the paths; ``retry`` opens those in which something was set aside.

    ``refined`` is the version of what refines documents read from a layout (`formats.refining`): a file that holds
    such a document is opened where it was read without. One that was read with it stays so where it is "".

    Raises InputError for a path that is not there and was never read, or where there is nothing to read.
    """
    from ..documents.loaders import scan, skipped
    from .refinement import has_layout

    known, sources = catalog.files(), catalog.sources()
    roots = [path.resolve() for path in paths]
    missing = tuple(source for source in sorted({*known, *sources}) if _gone_from(roots, source))
    gone = _above(missing)
    there = [path for path in paths if not (_is_gone(path) and path.resolve() in gone)]
    troubled = catalog.files_with_problems() if retry else set()
    found = scan(there)
    unnameable = [path for path in found if clean(str(path)) != str(path)]
    files = [
        _planned(path, known, troubled, refined if has_layout(path) else "")
        for path in found
        if path not in unnameable
    ]
    if not found and not missing:
        raise nothing_to_read(paths)
    for file in files:
        file.documents = sources.get(str(file.path), 0) if file.unchanged else 0
    aside = {clean(str(path.resolve())): skipped([path]) for path in there if path.is_dir()}
    return IngestPlan(files, missing, aside | {clean(str(path)): [_unnameable(path)] for path in unnameable})


def nothing_to_read(paths: Sequence[Path]) -> InputError:
    """Return the error for files and folders without a document among them."""
    from ..documents.folders import known

    named = ", ".join(str(path) for path in paths)
    return InputError(f"There is nothing to read in {named}; documents are {known()} files.")


def _unnameable(path: Path) -> Problem:
    return Problem(clean(str(path)), None, "The file's name is not valid UTF-8; rename it.")


def _planned(
    path: Path, known: Mapping[str, FileState], troubled: Collection[str], refined: str
) -> PlannedFile:
    """Look at a file; one that cannot be looked at is left to the loader, which says why."""
    before = known.get(str(path))
    try:
        stat = path.stat()
        state = FileState(stat.st_size, stat.st_mtime_ns, time.time_ns(), "")
        usable = before is not None and str(path) not in troubled and refined in ("", _refined(before))
        if before is not None and usable and _is_as_it_was(before, state):
            return PlannedFile(path, before, unchanged=True)
        content = _file_hash(path)
    except OSError:
        return PlannedFile(path, FileState(-1, -1, 0, ""), unchanged=False)
    if before is not None and usable and before.hash.partition("+")[0] == content:
        return PlannedFile(path, replace(state, hash=before.hash), unchanged=True, touched=True)
    return PlannedFile(path, replace(state, hash=f"{content}+{refined}" if refined else content), unchanged=False)


def _refined(before: FileState) -> str:
    """What refined a file's documents when it was read; it stands behind the hash of the content."""
    return before.hash.partition("+")[2]


def _is_as_it_was(before: FileState, now: FileState) -> bool:
    """Whether size and time prove that a file is unchanged.

    They do not where it had been changed just before it was read: a second change within the clock's grain
    would leave the same time behind (Git calls such entries racy).
    """
    same = (before.size, before.mtime_ns) == (now.size, now.mtime_ns)
    return same and before.mtime_ns < before.read_at_ns - _RACY_NS


def _file_hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def _gone_from(roots: Sequence[Path], source: str) -> bool:
    """Whether a file that was or lay under one of the roots is gone."""
    file = Path(source)
    return any(file.is_relative_to(root) for root in roots) and _is_gone(file)


def _above(files: Sequence[str]) -> set[Path]:
    """Return files and every folder above them."""
    return {place for file in files for place in (Path(file), *Path(file).parents)}


def _is_gone(path: Path) -> bool:
    """Whether a file is not there any more; one in a folder that is closed to us may well be."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False
