"""Uploaded files: named safely, written to the disk as they come, and kept beside the knowledge base.

A file's name comes from outside. It is shown and titles the document, so it is kept as far as it is only a name; it is
never a path.
"""

from __future__ import annotations

import shutil
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from typing import BinaryIO

from ...cubes.core.records import Problem
from ...cubes.documents.folders import SUPPORTED, kind_by_name, kind_of, unsupported

__all__ = ["UPLOADS", "Upload", "discard", "kept", "receive", "safe_name", "settle"]

UPLOADS = "uploads"
"""The folder, in a knowledge base, that holds uploaded files."""
_STEM = 80
_PIECE = 2**20
_RESERVED = frozenset({"con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(1, 10))})


@dataclass(slots=True)
class Upload:
    """What came with one request: the files that can be read, where they wait, and what was refused."""

    folder: Path
    files: list[Path] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def safe_name(given: str | None) -> str:
    """Return a file's name that is nothing but a name: no folder, no control character, no more than a line.

    >>> safe_name("../../etc/passwd.txt"), safe_name("C:\\\\a\\\\b.md"), safe_name("..")
    ('passwd.txt', 'b.md', 'document')
    """
    name = unicodedata.normalize("NFC", given or "").replace("\\", "/").rpartition("/")[2]
    name = "".join(char if char.isalnum() or char in " -_.()+,&'" else "_" for char in name).strip(" .")
    path = Path(name or "document")
    stem = path.stem.encode()[:_STEM].decode(errors="ignore").strip(" .") or "document"
    return (f"_{stem}" if stem.lower() in _RESERVED else stem) + path.suffix.lower()[:10]


def receive(kb: Path, sent: Sequence[tuple[str | None, BinaryIO]], largest: int) -> Upload:
    """Write files to a new folder where they wait to be ingested; what cannot be read is among the problems.

    ``largest`` is how many bytes a file may have.
    """
    place = kb / UPLOADS
    place.mkdir(exist_ok=True)
    upload = Upload(Path(mkdtemp(prefix=".part-", dir=place)))
    try:
        for given, file in sent:
            _take(upload, safe_name(given), file, largest)
    except BaseException:
        discard(upload)
        raise
    return upload


def _take(upload: Upload, name: str, file: BinaryIO, largest: int) -> None:
    suffix = kind_by_name(Path(name))
    if suffix and suffix not in SUPPORTED:
        upload.problems.append(Problem(name, None, unsupported(suffix)))
        return
    path = next(path for path in _free(upload.folder / name) if not path.exists())
    written = 0
    with path.open("xb") as out:
        while piece := file.read(_PIECE):
            written += len(piece)
            if written > largest:
                break
            out.write(piece)
    if written > largest:
        path.unlink()
        upload.problems.append(Problem(name, None, f"The file is too large; at most {largest:,} bytes are read."))
        return
    if kind_of(path) not in SUPPORTED:
        path.unlink()
        upload.problems.append(Problem(name, None, unsupported(suffix)))
        return
    upload.files.append(path)


def _free(path: Path) -> Iterator[Path]:
    """Yield a path, then others of like name: two files of one upload may have the same."""
    yield path
    yield from (path.with_stem(f"{path.stem}-{n}") for n in range(2, 100_000))


def settle(upload: Upload) -> list[Path]:
    """Move the files to where they stay, in place of former ones of the same names, and return them there."""
    settled = []
    for path in upload.files:
        stays = upload.folder.parent / path.name
        path.replace(stays)
        settled.append(stays)
    discard(upload)
    return settled


def discard(upload: Upload) -> None:
    """Delete what waits."""
    shutil.rmtree(upload.folder, ignore_errors=True)


def kept(kb: Path, source: str) -> Path | None:
    """Return the uploaded file that a document was read from; None where it came from elsewhere."""
    path = Path(source)
    with suppress(OSError, ValueError):
        if path.parent.resolve() == (kb / UPLOADS).resolve():
            return path
    return None
