"""Asking over HTTP: JSON, events, settings, follow-up questions, and clients that go away."""

from __future__ import annotations

import json
import threading
from http.client import HTTPConnection
from typing import Any

import httpx
import pytest
from apiserver import CHAIN, Halting, Running, sentence, serving, wait_until


def test_an_answer_comes_as_the_whole_run(shared: Running) -> None:
    run = shared.ask()
    assert (run["answer"], run["status"], len(run["hops"])) == ("Skarholt", "answered", 2)
    assert [citation["number"] for citation in run["citations"]] == [1, 2]
    cited = run["citations"][0]
    section = shared.client.get(f"/sections/{cited['section_id']}").json()
    assert section["text"][cited["start"] : cited["end"]] == cited["sentence"]
    assert shared.kb.trace(run["id"]).model_dump(mode="json") == run


def test_events_tell_each_hop_as_it_happens_and_end_with_the_run(shared: Running) -> None:
    events = shared.events("/ask", {"question": CHAIN})
    hop = ["subquery", "route", "retrieved", "answered"]
    assert [name for name, _ in events] == ["started", *hop, *hop, "final"]
    started, final = events[0][1], events[-1][1]["run"]
    assert started == {"run": final["id"], "question": CHAIN, "asked": CHAIN, "forked_from": None}
    assert [e["record"]["answer"] for name, e in events if name == "answered"] == ["Anselm Torvik", "Skarholt"]
    assert final["answer"] == "Skarholt"


def test_a_follow_up_question_is_understood_by_the_runs_before_it(shared: Running) -> None:
    first = shared.ask("Who directed The Salt Lantern?")
    events = shared.events("/ask", {"question": "Where was he born?", "conversation": [first["id"]]})
    assert events[0][1]["question"] == "Where was he born?"
    assert "Anselm Torvik" in events[0][1]["asked"]
    assert events[-1][1]["run"]["answer"] == "Skarholt"


