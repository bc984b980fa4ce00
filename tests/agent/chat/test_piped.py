"""`multicube chat` through a pipe: plain answers, or one run a line; and what its parts do by themselves."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from multicube import MultiCube
from multicube.agent.cli.chat.background_opening import BackgroundLoader
from multicube.agent.cli.chat.commands import Chat
from multicube.agent.cli.chat.completion import ChatCompleter
from multicube.agent.cli.chat.display import Screen
from multicube.agent.cli.chat.followed_runs import RunFollower
from multicube.agent.cli.chat.state import history_file
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from talking import piped


@pytest.fixture
def kb(sample_path: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sample_path, tmp_path / "kb"))


def test_each_line_is_a_question_and_plain_answers_come_back(kb: Path, tmp_path: Path) -> None:
    ended = piped(kb, tmp_path / "state", "Who directed Weathercock?\n\nand her mother?\n/quit\nWho is never asked?\n")
    assert ended.returncode == 0
    assert "\x1b" not in ended.stdout
    assert "Hop 1" not in ended.stdout
    blocks = [block for block in ended.stdout.split("\n\n") if not block.startswith(("[", "Confidence: "))]
    answers = [block.split("\n")[0] for block in blocks]
    assert [answer for answer in answers if answer.strip()] == ["Oriane Vaucel", "Princess Clothild of Tarsenne"]
    assert "[1] Weathercock (film): Weathercock is a black-and-white" in ended.stdout
    assert "asked as: Who is the mother of Oriane Vaucel?" in ended.stderr
    assert not (tmp_path / "state").exists(), "a pipe keeps no history"


def test_with_json_each_question_comes_to_one_line(kb: Path, tmp_path: Path) -> None:
    ended = piped(kb, tmp_path / "state", "Who directed Weathercock?\n?!\n/cubes\nWhen did she die?\n", "--json")
    lines = [json.loads(line) for line in ended.stdout.splitlines()]
    assert [line.get("answer", line.get("error", ""))[:21] for line in lines] == [
        "Oriane Vaucel",
        "The question is empty",
        "17 April 1996",
    ]
    assert lines[2]["question"] == "When did Oriane Vaucel die?"
    assert "cultural_product" in ended.stderr
    assert ended.returncode == 1, "a question came to nothing"


@pytest.fixture
def chat(kb: Path) -> Chat:
    return Chat(BackgroundLoader(lambda: MultiCube.open(kb, engine="embedded")), Screen(hops=False))


def test_a_transcript_holds_no_markup_of_others(
    chat: Chat, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chat.handle("Who directed <script>alert(1)</script> [x](javascript:y)?")
    chat.handle(f"/save {tmp_path / 'a.md'}")
    text = (tmp_path / "a.md").read_text(encoding="utf-8")
    assert "<script>" not in text.replace("\\<script\\>", "")
    assert "[x]" not in text.replace("\\[x\\]", "")
    assert chat.handle(f"/save {tmp_path / 'a.md'}"), "one's own file may be written again"
    (tmp_path / "b.json").write_text("mine", encoding="utf-8")
    chat.handle(f"/save {tmp_path / 'b.json'}")
    assert (tmp_path / "b.json").read_text(encoding="utf-8") == "mine"
    assert "is there already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/why 1", "Nothing was asked yet"),
        ("/edit 1 answer X", "Nothing was asked yet"),
        ("/edit", "Say what to edit"),
        ("/save", "Name the file"),
        ("/save /nowhere/at/all.md", "nothing to save"),
        ("/runs", "no runs yet"),
        ("/resume", "nothing to go on with"),
        ("/resume abc", "There is no run 'abc'"),
        ("/cubes nothing", "There is no class 'nothing'"),
        ("/cubes person nothing", "has no dimension 'nothing'"),
        ("/trace", "There are no runs yet"),
        ("/new now", "/new takes nothing more"),
        ("/nonsense", "There is no command /nonsense"),
        ("x" * 5_000, "at most 4,000 are read"),
    ],
)
def test_a_line_that_cannot_be_carried_out_is_one_sentence_and_the_chat_goes_on(
    chat: Chat, line: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert chat.handle(line)
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_control_characters_of_a_question_never_reach_the_terminal(
    chat: Chat, capsys: pytest.CaptureFixture[str]
) -> None:
    chat.handle("Who directed \x1b]0;title\x07 Weathercock\u202e?\r\nreally?")
    chat.handle("/trace")
    chat.handle("/runs")
    captured = capsys.readouterr()
    assert not {"\x1b", "\x07", "\u202e", "\r"} & set(captured.out + captured.err)


def test_what_no_command_can_mean_is_said_and_the_chat_goes_on(
    chat: Chat, capsys: pytest.CaptureFixture[str]
) -> None:
    chat.handle("Who directed Weathercock?")
    many = "9" * 5_000
    for line in ("/why \u00b2", f"/why {many}", f"/edit {many} answer x", "/save ~no-such-user/a.md", "/save a\0.md"):
        capsys.readouterr()
        assert chat.handle(line)
        assert capsys.readouterr().err.count("\n") == 1


def test_a_run_that_is_left_is_kept_as_it_stands(kb: Path) -> None:
    with MultiCube.open(kb, engine="embedded") as opened:
        following = RunFollower(lambda: opened.stream("Where was the director of The Salt Lantern born?", run_id="r1"))
        next(e for e in following if e.kind == "answered")
        following.stop()
        assert following.wait(30)
        assert opened.trace("r1").status in ("paused", "answered")


def test_the_history_is_nobody_elses_and_does_not_grow_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    path = history_file()
    assert path is not None
    path.write_text("".join(f"\n# {n}\n+question {n}\n" for n in range(60_000)), encoding="utf-8")
    path.chmod(0o644)
    assert history_file() == path
    kept = path.read_text(encoding="utf-8")
    assert kept.endswith("+question 59999\n")
    assert len(kept) < 600_000
    assert kept.startswith("\n# ")
    assert path.stat().st_mode & 0o077 == 0
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert history_file() is None


def test_nothing_heavy_is_imported_before_the_prompt_is_shown(tmp_path: Path) -> None:
    code = (
        "import sys, multicube.agent.cli.chat.terminal\n"
        "heavy = {'torch', 'chromadb', 'langgraph', 'langchain_core', 'onnxruntime', 'spacy', 'numpy', 'fastapi'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.strip() == "[]"
    code = "import sys, multicube.agent.cli; print('prompt_toolkit' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("/re", ["/resume"]),
        ("/edit 1 ", ["subquery", "answer"]),
        ("/cubes pe", ["person"]),
        ("Who directed The Pap", ["The Paper Regatta (1931 film)", "The Paper Regatta (1962 film)"]),
        ("where was Oriane", ["Oriane Vaucel"]),
        ("who was it", []),
    ],
)
def test_commands_and_names_are_completed(sample_path: Path, line: str, offered: list[str]) -> None:
    opening = BackgroundLoader(lambda: MultiCube.open(sample_path, engine="embedded"))
    completing = ChatCompleter(opening)
    event = CompleteEvent(completion_requested=True)
    assert not list(completing.get_completions(Document("Who directed The Pap"), event)), "not before it is open"
    opening.get()
    assert [found.text for found in completing.get_completions(Document(line, len(line)), event)] == offered
    opening.close()
