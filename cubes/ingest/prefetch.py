"""Embedding passages while further documents are still being read.

Reading holds Python's lock and one processor, the model runs outside the lock: side by side they leave no processor
idle.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Self

import numpy as np

from ..core.encoding import Encoder, Vectors
from ..core.records import Section
from ..index.vector_index import passage_text

__all__ = ["GROUP", "PrefetchingEncoder"]

GROUP = 128
"""Passages embedded together. Groups are cut by number alone, never by what happens to be ready, because the vectors of
a quantised model depend a little on what they were made with; fewer passages than this wait for `encode`."""
KEPT = 20_000
"""Vectors made ahead at most; they stay in memory until they are asked for."""


class PrefetchingEncoder:
    """An encoder (`encoding.Encoder`) that can be told beforehand what it will be asked for.

    The encoder behind it works on one request at a time, and what is asked for now goes first. Use as a context
    manager: leaving it drops what has not been begun.
    """

    def __init__(self, make: Callable[[], Encoder] | None) -> None:
        """``make`` gives the encoder; without one nothing is made ahead."""
        self._make = make
        self._waiting: list[str] = []
        self._offered = 0
        self._made: dict[str, tuple[Future[Vectors], int]] = {}
        self._worker: ThreadPoolExecutor | None = None
        self._one_at_a_time = threading.Lock()
        self._nobody_asks = threading.Event()
        self._nobody_asks.set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._worker is not None:
            self._worker.shutdown(cancel_futures=True)

    @property
    def fingerprint(self) -> str:
        """The encoder's own."""
        return self._encoder().fingerprint

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return self._encoder().dimensions

    def offer(self, sections: Sequence[Section]) -> None:
        """Begin on sections that were just written; returns at once."""
        if self._make is None or self._offered >= KEPT:
            return
        self._waiting += map(passage_text, sections)
        while len(self._waiting) >= GROUP and self._offered < KEPT:
            self._begin(self._waiting[:GROUP])
            del self._waiting[:GROUP]

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return a vector for each text: those made ahead, once, and the others now."""
        ahead = [(row, *self._made.pop(text)) for row, text in enumerate(texts) if text in self._made]
        rows = {row for row, _, _ in ahead}
        others = [row for row in range(len(texts)) if row not in rows]
        if not ahead:
            return self._asked(texts)
        vectors = np.empty((len(texts), self.dimensions), dtype=np.float32)
        if others:
            vectors[others] = self._asked([texts[row] for row in others])
        for row, future, place in ahead:
            vectors[row] = future.result()[place]
        return vectors

    def _begin(self, group: list[str]) -> None:
        if self._worker is None:
            self._encoder()  # made here, because converting a model changes what the whole process prints and warns of
            self._worker = ThreadPoolExecutor(1, thread_name_prefix="ahead")
        future = self._worker.submit(self._unasked, group)
        self._offered += len(group)
        self._made.update((text, (future, place)) for place, text in enumerate(group))

    def _unasked(self, texts: Sequence[str]) -> Vectors:
        self._nobody_asks.wait()
        with self._one_at_a_time:
            return self._encoder().encode(texts)

    def _asked(self, texts: Sequence[str]) -> Vectors:
        self._nobody_asks.clear()
        try:
            with self._one_at_a_time:
                return self._encoder().encode(texts)
        finally:
            self._nobody_asks.set()

    def _encoder(self) -> Encoder:
        if self._make is None:
            raise RuntimeError("There is no encoder.")
        return self._make()
