"""Runs over HTTP: listed, searched, exported, forked, resumed, deleted."""

from __future__ import annotations

from typing import Any

import pytest
from apiserver import CHAIN, Running, sentence


def test_runs_are_listed_newest_first_and_searched(shared: Running) -> None:
    first, second = shared.ask(), shared.ask("What is the birthplace of Teodor Lasz?")
    listed = shared.client.get("/runs", params={"limit": 2}).json()
    assert [run["id"] for run in listed["runs"]] == [second["id"], first["id"]]
    assert listed["total"] >= 2
    row = listed["runs"][1]
    assert (row["question"], row["answer"], row["hops"], row["status"]) == (CHAIN, "Skarholt", 2, "answered")
    found = shared.client.get("/runs", params={"query": "birthplace Lasz"}).json()
    assert second["id"] in [run["id"] for run in found["runs"]]
    assert first["id"] not in [run["id"] for run in found["runs"]]
    assert shared.client.get("/runs", params={"query": "nobodysaidthis"}).json() == {"runs": [], "total": 0}
    assert shared.client.get("/runs", params={"limit": 1, "offset": 1}).json()["runs"][0]["id"] == first["id"]


def test_a_run_is_exported_in_three_forms(shared: Running) -> None:
    run = shared.ask()
    for form, media_type, part in (
        ("json", "application/json", '"answer": "Skarholt"'),
        ("mermaid", "text/vnd.mermaid", "flowchart TD"),
        ("html", "text/html", "<h1>Where was the director"),
    ):
        reply = shared.client.get(f"/runs/{run['id']}/export", params={"format": form})
        assert reply.headers["content-type"].startswith(media_type)
        assert "attachment" in reply.headers["content-disposition"]
        assert part in reply.text
    assert "sandbox" in reply.headers["content-security-policy"]
    sentence(shared.client.get(f"/runs/{run['id']}/export", params={"format": "exe"}), 422, "format")


def test_a_fork_goes_on_from_an_edited_hop(shared: Running) -> None:
    run = shared.ask()
    fork = shared.client.post(f"/runs/{run['id']}/fork", json={"hop": 1, "answer": "Imre Saldane"}).json()
    assert (fork["forked_from"], fork["hops"][0]["status"], fork["answer"]) == (run["id"], "edited", "Quillon")
    body = {"hop": 1, "subquery": "Who is the director of Blue Apothecary?"}
    events = shared.events(f"/runs/{run['id']}/fork", body)
    assert (events[0][0], events[0][1]["forked_from"], events[-1][0]) == ("started", run["id"], "final")
    assert [hop["answer"] for hop in events[-1][1]["run"]["hops"]] == ["Bastian Quell", "Mirren Tal"]
    assert events[-1][1]["run"]["id"] == events[0][1]["run"]


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ({"hop": 9, "answer": "x"}, 400, "hops 1 to 2"),
        ({"hop": 0, "answer": "x"}, 422, "hop"),
        ({"hop": 1}, 422, "either"),
        ({"hop": 1, "answer": "x", "subquery": "y"}, 422, "either"),
        ({"hop": 1, "answer": "  "}, 422, "either"),
    ],
)
def test_a_fork_that_makes_no_sense_is_refused(shared: Running, body: dict[str, Any], status: int, said: str) -> None:
    run = shared.ask()
    sentence(shared.client.post(f"/runs/{run['id']}/fork", json=body), status, said)


def test_a_finished_run_that_is_resumed_is_returned(shared: Running) -> None:
    run = shared.ask()
    assert shared.client.post(f"/runs/{run['id']}/resume").json() == run
    assert [name for name, _ in shared.events(f"/runs/{run['id']}/resume", {})] == ["started", "final"]


def test_a_deleted_run_is_gone(shared: Running) -> None:
    run = shared.ask()
    sentence(shared.client.delete(f"/runs/{run['id'][:8]}"), 404, "whole id")
    assert shared.client.get(f"/runs/{run['id'][:8]}").json()["id"] == run["id"]
    assert shared.client.delete(f"/runs/{run['id']}").status_code == 204
    sentence(shared.client.get(f"/runs/{run['id']}"), 404, "no run")
    sentence(shared.client.delete(f"/runs/{run['id']}"), 404, "no run")
    sentence(shared.client.post(f"/runs/{run['id']}/resume"), 404, "no run")
