"""The command that repeats the published figures."""

from __future__ import annotations

from pathlib import Path

import pytest
from ending import ends
from multicube.evals.__main__ import EXPERIMENTS, main
from multicube.evals.experiments.figures import PAGES, missing

DOCS = Path(__file__).parents[3] / "docs"


def test_every_page_of_figures_can_be_made_again() -> None:
    words = [word for page in PAGES for command in page.commands for word in command.split()]
    made = {word for word in words if word.startswith("{docs}/")}
    for page in PAGES:
        assert (DOCS / f"{page.name}.md").is_file(), page.name
        assert all(command.split()[0] in (*EXPERIMENTS, "eval") for command in (*page.commands, *page.quick))
    named = {path.removeprefix("{docs}/") for path in made}
    assert all((DOCS / name).is_file() for name in named)
    by_others = {"evaluation.md", "evaluation-matrix.md", "evaluation-hypercube.md", "evaluation-hypercube-tables.md"}
    by_others |= {"evaluation-smart.md", "evaluation-smart-facts.md"}
    by_others |= {f"evaluation-{name}.md" for name in ("2wiki", "hotpotqa", "musique", "2wiki-with-2wiki-6119")}
    assert {path.name for path in DOCS.glob("evaluation*.md")} <= named | by_others


def test_what_a_page_lacks_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MULTICUBE_DATA", str(tmp_path))
    assert missing(PAGES[0], tmp_path) == [f"the data set {name}" for name in PAGES[0].data]
    assert missing(PAGES[0], tmp_path, quick=True) == []
    ends(main, ["figures", "--pages", "evaluation-matrix"])
    assert "needs the data set 2wiki, the data set hotpotqa" in capsys.readouterr().err


def test_a_quick_sample_stays_beside_the_docs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    ends(main, ["figures", "--quick", "--pages", "evaluation-smart-facts", "--list"])
    assert capsys.readouterr().out.strip() == "smart facts-corpus out/figures-quick/facts"
    ends(main, ["figures", "--pages", "none"], status=2)
    assert 'There is no page of figures "none"' in capsys.readouterr().err


def test_a_sample_writes_its_page_where_no_folder_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ends(main, ["figures", "--quick", "--pages", "evaluation"])
    assert "# Evaluation: sample" in (tmp_path / "out/figures-quick/docs/evaluation-sample.md").read_text("utf-8")


def test_experiments_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([])
    shown = capsys.readouterr().out
    assert all(f"  {name} " in shown for name in EXPERIMENTS)
    ends(main, ["nonsense"], status=2)
