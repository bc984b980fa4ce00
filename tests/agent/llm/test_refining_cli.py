"""`multicube ingest --format-with-model` and `--describe-figures`: what they cost and store, and that they pay once."""

from __future__ import annotations

import json
import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from modelserver import ModelRequest, ModelServer
from modelserver.recognising import Recogniser
from modelserver.writing import ANSWERS
from multicube import MultiCube
from multicube.agent.cli import app
from typer.testing import CliRunner, Result


def png(size: int = 120) -> bytes:
    """A square of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + b"\x20\x40\xc0" * size for _ in range(size))
    head = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def brain(request: ModelRequest) -> Any:
    task = Recogniser().task(request)
    if task.prompt == "section_extraction":
        return {"facts": []}
    if task.prompt == "markdown_formatting":  # a page break had made one heading plain text
        return {"markdown": task["window"].replace("\n3 Ratings\n", "\n# 3 Ratings\n")}
    return ANSWERS[task.prompt](task)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ModelServer]:
    with ModelServer(brain) as server:
        for name, value in {"CACHE_DIR": tmp_path / "known", "KB": tmp_path / "kb"}.items():
            monkeypatch.setenv(f"MULTICUBE_{name}", str(value))
        monkeypatch.setenv("MULTICUBE_MODEL", f"{server.url}#stand-in")
        yield server


@pytest.fixture
def page(tmp_path: Path) -> Path:
    image = tmp_path / "pump.png"
    image.write_bytes(png())
    told = "The pump moves water from the well to the tank, and it needs hardly any care. " * 30
    parts = (
        f"<h1>1 Pump</h1><p>{told}</p><figure><img src='pump.png' width='300' height='200'>"
        f"<figcaption>Figure 1: The pump</figcaption></figure><h1>2 Care</h1><p>{told}</p><p>3 Ratings</p><p>{told}</p>"
    )
    file = tmp_path / "pump.html"
    file.write_text(f"<html><head><title>Amber pump</title></head><body>{parts}</body></html>", encoding="utf-8")
    return file


def invoke(*args: str | Path) -> Result:
    result = CliRunner().invoke(app, [str(arg) for arg in args])
    assert "Traceback" not in result.output
    return result


def headings(kb: Path) -> set[str]:
    with MultiCube.open(kb, engine="embedded") as opened:
        return {section.path[-1] for section in opened.kb.sections()}


def prompts(server: ModelServer) -> list[str]:
    return [Recogniser().task(request).prompt for request in server.chats]


def test_a_page_is_formatted_once_and_a_plain_ingest_leaves_it_so(
    server: ModelServer, page: Path, tmp_path: Path
) -> None:
    plain = json.loads(invoke("ingest", page, "--dry-run", "--json").stdout)["estimate"]
    dearer = json.loads(invoke("ingest", page, "--dry-run", "--json", "--format-with-model").stdout)["estimate"]
    assert dearer["requests"] == plain["requests"] + 1
    assert dearer["input_tokens"] > plain["input_tokens"]
    assert server.requests == []

    assert json.loads(invoke("ingest", page, "--json").stdout)["added"] == 1
    assert "3 Ratings" not in headings(tmp_path / "kb")
    report = json.loads(invoke("ingest", page, "--json", "--format-with-model").stdout)
    assert (report["updated"], report["warnings"]) == (1, [])
    assert "3 Ratings" in headings(tmp_path / "kb")
    assert prompts(server).count("markdown_formatting") == 1
    assert report["usage"]["requests"] == 1 + report["sections"] - report["usage"]["cached"]

    for options in ([], ["--format-with-model"]):
        again = json.loads(invoke("ingest", page, "--json", *options).stdout)
        assert (again["unchanged"], again["updated"]) == (1, 0)
    assert "3 Ratings" in headings(tmp_path / "kb")
    assert prompts(server).count("markdown_formatting") == 1


def test_the_environment_may_ask_for_it(
    server: ModelServer, page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MULTICUBE_DESCRIBE_FIGURES", "1")
    assert invoke("ingest", page).exit_code == 0
    assert prompts(server).count("figure_description") == 1
    shown = next(request for request in server.chats if request.images)
    assert shown.images == [("image/png", png())]
    assert re.search("Amber pump.*The pump", shown.said("user"), re.DOTALL)


def test_without_a_model_it_is_refused_in_one_sentence(page: Path, tmp_path: Path) -> None:
    for option in ("--format-with-model", "--describe-figures"):
        said = invoke("ingest", page, "--kb", tmp_path / "kb", option)
        assert said.exit_code == 2
        assert f"{option} needs a language model; name one with --model, or set MULTICUBE_MODEL." in said.stderr
    assert not (tmp_path / "kb").exists()
