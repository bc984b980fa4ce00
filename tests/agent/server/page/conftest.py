"""One browser and one server over the bundled sample for all that is tested of the page."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from apiserver import serving
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
    with serving(served) as running:
        yield running.url


@pytest.fixture
def guarded(served: MultiCube) -> Iterator[str]:
    """The same behind a token."""
    with serving(served, token=TOKEN) as running:
        yield running.url


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    """A fresh tab, which must stay without a complaint."""
    visit = Visit.begin(browser, address)
    yield visit
    visit.end()
