"""Two questions in one are answered one after the other, and what is missing is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from multicube import MultiCube
from multicube.agent.engines.embedded.followups.several import questions_in


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("What is a sluice? Who built it?", ("What is a sluice?", "Who built it?")),
        ("What is a sluice and how is it opened?", ("What is a sluice?", "How is it opened?")),
        ("Who built Sorrel Weir, and when was it raised?", ("Who built Sorrel Weir?", "When was it raised?")),
        ("What is a sluice and who built the first one?", ("What is a sluice?", "Who built the first one?")),
        ("When and where was Odo Pell born?", ("When and where was Odo Pell born?",)),
        ("Where was the man who owned it and who sold it born?",
         ("Where was the man who owned it and who sold it born?",)),
        ("What did it cost, such as how much stone it took and how many men built it?",
         ("What did it cost, such as how much stone it took and how many men built it?",)),
        ("What are the size, price and weight of a sluice?", ("What are the size, price and weight of a sluice?",)),
        ("I have a weir. How is it raised?", ("I have a weir. How is it raised?",)),
    ],
)  # fmt: skip
def test_questions_are_told_apart_only_where_each_is_one(text: str, parts: tuple[str, ...]) -> None:
    assert questions_in(text) == parts


def test_both_are_answered_and_the_second_may_point_at_the_first(sample: MultiCube) -> None:
    run = sample.ask("Who is the composer of The Salt Lantern, and where was he born?", save=False)
    assert run.answer == "Teodor Lasz; Dastra"
    assert run.form == "list"
    assert [hop.answer for hop in run.hops] == ["Teodor Lasz", "Dastra"]


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    text = "# Sorrel Weir\n\nSorrel Weir is a low dam. Odo Pell built it in 1871.\n"
    (tmp_path / "weir.md").write_text(text, encoding="utf-8")
    with MultiCube.build([tmp_path / "weir.md"], tmp_path / "kb") as kb:
        run = kb.ask("What is Sorrel Weir? Which Tessel ferry sank in 1950?", save=False)
        assert "low dam" in run.answer
        assert "Which Tessel ferry sank in 1950?" in run.note
