"""A whole run over six small documents: every figure is there, and a second run goes on from the first."""

import json
from pathlib import Path
from typing import Any

import pytest
from multicube.cubes.core.encoding import Encoder
from multicube.cubes.core.errors import UsageError
from multicube.evals.experiments.lookalike import running
from multicube.evals.experiments.lookalike.running import LookalikeOptions, run
from multicube.evals.generators.lookalike.generating import generate


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("lookalike")
    generate(made, documents=6, format="md")
    lines = (made / "questions.jsonl").read_text("utf-8").splitlines(keepends=True)
    (made / "questions.jsonl").write_text("".join(lines[::64]), encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("out")


@pytest.fixture(scope="module")
def results(folder: Path, out: Path, words_encoder: Encoder) -> dict[str, Any]:
    return run(LookalikeOptions(folder, out, words_encoder, out / "pictures"))


def test_every_variant_has_its_index_and_its_accuracy(results: dict[str, Any]) -> None:
    assert [arm["paper"] for arm in results["arms"].values()][:5] == [
        "HCA", "No Hierarchy", "Original RAG", "Fixed Chunk", "Vec retrieval",
    ]  # fmt: skip
    for arm in results["arms"].values():
        index = arm["lri"]
        assert 0 <= index["min"] <= index["mean"] <= index["max"] <= 1
        assert index["lost"] == 0
        assert 0 <= arm["accuracy"] <= 100
    assert results["arms"]["fixed chunks"]["segments"] < results["arms"]["HCA"]["segments"]
    assert results["whole"]["questions"] == results["questions"]
    assert results["whole"]["accuracy"] >= results["arms"]["fixed chunks, vector only"]["accuracy"]
    adequate = [arm["adequacy"] for arm in results["arms"].values()]
    assert sum(adequate) == pytest.approx(6 * 7 / 2, abs=0.05)


def test_the_hierarchy_tells_look_alikes_apart(results: dict[str, Any]) -> None:
    arms = results["arms"]
    assert arms["HCA"]["lri"]["mean"] > arms["no hierarchy"]["lri"]["mean"]
    assert arms["HCA"]["lri"]["mean"] > arms["fixed chunks, vector only"]["lri"]["mean"]


def test_among_one_document_alone_ranking_is_easier(results: dict[str, Any]) -> None:
    plain = results["growth"]["fixed chunks, vector only"]
    assert list(plain) == ["1", "5", "6"]
    assert plain["1"]["questions"] == results["growth"]["questions"]


def test_budgets_tables_cohesion_and_pictures_are_there(results: dict[str, Any], out: Path) -> None:
    assert list(results["budgets"]["HCA"]) == ["2000", "4000", "8000"]
    assert results["tables"]["questions"] > 0
    together, apart = results["cohesion"]["with HCA"], results["cohesion"]["without HCA"]
    assert together["document_within"] > together["document_between"]
    assert together["document_silhouette"] > apart["document_silhouette"]
    for name in ("lookalike-documents.png", "lookalike-chapters.png"):
        assert (out / "pictures" / name).read_bytes().startswith(b"\x89PNG")


def test_the_report_says_what_was_measured(results: dict[str, Any], out: Path) -> None:
    report = (out / "report.md").read_text("utf-8")
    assert json.loads((out / "results.json").read_text("utf-8")) == results
    for heading in ("Ablation (Table 2)", "Figure 2", "Table 7", "Table 3", "appendix C"):
        assert heading in report


def test_a_second_run_asks_nothing_twice(
    results: dict[str, Any], folder: Path, out: Path, words_encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: Any) -> Any:
        raise AssertionError("a question was asked again")

    monkeypatch.setattr(running.ArmSystem, "answer", never)
    assert run(LookalikeOptions(folder, out, words_encoder, out / "pictures")) == results


def test_a_folder_that_was_not_generated_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"questions\.jsonl"):
        run(LookalikeOptions(tmp_path, tmp_path / "out"))
