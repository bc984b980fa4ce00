"""Vectors from an endpoint: what is asked, what is made of what comes, and what is said where nothing good comes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from modelserver import Fault, ModelRequest, ModelServer
from modelserver.faults import error_body
from modelserver.wire import embeddings
from multicube import MultiCube
from multicube.agent.cli import app
from multicube.agent.engines.encoders.endpoint import BATCH_TEXTS, EndpointEncoder
from multicube.agent.engines.encoders.factory import encoder_factory
from multicube.agent.engines.llm import Limiter, Retry
from multicube.agent.engines.llm.errors import (
    AuthError,
    RateLimitError,
    ReplyError,
    UnknownModelError,
    UnreachableError,
)
from multicube.cubes.core.errors import EncoderMismatchError, UsageError
from typer.testing import CliRunner

TEXTS = ["Who directed the film?", "The director of the movie was Maria Novak.", "Photosynthesis makes sugar."]


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_BASE"):
        monkeypatch.delenv(name, raising=False)


class Time:
    """A clock that only moves when somebody sleeps."""

    def __init__(self) -> None:
        self.now, self.naps = 0.0, []  # type: ignore[var-annotated]

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.naps.append(seconds)


@pytest.fixture
def waiting() -> Time:
    return Time()


@pytest.fixture
def serve() -> Iterator[Callable[..., ModelServer]]:
    started: list[ModelServer] = []

    def start(**options: Any) -> ModelServer:
        started.append(ModelServer(lambda _: "", **options).__enter__())
        return started[-1]

    yield start
    for server in started:
        server.close()


@pytest.fixture
def encoder_of(waiting: Time) -> Callable[..., EndpointEncoder]:
    def make(server: ModelServer, name: str = "embedder", patience: float = 60.0) -> EndpointEncoder:
        retry = Retry(patience, clock=lambda: waiting.now, sleep=waiting.sleep, chance=lambda: 1.0)
        limiter = Limiter(clock=lambda: waiting.now, sleep=waiting.sleep)
        return EndpointEncoder(f"{server.url}#{name}", retry=retry, limiter=limiter)

    return make


def first(*faults: Fault) -> Callable[[ModelRequest, int], Any]:
    """Embed, but let faults befall the first requests."""
    waiting = list(faults)
    return lambda request, size: waiting.pop(0) if waiting else embeddings(request, size)


def inputs(server: ModelServer) -> list[list[str]]:
    return [list(request.body["input"]) for request in server.requests]


def test_vectors_have_length_one_and_stand_in_the_order_of_their_texts(
    serve: Callable[..., ModelServer], encoder_of: Callable[..., EndpointEncoder]
) -> None:
    def backwards(request: ModelRequest, size: int) -> dict[str, Any]:
        body = embeddings(request, size)
        return {**body, "data": body["data"][::-1]}

    expected = encoder_of(serve()).encode(TEXTS)
    vectors = encoder_of(serve(embedder=backwards)).encode(TEXTS)
    assert (vectors.shape, vectors.dtype) == ((3, 64), np.float32)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(3), abs=1e-5)
    assert np.array_equal(vectors, expected)


def test_many_texts_go_in_batches_and_come_back_in_order(
    serve: Callable[..., ModelServer], encoder_of: Callable[..., EndpointEncoder]
) -> None:
    server = serve()
    encoder = encoder_of(server)
    texts = [f"text number {n}" for n in range(2 * BATCH_TEXTS + 5)]
    vectors = encoder.encode(texts)
    assert sorted(map(len, inputs(server))) == [5, BATCH_TEXTS, BATCH_TEXTS]
    assert np.array_equal(vectors[BATCH_TEXTS + 3], encoder.encode([texts[BATCH_TEXTS + 3]])[0])
    assert encoder.ledger.total.requests == 4
    assert encoder.ledger.total.input_tokens == server.usage[0]


def test_long_texts_make_small_batches(
    serve: Callable[..., ModelServer], encoder_of: Callable[..., EndpointEncoder]
) -> None:
    server = serve()
    encoder_of(server).encode(["word " * 10_000] * 4)  # over 12,000 tokens each
    assert [len(batch) for batch in inputs(server)] == [1, 1, 1, 1]


def test_the_fingerprint_names_host_model_and_length_but_no_key(
    serve: Callable[..., ModelServer],
    encoder_of: Callable[..., EndpointEncoder],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MULTICUBE_API_KEY", "sk-secret-123456")
    server = serve(api_key="sk-secret-123456", vector_size=48)
    encoder = encoder_of(server, "small")
    host = server.url.removeprefix("http://").removesuffix("/v1")
    assert encoder.fingerprint == f"endpoint:{host}#small/48"
    assert encoder.dimensions == 48
    assert len(server.requests) == 1  # found out once
    assert encoder.encode([]).shape == (0, 48)


def test_blank_texts_are_sent_as_something_that_endpoints_take(
    serve: Callable[..., ModelServer], encoder_of: Callable[..., EndpointEncoder]
) -> None:
    server = serve()
    vectors = encoder_of(server).encode(["", "  ", "a film"])
    assert all(text.strip() for text in inputs(server)[0])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(3), abs=1e-5)


def test_busy_endpoints_are_waited_for_as_long_as_they_say(
    serve: Callable[..., ModelServer], encoder_of: Callable[..., EndpointEncoder], waiting: Time
) -> None:
    server = serve(embedder=first(Fault.of_status(429, retry_after=7), Fault.of_status(500)))
    encoder = encoder_of(server)
    assert encoder.encode(TEXTS).shape == (3, 64)
    assert len(server.requests) == 3
    assert sum(waiting.naps) >= 7
    assert (encoder.ledger.total.requests, encoder.ledger.total.failed) == (3, 2)


@pytest.mark.parametrize(
    ("fault", "error"),
    [(Fault.of_status(429), RateLimitError), (Fault.of_status(500), UnreachableError),
     (Fault.of_status(401), AuthError),
     (Fault.of_status(404), UnknownModelError)],
    ids=lambda value: getattr(value, "name", ""),
)  # fmt: skip
def test_what_does_not_pass_ends_as_one_plain_sentence(
    fault: Fault,
    error: type[Exception],
    serve: Callable[..., ModelServer],
    encoder_of: Callable[..., EndpointEncoder],
    waiting: Time,
) -> None:
    server = serve(embedder=lambda _request, _size: fault)
    with pytest.raises(error, match=rf"{server.url}#embedder answered {fault.status}"):
        encoder_of(server).encode(TEXTS)
    assert waiting.now <= 60


def test_a_wrong_number_of_vectors_is_refused(
    serve: Callable[..., ModelServer], encoder_of: Callable[..., EndpointEncoder]
) -> None:
    def fewer(request: ModelRequest, size: int) -> dict[str, Any]:
        body = embeddings(request, size)
        return {**body, "data": body["data"][:-1]}

    with pytest.raises(ReplyError, match="sent 2 vectors for 3 texts"):
        encoder_of(serve(embedder=fewer)).encode(TEXTS)


def test_vectors_that_change_their_length_are_refused(
    serve: Callable[..., ModelServer], encoder_of: Callable[..., EndpointEncoder]
) -> None:
    sizes = iter([32, 48])
    encoder = encoder_of(serve(embedder=lambda request, _: embeddings(request, next(sizes))))
    encoder.encode(TEXTS)
    with pytest.raises(ReplyError, match="48 numbers now and of 32 before"):
        encoder.encode(TEXTS[:2])


@pytest.mark.parametrize("number", [0.0, float("nan")])
def test_vectors_without_a_direction_are_refused(
    number: float, serve: Callable[..., ModelServer], encoder_of: Callable[..., EndpointEncoder]
) -> None:
    def empty(request: ModelRequest, size: int) -> dict[str, Any]:
        body = embeddings(request, size)
        return {**body, "data": [{**item, "embedding": [number] * 4} for item in body["data"]]}

    with pytest.raises(ReplyError, match="without a direction"):
        encoder_of(serve(embedder=empty)).encode(TEXTS)


def test_an_answer_that_holds_no_vectors_is_said_so(
    serve: Callable[..., ModelServer], encoder_of: Callable[..., EndpointEncoder]
) -> None:
    server = serve(embedder=lambda _request, _size: {"hello": "world", "usage": {"prompt_tokens": 0}})
    with pytest.raises(ReplyError, match="holds no vectors"):
        encoder_of(server).encode(TEXTS)


def test_batches_that_are_too_large_are_halved_and_long_texts_shortened(
    serve: Callable[..., ModelServer], encoder_of: Callable[..., EndpointEncoder]
) -> None:
    def small(request: ModelRequest, size: int) -> Any:
        asked = request.body["input"]
        if len(asked) > 4:
            return Fault("status", 422, {}, error_body(f"batch size {len(asked)} > maximum allowed batch size 4"))
        return Fault.context_length() if any(len(text) > 500 for text in asked) else embeddings(request, size)

    texts = [f"text {n}" for n in range(9)] + ["word " * 1000]
    server = serve(embedder=small)
    vectors = encoder_of(server).encode(texts)
    assert vectors.shape == (10, 64)
    assert np.array_equal(vectors[8], encoder_of(serve()).encode(["text 8"])[0])


def test_an_endpoint_that_only_knows_plain_numbers_is_asked_for_them(
    serve: Callable[..., ModelServer], encoder_of: Callable[..., EndpointEncoder]
) -> None:
    def plain(request: ModelRequest, size: int) -> Any:
        if request.body.get("encoding_format") != "float":
            return Fault("status", 400, {}, error_body("encoding_format 'base64' is not supported"))
        return embeddings(request, size)

    server = serve(embedder=plain)
    encoder = encoder_of(server)
    encoder.encode(TEXTS)
    encoder.encode(TEXTS[:2])
    assert len(server.requests) == 3  # the refusal is remembered


@pytest.mark.parametrize("name", ["http://localhost:1/v1", "https://#model", "openai:", "http://user:key@host/v1#m"])
def test_a_name_that_cannot_be_read_is_refused(name: str) -> None:
    with pytest.raises(UsageError):
        encoder_factory(name)()


def test_openais_own_model_needs_a_key() -> None:
    with pytest.raises(AuthError, match="OPENAI_API_KEY"):
        encoder_factory("openai:text-embedding-3-small")().encode(["a text"])


def test_a_knowledge_base_keeps_its_encoder_until_it_is_embedded_anew(
    serve: Callable[..., ModelServer], tmp_path: Path
) -> None:
    (tmp_path / "film.txt").write_text("The Lamp is a 1961 film directed by Maria Novak.", encoding="utf-8")
    folder, server = tmp_path / "kb", serve()
    mine, other = f"{server.url}#mine", f"{server.url}#other"
    with MultiCube.build([tmp_path / "film.txt"], folder, encoder=mine) as kb:
        assert kb.ask("Who directed The Lamp?").answer == "Maria Novak"
    with (
        pytest.raises(EncoderMismatchError, match=rf"multicube rebuild --kb {folder} --encoder '?{other}'?"),
        MultiCube.open(folder, encoder=other) as kb,
    ):
        kb.kb.retriever.passages("Who directed the film?", k=1, mode="dense")
    done = CliRunner().invoke(app, ["rebuild", "--kb", str(folder), "--encoder", other])
    assert done.exit_code == 0, done.output
    with MultiCube.open(folder, encoder=other) as kb:
        assert kb.kb.retriever.passages("Who directed the film?", k=1, mode="dense")


def test_doctor_says_where_texts_go(serve: Callable[..., ModelServer], monkeypatch: pytest.MonkeyPatch) -> None:
    from multicube.agent.cli.egress import flows

    server = serve()
    assert not list(flows(None, "minilm"))
    assert {flow.where for flow in flows(None, f"{server.url}#mine")} == {f"{server.url} (this machine)"}
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    assert {flow.where for flow in flows(None, "openai:mine")} == {f"{server.url} (this machine)"}
