"""`multicube smart` over a small corpus: built, looked at, drawn, brought up to date, and asked."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from multicube.agent.cli import app
from multicube.cubes.smart.perspectives import kept
from typer.testing import CliRunner

PEOPLE = ("Ada Vell", "Bo Rusk", "Cid Tarn", "Dov Mell", "Eli Sund", "Fia Korr", "Gil Haan", "Ida Byrd")
OPTIONS = ("--heads", "2", "--levels", "2", "--restarts", "1")


def corpus(path: Path, *names: str) -> Path:
    def text(n: int, name: str) -> str:
        trade, town = ("painter" if n % 2 else "sculptor"), ("Brask" if n < 4 else "Tolm")
        return f"{name} was a <b>Danish</b> {trade}. {name} was born in {town}. {name} died in {town}."

    path.write_text("\n".join(json.dumps({"title": name, "text": text(n, name)}) for n, name in enumerate(names)))
    return path


def run(*args: str | Path) -> Any:
    return CliRunner().invoke(app, [str(arg) for arg in args])


def done(*args: str | Path) -> str:
    result = run(*args)
    assert result.exit_code == 0, result.output
    return str(result.stdout)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("smart")
    done("ingest", corpus(folder / "people.jsonl", *PEOPLE), "--kb", folder / "kb")
    missing = run("smart", "tree", "--kb", folder / "kb")
    assert missing.exit_code == 2
    assert "smart build" in missing.output
    facts = json.loads(done("smart", "build", "--kb", folder / "kb", *OPTIONS, "--json"))
    assert facts["trained"] is True
    assert len(facts["trees"]) == 2
    assert facts["reports_written"] > 0
    assert facts["vectors"] > 0
    return folder / "kb"


def test_trees_nodes_and_paths_can_be_looked_at(built: Path) -> None:
    trees = json.loads(done("smart", "tree", "--kb", built, "--json"))
    assert [tree["tree"] for tree in trees] == [1, 2]
    largest = max((node for node in trees[0]["nodes"] if node["parent"] is None), key=lambda node: node["size"])
    assert largest["id"] in done("smart", "tree", "--kb", built, "--tree", "1")
    node = json.loads(done("smart", "node", largest["id"], "--kb", built, "--json"))
    assert len(node["entities"]) == largest["size"]
    assert node["findings"]
    assert all(finding["sections"] for finding in node["findings"])
    shown = done("smart", "node", largest["id"], "--kb", built)
    assert node["findings"][0]["text"] in shown
    (way,) = json.loads(done("smart", "path", "Ada Vell", "--kb", built, "--json"))
    assert [len(tree["nodes"]) for tree in way["paths"]] == [2, 2]
    assert "tree 2" in done("smart", "path", "Ada Vell", "--kb", built)


def test_wrong_names_get_one_sentence(built: Path) -> None:
    for args, said in (
        (("node", "7.7.7"), "No report of a node '7.7.7'"),
        (("path", "Nobody"), "No entity is called 'Nobody'"),
        (("tree", "--tree", "9"), "There is no tree 9; there are 2."),
    ):
        result = run("smart", *args, "--kb", built)
        assert result.exit_code == 2
        assert said in " ".join(result.output.split())


def test_the_page_is_self_contained_and_escaped(built: Path, tmp_path: Path) -> None:
    done("smart", "tree", "--kb", built, "--html", tmp_path / "trees.html")
    page = (tmp_path / "trees.html").read_text()
    assert page.count("<h2>Tree ") == 2
    assert "<b>" not in page
    assert "http" not in page.replace("http-equiv", "")
    assert "default-src 'none'" in page


def test_new_documents_keep_the_trees_and_untouched_reports(built: Path, tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    shutil.copytree(built, kb)
    again = json.loads(done("smart", "build", "--kb", kb, *OPTIONS, "--json"))
    assert (again["trained"], again["reports_written"], again["vectors"]) == (False, 0, 0)
    done("ingest", corpus(tmp_path / "more.jsonl", "Jon Pell"), "--kb", kb)
    stale = run("smart", "tree", "--kb", kb)
    assert stale.exit_code == 2
    assert "have changed" in " ".join(stale.output.split())
    grown = json.loads(done("smart", "build", "--kb", kb, *OPTIONS, "--json"))
    assert grown["trained"] is False
    assert grown["entities"] == again["entities"] + 1
    assert grown["reports_written"] > 0


def test_lambda_and_mu_are_options(built: Path, tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    shutil.copytree(built, kb)
    again = json.loads(done("smart", "build", "--kb", kb, *OPTIONS, "--diversity", "0.5", "--mu", "0.001", "--json"))
    assert again["trained"] is True  # trees of other settings are no longer those asked for
    found = kept(kb)
    assert found is not None
    assert (found.settings["diversity"], found.settings["mu"]) == (0.5, 0.001)


def test_help_needs_no_torch() -> None:
    code = (
        "import sys\nfrom typer.testing import CliRunner\nfrom multicube.agent.cli import app\n"
        "assert CliRunner().invoke(app, ['smart', 'build', '--help']).exit_code == 0\n"
        "print([name for name in ('torch', 'chromadb', 'langgraph') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_names_are_kept_apart_and_joined_again(built: Path) -> None:
    assert "no names" in done("smart", "apart", "--kb", built)
    assert json.loads(done("smart", "apart", "Annie Vell", "--kb", built, "--json")) == {
        "apart": ["Annie Vell"], "changed": ["Annie Vell"],
    }  # fmt: skip
    assert done("smart", "apart", "--kb", built).strip() == "Annie Vell"
    assert json.loads(done("smart", "apart", "annie vell", "--join", "--kb", built, "--json"))["apart"] == []
