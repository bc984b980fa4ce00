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


def test_an_ontology_in_yaml_alone_answers_over_two_hops(tmp_path: Path) -> None:
    texts = {
        "Velm": "The Velm is a right tributary of the Orsa River. It rises high up in the Tarn Hills.",
        "Orsa River": "The Orsa River is a river in Brask. It rises in the Hald Mountains and empties into Lake Ommer.",
        "Skell": "The Skell is a small river which discharges into Lake Ommer.",
    }
    for title, text in texts.items():
        (tmp_path / f"{title}.md").write_text(f"# {title}\n\n{text}\n", encoding="utf-8")
    ontology = EXAMPLES / "rivers" / "rivers.yaml"
    with MultiCube.build(tmp_path, tmp_path / "kb", ontology=ontology) as kb:
        run = kb.ask("Into which lake does the river that the Velm flows into empty?")
        assert run.answer == "Lake Ommer"
        assert [hop.answer for hop in run.hops] == ["Orsa River", "Lake Ommer"]
        assert all(hop.cubes == ("river",) for hop in run.hops)


def test_the_rivers_of_data_sets_are_collected(tmp_path: Path, example: Callable[[str], Any]) -> None:
    rows = [{"title": "Velm", "text": "The Velm is a short river."}, {"title": "Orm", "text": "Orm is a village."}]
    (tmp_path / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    example("rivers/corpus").main(tmp_path / "out", [tmp_path / "corpus.jsonl"])
    kept = (tmp_path / "out" / "corpus.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["title"] for line in kept] == ["Velm"]
    assert (tmp_path / "out" / "questions.jsonl").read_text("utf-8").count("\n") == 30
