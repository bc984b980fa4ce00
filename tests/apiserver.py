"""A server on a free loopback port, in a thread of this process, and what tests ask of it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import uvicorn
from fastapi import FastAPI
from multicube import Event, MultiCube
from multicube.agent.server.app import create_app
from multicube.agent.server.listener import Server, listen

CHAIN = "Where was the director of the film The Salt Lantern born?"


@dataclass
class Running:
    """A server, the knowledge base behind it, and a client of it."""

    url: str
    kb: MultiCube
    client: httpx.Client
    server: Server

    def ask(self, question: str = CHAIN, **more: Any) -> dict[str, Any]:
        reply = self.client.post("/ask", json={"question": question, **more})
        assert reply.status_code == 200, reply.text
        run: dict[str, Any] = reply.json()
        return run

    def events(self, path: str, body: Any = None) -> list[tuple[str, dict[str, Any]]]:
        """Post (or get, without a body) and return the events that come."""
        method = "GET" if body is None else "POST"
        headers = {"Accept": "text/event-stream"}
        with self.client.stream(method, path, json=body, headers=headers) as reply:
            assert reply.status_code == 200, reply.read()
            assert reply.headers["content-type"].startswith("text/event-stream")
            return parsed("".join(reply.iter_text()))


def parsed(stream: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the named events of a stream; comments are left out."""
    found = []
    for block in stream.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if line and not line.startswith(":"))
        if fields:
            found.append((fields["event"], json.loads(fields["data"])))
    return found


def sentence(reply: httpx.Response, status: int, *parts: str) -> None:
    """Check that a reply is a refusal in one sentence that says this."""
    assert reply.status_code == status, reply.text
    message = reply.json()["error"]["message"]
    assert message
    assert "\n" not in message
    assert "Traceback" not in message
    for part in parts:
        assert part in message


class Halting(MultiCube):
    """Waits behind the first hop of every run, as a slow model would."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.go_on = threading.Event()
        self.halted = threading.Event()

    def stream(self, *args: Any, **options: Any) -> Iterator[Event]:
        events = super().stream(*args, **options)
        for event in events:
            if event.kind == "answered":
                self.halted.set()
                self.go_on.wait(60)
            try:
                yield event
            except GeneratorExit:
                events.close()  # type: ignore[attr-defined]
                raise


@contextmanager
def serving(kb: MultiCube, *, host: str = "127.0.0.1", **options: Any) -> Iterator[Running]:
    """Serve a knowledge base until the end of the block."""
    app = create_app(kb, host=host, **options)
    with serving_app(app, host) as (url, server), httpx.Client(base_url=url, timeout=60) as client:
        yield Running(url, kb, client, server)


@contextmanager
def serving_app(app: FastAPI, host: str = "127.0.0.1") -> Iterator[tuple[str, Server]]:
    """Serve an application until the end of the block; yields its address."""
    with listen(host, 0) as bound:
        server = Server(uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=5), app.state.service)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        try:
            while not server.started:
                time.sleep(0.01)
            yield f"http://127.0.0.1:{bound.getsockname()[1]}", server
        finally:
            server.handle_exit(0, None)
            thread.join()


def wait_until(true: Callable[[], bool]) -> None:
    """Wait for something that another thread does; it is no failure to be slow."""
    for _ in range(3_000):
        if true():
            return
        time.sleep(0.01)
    raise AssertionError("it did not happen")
