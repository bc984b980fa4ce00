"""The server: HTTP on the loopback, a thread for each connection, and a record of what it was asked."""

from __future__ import annotations

import json
import os
import select
import socket
import struct
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from pydantic import BaseModel

from .faults import Fault, error_body
from .request import Exchange, ModelRequest
from .wire import Reply, chunks, completion, embeddings, event, unsupported

__all__ = ["Brain", "ModelServer"]

Brain = Callable[[ModelRequest], Any]
"""What thinks: returns the reply's text, or what JSON can be made of."""

Rule = Callable[[ModelRequest], Fault | None]

Embedder = Callable[[ModelRequest, int], Mapping[str, Any] | Fault]
"""What embeds: returns the body of a reply with vectors of a size, or the fault that befalls the request."""

ALL_FEATURES = frozenset({"json_schema", "schema_object", "tools", "json_mode"})


class ModelServer:
    """An OpenAI-compatible endpoint: ``with ModelServer(brain) as server: ... server.url``.

    ``faults`` is either a rule, asked at each chat request, or faults that befall the next ones in turn (more with
    `fail`). ``latency`` is the seconds each chat reply takes. ``features`` are the forms of reply that are known.
    ``models`` are the names that exist (None: any), ``api_key`` the key that is asked for (None: none). What goes wrong
    in the brain itself is kept in ``broken`` and raised at the end of the block. ``embedder`` embeds texts.

    ``single`` answers one request at a time, and the next one when that is done or its client has left. ``context`` is
    how many tokens fit into the model's window, ``bounded`` False ignores the most that a reply may have.
    """

    def __init__(
        self,
        brain: Brain,
        *,
        faults: Iterable[Fault | None] | Rule = (),
        latency: float = 0.0,
        features: Iterable[str] = ALL_FEATURES,
        models: Iterable[str] | None = None,
        api_key: str | None = None,
        vector_size: int = 64,
        embedder: Embedder = embeddings,
        single: bool = False,
        context: int | None = None,
        bounded: bool = True,
    ) -> None:
        self.brain = brain
        self.latency = latency
        self.features = frozenset(features)
        self.models = None if models is None else list(models)
        self.api_key = api_key
        self.vector_size = vector_size
        self.embedder = embedder
        self.context, self.bounded = context, bounded
        self.turn = threading.Semaphore(1 if single else 1_000)
        self.requests: list[ModelRequest] = []
        self.exchanges: list[Exchange] = []
        self.broken: list[Exception] = []
        self.most_at_once = 0
        self.closing = threading.Event()
        self._rule: Rule | None = faults if callable(faults) else None
        self._queue: deque[Fault | None] = deque(() if callable(faults) else faults)
        self._lock = threading.Lock()
        self._at_once = 0
        self._http = _Listener(("127.0.0.1", 0), _Handler)
        self._http.endpoint = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        if kind is None and self.broken:
            raise self.broken[0]

    def close(self) -> None:
        """Stop listening, end what hangs and drop every connection."""
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._http.drop_all()
        self._thread.join()

    @property
    def url(self) -> str:
        """The endpoint's base address."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    @property
    def chats(self) -> list[ModelRequest]:
        """The chat requests, in the order in which they came."""
        with self._lock:
            return [request for request in self.requests if request.path.endswith("/chat/completions")]

    def count(self, *, path: str = "", containing: str = "", schema: str = "", status: int | None = None) -> int:
        """How many requests there were with this path, these words, this schema's name, this status."""
        with self._lock:
            rows = [(request, None) for request in self.requests] if status is None else [
                (exchange.request, exchange.status) for exchange in self.exchanges
            ]  # fmt: skip
        return sum(
            path in request.path
            and containing in request.text
            and schema in ("", request.schema_name)
            and sent in (None, status)
            for request, sent in rows
        )

    @property
    def usage(self) -> tuple[int, int]:
        """The input and output tokens of all that was replied in full."""
        with self._lock:
            done = list(self.exchanges)
        return sum(e.prompt_tokens for e in done), sum(e.completion_tokens for e in done)

    def fail(self, *faults: Fault | None) -> None:
        """Let faults befall the next chat requests, one each; None lets one pass."""
        with self._lock:
            self._queue.extend(faults)

    def receive(self, method: str, path: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> ModelRequest:
        """Record a request."""
        with self._lock:
            request = ModelRequest(len(self.requests) + 1, method, path, headers, body, time.monotonic())
            self.requests.append(request)
        return request

    def done(self, exchange: Exchange) -> None:
        """Record what became of a request."""
        with self._lock:
            self.exchanges.append(exchange)

    def fault_for(self, request: ModelRequest) -> Fault | None:
        """The fault that befalls a chat request."""
        with self._lock:
            if self._queue and (self._queue[0] is None or self._queue[0].befalls(request)):
                return self._queue.popleft()
        fault = self._rule(request) if self._rule else None
        return fault if fault and fault.befalls(request) else None

    def entered(self, step: int) -> None:
        """Count the chat requests that are being answered at once."""
        with self._lock:
            self._at_once += step
            self.most_at_once = max(self.most_at_once, self._at_once)


class _Listener(ThreadingHTTPServer):
    """Knows its endpoint and its open connections; a client that went away is no event."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 256
    endpoint: ModelServer

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._open: set[socket.socket] = set()

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def drop_all(self) -> None:
        for connection in list(self._open):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A broken connection is the client's affair."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Listener

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        request = self._receive({})
        if refusal := self._refused(request):
            return self._send(request, *refusal)
        names = self.server.endpoint.models or ["stand-in"]
        listed = [{"id": name, "object": "model", "created": 0, "owned_by": "tests"} for name in names]
        if request.path.rstrip("/").endswith("/models"):
            return self._send(request, 200, {"object": "list", "data": listed})
        return self._send(request, 404, error_body(f"Invalid URL (GET {request.path})"))

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        raw = self.rfile.read(length)
        if len(raw) < length:  # the client died while sending: nothing was asked
            self.close_connection = True
            return None
        try:
            body = json.loads(raw)
        except ValueError:
            body = {}
        request = self._receive(body)
        if refusal := self._refused(request):
            return self._send(request, *refusal)
        if request.path.endswith("/chat/completions"):
            return self._chat(request)
        if request.path.endswith("/embeddings"):
            return self._embed(request)
        return self._send(request, 404, error_body(f"Invalid URL (POST {request.path})"))

    def _receive(self, body: Mapping[str, Any]) -> ModelRequest:
        headers = {name.lower(): value for name, value in self.headers.items()}
        return self.server.endpoint.receive(self.command, self.path.partition("?")[0], headers, body)

    def _refused(self, request: ModelRequest) -> tuple[int, dict[str, Any]] | None:
        """The refusal of a wrong key or of a model that does not exist, or None."""
        endpoint = self.server.endpoint
        if endpoint.api_key is not None and request.headers.get("authorization") != f"Bearer {endpoint.api_key}":
            return 401, dict(Fault.of_status(401).body)  # type: ignore[arg-type]
        if request.method == "POST" and endpoint.models is not None and request.model not in endpoint.models:
            said = f"The model `{request.model}` does not exist or you do not have access to it."
            return 404, error_body(said, code="model_not_found")
        return None

    def _chat(self, request: ModelRequest) -> None:
        with self.server.endpoint.turn:
            return self._chat_in_turn(request)

    def _chat_in_turn(self, request: ModelRequest) -> None:
        endpoint = self.server.endpoint
        endpoint.entered(+1)
        try:
            fault = endpoint.fault_for(request)
            if fault and (fault.kind == "hang" or (fault.kind == "stall" and not request.body.get("stream"))):
                return self._wait_for_leaving(request, fault)
            if endpoint.context is not None and request.prompt_tokens >= endpoint.context:
                said = "the request exceeds the available context size, try increasing it"
                return self._send(request, 400, error_body(said, "exceed_context_size_error"))
            endpoint.closing.wait(endpoint.latency)
            if fault and fault.kind == "status":
                return self._send(request, fault.status, fault.body, headers=fault.headers, fault=fault.name)
            if refusal := unsupported(request, endpoint.features):
                return self._send(request, 400, refusal)
            try:
                reply = self._reply(request, fault)
            except Exception as error:
                endpoint.broken.append(error)
                return self._send(request, 500, error_body(f"The brain failed: {error!r}", "server_error"))
            send = self._stream if request.body.get("stream") else self._whole
            return send(request, reply, fault)
        finally:
            endpoint.entered(-1)

    def _embed(self, request: ModelRequest) -> None:
        endpoint = self.server.endpoint
        vectors = endpoint.embedder(request, endpoint.vector_size)
        if isinstance(vectors, Fault):
            return self._send(request, vectors.status, vectors.body, headers=vectors.headers, fault=vectors.name)
        return self._send(request, 200, vectors, spent=(vectors["usage"]["prompt_tokens"], 0))

    def _reply(self, request: ModelRequest, fault: Fault | None) -> Reply:
        """What the brain says, in the form asked for, as the fault leaves it."""
        said = self.server.endpoint.brain(request)
        if isinstance(said, Reply):  # word for word what a model said once
            return replace(said, tool=str(request.tool["name"]) if request.mode == "tools" and request.tool else "")
        if isinstance(said, BaseModel):
            said = said.model_dump()
        text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
        tool = str(request.tool["name"]) if request.mode == "tools" and request.tool else ""
        limit = request.body.get("max_completion_tokens") or request.body.get("max_tokens")
        if fault and fault.kind == "rambling":
            text = fault.spoil(text)
        endpoint = self.server.endpoint
        room = None if endpoint.context is None else endpoint.context - request.prompt_tokens
        reply = Reply(text, tool).cut_to(limit if endpoint.bounded else None).cut_to(room)
        if fault is None or fault.kind in ("rambling", "stall"):
            return reply
        text = fault.spoil(reply.text)
        if fault.kind == "refusal" and request.mode == "json_schema":
            return Reply("", refusal=text)
        if fault.kind in ("prose", "not_json", "refusal", "language", "empty", "filtered"):
            tool = ""
        finish = {"truncated": "length", "filtered": "content_filter"}.get(fault.kind, reply.finish)
        return Reply(text, tool, finish=finish)

    def _whole(self, request: ModelRequest, reply: Reply, fault: Fault | None) -> None:
        body = completion(request, reply)
        if fault and fault.kind == "reset":
            raw = json.dumps(body).encode()
            self._head(200, {"Content-Type": "application/json", "Content-Length": str(len(raw))})
            self.wfile.write(raw[: len(raw) // 2])
            return self._drop(request, fault)
        spent = (body["usage"]["prompt_tokens"], body["usage"]["completion_tokens"])
        return self._send(request, 200, body, fault=fault.name if fault else "", spent=spent)

    def _stream(self, request: ModelRequest, reply: Reply, fault: Fault | None) -> None:
        self._head(200, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"})
        parts = list(chunks(request, reply))
        for number, part in enumerate(parts):
            if fault and fault.kind in ("reset", "stall") and number >= max(1, len(parts) // 2):
                return self._drop(request, fault) if fault.kind == "reset" else self._wait_for_leaving(request, fault)
            try:
                self._chunk(event(part))
            except OSError:
                return self._gone(request)
        self._record(request, 200, fault.name if fault else "", (request.prompt_tokens, reply.tokens))
        self._chunk(event("[DONE]"))
        self._chunk(b"")
        return None

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def _head(self, status: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def _send(
        self,
        request: ModelRequest,
        status: int,
        body: Any,
        *,
        headers: Mapping[str, str] | None = None,
        fault: str = "",
        spent: tuple[int, int] = (0, 0),
    ) -> None:
        """Send one body; what is recorded is recorded before the client can know of it."""
        raw = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        kind = "text/html" if isinstance(body, str) else "application/json"
        self._record(request, status, fault, spent)
        self._head(status, {"Content-Type": kind, "Content-Length": str(len(raw)), **(headers or {})})
        self.wfile.write(raw)

    def _record(self, request: ModelRequest, status: int, fault: str, spent: tuple[int, int]) -> None:
        self.server.endpoint.done(Exchange(request, status, fault, *spent))

    def _gone(self, request: ModelRequest, fault: str = "left") -> None:
        """The client closed the connection before its reply was whole."""
        self._record(request, 0, fault, (0, 0))
        self.close_connection = True

    def _wait_for_leaving(self, request: ModelRequest, fault: Fault) -> None:
        """Say nothing until the client leaves or the server closes."""
        while not self.server.endpoint.closing.is_set():
            readable, _, _ = select.select([self.connection], [], [], 0.02)
            if readable and not self.connection.recv(1, socket.MSG_PEEK):
                return self._gone(request, f"{fault.name}, left")
        return self._drop(request, fault)

    def _drop(self, request: ModelRequest, fault: Fault) -> None:
        """Close the connection at once, with a reset and not in good order."""
        self._record(request, 0, fault.name, (0, 0))
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        os.close(self.connection.detach())
