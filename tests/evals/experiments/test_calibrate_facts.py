"""How sure facts are, fitted to questions that one fact answers."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from conftest import write_jsonl
from ending import ends
from multicube import MultiCube
from multicube.agent.engines.embedded.confidence import Logistic
from multicube.evals.experiments.calibration.command import app
from multicube.evals.experiments.calibration.facts import fit_facts
from multicube.evals.experiments.calibration.fitting import Record


def record(number: int, right: float, **signals: float) -> Record:
    return Record(
        corpus="c", asked=f"s{number}", id=str(number), answerable=True, answered=True, right=right, signals=signals
    )


def test_a_kind_that_is_mostly_wrong_is_less_likely() -> None:
    rows = [record(n, float(n % 10 > 0), date=1.0, alone=1.0) for n in range(100)]
    rows += [record(n, float(n % 2 > 0), place=1.0, alone=0.5) for n in range(100, 200)]
    model = fit_facts(rows)
    likely = [model.probability({"alone": 1.0, "date": 1.0, "place": 0.0}), model.probability(
        {"alone": 0.5, "date": 0.0, "place": 1.0})]  # fmt: skip
    assert likely == pytest.approx([0.9, 0.5], abs=0.05)


def test_one_command_asks_and_fits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = [
        {"id": f"d{n}", "title": f"Marr {name}", "text": f"Marr {name} (born {5 + n} May 1950 in Vell) is a painter."}
        for n, name in enumerate(("Otto", "Ada", "Karl", "Ina", "Rolf", "Nora"))
    ]
    write_jsonl(tmp_path / "corpus.jsonl", texts)
    asked = [{"id": f"q{n}", "question": f"When was {each['title']} born?", "answers": [f"{5 + n % 5} May 1950"]}
             for n, each in enumerate(texts)]  # fmt: skip
    asked += [{**each, "id": f"w{each['id']}", "question": each["question"].replace("When", "Where"),
               "answers": ["Carse"]} for each in asked]  # fmt: skip
    write_jsonl(tmp_path / "questions.jsonl", asked)
    MultiCube.build([tmp_path / "corpus.jsonl"], tmp_path / "kb").close()
    target = tmp_path / "facts.yaml"
    ends(app, ["facts", str(tmp_path), "--kb", str(tmp_path / "kb"), "--target", str(target)])
    assert capsys.readouterr().out.startswith("12 facts, 41.7 % right. Brier score of sections left out: ")
    written = yaml.safe_load(target.read_text("utf-8"))
    assert set(written["weights"]) == {"date"}  # all else is the same of all
    assert Logistic(**written).probability({"date": 1.0}) > 0.6 > 0.4 > Logistic(**written).probability({"date": 0.0})
