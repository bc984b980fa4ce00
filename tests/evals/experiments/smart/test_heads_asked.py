"""Table 4 with its columns of question answering: the questions of a folder asked at each number of trees."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import write_jsonl
from multicube.agent.app.facade import MultiCube
from multicube.evals.experiments.smart.command import heads

PEOPLE = ("Ada Vell", "Bo Rusk", "Cid Tarn", "Dov Mell", "Eli Sund", "Fia Korr")
ASKED = "What do Ada Vell and Bo Rusk have in common?"


def question(id: str, gold: str) -> dict[str, Any]:
    perspective = {"kind": "town", "keys": [gold.split()[-1]]}
    return {"id": id, "question": ASKED, "answers": [gold], "type": "named", "count": 1, "supporting": [],
            "perspectives": [perspective]}  # fmt: skip


def test_each_number_of_trees_has_its_coverage_and_accuracy(tmp_path: Path) -> None:
    towns = ["Tolm" if n < 3 else "Brask" for n in range(len(PEOPLE))]
    texts = [f"{name} was born in {town}. {name} was a painter." for name, town in zip(PEOPLE, towns, strict=True)]
    corpus = [{"id": name, "title": name, "text": text} for name, text in zip(PEOPLE, texts, strict=True)]
    write_jsonl(tmp_path / "corpus.jsonl", corpus)
    asked = [question("said", "born in Tolm"), question("not-said", "envied by Zara")]
    write_jsonl(tmp_path / "questions.jsonl", asked)
    MultiCube.build([tmp_path / "corpus.jsonl"], tmp_path / "kb").close()
    heads(tmp_path / "kb", "2,3", questions=tmp_path, epochs=5, restarts=1, texts=False, out=tmp_path / "out")
    rows = json.loads((tmp_path / "out" / "smart-heads-asked.json").read_text())
    assert [row["heads"] for row in rows] == [2, 3]
    for row in rows:
        assert row["perspectives"] == pytest.approx(1 / 2)
        assert row["words"] == pytest.approx(1 / 2), "all three words of one gold answer, none of the other's"
        assert row["acc25"] == pytest.approx(1 / 2)
        assert 0 <= row["acc50"] <= row["acc25"]
    page = (tmp_path / "out" / "evaluation-smart.md").read_text()
    head = next(line for line in page.splitlines() if line.startswith("| trees"))
    named = [cell.strip() for cell in head.strip("|").split("|")]
    assert named[1:6] == ["average modularity", "average NMI", "word coverage", "Acc@0.25", "Acc@0.5"]
