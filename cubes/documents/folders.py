"""Finding the document files under folders, and saying which files are none."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..core.errors import InputError
from ..core.records import Problem
from .encodings import guess, is_utf8
from .formats.records import LAYOUTS

__all__ = ["MEDIA_TYPES", "READABLE", "SUPPORTED", "absent", "kind_by_name", "kind_of", "known", "scan", "skipped",
           "unpacked_name", "unsupported"]  # fmt: skip

MEDIA_TYPES: Mapping[str, str] = {
    ".csv": "text/csv",
    ".json": "application/json",
    ".jsonl": "application/json",
    ".md": "text/markdown",
    ".txt": "text/plain",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    **LAYOUTS,
}
"""What each supported suffix holds."""
SUPPORTED = frozenset(MEDIA_TYPES)
"""The suffixes, in lower case, of files that can be read."""

_CONVERTIBLE = {
    **dict.fromkeys((".doc", ".odt", ".rtf"), ".docx"),
    **dict.fromkeys((".mht", ".mhtml", ".xhtml"), ".html"),
    **dict.fromkeys((".ps", ".tex"), ".pdf"),
    **dict.fromkeys((".odp", ".ppt"), ".pptx"),
    **dict.fromkeys((".ods", ".xls"), ".xlsx"),
}
"""What files of other kinds can be saved as by the programs that read them."""
READABLE = re.compile(r"readme\b|(?:news|changes|changelog|faq|install|howto|manual|notes|todo)$", re.IGNORECASE)
"""The names of files that say what kind of text they are, not of what."""
_PACKED = frozenset({".7z", ".bz2", ".gz", ".tar", ".tgz", ".xz", ".zip", ".zst"})
_RECIPE = re.compile(r"\w*(?:brew|cask|docker|gem|jenkins|make|pip|proc|rake|vagrant)file$", re.IGNORECASE)
_SNIFF = 8_192
_PAGES = frozenset({".htm", ".html"})
_PAGE_PARTS = frozenset(
    {".bmp", ".css", ".gif", ".ico", ".jpeg", ".jpg", ".js", ".png", ".svg", ".tif", ".ttf", ".webp", ".woff", ".woff2"}
)
"""What pages show and use: beside pages, nobody takes it for documents that were left out."""
_CATALOG = "catalog.sqlite"
_CORPUS = "corpus.jsonl"
_LISTED_SUFFIXES = 6


@dataclass(slots=True)
class _Folder:
    """What a walk through a folder found."""

    files: list[Path] = field(default_factory=list)
    others: Counter[str] = field(default_factory=Counter)
    closed: list[Problem] = field(default_factory=list)


def kind_of(path: Path) -> str:
    """Return the suffix that says what a file holds; a file without one that is text is plain text."""
    kind = kind_by_name(path)
    return kind if kind or not _is_prose(path) else ".txt"


def kind_by_name(path: Path) -> str:
    """Return what a file holds by its name alone; a README and its like are plain text ("README.Debian").

    >>> kind_by_name(Path("notes.md.gz")), kind_by_name(Path("notes.tar.gz")), kind_by_name(Path("LICENSE"))
    ('.md', '.gz', '')
    """
    name = Path(unpacked_name(path))
    suffix = name.suffix.lower()
    if suffix in SUPPORTED:
        return suffix
    if suffix not in _PACKED and READABLE.match(name.name):
        return ".txt"
    return path.suffix.lower()


def unpacked_name(path: Path) -> str:
    """Return what a file is called once it is unpacked."""
    return path.stem if path.suffix.lower() == ".gz" else path.name


def _is_prose(path: Path) -> bool:
    """Whether a file begins as text does that is no program and no recipe for one."""
    if _RECIPE.match(path.name):
        return False
    try:
        with path.open("rb") as file:
            head = file.read(_SNIFF)
    except OSError:
        return False
    if not head.strip() or head.startswith(b"#!") or b"\0" in head:
        return False
    return is_utf8(head) or guess(head) is not None


def scan(paths: Sequence[Path]) -> list[Path]:
    """Return the document files among and under the paths: absolute, sorted, each once.

    A file that is named is returned whatever it is, so that `loaders.load` can say what is wrong with it. Of
    folders, files of a supported suffix are returned; hidden files and folders, linked folders and knowledge
    bases are left out. A folder that holds corpus.jsonl is a data set: of its own .jsonl files only that one
    holds documents.
    Raises InputError for a path that is not there.
    """
    found: set[Path] = set()
    for path in paths:
        found.update(_walk(path).files if _is_folder(path) else [path.resolve()])
    return sorted(found)


def skipped(paths: Sequence[Path]) -> list[Problem]:
    """Say, in one problem a folder, which files under it are of no supported kind; closed folders follow.

    Beside HTML pages, images, style sheets and scripts are parts of them and not mentioned.
    """
    problems: list[Problem] = []
    for path in paths:
        if path.is_dir():
            walked = _walk(path)
            problems.extend(walked.closed)
            if walked.others:
                problems.append(Problem(str(path.resolve()), None, _summary(walked.others)))
    return problems


def absent(path: Path) -> str:
    """Say that a path is not there, or that it is a link to nothing."""
    if path.is_symlink():
        return f"'{path}' is a link to '{os.readlink(path)}', which is not there."
    return f"There is no file or folder '{path}'; check the spelling."


def _is_folder(path: Path) -> bool:
    try:
        path.stat()
    except OSError as error:
        if isinstance(error, FileNotFoundError | NotADirectoryError):
            raise InputError(absent(path)) from error
        raise InputError(f"'{path}' cannot be opened ({error.strerror}).") from error
    return path.is_dir()


def _walk(folder: Path) -> _Folder:
    walked = _Folder()

    def closed(error: OSError) -> None:
        message = f"The folder cannot be opened ({error.strerror})."
        walked.closed.append(Problem(str(error.filename), None, message))

    for where, folders, names in os.walk(folder.resolve(), onerror=closed):
        if _CATALOG in names:  # a knowledge base among the documents
            folders.clear()
            continue
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if not name.startswith("."):
                _sort(walked, Path(where, name), data_set=_CORPUS in names)
    if any(kind_by_name(file) in _PAGES for file in walked.files):
        for suffix in _PAGE_PARTS:
            walked.others.pop(suffix, None)
    return walked


def _sort(walked: _Folder, path: Path, *, data_set: bool) -> None:
    if path.is_symlink() and not path.exists():
        message = f"This is a link to '{os.readlink(path)}', which is not there."
        walked.closed.append(Problem(str(path), None, message))
        return
    if not path.is_file():
        walked.closed.append(Problem(str(path), None, "This is not a regular file."))
        return
    suffix = kind_of(path)
    if suffix not in SUPPORTED:
        walked.others[suffix or "no suffix"] += 1
    elif not (data_set and suffix == ".jsonl" and path.name != _CORPUS):
        walked.files.append(path.resolve())


def _summary(others: Counter[str]) -> str:
    """Say how many files of which suffixes were left out."""
    number = others.total()
    listed = [f"{suffix} ({n})" for suffix, n in sorted(others.items(), key=lambda item: (-item[1], item[0]))]
    more = len(listed) - _LISTED_SUFFIXES
    kinds = ", ".join(listed[:_LISTED_SUFFIXES]) + (f" and {more} other kinds" if more > 0 else "")
    files = f"{number} files were" if number > 1 else "1 file was"
    return f"{files} skipped: {kinds}; documents are {known()} files."


def known() -> str:
    """List the suffixes of files that can be read."""
    *most, last = sorted(SUPPORTED)
    return f"{', '.join(most)} and {last}"


def unsupported(suffix: str) -> str:
    """Say that files of a suffix cannot be read, and what to do."""
    if not suffix:
        return "Files without a suffix are read where they are text, and this one is not."
    kind = f"Files ending in {suffix} are"
    if suffix in _CONVERTIBLE:
        return f"{kind} not supported; save this one as {_CONVERTIBLE[suffix]}."
    return f"{kind} not supported; documents are {known()} files."
