"""Hypercube-RAG's experiments: one small run of all of them, the semantic score."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path

import pytest
from multicube.evals.experiments.hypercube.explaining import EXAMPLE
from multicube.evals.experiments.hypercube.running import Options, run
from multicube.evals.metrics.similarity import semantic_scores

CORPUS = {
    "d0": "Tropical Storm Fay crossed Florida in August 2008. Melbourne Beach, Florida measured 25.28 inches of rain.",
    "d1": "Dunes in Florida were levelled by Tropical Storm Fay. The dunes had protected the beach.",
    "d2": "Hurricane Katrina caused a storm surge in Louisiana. Levees failed because they were too low.",
    "d3": "Rainfall is measured with a gage. The University of Miami calibrates gages.",
}
_KINDS = """experiencing associated accompanying global observed significant cumulative local total annual average
forecast moderate appreciable regional severe intensive heavy overall intense excessive organized true"""
RAINFALLS = [f"{kind} rainfall" for kind in _KINDS.split()]
"""Labels nearer to "rainfall" than "rain" is, as own labels have them by the dozen."""
LABELS = {
    "d0": {"location": {"Melbourne Beach": 1, "Florida": 2}, "event": {"Tropical Storm Fay": 1}, "theme": {"rain": 1}},
    "d1": {"location": {"Florida": 1}, "event": {"Tropical Storm Fay": 1}},
    "d2": {"location": {"Louisiana": 1}, "event": {"Hurricane Katrina": 1}, "theme": {"storm surge": 1}},
    "d3": {"organization": {"University of Miami": 1}, "theme": {"rainfall": 1} | dict.fromkeys(RAINFALLS, 1)},
}
QUESTIONS = [
    ("q0", EXAMPLE, "25.28 inches"),
    ("q1", "Why did levees fail in Louisiana?", "Levees failed because they were too low."),
]


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    folder = tmp_path / "storms"
    folder.mkdir()
    rows = {
        "corpus.jsonl": [{"id": id, "title": "", "text": text} for id, text in CORPUS.items()],
        "labels.jsonl": [{"id": id, "labels": labels} for id, labels in LABELS.items()],
        "questions.jsonl": [
            {"id": id, "question": asked, "answers": [gold], "type": "", "supporting": []}
            for id, asked, gold in QUESTIONS
        ],
    }
    for name, listed in rows.items():
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in listed), encoding="utf-8")
    return folder


def _letters(texts: Sequence[str]) -> list[list[float]]:
    return [[float(text.lower().count(letter)) for letter in "abc"] for text in texts]


def test_the_semantic_score_is_the_cosine_with_the_nearest_gold() -> None:
    pairs = [("ab", ["c", "a"]), ("aa", ["a"]), ("", ["a"]), ("a", []), ("b", ["c"])]
    assert semantic_scores(pairs, _letters) == pytest.approx([math.sqrt(0.5), 1, 0, 0, 0])
    assert semantic_scores([("", ["a"])], _letters) == [0.0]


def test_one_run_makes_every_table_and_goes_on_where_it_stopped(dataset: Path, tmp_path: Path) -> None:
    options = Options(
        dataset, tmp_path / "docs", tmp_path / "work", taus=(0.7, 1.0), labels=("authors", "own")
    )
    said: list[str] = []
    page = run(options, said.append).read_text(encoding="utf-8")
    for row in ("no sparse", "no dense", "no ranking", "plain coverage", "no location", "no theme", "tau 0.70"):
        assert f"| {row} " in page
    rows = [[cell.strip() for cell in line.split("|")] for line in page.splitlines() if line.startswith("| d0 ")]
    assert len(rows) == 2
    for row in rows:
        assert any(cell.startswith("'Melbourne Beach': 1") for cell in row)
        assert "'Tropical Storm Fay': 1" in row
        assert any(cell.startswith("'rain': 1 (rainfall, 0.") for cell in row), row
    ET.fromstring((tmp_path / "docs" / "pictures" / "hypercube-tau-own.svg").read_text(encoding="utf-8"))
    logs = sorted((tmp_path / "work").glob("answers-*.jsonl"))
    before = [log.read_bytes() for log in logs]
    assert len(logs) == 2
    again = run(options, said.append).read_text(encoding="utf-8")
    assert again == page
    assert [log.read_bytes() for log in logs] == before
    assert len([line for line in said if line.startswith("Building")]) == 2


def test_a_data_set_that_is_not_there_is_said_in_one_sentence(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "multicube.evals", "hypercube", str(tmp_path / "none"), "--work", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("multicube: There is no data set folder")
    assert done.stderr.count("\n") == 1
