"""Embedding passages while further documents are still being read.

Reading holds Python's lock and one processor, the model runs outside the lock: side by side they leave no processor
idle.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import TracebackType
from typing import Self

import numpy as np

from ..core.encoding import Encoder, PaidEncoder, Vectors
from ..core.errors import MultiCubeError
from ..core.records import Section
from ..index.vector_index import passage_text
from .tasks import Pending, Tasks, looking_ahead

__all__ = ["GROUP", "PrefetchingEncoder"]

GROUP = 128
"""Passages embedded together. Groups are cut by number alone, never by what happens to be ready, because the vectors of
a quantised model depend a little on what they were made with; fewer passages than this wait for `encode`."""
KEPT = 20_000
"""Vectors made ahead at most; they stay in memory until they are asked for."""


class PrefetchingEncoder:
    """An encoder (`encoding.Encoder`) that can be told beforehand what it will be asked for.

    The encoder behind it works on one request at a time, and what is asked for now goes first. Use as a context
    manager: leaving it drops what has not been begun. With ``tasks`` the same requests go to workers, each of which
    has an encoder of its own.
    """

    def __init__(self, make: Callable[[], Encoder] | None, tasks: Tasks | None = None) -> None:
        """``make`` gives the encoder; without one nothing is made ahead.

        An encoder that is paid for stays here, where what it spends is counted.
        """
        self._make = make
        self._tasks = None if tasks is None or make is None or isinstance(make(), PaidEncoder) else tasks
        self._shared = self._tasks.share(make) if self._tasks is not None else None
        self._waiting: list[str] = []
        self._offered = 0
        self._made: dict[str, tuple[Pending[Vectors], int]] = {}
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
        return self._begun(texts)()

    def encode_each(self, batches: Iterable[Sequence[str]]) -> Iterator[Vectors]:
        """Yield what `encode` returns for each batch; workers are busy with several."""
        for vectors in looking_ahead(map(self._begun, batches), self._tasks.many if self._tasks is not None else 0):
            yield vectors()

    def _begun(self, texts: Sequence[str]) -> Callable[[], Vectors]:
        """Return what gives a vector for each text; workers, where there are any, have begun on them."""
        ahead = [(row, *self._made.pop(text)) for row, text in enumerate(texts) if text in self._made]
        rows = {row for row, _, _ in ahead}
        others = [row for row in range(len(texts)) if row not in rows]
        rest = self._rest([texts[row] for row in others])
        return partial(self._gathered, ahead, others, rest) if ahead else rest

    def _gathered(
        self, ahead: Sequence[tuple[int, Pending[Vectors], int]], others: list[int], rest: Callable[[], Vectors]
    ) -> Vectors:
        vectors = np.empty((len(ahead) + len(others), self.dimensions), dtype=np.float32)
        if others:
            vectors[others] = rest()
        for row, future, place in ahead:
            vectors[row] = future.result()[place]
        return vectors

    def _rest(self, texts: list[str]) -> Callable[[], Vectors]:
        return partial(self._asked, texts) if self._tasks is None or not texts else self._sent(texts).result

    def _begin(self, group: list[str]) -> None:
        pending = self._queued(group) if self._tasks is None else self._sent(group)
        self._offered += len(group)
        self._made.update((text, (pending, place)) for place, text in enumerate(group))

    def _sent(self, texts: list[str]) -> Pending[Vectors]:
        assert self._tasks is not None
        return self._tasks.submit(_embedded, self._shared, self.fingerprint, texts)

    def _queued(self, group: list[str]) -> Pending[Vectors]:
        if self._worker is None:
            self._encoder()  # made here, because converting a model changes what the whole process prints and warns of
            self._worker = ThreadPoolExecutor(1, thread_name_prefix="ahead")
        return self._worker.submit(self._unasked, group)

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


def _embedded(shared: Callable[[], Callable[[], Encoder]], fingerprint: str, texts: Sequence[str]) -> Vectors:
    """Embed texts; runs on a worker, which keeps its encoder."""
    encoder = shared()()
    if encoder.fingerprint != fingerprint:
        raise MultiCubeError(
            f"A worker embeds with the encoder '{encoder.fingerprint}', not '{fingerprint}'; "
            "install the same version of multicube-rag, and the same encoder, on every machine."
        )
    return encoder.encode(texts)
