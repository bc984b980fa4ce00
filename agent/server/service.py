"""What the routers share: the knowledge base, the runs under way, the limits."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Request

from .asking import Asks
from .limits import Limits

if TYPE_CHECKING:
    from ..facade import MultiCube

__all__ = ["Served", "Service"]


class Service:
    """One knowledge base being served."""

    def __init__(self, kb: MultiCube, limits: Limits) -> None:
        self.kb = kb
        self.limits = limits
        self.asks = Asks(limits)

    def warm(self) -> None:
        """Load in the background what the first question needs, so that it need not wait for it."""
        threading.Thread(target=self._load, name="warm", daemon=True).start()

    def _load(self) -> None:
        with suppress(Exception):  # whatever it is, the first question says what is wrong
            _ = self.kb.graph, self.kb.reasoner, self.kb.kb.retriever

    def close(self) -> None:
        """End the runs under way; their traces are kept."""
        self.asks.close()


def _service(request: Request) -> Service:
    served: Service = request.app.state.service
    return served


Served = Annotated[Service, Depends(_service)]
"""The parameter by which a router's function is handed the service."""
