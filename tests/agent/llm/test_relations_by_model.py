"""`multicube smart build --model`: a model reads relations that the cubes do not foresee (SMART, Table 6)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from modelserver import Fault, ModelRequest, ModelServer
from multicube.agent.cli import app
from multicube.cubes.smart.perspectives import kept
from typer.testing import CliRunner

PEOPLE = ("Ada Vell", "Bo Rusk", "Cid Tarn", "Dov Mell", "Eli Sund", "Fia Korr")
RIVAL = re.compile(r"(\w+ \w+) envied (\w+ \w+)")
OPTIONS = ("--heads", "1", "--levels", "1", "--restarts", "1", "--json")


def brain(request: ModelRequest) -> Any:
    """Ties those who envy each other, and both ways someone of whom the text does not speak."""
    found = RIVAL.search(request.text)
    if request.schema is None or "relationships" not in request.schema.get("properties", {}):
        return {"ready": True} if "ready" in (request.schema or {}).get("properties", {}) else {}
    if found is None:
        return {"entities": [], "relationships": []}
    names = [*found.groups(), "Zoe Pell"]
    ties = [(names[0], names[1]), (names[0], names[2]), (names[2], names[1])]
    return {
        "entities": [{"name": name, "type": "Person", "description": "a painter"} for name in names],
        "relationships": [
            {"source": source, "target": target, "relationship": "envied", "relationship_strength": 9}
            for source, target in ties
        ],
    }


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ModelServer]:
    refused = lambda request: Fault.refusal() if "Fia Korr envied" in request.text else None  # noqa: E731
    with ModelServer(brain, faults=refused) as server:
        monkeypatch.setenv("MULTICUBE_CACHE_DIR", str(tmp_path / "known"))
        yield server


def _done(*args: str | Path) -> dict[str, Any]:
    result = CliRunner().invoke(app, [str(arg) for arg in args])
    assert result.exit_code == 0, result.output
    told: dict[str, Any] = json.loads(result.stdout) if result.stdout.startswith("{") else {}
    return told


def _kb(folder: Path) -> Path:
    texts = [
        {"title": name, "text": f"{name} was a painter. {name} was born in Tolm. {name} envied {PEOPLE[n - 1]}."}
        for n, name in enumerate(PEOPLE)
    ]
    (folder / "people.jsonl").write_text("\n".join(map(json.dumps, texts)), "utf-8")
    _done("ingest", folder / "people.jsonl", "--kb", folder / "kb")
    return folder / "kb"


def _ties(kb: Path) -> set[tuple[str, str, str]]:
    found = kept(kb)
    assert found is not None
    names = [entity.name for entity in found.graph.entities]
    return {(names[r.subject], r.relation, names[r.value]) for r in found.graph.relations}


def test_what_a_model_reads_joins_the_facts_where_the_section_says_it(server: ModelServer, tmp_path: Path) -> None:
    kb = _kb(tmp_path)
    plain = _done("smart", "build", "--kb", kb, *OPTIONS)
    assert not any(relation == "envied" for _, relation, _ in _ties(kb))
    model = f"{server.url}#stand-in"
    more = _done("smart", "build", "--kb", kb, "--model", model, *OPTIONS)
    envied = {(subject, value) for subject, relation, value in _ties(kb) if relation == "envied"}
    assert envied == {(name, PEOPLE[n - 1]) for n, name in enumerate(PEOPLE) if name != "Fia Korr"}, "one was refused"
    assert more["relations"] == plain["relations"] + len(envied)
    assert more["entities"] == plain["entities"], "names that the facts have are the same things"
    asked = [request for request in server.chats if "Identify all entities" in request.text]
    assert len(asked) >= len(PEOPLE)
    before = len(server.chats)
    _done("smart", "build", "--kb", kb, "--model", model, *OPTIONS)
    again = [r for r in server.chats[before:] if "Identify all entities" in r.text and "Fia Korr envied" not in r.text]
    assert again == [], "replies are kept"