def test_settings_and_filters_are_those_of_the_request(shared: Running) -> None:
    run = shared.ask(settings={"max_hops": 1, "sections_per_hop": 3})
    assert (run["settings"]["max_hops"], run["settings"]["sections_per_hop"], run["stopped"]) == (1, 3, "iterations")
    assert run["settings"]["tau"] == shared.kb.settings.tau
    assert shared.ask(filters={"metadata": {"kind": "film"}})["hops"][0]["answer"] == "Anselm Torvik"


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ({}, 422, "question"),
        ({"question": "   "}, 400, "question is empty"),
        ({"question": "x" * 4_001}, 422, "4000 characters"),
        ({"question": "Who?", "settings": {"max_hops": 99}}, 422, "settings.max_hops"),
        ({"question": "Who?", "settings": {"hops": 1}}, 422, "settings.hops"),
        ({"question": "Who?", "filters": {"since": "soon"}}, 422, "filters.since"),
        ({"question": "Who?", "filters": {"sources": ["nowhere"]}}, 400, "No document fits"),
        ({"question": "Who?", "conversation": ["nothing"]}, 404, "no run 'nothing'"),
        ({"question": "Who?", "typo": 1}, 422, "typo"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_sentence(
    shared: Running, body: dict[str, Any], status: int, said: str
) -> None:
    sentence(shared.client.post("/ask", json=body), status, said)


def test_what_is_no_json_is_refused(shared: Running) -> None:
    sentence(shared.client.post("/ask", content=b"{", headers={"content-type": "application/json"}), 422)
    sentence(shared.client.post("/ask", content=b"{}", headers={"content-type": "text/plain"}), 422)
    lone = b'{"question": "\\ud800 who?"}'
    sentence(shared.client.post("/ask", content=lone, headers={"content-type": "application/json"}), 422)


def test_a_question_that_cannot_be_asked_is_no_run(shared: Running) -> None:
    events = shared.events("/ask", {"question": "Who?", "filters": {"sources": ["nowhere"]}})
    assert [name for name, _ in events] == ["failure"]
    assert "No document fits" in events[0][1]["message"]
    sentence(shared.client.get(f"/runs/{events[0][1]['run']}"), 404)


def leave(running: Running, kb: Halting, accept: str) -> None:
    """Ask, and close the connection while the run is behind its first hop."""
    asking = HTTPConnection(running.url.removeprefix("http://"))
    headers = {"Accept": accept, "Content-Type": "application/json"}
    asking.request("POST", "/ask", json.dumps({"question": CHAIN}), headers)
    assert kb.halted.wait(60)
    asking.close()
    wait_until(lambda: running.client.get("/health").json()["asks"] == 0)


@pytest.mark.parametrize("accept", ["text/event-stream", "application/json"])
def test_a_run_that_was_left_in_the_middle_of_a_step_has_one_writer(shared: Running, accept: str) -> None:
    with Halting.open(shared.kb.kb.path) as kb, serving(kb, warm=False) as running:
        leave(running, kb, accept)
        told: list[httpx.Response] = []
        address = f"{running.url}/runs/{kb.trace().id}"
        again = threading.Thread(target=lambda: told.append(httpx.post(f"{address}/resume", timeout=60)))
        again.start()  # the run is in the middle of a step: it is gone on with once that has let go of it
        wait_until(lambda: running.client.get("/health").json()["asks"] == 1)
        again.join(0.3)
        assert again.is_alive()
        sentence(httpx.delete(address, timeout=60), 409, "under way")
        kb.go_on.set()
        again.join()
        run = kb.trace().id
        assert (told[0].json()["id"], told[0].json()["answer"], kb.trace(run).status) == (run, "Skarholt", "answered")


def test_a_run_that_was_left_is_kept_with_its_hops(shared: Running) -> None:
    with Halting.open(shared.kb.kb.path) as kb, serving(kb, warm=False) as running:
        leave(running, kb, "text/event-stream")
        kb.go_on.set()
        wait_until(lambda: kb.trace().status != "running")
        left = kb.trace()
        assert (left.status, left.stopped, len(left.hops)) == ("paused", "interrupted", 1)
        resumed = running.client.post(f"/runs/{left.id}/resume").json()
        assert (resumed["id"], resumed["status"], resumed["answer"]) == (left.id, "answered", "Skarholt")


def test_a_server_that_stops_ends_its_runs_and_says_so(shared: Running) -> None:
    with Halting.open(shared.kb.kb.path) as kb, serving(kb, warm=False) as running:
        told: list[tuple[str, dict[str, Any]]] = []
        asking = threading.Thread(target=lambda: told.extend(running.events("/ask", {"question": CHAIN})))
        asking.start()
        assert kb.halted.wait(60)
        running.server.handle_exit(0, None)
        asking.join()  # it is told at once, though the run has not come to its next step
        assert told[-1][0] == "failure"
        assert "stopping" in told[-1][1]["message"]
        kb.go_on.set()
        wait_until(lambda: kb.trace(told[-1][1]["run"]).status != "running")
        assert kb.trace(told[-1][1]["run"]).stopped == "interrupted"


def test_a_run_that_is_followed_cannot_be_resumed_beside_it(shared: Running) -> None:
    with Halting.open(shared.kb.kb.path) as kb, serving(kb, warm=False) as running:
        asking = threading.Thread(target=lambda: running.events("/ask", {"question": CHAIN}))
        asking.start()
        assert kb.halted.wait(60)
        sentence(httpx.post(f"{running.url}/runs/{kb.trace().id}/resume", timeout=60), 409, "under way")
        kb.go_on.set()
        asking.join()


@pytest.mark.parametrize(
    "more",
    [
        '"settings": {"keywords": ["\\ud800"]}',
        '"settings": {"without_dimensions": ["\\ud800"]}',
        '"settings": {"rrf_k": 1%s}' % ("0" * 400),
        '"settings": {"deadline_s": 1e308}',
        '"filters": {"metadata": {"\\ud800": "\\ud800"}}',
        '"filters": {"metadata": {"year": 1%s}}' % ("0" * 400),
        '"filters": {"sources": ["\\ud800"]}',
        '"filters": {"since": "9999-99-99"}',
        '"conversation": ["\\ud800"]',
    ],
)
def test_what_cannot_be_stored_or_reckoned_is_no_fault_of_the_server(shared: Running, more: str) -> None:
    body = f'{{"question": "Who directed The Salt Lantern?", {more}}}'
    reply = shared.client.post("/ask", content=body, headers={"Content-Type": "application/json"})
    assert reply.status_code < 500, reply.text


def test_a_run_is_kept_before_its_id_is_told(shared: Running) -> None:
    headers = {"Accept": "text/event-stream"}
    with shared.client.stream("POST", "/ask", json={"question": CHAIN}, headers=headers) as reply:
        lines = reply.iter_lines()
        assert next(lines) == "event: started"
        run = json.loads(next(lines).removeprefix("data: "))["run"]
        assert shared.kb.trace(run).question == CHAIN
        list(lines)
