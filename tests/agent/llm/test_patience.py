"""How long an answer is waited for: never beyond the deadline, and no request is left behind at the server."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import pytest
from modelserver import Fault, ModelRequest
from multicube.agent.engines.llm import DeadlineError, RateLimitError, UnreachableError
from multicube.agent.engines.llm.waits import following, longest


@pytest.mark.parametrize("fault", [Fault.of_status(500), Fault.reset()], ids=["500", "reset"])
@pytest.mark.parametrize("allowed", [20.0, 3_600.0])
def test_an_endpoint_that_fails_for_ever_is_given_up_before_the_deadline(
    serve: Any, client: Any, ask_for: Any, colour: Any, waiting: Any, fault: Fault, allowed: float
) -> None:
    server = serve(faults=lambda request: fault)
    began = waiting.now
    run = client(server).for_run(deadline=began + allowed)
    with pytest.raises(UnreachableError, match=r"Tried \d+ times in \d+ s") as error:
        run.ask("route", ask_for(), colour)
    assert "\n" not in str(error.value)
    assert waiting.now - began <= min(allowed, 60)
    assert len(server.chats) > 1


def test_a_busy_endpoint_is_waited_for_until_the_deadline(
    serve: Any, client: Any, ask_for: Any, colour: Any, waiting: Any
) -> None:
    server = serve(faults=lambda request: Fault.of_status(429, retry_after=50))
    began = waiting.now
    with pytest.raises((RateLimitError, DeadlineError)):
        client(server).for_run(deadline=began + 120).ask("route", ask_for(), colour)
    assert 50 <= waiting.now - began <= 120


def test_after_the_deadline_nothing_is_sent(
    serve: Any, client: Any, ask_for: Any, colour: Any, waiting: Any
) -> None:
    server = serve()
    run = client(server).for_run(deadline=waiting.now - 1)
    with pytest.raises(DeadlineError, match="time allowed ran out"):
        run.ask("route", ask_for(), colour)
    assert not server.chats


@pytest.mark.parametrize("typed", [True, False])
def test_a_reply_that_comes_too_late_is_the_deadlines_affair(
    serve: Any, client: Any, ask_for: Any, colour: Any, waiting: Any, typed: bool
) -> None:
    server = serve()
    asking = client(server)
    asking.preflight()
    server.fail(*[Fault.hang()] * 50)
    run = asking.for_run(deadline=waiting.now + 0.4)  # its wait at the server is real, and as long
    with pytest.raises(DeadlineError):
        run.ask("route", ask_for(), colour) if typed else run.text("report", ask_for())


@pytest.mark.parametrize("fault", [Fault.hang(), Fault.stall()], ids=lambda fault: fault.name)
def test_a_server_with_one_thread_is_left_before_it_is_asked_again(
    serve: Any, client: Any, ask_for: Any, colour: Any, fault: Fault
) -> None:
    """It would never come to the second request if the first were not given up there."""
    server = serve(single=True)
    asking = client(server, timeout=1.0)
    asking.preflight()
    server.fail(fault)
    assert asking.ask("route", ask_for(), colour).colour == "blue"
    assert [exchange.fault for exchange in server.exchanges][-2:] == [f"{fault.name}, left", ""]


def test_two_at_a_server_with_one_thread_are_answered_in_turn(
    serve: Any, client: Any, ask_for: Any, colour: Any
) -> None:
    server = serve(single=True)
    asking = client(server)
    asking.preflight()
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda n=n: found.append(asking.ask("route", ask_for(f"thing{n}"), colour).thing))
        for n in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == ["thing0", "thing1"]
    assert server.most_at_once == 1


def test_a_slow_first_word_is_waited_for_and_told_of(serve: Any, client: Any, ask_for: Any, colour: Any) -> None:
    told = threading.Event()

    def slow(request: ModelRequest) -> Any:
        if request.schema_name != "Ready":
            assert told.wait(20)
        return {"ready": True} if request.schema_name == "Ready" else {"thing": "sky", "colour": "blue"}

    server = serve(slow)
    asking = client(server)
    asking.preflight()
    assert longest() == 0
    with following(lambda seconds: told.set() if seconds else None, every_s=0.01):
        assert asking.ask("route", ask_for(), colour).colour == "blue"
    assert len(server.chats) == 2
    assert longest() == 0


def test_a_stream_that_stalls_is_begun_again(serve: Any, client: Any, ask_for: Any) -> None:
    server = serve()
    run = client(server, timeout=1.0).for_run()
    server.fail(Fault.stall())
    shown: list[str] = []
    text = run.text("report", ask_for(), shown.append, lambda: shown.append("|"))
    assert "".join(shown).endswith(f"|{text}")
    assert (run.ledger.total.requests, run.ledger.total.failed) == (2, 1)


def test_a_server_that_cannot_stream_is_asked_without(serve: Any, client: Any, ask_for: Any, colour: Any) -> None:
    refused = Fault("status", 400, {}, {"error": {"message": "Streaming is not supported with response_format."}})
    server = serve(faults=lambda request: refused if request.body.get("stream") else None)
    asking = client(server)
    assert asking.ask("route", ask_for(), colour).colour == "blue"
    shown: list[str] = []
    assert asking.text("report", replace(ask_for(), max_tokens=40), shown.append) == "".join(shown)
    assert [bool(request.body.get("stream")) for request in server.chats] == [True, False, False]
