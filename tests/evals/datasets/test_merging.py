"""A corpus merged from several: nothing twice, gold ids valid, and the knowledge base follows."""

import json
from pathlib import Path
from typing import Any

import pytest
from multicube.cubes.core.encoding import Encoder
from multicube.cubes.core.errors import InputError, UsageError
from multicube.evals.datasets.dataset import resolve_folder
from multicube.evals.datasets.load import load_dataset
from multicube.evals.datasets.merge import merge_corpora
from multicube.evals.evaluation.runner import EvalOptions, evaluate


def data_set(path: Path, corpus: list[dict[str, Any]], questions: list[dict[str, Any]] | None = None) -> Path:
    path.mkdir()
    for name, rows in (("corpus", corpus), ("questions", questions or [])):
        if rows:
            (path / f"{name}.jsonl").write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def own(tmp_path: Path) -> Path:
    corpus = [
        {"id": "d1", "title": "A", "text": "one  text"},
        {"id": "d2", "title": "B", "text": "two"},
        {"id": "d3", "title": "A", "text": "one text"},
    ]
    asked = [{"id": "q1", "question": "Who?", "answers": ["x"], "supporting": ["d3", "d2"]}]
    return data_set(tmp_path / "own", corpus, asked)


@pytest.fixture
def other(tmp_path: Path) -> Path:
    return data_set(
        tmp_path / "other",
        [{"id": "d1", "title": "B", "text": " two "}, {"id": "d2", "title": "B", "text": "another"}],
    )


def test_the_same_title_and_text_is_one_document_and_ids_do_not_clash(own: Path, other: Path) -> None:
    merged = merge_corpora(load_dataset(own), [other], own / "merged.jsonl")
    assert [json.loads(line)["id"] for line in merged.lines] == ["d1", "d2", "other:d2"]
    assert merged.twins == {"d3": "d1", "other:d1": "d2"}
    assert merged.dataset.name == "own+other"
    assert merged.dataset.questions[0].supporting == ("d1", "d2")
    assert merged.dataset.gold_outside_corpus() == ()
    assert merged.dataset.corpus_digest != load_dataset(own).corpus_digest


def test_what_cannot_be_merged_is_said_in_a_sentence(own: Path, other: Path, tmp_path: Path) -> None:
    dataset = load_dataset(own)
    with pytest.raises(UsageError, match="own is in already"):
        merge_corpora(dataset, [own], own / "m")
    with pytest.raises(UsageError, match="other is in already"):
        merge_corpora(dataset, [other, other], own / "m")
    with pytest.raises(UsageError, match="no data set folder at nowhere"):
        merge_corpora(dataset, ["nowhere"], own / "m")
    broken = data_set(tmp_path / "broken", [{"title": "no id"}])
    with pytest.raises(InputError, match='"id" is missing'):
        merge_corpora(dataset, [broken], own / "m")


def test_a_data_set_is_found_by_name(own: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MULTICUBE_DATA", str(tmp_path))
    assert resolve_folder("own") == own


def test_an_evaluation_over_a_merged_corpus(other: Path, tmp_path: Path, words_encoder: Encoder) -> None:
    options = EvalOptions("sample", tmp_path / "out", "bm25", 2, encoder=words_encoder, corpus=(other,))
    results = evaluate(options)
    assert results["dataset"] == "sample+other"
    assert results["sections"] == 64 + 2
    lines = (tmp_path / "out" / "merged-corpus.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines[-2:]] == ["other:d1", "other:d2"]
    assert results["systems"]["bm25"]["recall@5"] > 0
