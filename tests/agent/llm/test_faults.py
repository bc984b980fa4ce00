"""The fault matrix: each thing that can go wrong with an endpoint has its outcome, and its price."""

from __future__ import annotations

from email.utils import formatdate
from typing import Any

import pytest
from modelserver import Fault, ModelRequest, ModelServer
from multicube.agent.engines.llm import (
    AuthError,
    ContextLengthError,
    ModelError,
    QuotaError,
    RateLimitError,
    RefusalError,
    ReplyError,
    TruncatedReplyError,
    UnknownModelError,
    UnreachableError,
)
from multicube.cubes.core.errors import MultiCubeError


def ready(client: Any, server: ModelServer, **options: Any) -> Any:
    """A client that knows already how to ask, and has spent nothing."""
    made = client(server, **options)
    made.preflight()
    server.requests.clear()
    server.exchanges.clear()
    return made.for_run()


def said(error: pytest.ExceptionInfo[Any]) -> str:
    assert isinstance(error.value, MultiCubeError)
    assert "Traceback" not in str(error.value)
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(
    ("fault", "kind", "cure"),
    [
        (Fault.of_status(401), AuthError, "MULTICUBE_API_KEY"),
        (Fault.of_status(403), AuthError, "MULTICUBE_API_KEY"),
        (Fault.of_status(404), UnknownModelError, "name"),
        (Fault.quota(), QuotaError, "credit"),
        (Fault.context_length(), ContextLengthError, "less text"),
        (Fault.filtered(), RefusalError, "another"),
        (Fault.refusal(), RefusalError, "another"),
        (Fault.truncated(), TruncatedReplyError, "write more"),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_what_no_second_try_mends_is_said_at_once(
    server: ModelServer, client: Any, ask_for: Any, colour: Any, fault: Fault, kind: type[ModelError], cure: str
) -> None:
    run = ready(client, server)
    server.fail(fault)
    with pytest.raises(kind) as error:
        run.ask("route", ask_for(), colour)
    assert type(error.value) is kind
    assert not error.value.retryable
    assert cure in said(error)
    assert len(server.chats) == 1
    spent = run.ledger.total
    assert (spent.requests, spent.failed) == (1, 1)
    assert (spent.input_tokens, spent.output_tokens) == server.usage
    assert spent.estimated == 0


@pytest.mark.parametrize("status", [500, 502, 503, 529])
def test_a_fault_of_the_server_is_tried_again_with_growing_waits(
    server: ModelServer, client: Any, ask_for: Any, colour: Any, waiting: Any, status: int
) -> None:
    run = ready(client, server)
    server.fail(*[Fault.of_status(status)] * 3)
    assert run.ask("route", ask_for(), colour).colour == "blue"
    assert waiting.naps == [0.5, 1.0, 2.0]
    assert (run.ledger.total.requests, run.ledger.total.failed) == (4, 3)
    assert (run.ledger.total.input_tokens, run.ledger.total.output_tokens) == server.usage


def test_a_server_that_stays_down_ends_with_patience(
    serve: Any, client: Any, ask_for: Any, colour: Any, waiting: Any
) -> None:
    server = serve(faults=lambda request: Fault.of_status(500))
    run = client(server, patience=60.0)
    began = waiting.now
    with pytest.raises(UnreachableError, match=r"500.*Tried \d+ times in \d+ s") as error:
        run.ask("route", ask_for(), colour)
    assert error.value.retryable
    assert said(error)
    assert 30 <= waiting.now - began <= 60
    assert run.ledger.total.failed == run.ledger.total.requests == len(server.chats)


def test_a_busy_endpoint_is_waited_for_as_long_as_it_asks(
    server: ModelServer, client: Any, ask_for: Any, colour: Any, waiting: Any
) -> None:
    run = ready(client, server)
    server.fail(Fault.of_status(429, retry_after=7), None)
    began = waiting.now
    assert run.ask("route", ask_for(), colour).colour == "blue"
    assert waiting.now - began == 7
    assert (run.ledger.total.requests, run.ledger.total.failed) == (2, 1)


def test_a_wait_until_a_date_is_kept(server: ModelServer, client: Any, ask_for: Any, colour: Any, waiting: Any) -> None:
    import time

    run = ready(client, server)
    server.fail(Fault.of_status(429, retry_after=formatdate(time.time() + 90, usegmt=True)))
    began = waiting.now
    run.ask("route", ask_for(), colour)
    assert 60 < waiting.now - began <= 90


def test_a_wait_longer_than_patience_is_not_begun(
    server: ModelServer, client: Any, ask_for: Any, colour: Any, waiting: Any
) -> None:
    run = ready(client, server, patience=60.0)
    server.fail(Fault.of_status(429, retry_after=3600))
    with pytest.raises(RateLimitError, match="429") as error:
        run.ask("route", ask_for(), colour)
    assert error.value.retryable
    assert waiting.naps == []
    assert len(server.chats) == 1


def test_a_busy_endpoint_that_names_no_wait_is_asked_ever_more_slowly(
    server: ModelServer, client: Any, ask_for: Any, colour: Any, waiting: Any
) -> None:
    run = ready(client, server)
    server.fail(*[Fault.of_status(429)] * 2)
    run.ask("route", ask_for(), colour)
    assert waiting.naps == [0.5, 1.0]


def test_a_reply_that_does_not_come_is_asked_for_again_and_its_price_estimated(
    server: ModelServer, client: Any, ask_for: Any, colour: Any
) -> None:
    run = ready(client, server, timeout=0.5)
    server.fail(Fault.hang())
    assert run.ask("route", ask_for(), colour).colour == "blue"
    spent = run.ledger.total
    assert (spent.requests, spent.failed, spent.estimated) == (2, 1, 1)
    assert spent.input_tokens > server.usage[0]


def test_an_endpoint_that_never_answers_is_said_to_be_slow(serve: Any, client: Any, ask_for: Any, colour: Any) -> None:
    server = serve(faults=lambda request: Fault.hang())
    with pytest.raises(UnreachableError, match="in time"):
        client(server, timeout=0.3, patience=0.6).ask("route", ask_for(), colour)


def test_a_connection_that_breaks_is_made_again(server: ModelServer, client: Any, ask_for: Any, colour: Any) -> None:
    run = ready(client, server)
    server.fail(Fault.reset())
    assert run.ask("route", ask_for(), colour).colour == "blue"
    assert (run.ledger.total.requests, run.ledger.total.failed, run.ledger.total.estimated) == (2, 1, 1)


def test_nobody_at_the_address_is_said_soon(
    serve: Any, client: Any, ask_for: Any, colour: Any, waiting: Any
) -> None:
    server = serve()
    server.close()
    run, began = client(server), waiting.now
    with pytest.raises(UnreachableError, match="cannot be reached") as error:
        run.ask("route", ask_for(), colour)
    assert server.url in said(error)
    assert waiting.now - began <= 10
    assert run.ledger.total.tokens == 0


def test_an_endpoint_that_was_there_is_waited_for(
    server: ModelServer, client: Any, ask_for: Any, colour: Any, waiting: Any
) -> None:
    run = ready(client, server)
    server.close()
    began = waiting.now
    with pytest.raises(UnreachableError, match="cannot be reached"):
        run.ask("route", ask_for(), colour)
    assert 120 <= waiting.now - began <= 240


def test_a_stream_that_breaks_off_is_begun_again(server: ModelServer, client: Any, ask_for: Any) -> None:
    run = ready(client, server)
    server.fail(Fault.reset())
    shown: list[str] = []
    text = run.text("report", ask_for(), shown.append, lambda: shown.append("|"))
    first, second = "".join(shown).split("|")
    assert text == second == "The sky is blue, as everybody can see who looks up."
    assert first
    assert text.startswith(first)
    assert (run.ledger.total.requests, run.ledger.total.failed, run.ledger.total.estimated) == (2, 1, 1)
    assert run.ledger.total.output_tokens > server.usage[1]


def test_a_stream_that_breaks_off_shows_no_word_twice(server: ModelServer, client: Any, ask_for: Any) -> None:
    run = ready(client, server)
    server.fail(Fault.reset(), Fault.reset())
    shown: list[str] = []
    assert run.text("report", ask_for(), shown.append) == "".join(shown)


@pytest.mark.parametrize("fault", [Fault.prose(), Fault.fenced()], ids=lambda fault: fault.name)
def test_words_around_the_reply_are_read_past(
    server: ModelServer, client: Any, ask_for: Any, colour: Any, fault: Fault
) -> None:
    run = ready(client, server)
    server.fail(fault)
    assert run.ask("route", ask_for(), colour) == colour(thing="sky", colour="blue")
    assert len(server.chats) == 1


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (Fault.wrong_schema(), "Field required"),
        (Fault.empty(), "it is empty"),
        (Fault.not_json(), "no complete JSON object"),
        (Fault.language(), "no complete JSON object"),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_an_unusable_reply_is_asked_for_once_more_with_the_reason(
    server: ModelServer, client: Any, ask_for: Any, colour: Any, fault: Fault, reason: str
) -> None:
    run = ready(client, server)
    server.fail(fault)
    assert run.ask("route", ask_for(), colour).colour == "blue"
    assert len(server.chats) == 2
    assert reason in server.chats[1].said("user")
    assert "colour" in server.chats[1].said("user")
    assert (run.ledger.total.requests, run.ledger.total.failed) == (2, 1)
    assert (run.ledger.total.input_tokens, run.ledger.total.output_tokens) == server.usage


@pytest.mark.parametrize(
    "fault", [Fault.wrong_schema(), Fault.empty(), Fault.not_json(), Fault.language()], ids=lambda fault: fault.name
)
def test_a_reply_that_stays_unusable_is_an_error_after_one_more_try(
    server: ModelServer, client: Any, ask_for: Any, colour: Any, fault: Fault
) -> None:
    run = ready(client, server)
    server.fail(fault, fault)
    with pytest.raises(ReplyError, match="also when asked again") as error:
        run.ask("route", ask_for(), colour)
    assert said(error)
    assert len(server.chats) == 2
    assert (run.ledger.total.requests, run.ledger.total.failed) == (2, 2)
    assert (run.ledger.total.input_tokens, run.ledger.total.output_tokens) == server.usage


def test_json_cut_off_without_a_word_is_asked_for_again(serve: Any, client: Any, ask_for: Any, colour: Any) -> None:
    def brain(request: ModelRequest) -> Any:
        if request.schema_name == "Ready":
            return {"ready": True}
        return '{"thing": "sky", "colo' if len(request.messages) < 3 else {"thing": "sky", "colour": "blue"}

    server = serve(brain)
    assert ready(client, server).ask("route", ask_for(), colour).colour == "blue"
    assert len(server.chats) == 2


def test_an_empty_text_is_asked_for_once_more(server: ModelServer, client: Any, ask_for: Any) -> None:
    run = ready(client, server)
    server.fail(Fault.empty())
    assert run.text("report", ask_for())
    server.fail(Fault.empty(), Fault.empty())
    with pytest.raises(ReplyError, match="empty"):
        run.text("report", ask_for("grass"))


def test_an_empty_stream_is_asked_for_once_more_and_shown(server: ModelServer, client: Any, ask_for: Any) -> None:
    run = ready(client, server)
    server.fail(Fault.empty())
    shown: list[str] = []
    assert run.text("report", ask_for(), shown.append) == "".join(shown) != ""


@pytest.mark.parametrize("streamed", [False, True])
def test_a_text_that_is_cut_off_is_no_reply(server: ModelServer, client: Any, ask_for: Any, streamed: bool) -> None:
    run = ready(client, server)
    server.fail(Fault.truncated())
    with pytest.raises(ReplyError, match="write more"):
        run.text("report", ask_for(), (lambda text: None) if streamed else None)
    assert len(server.chats) == 1


def test_a_text_in_another_language_is_the_reply(server: ModelServer, client: Any, ask_for: Any) -> None:
    run = ready(client, server)
    server.fail(Fault.language())
    assert run.text("report", ask_for()).startswith("Das kann ich")


def test_a_web_page_is_no_model(serve: Any, client: Any, ask_for: Any) -> None:
    page = Fault("status", 200, {}, "<html><body>Welcome</body></html>")
    server = serve(faults=lambda request: page)
    with pytest.raises(ReplyError, match="/v1") as error:
        client(server).text("report", ask_for())
    assert "<" not in said(error)


def test_an_error_in_the_body_of_a_success_is_an_error(server: ModelServer, client: Any, ask_for: Any) -> None:
    body = {"error": {"message": "Rate limited upstream", "code": 429}}
    server.fail(Fault("status", 200, {}, body))
    run = client(server)
    assert run.text("report", ask_for())
    assert (run.ledger.total.requests, run.ledger.total.failed) == (2, 1)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, {"error": {"message": "This model's maximum context length is 4096 tokens.", "code": 400}}),
        (400, {"error": {"message": "the request exceeds what is available", "type": "exceed_context_size_error"}}),
        (400, {"error": {"message": "prompt is too long: 210000 tokens > 200000 maximum"}}),
        (413, {"error": {"message": "Input token count exceeds the maximum number of tokens allowed"}}),
        (422, {"message": "Please reduce the length of the messages or completion."}),
    ],
)  # fmt: skip
def test_a_prompt_too_long_is_known_in_every_vendors_words(
    server: ModelServer, client: Any, ask_for: Any, status: int, body: Any
) -> None:
    server.fail(Fault("status", status, {}, body))
    with pytest.raises(ContextLengthError):
        client(server).text("report", ask_for())


def test_a_key_in_a_servers_words_is_not_repeated(server: ModelServer, client: Any, ask_for: Any) -> None:
    server.fail(Fault("status", 401, {}, {"error": {"message": "Wrong key sk-abcdef1234567890 was given"}}))
    with pytest.raises(AuthError) as error:
        client(server).text("report", ask_for())
    assert "abcdef" not in said(error)


def test_what_goes_wrong_in_showing_is_the_callers(server: ModelServer, client: Any, ask_for: Any) -> None:
    def broken(text: str) -> None:
        raise BrokenPipeError("nobody reads")

    with pytest.raises(BrokenPipeError):
        client(server).text("report", ask_for(), broken)
    assert len(server.chats) == 1
