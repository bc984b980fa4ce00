"""The command, and the figures that need processes of their own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ending import ends
from multicube.evals.__main__ import main


def test_cold_start_tells_every_step(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["efficiency", "sample", "--out", str(tmp_path), "--parts", "cold", "--starts", "1"])
    assert ended.value.code == 0
    shown = capsys.readouterr()
    assert str(tmp_path / "efficiency.json") in shown.out
    assert "sample: cold start." in shown.err
    rows = json.loads((tmp_path / "efficiency.json").read_text("utf-8"))["cold_start"]
    seconds = {row["what"]: row["seconds"] for row in rows}
    assert len(seconds) == 8
    (whole,) = (value for what, value in seconds.items() if what.startswith("a process"))
    steps = [value for what, value in seconds.items() if what.startswith("of that")]
    assert len(steps) == 4
    assert all(0 < step < whole for step in steps)
    assert "| multicube --help" in (tmp_path / "efficiency.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--parts", "speed"], 'There is no part "speed"'),
        (["--concurrency", "many"], "--concurrency many is not a list of whole numbers"),
        (["--among", "sample"], "--crowd DATASET and --among OTHER belong together"),
        (["no-such-data"], "There is no data set folder"),
        (["--predictions", "no-such-folder", "--parts", "spent"], "There are no predictions at"),
        (["--model", "gpt-4o", "--engine", "embedded"], "The embedded engine uses no model"),
    ],
)
def test_wrong_use_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    ends(main, ["efficiency", *arguments, "--out", str(tmp_path / "out")], status=2)
    told = capsys.readouterr().err.strip().splitlines()
    assert said in told[-1]
    assert "Traceback" not in "".join(told)


def test_questions_without_answers_cannot_be_crowded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    (folder / "corpus.jsonl").write_text('{"id": "a", "title": "A", "text": "A is a letter."}\n', encoding="utf-8")
    question = {"id": "q", "question": "What is B?", "answers": []}
    (folder / "questions.jsonl").write_text(json.dumps(question) + "\n", encoding="utf-8")
    crowd = ["--parts", "noise", "--crowd", str(folder), "--among", "sample"]
    ends(main, ["efficiency", "--out", str(tmp_path / "out"), *crowd], status=2)
    assert "No question of open has an answer to score with" in capsys.readouterr().err
