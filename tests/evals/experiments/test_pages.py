"""The pages of figures: made by one command, and the page that explains them speaks of what there is."""

import re
from pathlib import Path

import pytest
from ending import ends
from multicube.agent.cli.application import app
from multicube.evals.__main__ import main
from multicube.evals.ablations import ABLATIONS
from multicube.evals.evaluation.census import CAUSES
from multicube.evals.experiments.calibration.command import app as calibration
from multicube.evals.experiments.pages import fill
from typer.testing import CliRunner

PAGE = (Path(__file__).parents[3] / "docs" / "evaluation.md").read_text(encoding="utf-8")


def test_every_option_the_page_names_exists() -> None:
    wide = {"COLUMNS": "200"}
    shown = CliRunner().invoke(app, ["eval", "--help"], env=wide).output
    for stage in ("record", "fit"):
        shown += CliRunner().invoke(calibration, [stage, "--help"], env=wide).output
    for option in set(re.findall(r"--[a-z][a-z-]+", PAGE)):
        assert option in shown, option


def test_the_page_explains_every_cause() -> None:
    for cause in CAUSES:
        if cause != "failed":
            assert cause.partition(":")[0] in PAGE, cause


def test_one_command_writes_pages_and_summary(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "evaluation.md").write_text("before\n<!-- figures -->\nold\n<!-- /figures -->\nafter\n")
    asked = "sample --limit 3 --systems multicube,bm25"
    ends(main, ["pages", asked, "--docs", str(docs), "--work", str(tmp_path / "work")])
    page = (docs / "evaluation-sample.md").read_text("utf-8")
    assert "`multicube eval sample --limit 3 --systems multicube,bm25 --out out`" in page
    assert "| bm25 " in page
    index = (docs / "evaluation.md").read_text("utf-8")
    assert "| [sample](evaluation-sample.md) |" in index
    assert "old" not in index
    assert index.endswith("<!-- /figures -->\nafter\n")


def test_a_wrong_line_is_said_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ends(main, ["pages", "nowhere", "--docs", str(tmp_path), "--work", str(tmp_path / "work")], status=2)
    assert "no data set folder at nowhere" in capsys.readouterr().err


def test_a_page_without_marks_stays() -> None:
    assert fill("text", "table") == "text"


def test_ablations_are_named_on_the_page() -> None:
    assert "EngineOptions(reader=False)" in PAGE
    assert "no-reader" in ABLATIONS
