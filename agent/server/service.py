"""What the routers share: the knowledge base, the runs under way, the limits."""

from __future__ import annotations

import copy
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, TypeVar, cast

from fastapi import Depends, HTTPException, Request

from ...cubes.store.vectors import check_server
from ..app.readers import Reader, Readers
from .guard import READER
from .jobs import IngestJobs
from .limits import Limits
from .run_threads import RunPool

if TYPE_CHECKING:
    from ...cubes.knowledge.base import KnowledgeBase
    from ..app.facade import MultiCube

__all__ = ["Served", "Service", "Whole"]

_log = logging.getLogger("multicube.server")
Made = TypeVar("Made")
_KEPT = 16


class Service:
    """One knowledge base being served, or what one reader sees of it (`seen_by`)."""

    def __init__(self, kb: MultiCube, limits: Limits) -> None:
        self.kb = kb
        self.limits = limits
        self.asks = RunPool(limits)
        self._jobs = IngestJobs(kb, limits.jobs, limits.uploads)
        self._readers = Readers(kb)
        self._made: OrderedDict[Hashable, object] = OrderedDict()
        self._lock = threading.Lock()
        self._warmed = threading.Event()
        self._stopping = False
        self._changes = True

    def seen_by(self, reader: Reader) -> Service:
        """Return what a reader is served: nothing of it was made of what they may not read."""
        if reader.rules:
            return self
        other = copy.copy(self)
        other.kb = self._readers.of(reader)
        other._changes = reader.writes and self._readers.sees_all(reader)
        return other

    @property
    def jobs(self) -> IngestJobs:
        """What writes. Raises 403 for those who may not read everything: an upload takes the place of its namesake."""
        if not self._changes:
            raise HTTPException(403, "Only who may write and may read every document changes documents here.")
        return self._jobs

    @property
    def fresh(self) -> KnowledgeBase:
        """The knowledge base as it is now, whoever wrote it."""
        self.kb.kb.refresh()
        return self.kb.kb

    def kept(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return what was made under a key before, or make it; the least recently used are let go."""
        key = (self.kb.kb, key)  # what is made of some documents is for nobody else
        with self._lock:
            if key in self._made:
                self._made.move_to_end(key)
                return cast(Made, self._made[key])
        made = make()
        with self._lock:
            self._made[key] = made
            while len(self._made) > _KEPT:
                self._made.popitem(last=False)
        return made

    def warm(self, then: Callable[[], None]) -> None:
        """Load in the background what the first question needs, so that it need not wait for it."""
        threading.Thread(target=self._load, args=(then,), name="warm", daemon=True).start()

    def _load(self, then: Callable[[], None]) -> None:
        with suppress(Exception):  # whatever it is, the first question says what is wrong
            self.kb.warm()
        self.is_warm()
        then()

    def is_warm(self) -> None:
        """Note that the first question has nothing to wait for."""
        self._warmed.set()

    def unready(self) -> str:
        """Say in a sentence why no question should be sent here now; "" where nothing is in the way.

        Whoever asks may be a stranger: what exactly is wrong is for the log.
        """
        if self._stopping:
            return "The server is stopping."
        if not self._warmed.is_set():
            return "The server is loading what the first question needs."
        try:
            _ = self.kb.kb.complete, self.kb.kb.retriever, self.kb.runs(1)
            check_server()
        except Exception as error:
            _log.warning("not ready: %s: %s", type(error).__name__, error)
            return "The knowledge base, its runs or its Chroma server cannot be read; the server's log says which."
        return ""

    def stop(self) -> None:
        """Let everything under way end at its next step; may be called from a signal handler."""
        self._stopping = True
        self.asks.stop()
        self._jobs.stop()

    def close(self) -> None:
        """End what is under way and wait for it; traces are kept."""
        self.stop()
        self._warmed.wait()
        self.asks.close()
        self._jobs.close()


def _service(request: Request) -> Service:
    served: Service = request.app.state.service
    return served.seen_by(request.scope[READER])


def _whole(request: Request) -> Service:
    served: Service = request.app.state.service
    return served


Whole = Annotated[Service, Depends(_whole)]
"""The service, for what tells nothing of documents and is asked without a token."""
Served = Annotated[Service, Depends(_service)]
"""The parameter by which a router's function is handed the service."""
