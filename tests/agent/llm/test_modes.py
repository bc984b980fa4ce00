"""How a typed reply is got out of endpoints that can do much, little, or nothing towards it."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_openai import ChatOpenAI
from modelserver import Fault, ModelRequest
from multicube.agent.engines.llm import ModelClient, ModeMemory, RejectedError, ReplyCache, ReplyError
from pydantic import BaseModel

ABILITIES = [
    ({"json_schema", "tools", "json_mode"}, "json_schema", 1),
    ({"schema_object", "tools", "json_mode"}, "schema_object", 2),
    ({"tools", "json_mode"}, "tools", 3),
    ({"json_mode"}, "json_mode", 4),
    (set(), "text", 5),
]


@pytest.mark.parametrize(("features", "mode", "requests"), ABILITIES, ids=[mode for _, mode, _ in ABILITIES])
def test_the_way_that_binds_most_is_found_with_the_first_question(
    serve: Any, client: Any, ask_for: Any, colour: Any, features: set[str], mode: str, requests: int
) -> None:
    server = serve(features=features)
    asking = client(server)
    assert asking.ask("route", ask_for("grass"), colour) == colour(thing="grass", colour="blue")
    assert asking.mode == mode
    assert [request.mode for request in server.chats][-1] == mode
    assert len(server.chats) == requests
    asking.ask("route", ask_for("sea"), colour)
    assert len(server.chats) == requests + 1
    assert (asking.ledger.total.input_tokens, asking.ledger.total.output_tokens) == server.usage


@pytest.mark.parametrize(("features", "mode", "requests"), ABILITIES, ids=[mode for _, mode, _ in ABILITIES])
def test_a_preflight_finds_it_without_a_question(
    serve: Any, client: Any, features: set[str], mode: str, requests: int
) -> None:
    server = serve(features=features)
    asking = client(server)
    found = asking.preflight()
    assert (found.mode, found.usage_reported) == (mode, True)
    assert asking.ledger.by_stage()["preflight"].requests == requests


def test_what_was_found_is_remembered_on_disk(
    serve: Any, client: Any, ask_for: Any, colour: Any, tmp_path: Path
) -> None:
    server = serve(features={"tools"})
    client(server, modes=ModeMemory(tmp_path / "modes.json")).preflight()
    server.requests.clear()
    client(server, modes=ModeMemory(tmp_path / "modes.json")).ask("route", ask_for(), colour)
    assert [request.mode for request in server.chats] == ["tools"]


@pytest.mark.parametrize("content", ["", "{", "[]", '{"a b": "telepathy"}'])
def test_a_memory_that_cannot_be_read_is_made_anew(
    serve: Any, client: Any, ask_for: Any, colour: Any, tmp_path: Path, content: str
) -> None:
    file = tmp_path / "modes.json"
    file.write_text(content)
    asking = client(serve(), modes=ModeMemory(file))
    assert asking.ask("route", ask_for(), colour)
    assert list(json.loads(file.read_text()).values()) == ["json_schema"]


def test_an_endpoint_that_lost_an_ability_is_found_out_anew(serve: Any, client: Any, ask_for: Any, colour: Any) -> None:
    server = serve()
    asking = client(server)
    asking.preflight()
    server.features = frozenset({"json_mode"})
    assert asking.ask("route", ask_for(), colour).colour == "blue"
    assert asking.mode == "json_mode"


def test_a_reply_that_stays_unusable_puts_the_way_in_question(
    serve: Any, client: Any, ask_for: Any, colour: Any
) -> None:
    server = serve()
    asking = client(server)
    asking.preflight()
    server.fail(Fault.not_json(), Fault.not_json())
    with pytest.raises(ReplyError):
        asking.ask("route", ask_for(), colour)
    assert asking.mode is None
    assert asking.ask("route", ask_for(), colour)
    assert asking.mode == "json_schema"


def test_an_endpoint_that_ignores_the_form_is_told_it_in_words(
    serve: Any, client: Any, ask_for: Any, colour: Any
) -> None:
    def deaf(request: ModelRequest) -> Any:
        return {"thing": "sky", "colour": "blue"} if "JSON schema" in request.text else "It is blue, I think."

    server = serve(deaf)
    asking = client(server)
    assert asking.ask("route", ask_for(), colour).colour == "blue"
    assert asking.mode == "json_mode"


def test_many_first_questions_find_it_out_once(serve: Any, client: Any, ask_for: Any, colour: Any) -> None:
    server = serve(features={"json_mode"})
    asking = client(server)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: asking.ask("route", ask_for(f"thing{number}"), colour), range(8)))
    assert server.count(status=400) == 3
    assert len(server.chats) == 11


def test_an_endpoint_that_takes_nothing_says_so(serve: Any, client: Any, ask_for: Any, colour: Any) -> None:
    server = serve(faults=lambda request: Fault("status", 400, {}, {"error": {"message": "no"}}))
    with pytest.raises(RejectedError):
        client(server).ask("route", ask_for(), colour)
    assert len(server.chats) == 5


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (500, "tools param requires --jinja flag"),
        (404, "No endpoints found that support tool use."),
        (400, '"auto" tool choice requires --enable-auto-tool-choice'),
    ],
)
def test_a_missing_ability_is_known_in_other_words(
    serve: Any, client: Any, ask_for: Any, colour: Any, status: int, words: str
) -> None:
    refused = Fault("status", status, {}, {"error": {"message": words}})
    server = serve(features={"json_mode", "tools"}, faults=lambda request: refused if request.mode == "tools" else None)
    asking = client(server)
    assert asking.ask("route", ask_for(), colour)
    assert asking.mode == "json_mode"


@pytest.mark.parametrize(
    "words", ["Unsupported value: 'temperature' does not support 0.0 with this model.", "unknown field stream_options"]
)
def test_a_setting_that_is_refused_is_left_out(serve: Any, client: Any, ask_for: Any, words: str) -> None:
    name = "temperature" if "temperature" in words else "stream_options"
    refused = Fault("status", 400, {}, {"error": {"message": words}})
    server = serve(faults=lambda request: refused if name in request.body else None)
    asking = client(server)
    shown: list[str] = []
    assert asking.text("report", ask_for(), shown.append) == "".join(shown)
    assert len(server.chats) == 2
    assert asking.text("report", ask_for("sea"), shown.append)
    assert len(server.chats) == 3


def test_the_messages_are_the_prompts_in_order(serve: Any, client: Any, ask_for: Any, colour: Any) -> None:
    server = serve()
    client(server, key=None).ask("route", ask_for("sky"), colour)
    request = server.chats[0]
    assert request.messages == [("system", "You name colours."), ("user", ask_for("sky").user)]
    assert request.body["temperature"] == 0
    assert request.schema_name == "Colour"
    assert "max_retries" not in request.body


def test_thoughts_before_a_reply_are_not_part_of_it(
    serve: Any, client: Any, ask_for: Any, colour: Any, tmp_path: Path
) -> None:
    def thinker(request: ModelRequest) -> str:
        reply = '{"thing": "sky", "colour": "blue"}' if request.schema else "Blue."
        return f'<think>Maybe {{"thing": "sky", "colour": "red"}}?</think>\n{reply}'

    server = serve(thinker, features=())
    asking = client(server, cache=ReplyCache(tmp_path / "cache.sqlite"))
    for _ in range(2):
        assert asking.ask("route", ask_for(), colour).colour == "blue"
        assert asking.text("report", ask_for()) == "Blue."
    assert asking.ledger.total.cached == 2


def test_two_replies_in_one_are_none(serve: Any, client: Any, ask_for: Any, colour: Any) -> None:
    both = '{"thing": "sky", "colour": "blue"} or {"thing": "sky", "colour": "red"}'
    with pytest.raises(ReplyError, match="more than one"):
        client(serve(lambda request: both, features=())).ask("route", ask_for(), colour)


class Loose(BaseModel):
    """Facts by name."""

    facts: dict[str, str]
    note: str | None = None


def test_a_form_with_free_keys_is_asked_for_without_enforcing(serve: Any, client: Any, ask_for: Any) -> None:
    server = serve(lambda request: {"facts": {"a": "b"}, "note": None})
    assert client(server).ask("extract", ask_for(), Loose).facts == {"a": "b"}
    assert server.chats[0].body["response_format"]["json_schema"]["strict"] is False


def test_a_model_of_langchain_is_asked_without_tries_of_its_own(
    serve: Any, client: Any, ask_for: Any, colour: Any
) -> None:
    server = serve()
    chat = ChatOpenAI(model="theirs", base_url=server.url, api_key="key", max_retries=5, temperature=0.7)
    asking = client(server, model=chat)
    server.fail(*[Fault.of_status(500)] * 2)
    assert asking.ask("route", ask_for(), colour).colour == "blue"
    assert (asking.ledger.total.requests, asking.ledger.total.failed) == (3, 2)
    assert len(server.chats) == 3
    assert server.chats[0].body["temperature"] == 0.7
    assert (asking.model, asking.endpoint) == ("theirs", server.url)


def canned(*replies: str) -> GenericFakeChatModel:
    return GenericFakeChatModel(messages=iter([AIMessage(reply) for reply in replies]))


def test_any_model_of_langchain_is_asked_as_it_can_be(ask_for: Any, colour: Any) -> None:
    asking = ModelClient(canned('Well: {"thing": "sky", "colour": "blue"}', "It is blue.", "One two"))
    assert asking.ask("route", ask_for(), colour).colour == "blue"
    assert asking.mode == "text"
    assert asking.text("report", ask_for()) == "It is blue."
    shown: list[str] = []
    assert asking.text("report", ask_for(), shown.append) == "".join(shown) == "One two"
    spent = asking.ledger.total
    assert (spent.requests, spent.estimated, spent.cost_usd) == (3, 3, None)
    assert spent.tokens > 0


def test_any_model_of_langchain_is_corrected_once(ask_for: Any, colour: Any, tmp_path: Path) -> None:
    asking = ModelClient(canned("no", '{"thing": "sky", "colour": "blue"}'), cache=ReplyCache(tmp_path / "c.sqlite"))
    assert asking.ask("route", ask_for(), colour).colour == "blue"
    assert asking.ledger.total.failed == 1
