"""A model behind a real endpoint, asked by a client whose waiting takes no time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from modelserver import ModelRequest, ModelServer
from multicube.agent.engines.llm import Limiter, ModelClient, ModelSpec, Retry
from multicube.prompts import Rendered
from pydantic import BaseModel, Field


class Colour(BaseModel):
    """The colour of a thing."""

    thing: str
    colour: str = Field(description="one word")


class Time:
    """A clock that only moves when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.naps: list[float] = []
        self._lock = threading.Lock()

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        with self._lock:
            self.now += seconds
            self.naps.append(seconds)


def brain(request: ModelRequest) -> Any:
    """Names the colour of the thing asked about; the preflight gets its word, and a question in words gets words."""
    if request.schema_name == "Ready":
        return {"ready": True}
    thing = request.messages[-1][1].split("?")[0].split()[-1] if len(request.messages) < 3 else "sky"
    if request.schema is None:
        return f"The {thing} is blue, as everybody can see who looks up."
    return {"thing": thing, "colour": "blue"}


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys and endpoints of the person running the tests do not reach them."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_BASE", "OPENAI_PROXY", "LANGSMITH_TRACING"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def colour() -> type[Colour]:
    return Colour


@pytest.fixture
def ask_for() -> Callable[..., Rendered]:
    """A prompt about one thing."""

    def prompt(thing: str = "sky", system: str = "You name colours.") -> Rendered:
        return Rendered("colour", "1-test", system, f"What colour has the {thing}? Say what you know.")

    return prompt


@pytest.fixture
def waiting() -> Time:
    return Time()


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(brain) as server:
        yield server


@pytest.fixture
def serve() -> Iterator[Callable[..., ModelServer]]:
    """Start further servers, with other features or another brain."""
    started: list[ModelServer] = []

    def start(brain: Any = brain, **options: Any) -> ModelServer:
        server = ModelServer(brain, **options)
        started.append(server.__enter__())
        return server

    yield start
    for server in started:
        server.close()


@pytest.fixture
def client(waiting: Time) -> Callable[..., ModelClient]:
    """Make a client of a server."""

    def make(server: ModelServer, *, patience: float = 240.0, name: str = "stand-in", **options: Any) -> ModelClient:
        timeout = options.pop("timeout", 20.0)
        spec = options.pop("model", None) or ModelSpec(name, server.url, options.pop("key", None), timeout_s=timeout)
        retry = Retry(patience, clock=waiting.clock, sleep=waiting.sleep, chance=lambda: 1.0)
        limiter = options.pop("limiter", None) or Limiter(clock=waiting.clock, sleep=waiting.sleep)
        return ModelClient(spec, retry=retry, limiter=limiter, **options)

    return make
