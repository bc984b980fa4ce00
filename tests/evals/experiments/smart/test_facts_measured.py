"""Answers to planted-fact questions: scores by hand, gains by hand, and the page that shows them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from multicube.evals.experiments.smart.facts.measuring import against, scores, summed_up
from multicube.evals.experiments.smart.facts.page import page
from multicube.evals.generators.facts.asking import Perspective, Question

QUESTION = Question(
    id="named-1", question="What do Ann and Bo have in common?", type="named", count=2, supporting=["p1"],
    answers=["Ann and Bo lived in Brask. Ann and Bo won the Iron Prize."],
    perspectives=[Perspective(kind="town", keys=["Brask"]), Perspective(kind="prize", keys=["Iron Prize"])],
)  # fmt: skip


def test_an_answer_is_scored_by_perspectives_and_words() -> None:
    found = scores("Both lived in Brask.", "Brask. The iron prize.", QUESTION)
    assert found == {
        "perspectives": 0.5, "words": 3 / 10, "acc25": 1.0, "acc50": 1.0, "length": 20.0, "context": 1.0,
    }  # fmt: skip
    assert scores("", "", QUESTION)["perspectives"] == 0.0
    assert scores("A prize of iron from elsewhere", "", QUESTION)["perspectives"] == 0.0


def test_gains_are_relative_and_paired(tmp_path: Path) -> None:
    blank = {"system": "plain", "type": "named", **scores("", "", QUESTION)}
    half = {**blank, **scores("Brask", "", QUESTION)}
    full = {**blank, **scores("Brask, Iron Prize", "", QUESTION), "system": "SMART"}
    plain = [{**half, "count": n} for n in (1, 2)]
    smart = [{**full, "count": n} for n in (1, 2)]
    gain = against(smart, plain, "perspectives")
    assert gain["gain"] == pytest.approx(1.0)
    assert gain["interval"] == pytest.approx([1.0, 1.0])
    summed = summed_up(smart)
    assert summed["by_count"]["2"]["perspectives"]["mean"] == 1.0
    figures = {"seed": 3, "passages": 1, "entities": 2, "pairs": 3, "systems": [summed_up(plain), summed],
               "gains": [{"against": "plain", **gain}]}  # fmt: skip
    (tmp_path / "smart-facts-3.json").write_text(json.dumps(figures))
    text = " ".join(page(tmp_path).split())
    assert "## Seed 3" in text
    assert "| SMART | 1.00 [1.00, 1.00] |" in text
    assert "| plain | perspectives | +100% | [+100%, +100%] |" in text
