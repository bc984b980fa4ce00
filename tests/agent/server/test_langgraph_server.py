"""The loop behind a real LangGraph Server, started as docs/tools.md says, and asked over its API."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from apiserver import CHAIN, wait_until
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

ROOT = Path(__file__).resolve().parents[3]
CLI = shutil.which("langgraph")
SCORE = "Who wrote the score of The Salt Lantern?"

pytestmark = pytest.mark.skipif(
    CLI is None, reason="langgraph-cli[inmem] is not on the PATH; docs/tools.md says how to install it beside multicube"
)


@pytest.fixture(scope="module")
def client(sample_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SyncLangGraphClient]:
    """A client of `langgraph dev`, in a folder of its own: it leaves its state where it is started."""
    folder = tmp_path_factory.mktemp("langgraph")
    shutil.copy(ROOT / "langgraph.json", folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    env = {**os.environ, "MULTICUBE_KB": str(sample_path), "LANGGRAPH_CLI_NO_ANALYTICS": "1"}
    command = [str(CLI), "dev", "--no-browser", "--no-reload", "--port", port]
    with (folder / "log").open("wb") as log:
        running = subprocess.Popen(command, cwd=folder, env=env, stdout=log, stderr=log)
        try:
            url = f"http://127.0.0.1:{port}"
            wait_until(lambda: running.poll() is not None or _answers(url))
            assert running.poll() is None, (folder / "log").read_text()
            yield get_sync_client(url=url)
        finally:
            running.terminate()
            running.wait(60)


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/ok").status_code == 200
    except httpx.TransportError:
        return False


def test_it_lists_the_graph_with_its_schemas_and_nodes(client: SyncLangGraphClient) -> None:
    (assistant,) = client.assistants.search()
    assert assistant["graph_id"] == "multicube"
    schemas = client.assistants.get_schemas(assistant["assistant_id"])
    assert set(schemas["input_schema"]["properties"]) == {"question", "settings", "filters"}
    nodes = {node["id"] for node in client.assistants.get_graph(assistant["assistant_id"])["nodes"]}
    assert {"reason", "route", "cube_person", "expand", "answer", "check", "finalize"} <= nodes


def test_it_answers_with_citations(client: SyncLangGraphClient) -> None:
    state: Any = client.runs.wait(None, "multicube", input={"question": CHAIN, "settings": {"max_hops": 4}})
    assert state["answer"] == "Skarholt"
    assert [hop["answer"] for hop in state["hops"]] == ["Anselm Torvik", "Skarholt"]
    assert [citation["title"] for citation in state["citations"]] == ["The Salt Lantern", "Anselm Torvik"]


def test_it_streams_the_steps(client: SyncLangGraphClient) -> None:
    parts = client.runs.stream(None, "multicube", input={"question": CHAIN}, stream_mode="updates")
    nodes = [node for part in parts if part.event == "updates" for node in part.data]
    assert nodes[:3] == ["reason", "route", "cube_cultural_product"]
    assert nodes[-1] == "finalize"


def test_a_thread_keeps_its_state_and_takes_another_question(client: SyncLangGraphClient) -> None:
    thread = client.threads.create()["thread_id"]
    answers = [
        client.runs.wait(thread, "multicube", input={"question": question})["answer"]  # type: ignore[call-overload]
        for question in (CHAIN, SCORE)
    ]
    assert answers == ["Skarholt", "Teodor Lasz"]
    values: Any = client.threads.get_state(thread)["values"]
    assert (values["question"], len(values["hops"])) == (SCORE, 1)


def test_settings_that_do_not_fit_are_an_error_of_the_run(client: SyncLangGraphClient) -> None:
    state: Any = client.runs.wait(
        None, "multicube", input={"question": CHAIN, "settings": {"max_hops": "many"}}, raise_error=False
    )
    assert "max_hops" in state["__error__"]["message"]
