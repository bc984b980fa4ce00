"""A whole evaluation over the bundled sample: its files, recomputation, interruption."""

import json
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from multicube import MultiCube
from multicube.cubes.core.encoding import Encoder
from multicube.cubes.core.errors import InputError
from multicube.evals.datasets.dataset import resolve_folder
from multicube.evals.evaluation.rescoring import rescored
from multicube.evals.evaluation.runner import EvalOptions, Silent, evaluate
from multicube.evals.metrics.predictions import Prediction
from recomputing import differences, recomputed

EVALUATED = os.environ.get("MULTICUBE_EVALUATED", "")
SYSTEMS = ("multicube", "bm25", "dense", "loop+hybrid")
ASKED = 6
TIMES = re.compile(r"_ms|seconds|sections_per_s|kb_bytes|peak_rss_mb|index")


class StopsAfter(Silent):
    """Interrupts an evaluation as Ctrl-C would."""

    def __init__(self, steps: int) -> None:
        self._left = steps

    def step(self, prediction: Prediction) -> None:
        self._left -= 1
        if self._left < 0:
            raise KeyboardInterrupt


class Listens(Silent):
    """Collects what is said."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.steps = 0

    def say(self, sentence: str) -> None:
        self.said.append(sentence)

    def step(self, prediction: Prediction) -> None:
        self.steps += 1


Options = Callable[..., EvalOptions]


@pytest.fixture(scope="module")
def options(words_encoder: Encoder) -> Options:
    def make(out: Path, dataset: str | Path = "sample", **others: Any) -> EvalOptions:
        return replace(EvalOptions(dataset, out, SYSTEMS, ASKED, encoder=words_encoder), **others)

    return make


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, options: Options) -> Path:
    out = tmp_path_factory.mktemp("whole") / "out"
    evaluate(options(out))
    return out


def _results(out: Path) -> Any:
    return json.loads((out / "results.json").read_text("utf-8"))


def _predictions(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "predictions.jsonl").read_text("utf-8").splitlines()]


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _timeless(inner) for key, inner in value.items() if not TIMES.search(key)}
    return [_timeless(inner) for inner in value] if isinstance(value, list) else value


def test_results_have_exactly_the_contracts_keys(whole: Path) -> None:
    results = _results(whole)
    assert set(results) == {
        "dataset", "questions", "sections", "engine", "systems", "comparisons", "scoring", "ingest", "run",
    }  # fmt: skip
    assert (results["dataset"], results["questions"], results["engine"]) == ("sample", ASKED, "embedded")
    assert results["sections"] >= len(
        (resolve_folder("sample") / "corpus.jsonl").read_text("utf-8").splitlines()
    )
    assert set(results["systems"]) == set(SYSTEMS)
    assert set(results["ingest"]) == {"seconds", "sections_per_s", "kb_bytes", "peak_rss_mb", "index"}
    assert sum(results["ingest"].pop("index").values()) == results["ingest"]["kb_bytes"]
    assert all(value > 0 for value in results["ingest"].values())


def _agrees(results: Any, rows: list[dict[str, Any]]) -> None:
    """Every figure of every system is what the independent recomputation gives, and so is every comparison."""
    by_system = {name: [row for row in rows if row["system"] == name] for name in results["systems"]}
    for name, mine in by_system.items():
        assert results["systems"][name]["failed"] == sum(row["status"] == "failed" for row in mine)
        for path, value in recomputed(mine, results["scoring"]["documents"]).items():
            found = results["systems"][name]
            for key in re.split(r"\.(?!\d)", path):
                found = found[key]
            assert found == (None if value is None else pytest.approx(value, abs=1e-3)), (name, path)
        low, high = results["systems"][name]["metrics"]["em_ci95"]
        assert low <= results["systems"][name]["em"] <= high
    for line in results["comparisons"]:
        if line["metric"] in ("em", "f1"):
            ahead, p = differences(by_system[line["a"]], by_system[line["b"]])[line["metric"]]
            assert line["difference"] == pytest.approx(ahead, abs=1e-3)
            assert p != p or line["p"] == pytest.approx(p, rel=1e-3)  # four digits are kept


def test_figures_agree_with_a_recomputation_from_the_predictions(whole: Path) -> None:
    results, rows = _results(whole), _predictions(whole)
    assert len(rows) == ASKED * len(SYSTEMS)
    assert all(len(set(row["retrieved"])) == len(row["retrieved"]) for row in rows)
    assert sum(bool(row["citations"]) for row in rows if row["system"] == "multicube") > ASKED / 2
    _agrees(results, rows)
    lines = {(line["a"], line["b"], line["metric"]) for line in results["comparisons"]}
    others = set(SYSTEMS) - {"multicube"}
    assert lines == {("multicube", other, metric) for other in others for metric in ("em", "f1", "recall@5")}


@pytest.mark.skipif(not EVALUATED, reason="MULTICUBE_EVALUATED names no folder of a finished evaluation")
def test_figures_of_a_saved_evaluation_agree_with_a_recomputation() -> None:
    _agrees(_results(Path(EVALUATED)), _predictions(Path(EVALUATED)))


def test_scoring_the_saved_predictions_again_gives_the_same(whole: Path) -> None:
    assert rescored(whole) == _results(whole)
    assert rescored(whole, seed=1)["systems"]["bm25"]["em"] == _results(whole)["systems"]["bm25"]["em"]


def test_the_reports_table_is_written(whole: Path) -> None:
    report = (whole / "report.md").read_text("utf-8")
    for name in SYSTEMS:
        assert f"| {name} " in report


def test_single_shot_systems_ask_once(whole: Path) -> None:
    hops = {
        name: [len(row["hops"]) for row in _predictions(whole) if row["system"] == name] for name in SYSTEMS
    }
    assert set(hops["bm25"]) == set(hops["dense"]) == {1}
    assert max(hops["multicube"]) > 1


def test_asking_again_asks_nothing_and_gives_the_same(whole: Path, options: Options) -> None:
    before = (whole / "predictions.jsonl").read_bytes(), _results(whole)
    watcher = Listens()
    evaluate(options(whole), watcher)
    assert watcher.steps == 0
    assert watcher.said == ["Engine: embedded.", f"Asking the first {ASKED} of 40 questions."]
    assert ((whole / "predictions.jsonl").read_bytes(), _results(whole)) == before


def test_an_interrupted_run_goes_on_and_equals_an_uninterrupted_one(
    whole: Path, tmp_path: Path, options: Options
) -> None:
    out = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        evaluate(options(out), StopsAfter(11))
    assert not (out / "results.json").exists()
    watcher = Listens()
    evaluate(options(out), watcher)
    assert watcher.steps == ASKED * len(SYSTEMS) - 12
    assert _timeless(_predictions(out)) == _timeless(_predictions(whole))
    assert _timeless(_results(out)) == _timeless(_results(whole))


def test_wrong_gold_lowers_scores_and_changes_no_answer(
    whole: Path, tmp_path: Path, options: Options
) -> None:
    sample = tmp_path / "sample"
    shutil.copytree(resolve_folder("sample"), sample, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    questions = [json.loads(line) for line in (sample / "questions.jsonl").read_text("utf-8").splitlines()]
    for question in questions:
        question.update(answers=["nothing of the kind"], supporting=["s060"], evidences=[], decomposition=[])
    (sample / "questions.jsonl").write_text("\n".join(map(json.dumps, questions)), encoding="utf-8")
    evaluate(options(tmp_path / "out", sample, systems="multicube"))
    right, wrong = _results(whole)["systems"]["multicube"], _results(tmp_path / "out")["systems"]["multicube"]
    assert wrong["em"] == 0 < right["em"]
    assert wrong["recall@5"] < right["recall@5"]
    rows = [[row for row in _predictions(out) if row["system"] == "multicube"] for out in (whole, tmp_path / "out")]
    assert [row["answer"] for row in rows[0]] == [row["answer"] for row in rows[1]]


def test_a_knowledge_base_elsewhere_is_used_and_its_strangers_are_named(
    tmp_path: Path, words_encoder: Encoder, options: Options
) -> None:
    (tmp_path / "note.md").write_text("# Stranger\n\nStranger is a 1950 film directed by Nobody Atall.\n")
    MultiCube.build([tmp_path / "note.md"], tmp_path / "kb", encoder=words_encoder).close()
    watcher = Listens()
    results = evaluate(options(tmp_path / "out", kb=tmp_path / "kb", systems="bm25", limit=2), watcher)
    assert results["systems"]["bm25"]["failed"] == 0
    assert any("1 documents that are not of this data set" in sentence for sentence in watcher.said)


def test_a_corpus_of_which_nothing_can_be_read_is_an_error(tmp_path: Path, options: Options) -> None:
    (tmp_path / "corpus.jsonl").write_text('{"id": "d1", "title": "Nothing", "text": ""}\n')
    (tmp_path / "questions.jsonl").write_text('{"id": "q1", "question": "Who?", "answers": []}\n')
    with pytest.raises(InputError, match="no record could be read"):
        evaluate(options(tmp_path / "out", tmp_path))
