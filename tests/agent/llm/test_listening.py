"""A model that listens on this machine is mentioned once to a person who asks without one."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from modelserver import ModelServer
from modelserver.competent import Competent
from multicube.agent.cli import model_mention as mentioning
from multicube.agent.engines.llm import local_servers as listening


@pytest.fixture
def page() -> Iterator[str]:
    """Something else that listens: a page, whatever is asked for."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<html>not a model</html>")

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Page) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{serving.server_port}/v1"
        serving.shutdown()


class Terminal:
    is_terminal = True


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """What a person at a terminal is told."""
    lines: list[str] = []
    monkeypatch.setenv("MULTICUBE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(mentioning, "note", lines.append)
    monkeypatch.setattr(mentioning, "stderr_console", Terminal)
    return lines


def test_the_first_server_that_answers_is_found(page: str) -> None:
    with ModelServer(Competent()) as server:
        found = listening.listening_model({"gone": "http://127.0.0.1:9/v1", "vllm": page, "ollama": server.url})
    assert found.startswith("ollama:")
    assert listening.listening_model({"vllm": page, "gone": "http://127.0.0.1:9/v1"}) == ""


def test_it_is_mentioned_once(told: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(listening, "listening_model", lambda: "ollama:llama3.2")
    mentioning.mention_model(None, None)
    mentioning.mention_model(None, None)
    assert len(told) == 1
    assert told[0].endswith("--engine both --model ollama:llama3.2")
    assert json.loads((tmp_path / "cache" / "mentioned.json").read_text("utf-8")) == ["ollama:llama3.2"]


@pytest.mark.parametrize("quiet", ["engine", "hints", "pipe"])
def test_nobody_is_bothered_who_did_not_ask(told: list[str], monkeypatch: pytest.MonkeyPatch, quiet: str) -> None:
    monkeypatch.setattr(listening, "listening_model", lambda: "ollama:llama3.2")
    if quiet == "hints":
        monkeypatch.setenv("MULTICUBE_HINTS", "false")
    if quiet == "pipe":
        monkeypatch.setattr(Terminal, "is_terminal", False)
    mentioning.mention_model(None, "embedded" if quiet == "engine" else None)
    assert not told
