"""The bodies that go over the wire: completions, chunks of a stream, embeddings, and what is refused."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .faults import error_body
from .request import ModelRequest, tokens

__all__ = ["Reply", "chunks", "completion", "embeddings", "unsupported", "unusable_schema"]

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Reply:
    """A reply before it is put on the wire: words or the arguments of a tool's call."""

    text: str
    tool: str = ""
    refusal: str = ""
    finish: str = "stop"

    @property
    def tokens(self) -> int:
        return tokens(self.text or self.refusal)

    def cut_to(self, limit: int | None) -> Reply:
        """Stop at a limit of output tokens, as a model does."""
        if limit is None or self.tokens <= limit:
            return self
        ends = [match.end() for match in re.finditer(r"\w+|[^\w\s]", self.text)]
        return Reply(self.text[: ends[limit - 1]] if limit > 0 else "", self.tool, self.refusal, "length")


def completion(request: ModelRequest, reply: Reply) -> dict[str, Any]:
    """A chat completion as one body."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.text, "refusal": reply.refusal or None}
    if reply.refusal:
        message["content"] = None
    elif reply.tool:
        message |= {"content": None, "tool_calls": [_call(request, reply.tool, reply.text)]}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": reply.finish}
    return {**_head(request, "chat.completion"), "choices": [choice], "usage": usage(request, reply)}


def chunks(request: ModelRequest, reply: Reply, size: int = 12) -> Iterator[dict[str, Any]]:
    """A chat completion as the chunks of a stream; the last holds the usage, where it was asked for."""
    head = _head(request, "chat.completion.chunk")
    wants_usage = bool((request.body.get("stream_options") or {}).get("include_usage"))
    if wants_usage:
        head["usage"] = None
    yield head | {"choices": [_delta({"role": "assistant", "content": None if reply.tool else ""})]}
    if reply.refusal:
        yield head | {"choices": [_delta({"refusal": reply.refusal})]}
    elif reply.tool:
        yield head | {"choices": [_delta({"tool_calls": [{"index": 0, **_call(request, reply.tool, "")}]})]}
        for piece in _pieces(reply.text, size):
            call = {"index": 0, "function": {"arguments": piece}}
            yield head | {"choices": [_delta({"tool_calls": [call]})]}
    else:
        for piece in _pieces(reply.text, size):
            yield head | {"choices": [_delta({"content": piece})]}
    yield head | {"choices": [_delta({}, reply.finish)]}
    if wants_usage:
        yield head | {"choices": [], "usage": usage(request, reply)}


def usage(request: ModelRequest, reply: Reply) -> dict[str, int]:
    """What a reply is charged for."""
    asked = request.prompt_tokens
    return {"prompt_tokens": asked, "completion_tokens": reply.tokens, "total_tokens": asked + reply.tokens}


def embeddings(request: ModelRequest, size: int) -> dict[str, Any]:
    """Vectors of the inputs (texts, or lists of token numbers), in the encoding asked for."""
    asked = request.body.get("input", "")
    inputs = asked if isinstance(asked, list) and not all(isinstance(item, int) for item in asked) else [asked]
    words = [_words(item) for item in inputs]
    size = int(request.body.get("dimensions") or size)
    as_bytes = request.body.get("encoding_format") == "base64"
    data = [
        {"object": "embedding", "index": index, "embedding": _encode(_vector(item, size), as_bytes)}
        for index, item in enumerate(words)
    ]
    spent = sum(map(len, words))
    return {
        "object": "list",
        "data": data,
        "model": request.model,
        "usage": {"prompt_tokens": spent, "total_tokens": spent},
    }


def unsupported(request: ModelRequest, features: frozenset[str]) -> dict[str, Any] | None:
    """The refusal of a form of reply that this endpoint does not know, worded as such endpoints do, or None."""
    mode = request.mode
    if mode == "tools" and "tools" not in features:
        return error_body(f"{request.model} does not support tools", "api_error")
    if mode == "json_schema" and "json_schema" not in features:
        said = "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."
        return error_body(said, param="response_format")
    if mode == "schema_object" and "schema_object" not in features:
        said = "1 validation error: body.response_format.schema: Extra inputs are not permitted"
        return error_body(said, param="response_format")
    if mode == "json_mode" and "json_mode" not in features:
        return error_body("'response_format.type' must be 'text'", param="response_format")
    if mode == "json_mode" and "json" not in request.text.lower():
        said = "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."
        return error_body(said, param="messages")
    return unusable_schema(request)


def unusable_schema(request: ModelRequest) -> dict[str, Any] | None:
    """The refusal of a schema that strict mode does not take, or None."""
    if request.mode == "json_schema":
        asked, where = request.body["response_format"]["json_schema"], "response_format"
    elif request.mode == "tools" and request.tool:
        asked, where = request.tool, "function"
    else:
        return None
    name, schema = asked.get("name", ""), asked.get("schema") or asked.get("parameters") or {}
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", str(name)):
        return error_body(f"Invalid '{where}.name': string does not match pattern.", param=f"{where}.name")
    if not asked.get("strict"):
        return None
    for path, part in _schemas(schema, ()):
        context = f"Invalid schema for {where} '{name}': In context={path!r}, "
        if part.get("additionalProperties") is not False:
            said = "'additionalProperties' is required to be supplied and to be false."
            return error_body(context + said, param=where)
        if set(part.get("required", ())) != set(part.get("properties", {})):
            said = "'required' is required to be supplied and to be an array including every key in properties."
            return error_body(context + said, param=where)
    return None


def _schemas(schema: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any]]]:
    """Yield the object schemas within a schema."""
    if isinstance(schema, Mapping):
        if schema.get("type") == "object":
            yield path, schema
        for key, part in schema.items():
            yield from _schemas(part, (*path, str(key)))
    elif isinstance(schema, list):
        for part in schema:
            yield from _schemas(part, path)


def _head(request: ModelRequest, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{request.number}", "object": kind, "created": 1_700_000_000, "model": request.model}


def _call(request: ModelRequest, name: str, arguments: str) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"id": f"call_{request.number}", "type": "function", "function": function}


def _delta(delta: Mapping[str, Any], finish: str | None = None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}


def _pieces(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


def _words(item: Any) -> list[str]:
    return _WORD.findall(item.lower()) if isinstance(item, str) else [str(number) for number in item]


def _vector(words: Sequence[str], size: int) -> list[float]:
    """A bag of words, hashed: texts that share words are near."""
    vector = [0.0] * size
    for word in words:
        digest = hashlib.blake2b(word.encode(), digest_size=8).digest()
        vector[int.from_bytes(digest[:4], "little") % size] += 1.0 if digest[4] % 2 else -1.0
    norm = math.sqrt(sum(value * value for value in vector))
    return [value / norm for value in vector] if norm else [1.0, *vector[1:]]


def _encode(vector: Sequence[float], as_bytes: bool) -> list[float] | str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode() if as_bytes else list(vector)


def event(body: Mapping[str, Any] | str) -> bytes:
    """One server-sent event."""
    return f"data: {body if isinstance(body, str) else json.dumps(body)}\n\n".encode()
