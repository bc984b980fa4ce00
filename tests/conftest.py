"""Fixtures: the bundled sample as a real knowledge base, the development data sets, and no network."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from browsing import chromium
from hypothesis import settings
from multicube import MultiCube
from multicube.agent.engines.encoders.factory import OnnxEncoder
from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "evals" / "sample"

# A busy machine is no failure: property tests have no time limit per example.
settings.register_profile("multicube", deadline=None)
settings.load_profile("multicube")


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here may leave this machine: a connection to anything but loopback fails the test."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> Any:
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in (
            "127.0.0.1",
            "::1",
            "localhost",
        ):
            raise AssertionError(f"a test tried to reach {address[0]}")
        return connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture(autouse=True)
def clean_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings of the person running the tests do not reach them."""
    for name in list(os.environ):
        if name.startswith("MULTICUBE_") and name not in ("MULTICUBE_CACHE_DIR", "MULTICUBE_DATA"):
            monkeypatch.delenv(name)


@pytest.fixture(scope="session", autouse=True)
def embedded_once() -> Iterator[None]:
    """What the packaged encoder was asked before, word for word, it does not compute again: many build the sample."""
    encode, one = OnnxEncoder._encode, OnnxEncoder()
    remembered = lru_cache(2_000)(lambda texts: encode(one, texts))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(OnnxEncoder, "_encode", lambda _, texts: remembered(tuple(texts)).copy())
        yield


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium. Not longer than a module: as long as it is there, no other test of this process can run a loop."""
    with chromium() as running:
        yield running


@pytest.fixture(scope="session")
def sample_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a knowledge base built from the bundled sample; tests must not write to it."""
    path = tmp_path_factory.mktemp("sample") / "kb"
    MultiCube.build([SAMPLE / "corpus.jsonl"], path).close()
    return path


@pytest.fixture
def sample(sample_path: Path) -> Iterator[MultiCube]:
    """The bundled sample, open; the runs that a test saves go with it, so that copies of the folder have none."""
    with MultiCube.open(sample_path) as kb:
        yield kb
    for file in sample_path.glob("runs.sqlite*"):
        file.unlink()


@pytest.fixture(scope="session")
def sample_questions() -> list[dict[str, Any]]:
    """The sample's forty questions with their gold answers."""
    lines = (SAMPLE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder with the development data sets; tests that need it are skipped without it."""
    path = Path(os.environ.get("MULTICUBE_DATA", ROOT.parent / "shared" / "data"))
    if not path.is_dir():
        pytest.skip("the development data sets are not here; MULTICUBE_DATA names their folder")
    return path


def write_jsonl(path: Path, records: list[dict[str, Any]]) -> Path:
    """Write records one a line."""
    path.write_text("\n".join(json.dumps(r, ensure_ascii=False) for r in records) + "\n", encoding="utf-8")
    return path
