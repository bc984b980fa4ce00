"""Unpacking a compressed file beside the documents, within bounds."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from .folders import unpacked_name
from .textfiles import MAX_UNPACKED, TextFileFault

__all__ = ["unpacked"]

_PIECE = 2**20


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """Yield a file's content: the file itself, or, for a .gz file, what was in it, for as long as this lasts."""
    if path.suffix.lower() != ".gz":
        yield path
        return
    with TemporaryDirectory() as folder:
        content = Path(folder) / unpacked_name(path)
        try:
            _unpack(path, content)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise TextFileFault("The .gz file is damaged; get a whole copy of it.") from error
        yield content


def _unpack(path: Path, content: Path) -> None:
    size = 0
    with gzip.open(path, "rb") as packed, content.open("wb") as out:
        while piece := packed.read(_PIECE):
            size += len(piece)
            if size > MAX_UNPACKED:
                raise TextFileFault(f"The file unpacks to more than {MAX_UNPACKED // 2**20} MB; split it.")
            out.write(piece)
