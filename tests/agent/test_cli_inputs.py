"""What `multicube ingest` says of its inputs: which kinds it reads, in which encoding, and how far it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from multicube.agent.cli import app
from multicube.agent.cli.progress import ThrottledProgress
from multicube.cubes.documents.loaders import SUPPORTED
from multicube.cubes.ingest.pipeline import Progress
from typer.testing import CliRunner


def test_the_help_of_ingest_names_every_kind_of_file() -> None:
    shown = CliRunner().invoke(app, ["ingest", "--help"], env={"COLUMNS": "200"}).output
    assert sorted(suffix for suffix in SUPPORTED if suffix not in shown) == []


def test_ingest_says_in_which_encoding_a_file_was_read(tmp_path: Path) -> None:
    (tmp_path / "cafe.txt").write_bytes("The café in Zürich opened in 1874.".encode("cp1252"))
    done = CliRunner().invoke(app, ["ingest", str(tmp_path / "cafe.txt"), "--kb", str(tmp_path / "kb")])
    assert done.exit_code == 0
    assert "the file is not UTF-8; it was read as Windows-1252 (Latin-1)." in done.stderr.replace("\n", " ")


def test_where_nobody_watches_progress_is_a_line_every_ten_seconds() -> None:
    now, said = [0.0], list[str]()
    told = ThrottledProgress(said.append, lambda: now[0])
    for second in range(0, 31, 5):
        now[0] = float(second)
        told(Progress("read", second, 2_000))
    assert said == ["read: 10 of 2,000", "read: 20 of 2,000", "read: 30 of 2,000"]


@pytest.mark.parametrize("there", [True, False])
def test_a_link_to_nothing_is_said(tmp_path: Path, there: bool) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "b.txt").symlink_to(tmp_path / "gone.txt")
    if there:
        (tmp_path / "docs" / "a.txt").write_text("The harbour opened.")
    named = tmp_path / "docs" if there else tmp_path / "docs" / "b.txt"
    done = CliRunner().invoke(app, ["ingest", str(named), "--kb", str(tmp_path / "kb")])
    assert "is a link to" in done.stderr
    assert done.exit_code == (0 if there else 2)
