"""What the tests of reports share: evaluations made by hand, and a browser."""

import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from evaluated import Make, evaluated
from playwright.sync_api import Browser, expect, sync_playwright


@pytest.fixture
def made(tmp_path: Path) -> Make:
    """Write the folder of an evaluation and return it."""
    return partial(evaluated, tmp_path)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Chromium, without a window."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("no Chromium is installed to drive the page with")
    expect.set_options(timeout=30_000)
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
