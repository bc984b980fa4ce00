"""One browser and one server over the bundled sample for all that is tested of the page."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import Visit
from multicube import MultiCube
from playwright.sync_api import Browser

TOKEN = "token-of-this-test"


@pytest.fixture(scope="module")
def served(sample_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MultiCube]:
    """The sample, which these tests may write to."""
    path = tmp_path_factory.mktemp("page") / "kb"
    shutil.copytree(sample_path, path)
    with MultiCube.open(path) as kb:
        yield kb


@pytest.fixture(scope="module")
def address(served: MultiCube) -> Iterator[str]:
    """Where the page is."""
    with _Server(served) as url:
        yield url


@pytest.fixture
def guarded(served: MultiCube) -> Iterator[str]:
    """The same behind a token."""
    with _Server(served, TOKEN) as url:
        yield url


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    """A fresh tab, which must stay without a complaint."""
    visit = Visit.begin(browser, address)
    yield visit
    visit.end()


class _Server:
    """The application in a thread, as long as the context."""

    def __init__(self, kb: MultiCube, token: str | None = None) -> None:
        import uvicorn
        from multicube.agent.server.app import create_app

        self._server = uvicorn.Server(uvicorn.Config(create_app(kb, token=token), port=0, log_level="error"))
        self._thread = threading.Thread(target=self._server.run, daemon=True)

    def __enter__(self) -> str:
        self._thread.start()
        while not self._server.started:
            assert self._thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        return f"http://127.0.0.1:{self._server.servers[0].sockets[0].getsockname()[1]}"

    def __exit__(self, *failure: object) -> None:
        self._server.should_exit = True
        self._thread.join()
