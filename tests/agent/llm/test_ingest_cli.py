"""`multicube ingest` with a model: what it says before, at the end, and where a cap or the model stops it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from modelserver import Fault, ModelRequest, ModelServer
from multicube.agent.cli import app
from typer.testing import CliRunner, Result

SOUND = [True]


def brain(request: ModelRequest) -> Any:
    found = re.search(r"(?P<film>Film \d+) is a film directed by (?P<by>Director \w+)", request.messages[-1][1])
    if found is None:
        return {"ready": True}
    fact = {"cube": "cultural_product", "dimension": "to_person", "subject": found["film"], "value": found["by"]}
    return {"facts": [fact | {"relation": "directed by", "quote": found[0]}]}


def fault(request: ModelRequest) -> Fault | None:
    return None if SOUND[0] or "Film 2 is" not in request.text else Fault.refusal()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ModelServer]:
    with ModelServer(brain, faults=fault) as server:
        prices = tmp_path / "prices.yaml"
        prices.write_text("stand-in: {input: 1.0, output: 10.0}\n", encoding="utf-8")
        for name, value in {"CACHE_DIR": tmp_path / "known", "KB": tmp_path / "kb", "PRICES": prices}.items():
            monkeypatch.setenv(f"MULTICUBE_{name}", str(value))
        monkeypatch.setenv("MULTICUBE_MODEL", f"{server.url}#stand-in")
        SOUND[0] = True
        yield server


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    texts = [f"Film {n} is a film directed by Director {'ABCDE'[n]}." for n in range(5)]
    records = [{"id": f"f{n}", "title": f"Film {n}", "text": text} for n, text in enumerate(texts)]
    file = tmp_path / "films.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return file


def invoke(*args: str | Path) -> Result:
    result = CliRunner().invoke(app, [str(arg) for arg in args])
    assert "Traceback" not in result.output
    return result


def test_a_dry_run_says_what_it_would_cost(server: ModelServer, corpus: Path, tmp_path: Path) -> None:
    said = invoke("ingest", corpus, "--dry-run")
    assert said.exit_code == 0
    tokens = r"tokens: about [\d,]+ read, \d+ written \(at most 3,000\)"
    for line in ("requests to .*#stand-in: 5", tokens, r"money: about \$0\.\d+"):
        assert re.search(f"^{line}$", said.stdout, re.MULTILINE), said.stdout
    assert re.search(r"^minutes: about \d", said.stdout, re.MULTILINE)
    estimate = json.loads(invoke("ingest", corpus, "--dry-run", "--json").stdout)["estimate"]
    assert (estimate["requests"], estimate["cached"], len(estimate["assumptions"])) == (5, 0, 3)
    assert estimate["cost_usd"] > 0
    assert server.requests == []
    assert not (tmp_path / "kb").exists()


def test_a_cap_ends_with_how_to_go_on_and_what_was_spent(server: ModelServer, corpus: Path) -> None:
    capped = invoke("ingest", corpus, "--max-requests", "2")
    assert capped.exit_code == 1
    *_, spent, why = capped.stderr.strip().splitlines()
    assert spent.startswith("spent: 2 requests, ")
    assert "Raise the cap and run the same command again; what was paid for is kept." in why
    report = json.loads(invoke("ingest", corpus, "--max-requests", "3", "--json").stdout)
    assert (report["usage"]["requests"], report["usage"]["failed"], report["unchanged"] + report["added"]) == (3, 0, 5)
    assert report["usage"]["cost_usd"] > 0
    assert len(server.chats) == 5


def test_a_section_set_aside_is_listed_and_retried(server: ModelServer, corpus: Path) -> None:
    SOUND[0] = False
    first = invoke("ingest", corpus)
    assert first.exit_code == 0
    assert "Section 1 ('Film 2') could not be read" in first.stderr
    assert re.search(r"^set aside: 1$", first.stdout, re.MULTILINE)
    assert re.search(r"^spent: \d+ requests \(\d+ failed\), .* tokens read, .* written, \$", first.stdout, re.MULTILINE)
    assert "Section 1 ('Film 2')" in invoke("status").output
    SOUND[0] = True
    asked = len(server.chats)
    assert "1 more are still set aside" in invoke("ingest", corpus).stderr
    assert len(server.chats) == asked
    mended = json.loads(invoke("ingest", corpus, "--retry", "--json").stdout)
    assert (mended["retried"], mended["facts"], mended["problems"]) == (1, 1, [])
    assert len(server.chats) == asked + 1
    assert "Film 2" not in invoke("status").output
