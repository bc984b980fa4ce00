"""The matrix: each data set in a folder of its own, one page of all, and no part of it over the whole one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ending import ends
from multicube.evals.__main__ import main
from multicube.evals.experiments.matrix import DATASETS, Matrix, page
from multicube.evals.systems import parse_names


@pytest.fixture
def places(tmp_path: Path) -> list[str]:
    return ["--work", str(tmp_path / "work"), "--docs", str(tmp_path / "docs")]


def test_without_data_sets_the_sample_is_evaluated_and_the_page_is_no_part_of_the_docs(
    tmp_path: Path, places: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MULTICUBE_DATA", str(tmp_path / "nowhere"))
    ends(main, ["matrix", *places, "--limit", "2", "--systems", "bm25,none", "--jobs", "1"])
    said = capsys.readouterr().err
    assert "the bundled sample is evaluated" in said
    assert "none is through: 2 of 2 systems." in said
    folder = tmp_path / "work-limit-2"
    results = json.loads((folder / "sample" / "results.json").read_text("utf-8"))
    assert list(results["systems"]) == ["bm25", "none"]
    assert "bm25" in (folder / "evaluation-matrix.md").read_text("utf-8")
    assert (folder / "evaluation-matrix.html").is_file()
    assert not (tmp_path / "docs").exists()
    part = Matrix(DATASETS[:1], work=tmp_path / "work", docs=tmp_path / "docs")
    assert page(part, [folder / "sample"]) == tmp_path / "work" / "evaluation-matrix.md"
    whole = Matrix(DATASETS, work=tmp_path / "work", docs=tmp_path / "docs")
    assert page(whole, [folder / "sample"]) == tmp_path / "docs" / "evaluation-matrix.md"


def test_a_data_set_that_is_not_there_is_said_before_anything_is_asked(
    tmp_path: Path, places: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MULTICUBE_DATA", str(tmp_path))
    ends(main, ["matrix", "sample", "nowhere", *places], status=2)
    assert "no data set folder at nowhere" in capsys.readouterr().err
    assert not (tmp_path / "work").exists()


def test_data_sets_of_one_name_would_share_a_folder_and_are_refused(
    tmp_path: Path, places: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    named = [tmp_path / "one" / "set", tmp_path / "two" / "set"]
    for folder in named:
        folder.mkdir(parents=True)
    ends(main, ["matrix", *map(str, named), *places], status=2)
    assert "Two data sets are called set" in capsys.readouterr().err


def test_parts_have_folders_of_their_own() -> None:
    folders = [
        Matrix(("x",), work=Path("out/matrix"), limit=limit, shuffle=shuffle, seed=3).folder.name
        for limit, shuffle in ((None, False), (5, False), (5, True))
    ]
    assert folders == ["matrix", "matrix-limit-5", "matrix-limit-5-seed-3"]


def test_the_matrix_holds_baselines_ablations_cubes_and_limits() -> None:
    names = parse_names("matrix")
    assert names[0] == "multicube"
    assert {"rank_bm25", "naive", "loop+hybrid", "no-loop", "limit-1", "limit-6"} <= set(names)
    assert any(name.startswith("no-cube:") for name in names)
