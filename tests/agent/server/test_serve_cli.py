"""`multicube serve` as a process: what it loads, how it ends, and whom it lets in."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from apiserver import CHAIN
from multicube import MultiCube
from multicube.agent.cli import app
from typer.testing import CliRunner

MAIN = "from multicube.agent.cli import main; main()"


@pytest.fixture
def process(sample_path: Path, tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str, Path]]:
    """A server of its own process, its address, and its knowledge base."""
    folder = shutil.copytree(sample_path, tmp_path / "kb")
    command = [sys.executable, "-c", MAIN, "serve", "--kb", str(folder), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        line = running.stderr.readline()
        assert line.startswith("serving on")
        yield running, line.split()[2], folder
        running.kill()


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_cleanly_with_its_runs_kept(
    process: tuple[subprocess.Popen[str], str, Path], sign: signal.Signals
) -> None:
    running, url, folder = process
    assert httpx.get(f"{url}/health", timeout=60).json()["documents"] == 64
    with httpx.stream("POST", f"{url}/ask", json={"question": CHAIN}, timeout=60,
                      headers={"Accept": "text/event-stream"}) as reply:  # fmt: skip
        lines = reply.iter_lines()
        assert next(lines) == "event: started"
        running.send_signal(sign)
        rest = list(lines)
    assert "event: failure" in rest or "event: final" in rest
    assert running.wait(60) == 0
    assert running.stderr is not None
    assert "Traceback" not in running.stderr.read()
    with MultiCube.open(folder) as kb:
        for run in kb.runs():
            assert run.status in ("answered", "paused")


def test_a_knowledge_base_that_is_not_there_is_made_and_filled_by_upload(tmp_path: Path) -> None:
    command = [sys.executable, "-c", MAIN, "serve", "--kb", str(tmp_path / "new"), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        lines = [running.stderr.readline() for _ in range(2)]
        assert lines[0].startswith("made an empty knowledge base in ")
        url = lines[1].split()[2]
        assert httpx.get(f"{url}/health", timeout=60).json()["documents"] == 0
        page = {"files": ("kiln.md", b"# The Old Kiln\n\nThe Old Kiln was built by Mara Lind.\n")}
        job = httpx.post(f"{url}/documents", files=page, timeout=60).json()["job"]
        while httpx.get(f"{url}/jobs/{job}", timeout=60).json()["state"] in ("waiting", "running"):
            time.sleep(0.2)
        assert httpx.get(f"{url}/health", timeout=60).json()["documents"] == 1
        running.kill()


def test_health_needs_nothing_heavy(sample_path: Path) -> None:
    script = (
        "import asyncio, sys\n"
        "import httpx\n"
        "from multicube import MultiCube\n"
        "from multicube.agent.server.app import create_app\n"
        f"app = create_app(MultiCube.open({str(sample_path)!r}), warm=False)\n"
        "async def ask():\n"
        "    transport = httpx.ASGITransport(app=app)\n"
        "    async with httpx.AsyncClient(transport=transport, base_url='http://localhost') as client:\n"
        "        return (await client.get('/health')).json()['status']\n"
        "print(asyncio.run(ask()))\n"
        "heavy = ('torch', 'chromadb', 'langgraph', 'spacy', 'onnxruntime', 'langchain_core', 'openai', 'scipy')\n"
        "print([name for name in heavy if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["ok", "[]"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--host", "0.0.0.0"], "demand a token"),
        (["--host", "0.0.0.0", "--token", " "], "token is empty"),
        (["--token", "two words"], "letters, digits"),
        (["--host", "no.such.host.invalid", "--token", "x"], "no address"),
        (["--host", "192.0.2.1", "--token", "x"], "--host or --port"),
    ],
)
def test_what_is_not_safe_or_not_possible_is_refused(sample_path: Path, options: list[str], said: str) -> None:
    done = CliRunner().invoke(app, ["serve", "--kb", str(sample_path), "--port", "0", *options])
    assert said in done.output
    assert done.exit_code != 0


def test_a_port_in_use_is_said(sample_path: Path) -> None:
    from multicube.agent.server.listener import listen

    with listen("127.0.0.1", 0) as bound:
        port = str(bound.getsockname()[1])
        done = CliRunner().invoke(app, ["serve", "--kb", str(sample_path), "--port", port])
        assert "cannot be listened on" in done.output
