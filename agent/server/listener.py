"""Listening on an address and serving there until someone ends it."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Protocol

import uvicorn
from uvicorn.config import LOGGING_CONFIG

from ...cubes.core.errors import UsageError
from .app import create_app
from .limits import Limits

if TYPE_CHECKING:
    from fastapi import FastAPI

    from ..app.facade import MultiCube

__all__ = ["Server", "listen", "run", "run_app"]

_GRACE_S = 10
"""How long the end waits for responses under way."""


@contextmanager
def listen(host: str, port: int) -> Iterator[socket.socket]:
    """Bind an address before anything is loaded; raises UsageError where that is not possible."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise UsageError(f"'{host}' is no address of this machine ({why}).") from error
    with closing(bound):
        try:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind(address)
            bound.listen(2048)
        except OSError as error:
            raise UsageError(
                f"{host}:{port} cannot be listened on ({error.strerror or error}); "
                "choose another with --host or --port."
            ) from error
        yield bound


class Stoppable(Protocol):
    """What is served."""

    def stop(self) -> None:
        """Let everything under way end at its next step; may be called from a signal handler."""
        ...


class Server(uvicorn.Server):
    """Ends what is under way when it is told to end, so that nobody waits for a run to come to its own end."""

    def __init__(self, config: uvicorn.Config, service: Stoppable) -> None:
        super().__init__(config)
        self._service = service

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 (uvicorn's signature)
        """Take a signal: runs stop at their next step and are kept; a second Ctrl-C waits for nothing.

        The signal is not raised again afterwards, as uvicorn would: the end is an orderly one. A step that hangs on a
        model would hold even a forced end, as its thread is waited for; what its run has found is on the disk already.
        """
        if self.should_exit and sig == signal.SIGINT:
            os._exit(128 + signal.SIGINT)
        self._service.stop()
        self.should_exit = True


def run(
    kb: MultiCube,
    bound: socket.socket,
    *,
    host: str,
    token: str | None,
    when_warm: Callable[[], None] = lambda: None,
    own_log: bool = True,
    log_questions: bool = False,
    limits: Limits | None = None,
) -> None:
    """Serve a knowledge base on a socket that is bound, until SIGINT or SIGTERM.

    Until what the first question needs is loaded, GET /ready says so; ``when_warm`` is called then. ``own_log``
    lets uvicorn write its warnings itself; without it they go where the process writes its log.
    """
    app = create_app(kb, token=token, host=host, limits=limits, when_warm=when_warm, log_questions=log_questions)
    run_app(app, bound, own_log=own_log)


def run_app(app: FastAPI, bound: socket.socket, *, own_log: bool = True) -> None:
    """Serve an application, whose ``state.service`` ends what is under way, on a socket that is bound."""
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=_GRACE_S,
        log_config=LOGGING_CONFIG if own_log else None,
    )  # fmt: skip
    Server(config, app.state.service).run(sockets=[bound])
