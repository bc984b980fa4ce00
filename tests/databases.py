"""Real servers of our own on this machine, PostgreSQL and Chroma, in folders that go with them."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

PASSWORD = "hidden-word"
_PLACES = sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")), reverse=True)
"""Where Debian keeps the programs, which are not on the PATH there."""
_SETTINGS = ("fsync=off", "unix_socket_directories=", "listen_addresses=127.0.0.1")


@contextmanager
def postgres() -> Iterator[str]:
    """Run a server and give its address; the test is skipped, with the reason, where none can be run."""
    program = shutil.which("postgres", path=os.pathsep.join([os.environ.get("PATH", ""), *_PLACES]))
    if program is None:
        pytest.skip("PostgreSQL is not installed here (Debian: apt-get install postgresql)")
    pytest.importorskip("psycopg", reason="psycopg is not installed (pip install 'multicube-rag[scale]')")
    with tempfile.TemporaryDirectory() as folder:  # not pytest's, which only its own user may enter
        secret = Path(folder) / "secret"
        secret.write_text(PASSWORD, encoding="utf-8")
        if os.geteuid() == 0:  # PostgreSQL refuses to be run by root
            for each in (Path(folder), secret):
                shutil.chown(each, "nobody")
        place = Path(program).resolve().parent
        _run(place / "initdb", "-D", f"{folder}/data", "-U", "multicube", "-A", "scram-sha-256", "-E", "UTF8",
             f"--pwfile={secret}")  # fmt: skip
        with _started(place, Path(folder)) as port:
            yield f"postgresql://multicube:{PASSWORD}@127.0.0.1:{port}/postgres"


@contextmanager
def chroma(folder: Path) -> Iterator[str]:
    """Run a Chroma server and give its address; the test is skipped where none can be started."""
    port = _free_port()
    run = "import sys; sys.argv[0] = 'chroma'; from chromadb.cli.cli import app; app()"
    command = [sys.executable, "-c", run, "run", "--path", str(folder), "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            with socket.socket() as probe:
                if server.poll() is not None or probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        else:
            pytest.skip("no Chroma server came up within a minute")
        if server.poll() is not None:
            pytest.skip(f"`chroma run` ended with status {server.returncode} before it served")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(timeout=30)


@contextmanager
def _started(place: Path, folder: Path) -> Iterator[int]:
    port = _free_port()
    command = [str(place / "postgres"), "-D", f"{folder}/data", "-p", str(port)]
    command += [part for setting in _SETTINGS for part in ("-c", setting)]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, **_user())
    try:
        _run(place / "pg_isready", "-h", "127.0.0.1", "-p", str(port), tries=600)
        yield port
    finally:
        server.terminate()
        server.wait(timeout=60)


def _run(*command: str | Path, tries: int = 1) -> None:
    for _ in range(tries):
        ended = subprocess.run(list(map(str, command)), capture_output=True, text=True, cwd="/", **_user())
        if ended.returncode == 0:
            return
        time.sleep(0.1)
    pytest.skip(f"{Path(command[0]).name} ended with: {(ended.stderr or ended.stdout).strip()}")


def _user() -> dict[str, Any]:
    return {"user": "nobody", "extra_groups": []} if os.geteuid() == 0 else {}


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
