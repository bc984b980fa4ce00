"""Reading several sections at a time, and handing the documents back in the order in which they came."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from queue import SimpleQueue
from types import TracebackType
from typing import Self

from ..core.errors import MultiCubeError, SectionError
from ..core.records import Document, Fact, Section
from ..extraction.protocol import Extractor, PaidExtractor

__all__ = ["DocumentFacts", "DocumentWork", "ParallelExtractor"]

WINDOW = 4
"""Sections waiting for each thread at most (and those of one document): documents come from a source of any length."""
HOPELESS = 20
"""When so many sections and none before them could be read, the rest would only cost."""
LINGER_S, LINGER_STOPPED_S = 60.0, 5.0
"""How long to wait for what is under way when an error, or a person, ends the reading: its replies are paid for."""

Facts = Sequence[Fact]


@dataclass(frozen=True, slots=True)
class DocumentWork:
    """A document with those of its sections that are to be read.

    ``how`` says why: it is "added", "updated", "reread" or "retried". ``language`` is its text's. ``stored`` says that
    the sections stand in the catalog already.
    """

    document: Document
    sections: Sequence[Section]
    how: str
    language: str = ""
    stored: bool = False


@dataclass(slots=True)
class DocumentFacts:
    """What came of a document: facts by section, and the reasons for sections without any that could be read."""

    facts: dict[str, Facts] = field(default_factory=dict)
    aside: dict[str, SectionError] = field(default_factory=dict)
    fault: Exception | None = None


class ParallelExtractor:
    """Reads with one extractor, side by side where it is one that asks a model. Use as a context manager."""

    def __init__(
        self,
        extractor: Extractor,
        *,
        step: Callable[[], None],
        timed: Callable[[], AbstractContextManager[None]],
        patient: bool = False,
    ) -> None:
        """``step`` is called after each section, in order; ``timed`` is entered while sections are read or waited for.

        ``patient`` goes on however many sections fail.
        """
        self._extractor, self._step, self._timed = extractor, step, timed
        self._many = max(1, extractor.concurrency) if isinstance(extractor, PaidExtractor) else 0
        self._hopeless: float = float("inf") if patient else HOPELESS
        self._jobs: SimpleQueue[tuple[Future[Facts], Section, Document] | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._stopped = False
        self._failed = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopped = True
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join(LINGER_S if error is None or isinstance(error, Exception) else LINGER_STOPPED_S)

    def read(self, documents: Iterable[DocumentWork]) -> Iterator[tuple[DocumentWork, DocumentFacts]]:
        """Yield each document as soon as it and all before it are read.

        Raises what ends the reading at the document that it befell; those before it have been yielded.
        """
        waiting: deque[tuple[DocumentWork, list[Future[Facts]]]] = deque()
        for divided in documents:
            with self._timed():
                waiting.append((divided, [self._begin(section, divided.document) for section in divided.sections]))
            while waiting and (self._full(waiting) or all(future.done() for future in waiting[0][1])):
                yield self._gathered(*waiting.popleft())
        while waiting:
            yield self._gathered(*waiting.popleft())

    def _full(self, waiting: Iterable[tuple[DocumentWork, Sequence[Future[Facts]]]]) -> bool:
        return sum(len(futures) for _, futures in waiting) >= WINDOW * self._many

    def _begin(self, section: Section, document: Document) -> Future[Facts]:
        future: Future[Facts] = Future()
        if not self._many:
            _settle(future, lambda: self._extractor.extract(section, document))
            return future
        if len(self._threads) < self._many:
            # Threads of our own, because those of an executor keep a stopped process alive until the last is answered.
            self._threads.append(threading.Thread(target=self._work, name="reading", daemon=True))
            self._threads[-1].start()
        self._jobs.put((future, section, document))
        return future

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            future, section, document = job
            if self._stopped:
                future.cancel()
                continue
            _settle(future, lambda: self._extractor.extract(section, document))  # noqa: B023 - called at once
            # What ends the reading is the same for those that wait; all that came before are under way or done.
            self._stopped = self._stopped or _is_the_end(future.exception())

    def _gathered(self, divided: DocumentWork, futures: Sequence[Future[Facts]]) -> tuple[DocumentWork, DocumentFacts]:
        reading = DocumentFacts()
        for section, future in zip(divided.sections, futures, strict=True):
            try:
                with self._timed():
                    reading.facts[section.id] = future.result()
                self._hopeless = float("inf")
            except SectionError as error:
                reading.aside[section.id] = error
                self._count_failed(error)
            except Exception as error:
                if _is_the_end(error) or isinstance(error, CancelledError):
                    raise
                reading.fault = reading.fault or error  # a fault in the rules must cost one document, not the ingest
            self._step()
        return divided, reading

    def _count_failed(self, error: SectionError) -> None:
        self._failed += 1
        if self._failed >= self._hopeless:
            raise MultiCubeError(f"None of the first {self._failed} sections could be read. The last one: {error}")


def _is_the_end(error: BaseException | None) -> bool:
    return isinstance(error, MultiCubeError) and not isinstance(error, SectionError)


def _settle(future: Future[Facts], work: Callable[[], Facts]) -> None:
    """Let a future have what work returns or raises."""
    try:
        future.set_result(work())
    except Exception as error:
        future.set_exception(error)
