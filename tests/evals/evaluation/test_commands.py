"""The `eval` command: what it refuses, how it ends, and that listing it costs nothing."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from modelserver import ModelServer
from modelserver.competent import Competent
from multicube.cubes.core.errors import UsageError
from multicube.evals.commands import register
from typer.testing import CliRunner


def _app() -> typer.Typer:
    app = typer.Typer()
    app.callback()(lambda: None)
    register(app)
    return app


def test_registering_imports_nothing_heavy() -> None:
    check = (
        "import sys, multicube.evals.commands; "
        "print([m for m in ('torch', 'chromadb', 'langgraph', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_help_names_every_option_of_the_contract() -> None:
    text = CliRunner().invoke(_app(), ["eval", "--help"], env={"COLUMNS": "200"}).output
    for option in (
        "--out",
        "--systems",
        "--limit",
        "--engine",
        "--labels",
        "--kb",
        "--concurrency",
        "--json",
        "--seed",
    ):
        assert option in text


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nowhere"], "no data set folder at nowhere"),
        (["sample", "--engine", "llm"], "--engine llm needs a model"),
        (["sample", "--engine", "magic"], "no engine 'magic'"),
        (["sample", "--labels", "authors"], "has no labels.jsonl"),
        (["sample", "--systems", "bm25,magic"], 'no system "magic"'),
    ],
)
def test_wrong_use_is_a_usage_error_in_one_sentence(
    tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    result = CliRunner().invoke(_app(), ["eval", *arguments, "--out", str(tmp_path / "out")])
    assert isinstance(result.exception, UsageError)
    assert sentence in str(result.exception)
    assert "\n" not in str(result.exception)


def test_a_small_evaluation_prints_json_then_a_table(tmp_path: Path) -> None:
    arguments = ["eval", "sample", "--out", str(tmp_path / "out"), "--systems", "bm25", "--limit", "2"]
    first = CliRunner().invoke(_app(), [*arguments, "--json"])
    assert first.exit_code == 0
    assert json.loads(first.stdout) == json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))
    assert "Asking the first 2 of 40 questions." in first.stderr
    again = CliRunner().invoke(_app(), arguments)
    assert again.exit_code == 0
    assert "| bm25 " in again.stdout
    assert again.stdout == (tmp_path / "out" / "report.md").read_text("utf-8")
    _is_judged_and_scored_again(arguments, tmp_path / "out")


def _is_judged_and_scored_again(arguments: list[str], out: Path) -> None:
    """The same answers judged and compared by meaning; what was saved gives the same figures without asking."""
    with ModelServer(Competent()) as server:
        extra = ["--judge", "--judge-model", f"{server.url}#stand-in", "--semantic", "--json"]
        judged = CliRunner().invoke(_app(), [*arguments, *extra])
        assert judged.exit_code == 0
        results = json.loads(judged.stdout)
        asked = server.count(path="/chat/completions", containing="Predicted Answer")
    scores = results["systems"]["bm25"]["metrics"]
    assert asked == scores["answered"] == len((out / "judgements.jsonl").read_text("utf-8").splitlines())
    assert (scores["judge"]["judged"], scores["judge"]["unjudged"]) == (2, 0)
    assert scores["semantic"] is not None
    assert "#stand-in, prompt judge" in results["scoring"]["judge"]
    assert "The judge spent" in judged.stderr or not asked
    scored = CliRunner().invoke(_app(), ["score", str(out), "--json"])  # the server is gone
    assert scored.exit_code == 0
    assert json.loads(scored.stdout) == results
    (out / "report.md").unlink()
    assert CliRunner().invoke(_app(), ["score", str(out), "--write"]).exit_code == 0
    assert json.loads((out / "results.json").read_text("utf-8")) == results
    assert (out / "report.md").exists()


def test_only_a_finished_evaluation_is_scored_again(tmp_path: Path) -> None:
    result = CliRunner().invoke(_app(), ["score", str(tmp_path)])
    assert isinstance(result.exception, UsageError)
    assert "holds no results.json; give the --out folder of a finished multicube eval" in str(result.exception)
    for name, text in (("results.json", "{}"), ("predictions.jsonl", "")):
        (tmp_path / name).write_text(text)
    assert "is of an earlier version" in str(CliRunner().invoke(_app(), ["score", str(tmp_path)]).exception)
    (tmp_path / "results.json").write_text('{"systems": {"s": {}}, "scoring": {"seed": 0}}')
    assert "holds no answer of s" in str(CliRunner().invoke(_app(), ["score", str(tmp_path)]).exception)


def test_a_judge_needs_a_model(tmp_path: Path) -> None:
    result = CliRunner().invoke(_app(), ["eval", "sample", "--out", str(tmp_path / "out"), "--judge"])
    assert isinstance(result.exception, UsageError)
    assert "--judge needs a model" in str(result.exception)
    assert not (tmp_path / "out").exists()


def test_errors_end_the_command_line_with_the_contracts_status(tmp_path: Path) -> None:
    run = [sys.executable, "-c", "from multicube.agent.cli import main; main()"]
    arguments = ["eval", "nowhere", "--out", str(tmp_path / "out")]
    done = subprocess.run([*run, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "no data set folder" in done.stderr
