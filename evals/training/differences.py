"""Readers tuned without a part of the questions, kept as their differences from the shipped reader.

A tuned reader has the shipped one's size, and all but a few of its bytes: 23 MB of weights differ by under a megabyte,
packed. So the readers of an honest evaluation (`evals.folds`) come with the package, and are made whole in the cache
folder when they are first asked for.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from ...agent.minilm import cache_folder
from ...cubes.errors import InputError, KnowledgeBaseError
from ...cubes.folding import fold

__all__ = ["FOLDS", "KEPT", "SHIPPED", "rebuilt", "text_key", "write_differences"]

SHIPPED = Path(__file__).resolve().parents[2] / "agent" / "embedded" / "reader" / "reader.onnx"
"""The reader that comes with the package."""
KEPT = Path(__file__).resolve().parent / "folds"
"""The differences that come with the package."""
FOLDS = "folds.json"
"""The part that each learnt question is in, by id and text (`text_key`); the part's reader has not learnt from it."""
_DIGESTS = "readers.json"
_READER = "reader"  # what the differences are from, among the digests


def text_key(question: str) -> str:
    """Return what stands for a question's words among the ids: data sets publish questions anew under other ids."""
    return "text:" + hashlib.blake2b(fold(question).encode(), digest_size=8).hexdigest()


def write_differences(work: Path, target: Path, shipped: Path = SHIPPED) -> list[Path]:
    """Write what the readers ``fold*.onnx`` of a training differ in from the shipped one, and return the files.

    Raises InputError where a reader has another size, so that it cannot be told byte by byte.
    """
    base = shipped.read_bytes()
    target.mkdir(parents=True, exist_ok=True)
    digests, written = {_READER: _sha256(base)}, []
    for path in sorted(work.glob("fold*.onnx")):
        tuned = path.read_bytes()
        if len(tuned) != len(base):
            raise InputError(f"{path} has {len(tuned):,} bytes and {shipped.name} {len(base):,}; export both anew.")
        digests[path.stem] = _sha256(tuned)
        packed = lzma.compress((_numbers(tuned) - _numbers(base)).tobytes(), preset=6)
        (target / f"{path.stem}.xz").write_bytes(packed)
        written.append(target / f"{path.stem}.xz")
    (target / _DIGESTS).write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")
    (target / FOLDS).write_bytes((work / FOLDS).read_bytes())
    return written


def rebuilt(kept: Path = KEPT, shipped: Path = SHIPPED, cache: Path | None = None) -> Path:
    """Return a folder with the whole readers and ``folds.json``, byte for byte as they were trained.

    It is in the cache folder; what is not there yet, or not as it was, is made (a second each). Raises InputError
    where the shipped reader is not the one that the differences are from.
    """
    digests: Mapping[str, str] = json.loads((kept / _DIGESTS).read_text(encoding="utf-8"))
    base = shipped.read_bytes()
    if _sha256(base) != digests[_READER]:
        raise InputError(
            f"{shipped} is not the reader that the readers out of fold are kept as differences from; train those that "
            "belong to it (python -m multicube.evals.training) and name their folder with --readers, or ask in fold "
            "with --readers shipped."
        )
    folder = (cache or cache_folder()) / "readers" / _sha256((kept / _DIGESTS).read_bytes())[:16]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _put(folder / FOLDS, (kept / FOLDS).read_bytes())
        for name in sorted(set(digests) - {_READER}):
            if not _is(folder / f"{name}.onnx", digests[name]):
                _put(folder / f"{name}.onnx", _whole(kept / f"{name}.xz", base, digests[name]))
    except OSError as error:
        raise KnowledgeBaseError(
            f"The cache folder {folder} cannot be written ({error.strerror}); name another with MULTICUBE_CACHE_DIR."
        ) from error
    return folder


def _whole(difference: Path, base: bytes, digest: str) -> bytes:
    try:
        changed = np.frombuffer(lzma.decompress(difference.read_bytes()), dtype=np.uint8)
    except (OSError, lzma.LZMAError, EOFError) as error:
        raise InputError(f"{difference} is missing or damaged; install the package anew.") from error
    made = (_numbers(base) + changed).tobytes() if len(changed) == len(base) else b""
    if _sha256(made) != digest:
        raise InputError(f"{difference} does not give the reader it should; install the package anew.")
    return made


def _is(path: Path, digest: str) -> bool:
    return path.is_file() and _sha256(path.read_bytes()) == digest


def _put(path: Path, content: bytes) -> None:
    """Write a file all or nothing: several evaluations may do so at once."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".making-", delete=False) as stream:
        stream.write(content)
    os.replace(stream.name, path)


def _numbers(content: bytes) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """The bytes as numbers that wrap around, so that small changes of eight-bit weights are small numbers."""
    return np.frombuffer(content, dtype=np.uint8)


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
