"""Bytes by part: nothing is lost, nothing counts twice."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from multicube.cubes.core.errors import UsageError
from multicube.evals.machine import folder_bytes, index_bytes


def test_the_parts_add_up_to_the_folder(sample_path: Path) -> None:
    parts = index_bytes(sample_path)
    assert sum(parts.values()) == sum(file.stat().st_size for file in sample_path.rglob("*") if file.is_file())
    assert {"catalog.facts", "catalog.sections", "chroma.passages", "chroma.cube.person.labels"} <= set(parts)
    assert {"columns.cubes", "columns.links"} <= set(parts)
    assert parts["chroma.log"] > parts["catalog.graph"] > 0
    assert list(parts.values()) == sorted(parts.values(), reverse=True)


def test_looking_changes_nothing(sample_path: Path) -> None:
    before = {file: file.stat().st_mtime_ns for file in sample_path.rglob("*")}
    index_bytes(sample_path)
    assert {file: file.stat().st_mtime_ns for file in sample_path.rglob("*")} == before


def test_what_was_kept_besides_has_parts_and_what_is_broken_is_one(sample_path: Path, tmp_path: Path) -> None:
    kb = tmp_path / "odd name? #1"
    shutil.copytree(sample_path, kb)
    for name in ("runs.sqlite", "runs.sqlite-wal", "cache.sqlite", "figures/a/b.png", "smart/trees.json", "mine.txt"):
        file = kb / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"x" * 100)
    (kb / "catalog.sqlite").write_bytes(b"no database" * 1000)
    parts = index_bytes(kb)
    assert [parts[name] for name in ("runs", "cache", "figures", "smart")] == [200, 100, 100, 100]
    assert parts["other"] >= 100
    assert parts["catalog"] == 11_000
    assert sum(parts.values()) == folder_bytes(kb)


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="There is no knowledge base at"):
        index_bytes(tmp_path / "none")
