"""Every example runs and does what it says."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from multicube import MultiCube

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
COMMAND = Path(sys.executable).with_name("multicube")


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """Imports an example by the name of its file, without running it."""

    def load(name: str) -> Any:
        spec = importlib.util.spec_from_file_location(f"examples_{name}", EXAMPLES / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, spec.name, module)
        spec.loader.exec_module(module)
        return module

    return load


def test_an_agent_of_langchain_gets_a_cited_answer(sample: MultiCube, example: Callable[[str], Any]) -> None:
    said = example("agent").main(sample)
    assert said.startswith("According to the documents: Skarholt\n")
    assert "[2] Anselm Torvik: Born in Skarholt" in said


def test_a_supervisor_has_the_graph_as_one_of_its_own(sample: MultiCube, example: Callable[[str], Any]) -> None:
    sums, documents = example("supervisor").main(sample)
    assert sums == "Ann, the answer is: 42"
    assert documents.startswith("Ann, the answer is: Skarholt\n  [1] The Salt Lantern: ")


def test_a_client_of_the_protocol_starts_the_server_and_asks(
    sample_path: Path, example: Callable[[str], Any], capfd: pytest.CaptureFixture[str]
) -> None:
    answer = example("mcp_client").main(sample_path)
    assert answer["answer"] == "Skarholt"
    shown = capfd.readouterr().out
    assert "tools: ask, trace, search, cube_lookup" in shown
    assert "Hop 2: Where was Anselm Torvik born?" in shown


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_curl_alone_asks_the_http_api(sample_path: Path) -> None:
    done = subprocess.run(
        ["sh", str(EXAMPLES / "serve.sh"), str(sample_path)],
        env={**os.environ, "MULTICUBE": str(COMMAND)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    parts = dict(part.split("\n", 1) for part in done.stdout.split("# ")[1:])
    assert json.loads(parts["is it there?"])["status"] == "ok"
    assert json.loads(parts["ask, and get the whole run as JSON"])["answer"] == "Skarholt"
    assert "event: final" in parts["ask, and follow the hops as server-sent events"]
    assert len(json.loads(parts["the runs so far"])["runs"]) == 2
    assert "Skarholt" in json.loads(parts["as OpenAI's clients ask"])["choices"][0]["message"]["content"]
