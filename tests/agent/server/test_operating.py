"""What operators see of a server: whether it is alive and ready, and its log."""

from __future__ import annotations

import json
import logging
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from apiserver import CHAIN, Running, sentence, serving, wait_until
from multicube import MultiCube
from multicube.agent.server.logs import _Json
from typer.testing import CliRunner

MAIN = "from multicube.agent.cli import main; main()"


class Slow(MultiCube):
    """Takes its time to load what the first question needs."""

    go_on: threading.Event

    def warm(self) -> None:
        self.go_on.wait(60)
        raise RuntimeError("the first question will say so")


def test_it_is_alive_before_it_is_ready(sample_path: Path) -> None:
    said: list[str] = []
    with Slow.open(sample_path) as kb:
        kb.go_on = threading.Event()
        with serving(kb, when_warm=lambda: said.append("warm")) as running:
            assert running.client.get("/health").json()["status"] == "ok"
            sentence(running.client.get("/ready"), 503, "is loading")
            assert said == []
            kb.go_on.set()
            wait_until(lambda: running.client.get("/ready").status_code == 200)
            assert running.client.get("/ready").json() == {"status": "ready"}
            assert said == ["warm"]


def test_a_balancer_needs_no_token_to_ask_and_learns_nothing(sample_path: Path) -> None:
    with MultiCube.open(sample_path) as kb, serving(kb, token="secret", warm=False) as running:
        assert running.client.get("/ready").json() == {"status": "ready"}
        sentence(running.client.get("/health"), 401)


def test_a_store_that_cannot_be_read_is_not_ready_but_alive(own: Running) -> None:
    assert own.client.get("/ready").status_code == 200
    own.kb.kb._catalog.close()
    reply = own.client.get("/ready")
    sentence(reply, 503, "cannot be read")
    assert str(own.kb.kb.path) not in reply.text
    assert own.client.get("/health").json() | {"version": ""} == {
        "status": "ok", "version": "", "name": "kb", "documents": None, "sections": None, "generation": None,
        "engine": "embedded", "asks": 0,
    }  # fmt: skip


def test_a_chroma_server_that_does_not_answer_is_not_ready(own: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    assert own.client.get("/ready").status_code == 200
    monkeypatch.setenv("MULTICUBE_CHROMA_URL", "http://127.0.0.1:9")
    sentence(own.client.get("/ready"), 503, "Chroma server")


def test_a_server_that_stops_is_not_ready(sample_path: Path) -> None:
    with MultiCube.open(sample_path) as kb, serving(kb, warm=False) as running:
        service = running.server._service
        service.stop()
        assert service.unready() == "The server is stopping."


# the log


@contextmanager
def logged(folder: Path, *options: str) -> Iterator[tuple[httpx.Client, list[str], subprocess.Popen[str]]]:
    """A server of its own process that writes a log: a client of it, and the lines so far."""
    command = [sys.executable, "-c", MAIN, "serve", "--kb", str(folder), "--port", "0", *options]
    env = {**os.environ, "COLUMNS": "80"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=env) as running:
        assert running.stderr is not None
        lines: list[str] = []
        while "serving on" not in (lines[-1] if lines else ""):
            lines.append(running.stderr.readline())
        url = lines[-1].split("serving on ")[1].split()[0]
        with httpx.Client(base_url=url, timeout=60) as client:
            yield client, lines, running
        running.send_signal(signal.SIGTERM)
        lines += running.stderr.readlines()
        assert running.wait(60) == 0


@pytest.fixture
def folder(sample_path: Path, tmp_path: Path) -> Path:
    return shutil.copytree(sample_path, tmp_path / "kb")


def requests(lines: list[str]) -> list[dict[str, Any]]:
    records = [json.loads(line) for line in lines]
    assert all({"time", "level", "logger", "message"} <= set(record) for record in records)
    return [record for record in records if record["logger"] == "multicube.server.requests"]


def test_every_request_is_a_line_of_json_with_its_run_and_without_its_question(folder: Path) -> None:
    with logged(folder, "--log-format", "json") as (client, lines, _):
        run = client.post("/ask", json={"question": CHAIN}).json()["id"]
        client.get("/ready")
        client.get(f"/runs/{run}")
        client.get("/runs", params={"query": "Salt Lantern"})
        stream = client.post("/ask", json={"question": CHAIN}, headers={"Accept": "text/event-stream"}).text
        chat = {"model": "multicube", "messages": [{"role": "user", "content": CHAIN}]}
        completion = client.post("/v1/chat/completions", json=chat).json()["run"]
        client.post("/ask", json={"question": " "})
    found = [(r["method"], r["path"], r["status"], r.get("run")) for r in requests(lines)]
    streamed = json.loads(stream.split("data: ")[1].split("\n")[0])["run"]
    assert found == [
        ("POST", "/ask", 200, run),
        ("GET", f"/runs/{run}", 200, run),
        ("GET", "/runs", 200, None),
        ("POST", "/ask", 200, streamed),
        ("POST", "/v1/chat/completions", 200, completion),
        ("POST", "/ask", 400, None),
    ]
    assert all(r["ms"] >= 0 for r in requests(lines))
    assert not any("Salt" in line for line in lines)


def test_a_log_for_people_has_the_run_at_its_end_and_the_question_where_it_is_asked_for(folder: Path) -> None:
    with logged(folder, "--log-format", "text", "--log-questions") as (client, lines, _):
        run = client.post("/ask", json={"question": CHAIN}).json()["id"]
    (line,) = [line for line in lines if "POST /ask" in line]
    assert line.endswith(f" run='{run}' question='{CHAIN}'\n")
    assert "INFO multicube.server.requests: POST /ask 200 " in line


@contextmanager
def kept() -> Iterator[list[dict[str, Any]]]:
    """What this process logs as JSON: its records."""
    records: list[dict[str, Any]] = []

    class Keeping(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(json.loads(_Json().format(record)))

    handler, log = Keeping(), logging.getLogger("multicube")
    log.addHandler(handler)
    level = log.level
    log.setLevel(logging.INFO)
    try:
        yield records
    finally:
        log.setLevel(level)
        log.removeHandler(handler)


def test_the_question_is_told_in_json_too(folder: Path) -> None:
    with kept() as records, MultiCube.open(folder) as kb, serving(kb, warm=False, log_questions=True) as running:
        running.ask()
        wait_until(lambda: any("POST /ask" in record["message"] for record in records))
    assert [r["question"] for r in records if r["logger"] == "multicube.server.requests"] == [CHAIN]


def test_a_fault_is_one_line_of_json_with_its_run(own: Running) -> None:
    with kept() as records:
        own.kb.reasoner.route = None  # type: ignore[method-assign, assignment]
        assert own.client.post("/ask", json={"question": CHAIN}).status_code == 500
    (fault,) = [record for record in records if record["level"] != "info"]
    assert fault["level"] == "error"
    assert "TypeError" in fault["message"]
    assert fault["run"] == own.client.get("/runs/latest").json()["id"]


def test_questions_are_told_in_a_log_alone(sample_path: Path) -> None:
    from multicube.agent.cli import app

    done = CliRunner().invoke(app, ["serve", "--kb", str(sample_path), "--log-questions"])
    assert done.exit_code == 2
    assert "--log-format" in done.output
