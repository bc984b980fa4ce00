"""A reply has a bound: it is sent, it is kept, and a reply that was cut is understood for what it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from modelserver import Fault, ModelRequest
from multicube.agent.engines.llm import ContextLengthError, ModelSpec, TruncatedReplyError


@pytest.fixture
def bounded(ask_for: Any) -> Any:
    """A prompt about one thing whose reply needs at most 40 tokens."""
    return lambda thing="sky": replace(ask_for(thing), max_tokens=40)


def test_the_bound_is_sent_under_the_name_that_servers_of_ones_own_know(
    serve: Any, client: Any, bounded: Any, colour: Any
) -> None:
    server = serve()
    asking = client(server)
    asking.ask("route", bounded(), colour)
    asking.text("report", bounded())
    assert [request.body["max_tokens"] for request in server.chats] == [40, 40]
    assert not any("max_completion_tokens" in request.body for request in server.chats)


def test_the_smaller_of_two_bounds_is_sent(serve: Any, client: Any, bounded: Any) -> None:
    server = serve()
    client(server, model=ModelSpec("stand-in", server.url, max_output=25)).text("report", bounded())
    assert server.chats[0].body["max_tokens"] == 25


def test_an_endpoint_that_knows_only_the_new_name_is_told_by_it(serve: Any, client: Any, bounded: Any) -> None:
    words = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    refused = Fault("status", 400, {}, {"error": {"message": words}})
    server = serve(faults=lambda request: refused if "max_tokens" in request.body else None)
    asking = client(server)
    asking.text("report", bounded())
    asking.text("report", bounded("sea"))
    assert [request.body.get("max_completion_tokens") for request in server.chats] == [None, 40, 40]


@pytest.mark.parametrize(
    "words",
    [
        "max_tokens is too large: 40. This model supports at most 16 completion tokens, whereas you provided 40.",
        "This model's maximum context length is 64 tokens. However, you requested 90 tokens (50 in the messages, 40 in "
        "the completion). Please reduce the length of the messages or completion.",
    ],
)
def test_a_bound_that_the_window_has_no_room_for_is_left_to_the_window(
    serve: Any, client: Any, bounded: Any, words: str
) -> None:
    refused = Fault("status", 400, {}, {"error": {"message": words, "code": 400}})
    server = serve(faults=lambda request: refused if "max_tokens" in request.body else None)
    assert client(server).text("report", bounded())
    assert ["max_tokens" in request.body for request in server.chats] == [True, False]


@pytest.mark.parametrize("typed", [True, False])
def test_rambling_ends_at_the_bound_and_is_not_asked_for_again(
    serve: Any, client: Any, bounded: Any, colour: Any, typed: bool
) -> None:
    server = serve()
    asking = client(server)
    asking.preflight()
    server.requests.clear()
    server.fail(Fault.rambling())
    run = asking.for_run()
    with pytest.raises(TruncatedReplyError, match="cut off"):
        run.ask("route", bounded(), colour) if typed else run.text("report", bounded())
    assert len(server.chats) == 1
    assert (run.ledger.total.output_tokens, run.ledger.total.failed) == (40, 1)


@pytest.mark.parametrize("typed", [True, False])
def test_a_server_that_heeds_no_bound_is_left(serve: Any, client: Any, bounded: Any, colour: Any, typed: bool) -> None:
    server = serve(bounded=False)
    asking = client(server)
    asking.preflight()
    server.fail(Fault.rambling())
    run = asking.for_run()
    with pytest.raises(TruncatedReplyError, match="cut off"):
        run.ask("route", bounded(), colour) if typed else run.text("report", bounded())
    assert run.ledger.total.output_tokens < 200
    assert run.ledger.total.estimated == 1


@pytest.mark.parametrize("shown", ["<think>It may be blue", ""])
def test_a_model_that_thinks_gets_room_for_its_thoughts(serve: Any, client: Any, bounded: Any, shown: str) -> None:
    """Its first reply ends before its first word; the next one, and all later ones, have room."""

    def thinker(request: ModelRequest) -> str:
        return (shown + "." if shown else "") if request.body["max_tokens"] <= 40 else "Blue."

    cut = Fault("truncated", where=lambda request: request.body["max_tokens"] <= 40)
    server = serve(thinker, faults=lambda request: cut)
    asking = client(server)
    assert asking.text("report", bounded()) == "Blue."
    assert asking.text("report", bounded("sea")) == "Blue."
    given = [request.body["max_tokens"] for request in server.chats]
    assert given[0] == 40
    assert given[1] == given[2] > 1_000
    assert (asking.ledger.total.requests, asking.ledger.total.failed) == (3, 1)


def test_a_reply_that_the_window_cuts_is_cut(serve: Any, client: Any, bounded: Any, colour: Any) -> None:
    server = serve()
    asking = client(server)
    asking.preflight()
    prompt = bounded()
    server.context = 3 + server.chats[-1].prompt_tokens
    with pytest.raises((TruncatedReplyError, ContextLengthError)):
        asking.ask("route", prompt, colour)
    server.context = 5
    with pytest.raises(ContextLengthError, match="less text"):
        asking.ask("route", bounded("sea"), colour)


def test_a_cap_counts_no_more_than_a_reply_may_have(serve: Any, client: Any, bounded: Any) -> None:
    from multicube.agent.engines.llm import Caps

    run = client(serve()).for_run(Caps(tokens=120))  # an unknown reply is taken for longer than that
    assert run.text("report", bounded())
