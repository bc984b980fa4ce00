"""A real PostgreSQL server of our own, in a folder that goes with it."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

PLACES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
"""Where Debian keeps the programs, which are not on the PATH there."""
PASSWORD = "hidden-word"


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """Run a server and give its address; the test is skipped, with the reason, where none can be run."""
    program = shutil.which("postgres", path=os.pathsep.join([os.environ.get("PATH", ""), *map(str, PLACES)]))
    if program is None:
        pytest.skip("PostgreSQL is not installed here (Debian: apt-get install postgresql)")
    pytest.importorskip("psycopg", reason="psycopg is not installed (pip install 'multicube-rag[scale]')")
    place, data, secret = Path(program).resolve().parent, folder / "data", folder / "secret"
    secret.write_text(PASSWORD, encoding="utf-8")
    for each in (folder, secret):
        shutil.chown(each, *_user())
    _run(place / "initdb", "-D", data, "-U", "multicube", "-A", "scram-sha-256", f"--pwfile={secret}", "-E", "UTF8")
    port = _free_port()
    settings = ["-c", "fsync=off", "-c", "unix_socket_directories=", "-c", "listen_addresses=127.0.0.1"]
    with (folder / "log").open("wb") as log:
        command = [str(place / "postgres"), "-D", str(data), "-p", str(port), *settings]
        server = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, **_as_user())
    try:
        _run(place / "pg_isready", "-h", "127.0.0.1", "-p", str(port), tries=600)
        yield f"postgresql://multicube:{PASSWORD}@127.0.0.1:{port}/postgres"
    finally:
        server.terminate()
        server.wait(timeout=30)


def _run(*command: str | Path, tries: int = 1) -> None:
    import time

    for _ in range(tries):
        ended = subprocess.run(list(map(str, command)), capture_output=True, text=True, cwd="/", **_as_user())
        if ended.returncode == 0:
            return
        time.sleep(0.1 if tries > 1 else 0)
    pytest.skip(f"{Path(command[0]).name} did not do: {ended.stderr.strip() or ended.stdout.strip()}")


def _user() -> tuple[str | int, str | int]:
    """Who runs it: PostgreSQL refuses to be run by root."""
    if os.geteuid():
        return os.geteuid(), os.getegid()
    known = {entry.pw_name for entry in pwd.getpwall()}
    return ("postgres", "postgres") if "postgres" in known else ("nobody", "nogroup")


def _as_user() -> dict[str, str | int]:
    return {} if os.geteuid() else {"user": _user()[0], "group": _user()[1]}


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
