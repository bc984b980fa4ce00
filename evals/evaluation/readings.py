"""Readings that the systems of one evaluation share: the span reader takes most of the time, and reads the same again.

Systems that differ in a part often ask the reader the same of the same sections. It would say the same, so it is asked
once; the time that took is added to the clock of every system that is spared it. What is kept is of one process and of
one evaluation. Only what is read of a hop's sections is shared: what a system reads to search with is in the time of
its retrieval, which stays as it was measured.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...agent.engines.embedded.answers.span import PredictedSpan

__all__ = ["SavedSeconds", "SharedSpanCache", "shared", "timed"]


@dataclass
class SavedSeconds:
    """Seconds of readings that were not made again while one question was asked."""

    seconds: float = 0.0


_SPARED: ContextVar[SavedSeconds | None] = ContextVar("spared", default=None)


@contextmanager
def timed() -> Iterator[SavedSeconds]:
    """Count what the questions asked within are spared."""
    spared = SavedSeconds()
    token = _SPARED.set(spared)
    try:
        yield spared
    finally:
        _SPARED.reset(token)


class SharedSpanCache:
    """What one reader found, by its question and the sections in their order (`SpanReader.keep`).

    Sections that are read together are padded together, which margins depend on a little: so only the same ones in the
    same order count as the same.
    """

    def __init__(self) -> None:
        self._kept: dict[bytes, tuple[tuple[PredictedSpan, ...], float]] = {}

    def reading(
        self, question: str, sections: Sequence[tuple[str, str]], read: Callable[[], list[PredictedSpan]]
    ) -> list[PredictedSpan]:
        """Return what was read before and count the time it took, or read it now."""
        key = _key(question, sections)
        if key not in self._kept:
            started = time.perf_counter()
            found = read()
            self._kept[key] = tuple(found), time.perf_counter() - started
            return found
        spans, seconds = self._kept[key]
        spared = _SPARED.get()
        if spared is not None:
            spared.seconds += seconds
        return list(spans)


@contextmanager
def shared() -> Iterator[None]:
    """Let the systems share what the span reader reads, as long as this is open."""
    from ...agent.engines.embedded.answers.span import open_reader

    reader = open_reader()
    if reader is None:
        yield
        return
    reader.keep = SharedSpanCache().reading
    try:
        yield
    finally:
        reader.keep = None


def _key(question: str, sections: Sequence[tuple[str, str]]) -> bytes:
    made = hashlib.blake2b(digest_size=16)
    for text in (question, *(text for section in sections for text in section)):
        made.update(len(text).to_bytes(8, "little") + text.encode("utf-8", "surrogatepass"))
    return made.digest()
