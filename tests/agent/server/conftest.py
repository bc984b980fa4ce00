"""Servers over copies of the sample."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from apiserver import Running, serving
from multicube import MultiCube


@pytest.fixture(scope="session")
def shared(sample_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server for tests that leave documents as they are; runs pile up."""
    folder = shutil.copytree(sample_path, tmp_path_factory.mktemp("served") / "kb")
    with MultiCube.open(folder) as kb, serving(kb) as running:
        yield running


@pytest.fixture
def own(sample_path: Path, tmp_path: Path) -> Iterator[Running]:
    """A server whose documents a test may change."""
    folder = shutil.copytree(sample_path, tmp_path / "kb")
    with MultiCube.open(folder) as kb, serving(kb, warm=False) as running:
        yield running
