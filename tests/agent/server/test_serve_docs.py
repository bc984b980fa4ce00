"""What docs/serve.md and the examples say is what happens."""

from __future__ import annotations

import json
import re
import runpy
import shutil
import subprocess
from pathlib import Path

import pytest
from apiserver import Running

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "serve.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"<!-- curl -->\n```console\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = [line.removeprefix("$ ") for block in BLOCKS for line in block.splitlines()]

needs_curl = pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")


@needs_curl
def test_every_curl_command_of_the_page_succeeds(own: Running, tmp_path: Path) -> None:
    assert len(COMMANDS) >= 15
    folder = tmp_path / "here"
    folder.mkdir()
    (folder / "notes.md").write_text("# Notes\n\nThe Grey Lamp was directed by Ada Moss.\n")
    (folder / "report.pdf").write_bytes(b"%PDF-1.4 broken")
    own.ask()
    for command in COMMANDS:
        here = command.replace("curl ", "curl -fsS ", 1).replace("http://127.0.0.1:8000", own.url)
        done = subprocess.run(here, shell=True, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, (command, done.stdout, done.stderr)
    assert [path.suffix for path in folder.glob("run-*")] == [".html"]


@needs_curl
def test_the_example_of_curl_runs(shared: Running) -> None:
    script = [str(ROOT / "examples" / "curl.sh"), shared.url]
    done = subprocess.run(["sh", *script], capture_output=True, text=True, timeout=60, check=True)
    assert "event: final" in done.stdout
    replies = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert [reply.get("answer") for reply in replies] == [None, "Skarholt", "Quillon", None]


def test_the_example_of_openai_runs(shared: Running, capsys: pytest.CaptureFixture[str]) -> None:
    example = runpy.run_path(str(ROOT / "examples" / "openai_client.py"))
    example["main"](shared.url)
    said = capsys.readouterr().out
    assert "→ Anselm Torvik" in said
    assert "\nSkarholt" in said


def test_every_path_of_the_page_is_a_route(shared: Running) -> None:
    routes = [re.sub(r"\{[^}]*\}", "[^/]+", path) for path in shared.client.get("/openapi.json").json()["paths"]]
    named = re.findall(r"`(?:GET|POST|DELETE) (/[^`?]*)`", PAGE) + re.findall(r"127\.0\.0\.1:8000(/[^\s'?`]+)", PAGE)
    assert len(named) > 15
    for path in named:
        assert path == "/v1" or any(re.fullmatch(route, path) for route in routes), path
