"""What the routers share: the knowledge base, the runs under way, the limits."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, TypeVar, cast

from fastapi import Depends, Request

from ...cubes.store.vectors import check_server
from .jobs import IngestJobs
from .limits import Limits
from .run_threads import RunPool

if TYPE_CHECKING:
    from ...cubes.knowledge.base import KnowledgeBase
    from ..app.facade import MultiCube

__all__ = ["Served", "Service"]

_log = logging.getLogger("multicube.server")
Made = TypeVar("Made")
_KEPT = 16


class Service:
    """One knowledge base being served."""

    def __init__(self, kb: MultiCube, limits: Limits) -> None:
        self.kb = kb
        self.limits = limits
        self.asks = RunPool(limits)
        self.jobs = IngestJobs(kb, limits.jobs, limits.uploads)
        self._made: OrderedDict[Hashable, object] = OrderedDict()
        self._lock = threading.Lock()
        self._warmed = threading.Event()
        self._stopping = False

    @property
    def fresh(self) -> KnowledgeBase:
        """The knowledge base as it is now, whoever wrote it."""
        self.kb.kb.refresh()
        return self.kb.kb

    def kept(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return what was made under a key before, or make it; the least recently used are let go."""
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
        self.jobs.stop()

    def close(self) -> None:
        """End what is under way and wait for it; traces are kept."""
        self.stop()
        self._warmed.wait()
        self.asks.close()
        self.jobs.close()


def _service(request: Request) -> Service:
    served: Service = request.app.state.service
    return served


Served = Annotated[Service, Depends(_service)]
"""The parameter by which a router's function is handed the service."""
