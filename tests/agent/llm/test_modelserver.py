"""The endpoint that the language-model engine is tested against, seen through the real client."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import openai
import pytest
from modelserver import Fault, ModelRequest, ModelServer

ASK: Any = [{"role": "user", "content": "Reply in JSON, please."}]
SCHEMA = {
    "type": "object",
    "properties": {"question": {"type": "string"}},
    "required": ["question"],
    "additionalProperties": False,
}
AS_SCHEMA: Any = {"type": "json_schema", "json_schema": {"name": "Subquery", "strict": True, "schema": SCHEMA}}
AS_TOOL: Any = [{"type": "function", "function": {"name": "Subquery", "parameters": SCHEMA}}]
FORCED: Any = {"type": "function", "function": {"name": "Subquery"}}


def brain(request: ModelRequest) -> Any:
    return {"question": f"{request.mode} {request.schema_name}".strip()} if request.mode != "text" else "Plain words."


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(brain) as server:
        yield server


def client(server: ModelServer, **options: Any) -> openai.OpenAI:
    return openai.OpenAI(base_url=server.url, api_key="key", max_retries=0, **{"timeout": 10.0, **options})


def ask(server: ModelServer, **options: Any) -> Any:
    with client(server) as speaker:
        return speaker.chat.completions.create(model="small", messages=ASK, **options)


def test_a_plain_reply_carries_words_and_usage(server: ModelServer) -> None:
    reply = ask(server)
    assert reply.choices[0].message.content == "Plain words."
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (9, 3) == server.usage
    assert server.requests[0].path == "/v1/chat/completions"
    assert server.requests[0].headers["authorization"] == "Bearer key"
    assert server.count(containing="JSON, please", status=200) == 1


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"response_format": AS_SCHEMA}, "json_schema Subquery"),
        ({"response_format": {"type": "json_object"}}, "json_mode"),
    ],
)
def test_a_reply_has_the_form_that_was_asked_for(server: ModelServer, options: Any, expected: str) -> None:
    assert ask(server, **options).choices[0].message.content == f'{{"question": "{expected}"}}'


def test_a_forced_tool_is_called(server: ModelServer) -> None:
    call = ask(server, tools=AS_TOOL, tool_choice=FORCED).choices[0].message.tool_calls[0]
    assert (call.function.name, call.function.arguments) == ("Subquery", '{"question": "tools Subquery"}')


@pytest.mark.parametrize("usage", [True, False])
def test_a_stream_brings_pieces_and_usage_where_asked(server: ModelServer, usage: bool) -> None:
    with client(server) as speaker:
        options: Any = {"stream_options": {"include_usage": True}} if usage else {}
        parts = list(speaker.chat.completions.create(model="small", messages=ASK, stream=True, **options))
    assert "".join(part.choices[0].delta.content or "" for part in parts if part.choices) == "Plain words."
    assert parts[-1].usage.completion_tokens == 3 if usage else all(part.usage is None for part in parts)


def test_a_stream_brings_a_tool_call_in_pieces(server: ModelServer) -> None:
    with client(server) as speaker:
        parts = speaker.chat.completions.create(
            model="small", messages=ASK, stream=True, tools=AS_TOOL, tool_choice=FORCED
        )
        calls = [part.choices[0].delta.tool_calls[0] for part in parts if part.choices[0].delta.tool_calls]
    assert calls[0].function.name == "Subquery"
    assert "".join(call.function.arguments for call in calls) == '{"question": "tools Subquery"}'


def test_a_limit_of_output_tokens_cuts_the_reply(server: ModelServer) -> None:
    choice = ask(server, max_completion_tokens=2).choices[0]
    assert (choice.message.content, choice.finish_reason) == ("Plain words", "length")


@pytest.mark.parametrize("encoding", ["float", None])
def test_vectors_are_the_same_each_time_and_near_for_like_texts(server: ModelServer, encoding: Any) -> None:
    options = {"encoding_format": encoding} if encoding else {}
    texts = ["the river Amber", "a river, the Amber", "cheese"]
    with client(server) as speaker:
        first, again = (speaker.embeddings.create(model="e", input=texts, **options) for _ in range(2))
        numbers = speaker.embeddings.create(model="e", input=[[1, 2, 3]], dimensions=8)
    vectors = [item.embedding for item in first.data]
    assert vectors == [item.embedding for item in again.data]
    products = [sum(a * b for a, b in zip(vectors[0], other, strict=True)) for other in vectors[1:]]
    assert products[0] > 0.5 > products[1]
    assert len(numbers.data[0].embedding) == 8
    assert first.usage.prompt_tokens == 8


def test_models_are_listed_and_others_do_not_exist() -> None:
    with ModelServer(brain, models=["big"]) as server, client(server) as speaker:
        assert [model.id for model in speaker.models.list()] == ["big"]
        with pytest.raises(openai.NotFoundError, match="does not exist") as caught:
            ask(server)
        assert caught.value.code == "model_not_found"


def test_a_wrong_key_is_refused() -> None:
    with ModelServer(brain, api_key="another") as server, pytest.raises(openai.AuthenticationError):
        ask(server)


@pytest.mark.parametrize(
    ("features", "options", "said"),
    [
        ({"tools", "json_mode"}, {"response_format": AS_SCHEMA}, "'json_schema' is not supported"),
        ({"json_schema"}, {"tools": AS_TOOL, "tool_choice": FORCED}, "does not support tools"),
        (set(), {"response_format": {"type": "json_object"}}, "response_format.type"),
    ],
)
def test_a_form_that_is_not_known_is_refused(features: set[str], options: Any, said: str) -> None:
    with ModelServer(brain, features=features) as server, pytest.raises(openai.BadRequestError, match=said):
        ask(server, **options)


def test_a_schema_that_strict_mode_does_not_take_is_refused(server: ModelServer) -> None:
    loose: Any = {"name": "Loose", "strict": True, "schema": {"type": "object", "properties": {"a": {}}}}
    with pytest.raises(openai.BadRequestError, match="additionalProperties"):
        ask(server, response_format={"type": "json_schema", "json_schema": loose})


@pytest.mark.parametrize(
    ("fault", "error", "said"),
    [
        (Fault.of_status(401), openai.AuthenticationError, "Incorrect API key"),
        (Fault.of_status(404), openai.NotFoundError, "does not exist"),
        (Fault.of_status(429), openai.RateLimitError, "Rate limit"),
        (Fault.of_status(500), openai.InternalServerError, "had an error"),
        (Fault.of_status(503), openai.InternalServerError, "503"),
        (Fault.context_length(), openai.BadRequestError, "maximum context length"),
        (Fault.reset(), openai.APIConnectionError, "Connection error"),
    ],
)
def test_faults_befall_one_request_each(server: ModelServer, fault: Fault, error: type[Exception], said: str) -> None:
    server.fail(fault)
    with pytest.raises(error, match=said):
        ask(server)
    assert ask(server).choices[0].message.content == "Plain words."
    assert [exchange.fault for exchange in server.exchanges] == [fault.name, ""]


def test_a_429_says_how_long_to_wait_where_it_is_to(server: ModelServer) -> None:
    server.fail(Fault.of_status(429, retry_after=1.5), Fault.of_status(429))
    waits = []
    for _ in range(2):
        with pytest.raises(openai.RateLimitError) as caught:
            ask(server)
        waits.append(caught.value.response.headers.get("retry-after"))
    assert waits == ["1.5", None]


def test_a_stream_can_break_in_its_middle(server: ModelServer) -> None:
    server.fail(Fault.reset())
    seen: list[Any] = []
    with client(server) as speaker, pytest.raises(Exception):  # noqa: B017
        seen.extend(speaker.chat.completions.create(model="small", messages=ASK, stream=True))
    assert [exchange.status for exchange in server.exchanges] == [0]
    assert server.usage == (0, 0)


@pytest.mark.parametrize(
    ("fault", "content", "finish"),
    [
        (Fault.empty(), "", "stop"),
        (Fault.truncated(), '{"question": "jso', "length"),
        (Fault.prose(), 'Sure! Here is what you asked for:\n\n{"question"', "stop"),
        (Fault.fenced(), "```json\n{", "stop"),
        (Fault.not_json(), "I'm sorry", "stop"),
        (Fault.language(), "Das kann ich", "stop"),
        (Fault.wrong_schema(), '{"result"', "stop"),
        (Fault.filtered(), "", "content_filter"),
    ],
)
def test_replies_come_spoiled(server: ModelServer, fault: Fault, content: str, finish: str) -> None:
    server.fail(fault)
    choice = ask(server, response_format=AS_SCHEMA).choices[0]
    assert choice.message.content.startswith(content)
    assert choice.finish_reason == finish


def test_a_refusal_has_its_own_field_where_there_is_a_schema(server: ModelServer) -> None:
    server.fail(Fault.refusal(), Fault.refusal())
    message = ask(server, response_format=AS_SCHEMA).choices[0].message
    assert (message.content, message.refusal) == (None, "I'm sorry, but I can't assist with that request.")
    assert ask(server).choices[0].message.content == message.refusal


def test_what_hangs_ends_for_the_client_at_its_timeout_and_for_the_server_when_it_closes() -> None:
    before = threading.active_count()
    with ModelServer(brain, faults=[Fault.hang()]) as server, client(server, timeout=0.2) as speaker:
        with pytest.raises(openai.APITimeoutError):
            speaker.chat.completions.create(model="small", messages=ASK)
        assert ask(server).choices[0].message.content == "Plain words."
    for _ in range(500):
        if threading.active_count() <= before:
            break
        time.sleep(0.01)
    assert threading.active_count() <= before
    assert "hang, left" in [exchange.fault for exchange in server.exchanges]


def test_a_rule_chooses_and_the_busiest_moment_is_known() -> None:
    together = threading.Barrier(4, timeout=20)

    def slow(request: ModelRequest) -> str:
        together.wait()
        return "done"

    def rule(request: ModelRequest) -> Fault | None:
        return Fault.of_status(429) if "never" in request.text else None

    with ModelServer(slow, faults=rule) as server, ThreadPoolExecutor(4) as pool:
        assert {reply.choices[0].message.content for reply in pool.map(lambda _: ask(server), range(4))} == {"done"}
        assert server.most_at_once == 4
        with client(server) as speaker, pytest.raises(openai.RateLimitError):
            speaker.chat.completions.create(model="small", messages=[{"role": "user", "content": "never"}])
    assert len(server.chats) == 5
