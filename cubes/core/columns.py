"""Tables in a file beside the catalog: named arrays, mapped into memory and read only where they are looked at.

Everything in such a file is derived from the catalog. It names the state of the catalog that it was made of, and a
checksum covers all of it, so that one that is damaged, cut off, or of another state is as good as none. It is
replaced as a whole: whoever reads the old one goes on undisturbed, and a crash leaves the old one or the new one.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
import sys
import threading
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import IO, Any, overload

import numpy as np
import numpy.typing as npt

__all__ = ["Array", "Arrays", "PackedGroups", "PackedStrings", "changes", "packed", "read_columns", "write_columns"]

Array = npt.NDArray[Any]
Arrays = Mapping[str, Array]

_PREFIX = struct.Struct("<16sIIQ")  # what it is, checksum of all that follows, length of the head, size of the file
_MAGIC = b"multicube/1 " + sys.byteorder[:1].encode() + b"\0\0\0"
_ALIGNED = 64
_CHUNK = 1 << 20
_TEXTS_KEPT = 1 << 15


class PackedStrings(Sequence[str]):
    """Many strings as one run of bytes; each is made when it is asked for. Those in order can be looked up as well."""

    def __init__(self, arrays: Arrays, name: str) -> None:
        self._bytes = arrays[f"{name}.bytes"].data
        self._ends = arrays[f"{name}.ends"].data
        self.text = lru_cache(_TEXTS_KEPT)(self._text)
        self.find = lru_cache(_TEXTS_KEPT)(self._find)

    def __len__(self) -> int:
        return len(self._ends) - 1

    @overload
    def __getitem__(self, number: int) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[str]: ...
    def __getitem__(self, number: int | slice) -> str | Sequence[str]:
        """Return the string of a number, which is not kept; ``text`` keeps those asked for last."""
        if isinstance(number, slice):
            return [self._text(n) for n in range(*number.indices(len(self)))]
        return self._text(range(len(self))[number])

    def _text(self, number: int) -> str:
        return str(self._bytes[self._ends[number] : self._ends[number + 1]], "utf-8", "surrogatepass")

    def _find(self, text: str) -> int:
        """Return the number of a string, -1 for one that is not there; for strings in order only."""
        wanted = text.encode("utf-8", "surrogatepass")
        place = bisect_left(range(len(self)), wanted, key=self._raw)
        return place if place < len(self) and self._raw(place) == wanted else -1

    def starting(self, text: str) -> range:
        """Return the numbers of the strings that begin so; for strings in order only."""
        wanted, everything = text.encode("utf-8", "surrogatepass"), range(len(self))
        first = bisect_left(everything, wanted, key=self._raw)
        return range(first, bisect_left(everything, wanted + b"\xff", first, key=self._raw))

    def numbers(self) -> dict[bytes, int]:
        """Return the numbers of all strings at once, given as bytes: for those that are looked up again and again."""
        held, ends = bytes(self._bytes), self._ends.tolist()
        return {held[start:end]: n for n, (start, end) in enumerate(pairwise(ends))}

    def _raw(self, number: int) -> bytes:
        return bytes(self._bytes[self._ends[number] : self._ends[number + 1]])


class PackedGroups:
    """Numbers by key: the keys ascend, within each stretch of them, and so do the numbers of a key."""

    def __init__(self, arrays: Arrays, name: str) -> None:
        self._keys = arrays[f"{name}.keys"].data
        self._ends = arrays[f"{name}.ends"].data
        self._numbers = arrays[f"{name}.numbers"].data
        self._stretches = arrays[f"{name}.stretches"].data

    def of(self, key: int, stretch: int = 0) -> Sequence[int]:
        """Return the numbers of a key; none for one that is not there."""
        low, high = self._stretches[stretch], self._stretches[stretch + 1]
        place = bisect_left(self._keys, key, low, high)
        if place == high or self._keys[place] != key:
            return ()
        return self._numbers[self._ends[place] : self._ends[place + 1]]

    def between(self, low: int, high: int, stretch: int = 0) -> Sequence[int]:
        """Return the numbers of the keys from ``low`` on and below ``high``, one key after the other."""
        begin, end = self._stretches[stretch], self._stretches[stretch + 1]
        first = bisect_left(self._keys, low, begin, end)
        return self._numbers[self._ends[first] : self._ends[bisect_left(self._keys, high, first, end)]]

    def keys(self, stretch: int = 0) -> Sequence[int]:
        """Return the keys of a stretch."""
        return self._keys[self._stretches[stretch] : self._stretches[stretch + 1]]

    @staticmethod
    def packed(
        name: str, keys: Array, numbers: Array, stretches: Array | None = None, *, count: int = 1
    ) -> dict[str, Array]:
        """Group numbers by stretch and key: arrays of one length, with an entry for each number."""
        stretches = np.zeros(len(keys), dtype=np.int64) if stretches is None else stretches
        order = np.lexsort((numbers, keys, stretches))
        stretches, keys, numbers = stretches[order], keys[order], numbers[order]
        begins = np.flatnonzero(changes(stretches, keys))
        return {
            f"{name}.keys": keys[begins].astype(np.int32),
            f"{name}.ends": np.append(begins, len(keys)).astype(np.int64),
            f"{name}.numbers": numbers.astype(np.int32),
            f"{name}.stretches": np.searchsorted(stretches[begins], np.arange(count + 1)).astype(np.int64),
        }


def changes(*columns: Array) -> npt.NDArray[np.bool_]:
    """Say of each row, in order, whether it differs from the one before it; the first does."""
    found = np.ones(len(columns[0]), dtype=np.bool_)
    if len(found):
        found[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
    return found


def packed(name: str, texts: Iterable[str]) -> dict[str, Array]:
    """Return the arrays of `PackedStrings`."""
    parts = [text.encode("utf-8", "surrogatepass") for text in texts]
    ends = np.fromiter(accumulate(map(len, parts), initial=0), dtype=np.int64, count=len(parts) + 1)
    return {f"{name}.bytes": np.frombuffer(b"".join(parts), dtype=np.uint8), f"{name}.ends": ends}


def write_columns(file: Path, stamp: str, arrays: Arrays) -> bool:
    """Leave arrays in a file under a stamp; False where it cannot be written, and then there is none of that name."""
    scratch = file.with_name(f".{file.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        file.parent.mkdir(exist_ok=True)
        with scratch.open("wb") as stream:
            _write(stream, stamp, arrays)
            stream.flush()
            os.fsync(stream.fileno())
        scratch.replace(file)
    except OSError:
        with suppress(OSError):
            scratch.unlink(missing_ok=True)
        with suppress(OSError):
            file.unlink(missing_ok=True)
        return False
    return True


def read_columns(file: Path, stamp: str) -> Arrays | None:
    """Return the arrays of a file that was written whole under this stamp; None where there is no such file."""
    with suppress(OSError, ValueError, KeyError, TypeError, struct.error), file.open("rb") as stream:
        magic, checksum, length, size = _PREFIX.unpack(stream.read(_PREFIX.size))
        if magic != _MAGIC or size != os.fstat(stream.fileno()).st_size:
            return None
        raw = stream.read(length)
        head = json.loads(raw)
        if head["stamp"] != stamp or _checksum(stream, zlib.crc32(raw)) != checksum:
            return None
        return _mapped(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ), head["arrays"])
    return None


def _write(stream: IO[bytes], stamp: str, arrays: Arrays) -> None:
    places, at = {}, 0
    for name, array in arrays.items():
        places[name] = (array.dtype.str, len(array), at)
        at += array.nbytes + -array.nbytes % _ALIGNED
    head = json.dumps({"stamp": stamp, "arrays": places}).encode()
    head += b" " * (-(len(head) + _PREFIX.size) % _ALIGNED)
    stream.write(b"\0" * _PREFIX.size)
    checksum = 0
    for part in (head, *_bodies(arrays)):
        checksum = zlib.crc32(part, checksum)
        stream.write(part)
    size = stream.tell()
    stream.seek(0)
    stream.write(_PREFIX.pack(_MAGIC, checksum, len(head), size))


def _bodies(arrays: Arrays) -> Iterator[memoryview | bytes]:
    for array in arrays.values():
        yield np.ascontiguousarray(array).data.cast("B") if array.size else b""
        yield b"\0" * (-array.nbytes % _ALIGNED)


def _checksum(stream: IO[bytes], checksum: int) -> int:
    """Go through the rest of a file by reading it: what is only mapped would stay in memory."""
    while chunk := stream.read(_CHUNK):
        checksum = zlib.crc32(chunk, checksum)
    return checksum


def _mapped(mapped: mmap.mmap, places: Mapping[str, tuple[str, int, int]]) -> Arrays:
    start = _PREFIX.unpack_from(mapped)[2] + _PREFIX.size
    return {
        name: np.frombuffer(mapped, dtype, count, start + at) if count else np.empty(0, dtype)
        for name, (dtype, count, at) in places.items()
    }
