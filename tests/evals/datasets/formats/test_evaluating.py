"""`multicube eval` on published files, and `multicube datasets`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from multicube.cubes.core.errors import UsageError
from multicube.evals import commands
from multicube.evals.datasets.formats import commands as listing
from multicube.evals.datasets.formats.commands import complete_formats
from multicube.evals.evaluation.options import EvalOptions
from multicube.evals.evaluation.preparing import in_own_layout
from published_samples import SAMPLES, hotpotqa
from typer.testing import CliRunner


def _app() -> typer.Typer:
    app = typer.Typer()
    app.callback()(lambda: None)
    commands.register(app)
    listing.register(app)
    return app


def run(source: Path, out: Path, *more: str) -> tuple[str, dict[str, object]]:
    arguments = ["eval", str(source), "--out", str(out), "--systems", "bm25", *more]
    result = CliRunner().invoke(_app(), arguments)
    assert result.exit_code == 0, result.output
    return result.stderr, json.loads((out / "results.json").read_text("utf-8"))


def test_a_published_file_is_evaluated_and_gone_on_with(tmp_path: Path) -> None:
    source = hotpotqa(tmp_path) / "hotpot_dev_distractor_v1.json"
    # BM25 finds the moon, and of Ada's two passages the one that shares a word with the question.
    said, results = run(source, tmp_path / "out")
    assert "2 questions and 3 documents of HotpotQA were read from" in said
    assert (results["dataset"], results["questions"], results["sections"]) == ("hotpot_dev_distractor_v1", 2, 3)
    assert results["systems"]["bm25"]["recall@3"] == 75.0  # type: ignore[index]
    before = (tmp_path / "out" / "predictions.jsonl").read_bytes()
    said, again = run(source, tmp_path / "out")
    assert "were read from" not in said
    assert (tmp_path / "out" / "predictions.jsonl").read_bytes() == before
    assert again["systems"] == results["systems"]


def test_a_set_without_answers_is_scored_by_what_is_found(tmp_path: Path) -> None:
    (tmp_path / "beir").mkdir()
    _, results = run(SAMPLES["beir"][1](tmp_path / "beir"), tmp_path / "out")
    scores = results["systems"]["bm25"]  # type: ignore[index]
    assert (scores["em"], scores["f1"], scores["recall@2"]) == (None, None, 50.0)
    assert scores["metrics"]["answerable_em"] is None
    assert (scores["metrics"]["unanswerable"], scores["metrics"]["refused"]) == (0, None)
    assert scores["metrics"]["census"]["wrong"] == 0


def test_others_of_one_name_are_converted_apart(tmp_path: Path) -> None:
    for place in ("one", "two"):
        (tmp_path / place).mkdir()
        source = hotpotqa(tmp_path / place) / "hotpot_dev_distractor_v1.json"
        source.replace(tmp_path / place / "dev.json")
    asked = (str(tmp_path / "one" / "dev.json"), str(tmp_path / "two" / "dev.json"))
    given = EvalOptions("sample", tmp_path / "out", corpus=asked[:1], refusals=asked)
    found = in_own_layout(given, lambda _: None)
    assert [Path(one).name for one in (*found.corpus, *found.refusals)] == ["dev.json", "dev.json", "dev.json-2"]
    sources = [json.loads((Path(one) / "about.json").read_text("utf-8"))["source"] for one in found.refusals]
    assert tuple(sources) == asked


def test_wrong_use_is_one_sentence(tmp_path: Path) -> None:
    for arguments, sentence in (
        ([str(tmp_path), "--format", "musique"], "musique_ans_v1.0_dev.jsonl is not in"),
        ([str(tmp_path), "--format", "nothing"], "`multicube datasets` lists those that are known"),
    ):
        result = CliRunner().invoke(_app(), ["eval", *arguments, "--out", str(tmp_path / "out")])
        assert isinstance(result.exception, UsageError)
        assert sentence in str(result.exception)
        assert "\n" not in str(result.exception)


def test_the_known_sets_are_listed() -> None:
    text = CliRunner().invoke(_app(), ["datasets"]).stdout
    assert "HotpotQA (--format hotpotqa)\n    published at https://hotpotqa.github.io; CC BY-SA 4.0\n" in text
    assert "    legalbench-rag-maud: corpus/ + benchmarks/maud.json (by hand)" in text
    listed = json.loads(CliRunner().invoke(_app(), ["datasets", "--json"]).stdout)
    sets = {each["name"]: each for one in listed for each in one["sets"]}
    assert sets["musique-ans"]["files"] == "musique_ans_v1.0_dev.jsonl"
    assert all(url.startswith("http") for each in sets.values() for url in each["download"])
    assert set(complete_formats()) == set(sets) | {one["name"] for one in listed}


def test_registering_imports_nothing_heavy() -> None:
    check = (
        "import sys, multicube.evals.datasets.formats.commands, multicube.evals.commands; "
        "print([m for m in ('torch', 'chromadb', 'numpy', 'yaml') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("options", [["--corpus"], ["--refusals"]])
def test_other_data_sets_may_be_published_too(tmp_path: Path, options: list[str]) -> None:
    for name in ("hotpotqa", "nq_simplified"):
        (tmp_path / name).mkdir()
        SAMPLES[name][1](tmp_path / name)
    other = tmp_path / "nq_simplified" / "v1.0-simplified_nq-dev.jsonl"
    arguments = ["eval", str(tmp_path / "hotpotqa"), "--out", str(tmp_path / "out"), "--systems", "bm25"]
    result = CliRunner().invoke(_app(), [*arguments, *options, str(other)])
    if options == ["--refusals"]:  # its gold passage, Rome, is in the searched corpus
        assert "No question of v1.0-simplified_nq-dev is foreign to the corpus" in str(result.exception)
    else:
        assert result.exit_code == 0, result.output
        assert json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))["sections"] > 3
