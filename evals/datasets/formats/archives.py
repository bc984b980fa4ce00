"""Unpacking what data sets are published in: zip and tar archives that can neither leave their folder nor explode."""

from __future__ import annotations

import io
import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Protocol

from ....cubes.core.errors import InputError

__all__ = ["Limited", "is_archive", "unpack"]

_ENDINGS = (".zip", ".tar", ".tar.gz", ".tgz")
_TEXTS = (".json", ".jsonl", ".gz", ".txt", ".tsv", ".csv", ".md", ".pdf", ".html", ".docx")
_RATIO = 200
"""How many times larger than its packed form a file may be; texts are about ten times."""
_ROOM = 256 << 20
"""What may be unpacked in any case, in bytes."""
_BLOCK = 1 << 20


class SupportsRead(Protocol):
    """A stream of bytes."""

    def read(self, size: int = -1, /) -> bytes:
        """Return at most so many bytes."""
        ...


class Limited(io.RawIOBase):
    """A stream that ends with an InputError where more comes out of it than its packed size can mean."""

    def __init__(self, stream: SupportsRead, packed: int, path: Path) -> None:
        self._stream, self._path = stream, path
        self._left = max(_ROOM, packed * _RATIO)

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Read as every raw stream does."""
        found = self._stream.read(len(buffer))
        self._left -= len(found)
        if self._left < 0:
            raise InputError(f"{self._path}: it unpacks to far more than a data set holds; fetch it anew.")
        buffer[: len(found)] = found
        return len(found)


def is_archive(path: Path) -> bool:
    """Whether a file is named as a zip or tar archive."""
    return path.name.lower().endswith(_ENDINGS) and path.is_file()


def unpack(archive: Path, folder: Path) -> Path:
    """Unpack an archive's texts into ``folder`` and return the folder that holds them.

    A member whose name leads out of the folder, a link or a device is refused. Raises InputError for an archive that
    is broken, leads out, or unpacks to far more than its size can mean.
    """
    folder.mkdir(parents=True, exist_ok=True)
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as packed:
                _unpack_zip(archive, packed, folder)
        else:
            with tarfile.open(archive) as tape:
                _unpack_tar(archive, tape, folder)
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise InputError(f"{archive}: the archive is broken ({error}); fetch it anew.") from error
    return _inner(folder)


def _unpack_zip(archive: Path, packed: zipfile.ZipFile, folder: Path) -> None:
    left = max(_ROOM, archive.stat().st_size * _RATIO)
    for member in packed.infolist():
        if not member.is_dir() and (target := _target(archive, member.filename, folder)):
            with packed.open(member) as stream:
                left = _copied(archive, stream, target, left)


def _unpack_tar(archive: Path, tape: tarfile.TarFile, folder: Path) -> None:
    left = max(_ROOM, archive.stat().st_size * _RATIO)
    for member in tape:
        if member.isdir():
            continue
        target = _target(archive, member.name, folder)
        if not member.isfile():
            raise InputError(f"{archive}: {member.name} in it is no plain file; fetch the archive anew.")
        stream = tape.extractfile(member)
        if target and stream:
            left = _copied(archive, stream, target, left)


def _target(archive: Path, name: str, folder: Path) -> Path | None:
    """Where a member goes; None where it is nothing that is read."""
    parts = PurePosixPath(name.replace("\\", "/"))
    if parts.is_absolute() or ".." in parts.parts or ":" in (parts.parts or ("",))[0]:
        raise InputError(f"{archive}: {name} in it leads out of its folder; fetch the archive anew.")
    if not parts.name.lower().endswith(_TEXTS) or parts.name.startswith(".") or "__MACOSX" in parts.parts:
        return None
    return folder / parts


def _copied(archive: Path, stream: IO[bytes], target: Path, left: int) -> int:
    """Copy a member and return what may still be unpacked."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as written:
        for block in iter(lambda: stream.read(_BLOCK), b""):
            left -= len(block)
            if left < 0:
                shutil.rmtree(target.parent, ignore_errors=True)
                raise InputError(f"{archive}: it unpacks to far more than a data set holds; fetch it anew.")
            written.write(block)
    return left


def _inner(folder: Path) -> Path:
    """Go down as long as there is nothing but one folder."""
    while True:
        inside = list(_shown(folder))
        if len(inside) != 1 or not inside[0].is_dir():
            return folder
        folder = inside[0]


def _shown(folder: Path) -> Iterator[Path]:
    return (path for path in folder.iterdir() if not path.name.startswith("."))
