"""`multicube ontology` as a person types it: design, review in several sittings, list, show, check."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import SAMPLE
from modelserver import ModelServer
from modelserver.competent import Competent
from multicube.agent.cli import app
from multicube.cubes.model.ontology import load_ontology
from typer.testing import CliRunner, Result

CORPUS = str(SAMPLE / "corpus.jsonl")


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def designed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The text of a designed ontology, none of it reviewed."""
    path = tmp_path_factory.mktemp("designed") / "mine.yaml"
    run("design", CORPUS, "--out", str(path))
    return path.read_text(encoding="utf-8")


def run(*args: str, input: str | None = None, code: int = 0) -> Result:
    result = CliRunner().invoke(app, ["ontology", *args], input=input, prog_name="multicube")
    assert result.exit_code == code, result.output
    return result


def test_a_design_goes_to_a_file_with_its_evidence_and_says_what_it_left_out(tmp_path: Path) -> None:
    done = run("design", CORPUS, "--out", "mine.yaml", "--sample", "40", "--seed", "2")
    assert "reading 40 of 64 documents" in done.stderr
    assert "dropped;" in done.stderr
    assert "multicube ingest PATH --ontology mine.yaml" in done.stdout
    assert load_ontology(tmp_path / "mine.yaml").name == "mine"
    again = run("design", CORPUS, "--out", "again.yaml", "--sample", "40", "--seed", "2")
    assert again.stderr == done.stderr
    first, second = ((tmp_path / name).read_text(encoding="utf-8") for name in ("mine.yaml", "again.yaml"))
    assert first.replace("mine", "x") == second.replace("again", "x")


def test_without_a_file_the_ontology_is_the_result(tmp_path: Path) -> None:
    done = run("design", CORPUS, "--sample", "30")
    (tmp_path / "piped.yaml").write_text(done.stdout, encoding="utf-8")
    assert load_ontology(tmp_path / "piped.yaml").cubes
    record = json.loads(run("design", CORPUS, "--sample", "30", "--json").stdout)
    assert record["file"] is None
    assert record["ontology"]["cubes"]
    assert record["design"]["sampled"] == 30


def test_a_review_is_saved_at_each_answer_and_goes_on_where_it_stopped(tmp_path: Path, designed: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(designed, encoding="utf-8")
    before = load_ontology(path)
    first, second = before.cubes[0], before.cubes[0].attributes[0]
    stopped = run("design", "--review", "--out", "mine.yaml", input="r Everything else\nd\nnonsense\nq\n")
    assert "going on with mine.yaml" in stopped.stderr
    assert "Write a, d, q, or r with the new name" in stopped.stderr
    assert "saved; go on with: multicube ontology design --review --out mine.yaml" in stopped.stderr
    renamed = load_ontology(path).cubes[0]
    assert (first.id, renamed.id) == ("document", "everything_else")
    assert second.id not in {dimension.id for dimension in renamed.attributes}
    ended = run("design", "--review", "--out", "mine.yaml", input="a\n")  # the end of the input stops as well
    assert "everything else/document" not in ended.stderr
    assert "saved" in ended.stderr
    finished = run("design", "--review", "--yes", "--out", "mine.yaml")
    assert "saved" not in finished.stderr
    assert "[a]ccept" not in run("design", "--review", "--out", "mine.yaml").stderr
    assert load_ontology(path).cubes[0].id == "everything_else"


def test_the_dimensions_of_a_dropped_class_are_not_asked_for(tmp_path: Path, designed: str) -> None:
    (tmp_path / "mine.yaml").write_text(designed, encoding="utf-8")
    done = run("design", "--review", "--out", "mine.yaml", input="d\nq\n")
    assert "document/" not in done.stderr
    assert "document" not in {cube.id for cube in load_ontology(tmp_path / "mine.yaml").cubes}


def test_all_dropped_is_no_ontology(tmp_path: Path, designed: str) -> None:
    (tmp_path / "mine.yaml").write_text(designed, encoding="utf-8")
    done = run("design", "--review", "--out", "mine.yaml", input="d\n" * 50, code=2)
    assert "Every class was dropped" in done.stderr


def test_a_file_is_never_overwritten_by_another_design(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("name: mine\n", encoding="utf-8")
    done = run("design", CORPUS, "--out", "mine.yaml", code=2)
    assert "mine.yaml is there already" in done.stderr
    assert "Name files or folders" in run("design", code=2).stderr


def test_a_model_designs_where_one_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MULTICUBE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr("multicube.agent.engines.encoders.factory.encoder_factory", _shared_encoder())
    with ModelServer(Competent()) as server:
        done = run("design", CORPUS, "--out", "one.yaml", "--model", f"{server.url}#stand-in")
        asked = len(server.chats)
        again = run("design", CORPUS, "--out", "two.yaml", "--model", f"{server.url}#stand-in")
        assert len(server.chats) == asked  # what was paid for is not asked again
    assert f"engine: llm, {server.url}#stand-in" in done.stderr
    assert "spent: " in done.stderr
    assert "from the cache" in again.stderr
    assert {"cultural_product", "person", "location"} <= {c.id for c in load_ontology(tmp_path / "one.yaml").cubes}


def _shared_encoder() -> object:
    """The packaged encoder, converted already: the test has a cache folder of its own."""
    from multicube.agent.engines.encoders.factory import encoder_factory

    make = encoder_factory("minilm")
    make().encode(["a text"])
    return lambda _name: make


def test_ontologies_are_listed_shown_and_checked(tmp_path: Path, designed: str) -> None:
    assert "default" in run("list").stdout
    names = [one["name"] for one in json.loads(run("list", "--json").stdout)]
    assert names == ["aging-dams", "default", "legalbench", "scidcc-hurricane", "scifact"]
    assert "directed by" in run("show", "default").stdout
    assert len(json.loads(run("show", "default", "--json").stdout)["cubes"]) == 10
    (tmp_path / "mine.yaml").write_text(designed, encoding="utf-8")
    assert "is a valid ontology" in run("check", "mine.yaml").stdout
    assert json.loads(run("check", "mine.yaml", "--json").stdout)["cubes"] >= 4
    (tmp_path / "bad.yaml").write_text("name: bad\ncubes:\n  - id: BAD\n", encoding="utf-8")
    assert "bad.yaml:3" in run("check", "bad.yaml", code=1).stderr
    assert "cannot be read" in run("show", "nothing", code=1).stderr
