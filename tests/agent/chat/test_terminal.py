"""`multicube chat` in a real terminal: scripted sessions with the embedded engine and with a slow model."""

from __future__ import annotations

import json
import re
import shutil
import stat
from pathlib import Path

import pytest
from modelserver import ModelServer
from modelserver.competent import Competent
from modelserver.request import ModelRequest
from multicube import MultiCube
from talking import Talk, piped

COLOUR = re.compile(r"\x1b\[(?:\d+;)*(?:3\d|4\d|9\d)(?:;\d+)*m")
LANTERN = "Where was the director of The Salt Lantern born?"


@pytest.fixture
def kb(sample_path: Path, tmp_path: Path) -> Path:
    """A knowledge base of one's own: a chat keeps its runs there."""
    return Path(shutil.copytree(sample_path, tmp_path / "kb"))


def test_a_session_from_the_first_question_to_the_transcript(kb: Path, tmp_path: Path) -> None:
    with Talk(kb, tmp_path / "state", "--hops") as talk:
        said = talk.say(LANTERN)
        assert COLOUR.search(talk.raw)
        assert "Hop 1: Who is the director of The Salt Lantern?" in said
        assert "cell:      cultural_product/to_person: directed by → directed by (exact)" in said
        assert "evidence:  The Salt Lantern: It was directed by Anselm Torvik" in said
        assert "Skarholt" in said.split("Hop 2: Where was Anselm Torvik born?")[1]
        assert "[2] Anselm Torvik: Born in Skarholt" in said

        said = talk.say("and the composer?")
        assert "asked as: Where was the composer of The Salt Lantern born?" in said
        assert "Dastra" in said

        said = talk.say("/why 2")
        assert "Citation [2]: Teodor Lasz" in said
        assert "person/to_location: born in → born in (exact, ×1)" in said
        assert "fact:      Teodor Lasz — born in — Dastra" in said

        said = talk.say("/edit 1 answer Imre Saldane")
        assert "answer:    Imre Saldane  (edited)" in said
        assert "Where was Imre Saldane born?" in said
        assert "Quillon" in said

        assert "Who is the director of Weathercock?" not in said
        said = talk.say("/edit 1 subquery Who is the director of Weathercock?")
        assert "Where was Oriane Vaucel born?" in said

        assert "There is no command /wyh; did you mean /why?" in talk.say("/wyh 1")
        assert "the run has citation 1 to 2 and hop 1 to 2" in talk.say("/why 7")
        assert "has hops 1 to 2, not 9" in talk.say("/edit 9 answer Somebody")
        assert "embedded/1" in talk.say("/engine")
        assert "cultural_product" in talk.say("/cubes")
        assert talk.say("/runs").count("Where was ") == 4

        talk.type("a line that is not sent")
        talk.interrupt()
        assert "saved to" in talk.say(f"/save {tmp_path / 'talk.md'}")
        assert "4 questions" in talk.say(f"/save {tmp_path / 'talk.json'}")
        assert "ends neither in .md nor in .json" in talk.say(f"/save {tmp_path / 'talk.txt'}")
        talk.say("/new")
        assert "asked as" not in talk.say("and her mother?")
        _, status = talk.leave()
        assert status == 0

    text = (tmp_path / "talk.md").read_text(encoding="utf-8")
    assert "Asked as: Where was the composer of The Salt Lantern born?" in text
    assert "**Quillon**" in text
    turns = json.loads((tmp_path / "talk.json").read_text(encoding="utf-8"))["turns"]
    assert [turn["run"]["answer"] for turn in turns] == ["Skarholt", "Dastra", "Quillon", "Bresk"]
    history = tmp_path / "state" / "multicube" / "chat-history"
    assert "and the composer?" in history.read_text(encoding="utf-8")
    assert stat.S_IMODE(history.stat().st_mode) == 0o600
    assert stat.S_IMODE(history.parent.stat().st_mode) == 0o700


def test_the_answer_comes_first_and_its_hops_where_they_are_asked_for(kb: Path, tmp_path: Path) -> None:
    with Talk(kb, tmp_path / "state") as talk:
        assert "/why shows how" in talk.greeting
        said = talk.say(LANTERN)
        assert "Hop 1" not in said
        assert "Skarholt" in said
        assert "Confidence: " in said
        said = talk.say("/why")
        assert "Hop 2: Where was Anselm Torvik born?" in said
        assert "Settings" not in said


def test_ctrl_c_ends_a_run_at_once_and_resume_goes_on_with_it(kb: Path, tmp_path: Path) -> None:
    answer, held = Competent(), {"Anselm Torvik": 3.0}

    with ModelServer(answer) as server:

        def slow(request: ModelRequest) -> object:
            for name, seconds in list(held.items()) if request.schema_name == "RouteReply" else ():
                if name in request.text:
                    server.closing.wait(seconds)  # a step that lasts
            return answer(request)

        server.brain = slow
        model = ("--model", f"{server.url}#stand-in", "--no-cache")
        with Talk(kb, tmp_path / "state", "--hops", *model, NO_COLOR="1") as talk:
            talk.type(f"{LANTERN}\r")
            talk.see("Hop 2: ")
            said = talk.interrupt()
            assert "is kept with 1 hop; /resume goes on with it" in said
            assert "Skarholt" not in said
            assert "answer:    Anselm Torvik" in talk.say("/trace")
            held.clear()
            asked = server.count(containing="Who is the director of The Salt Lantern?", schema="SubAnswerReply")
            said = talk.say("/resume")
            assert "Hop 1: Who is the director of The Salt Lantern?" in said
            assert "(kept)" in said
            assert "Skarholt" in said
            again = server.count(containing="Who is the director of The Salt Lantern?", schema="SubAnswerReply")
            assert again == asked, "the hop that was kept is not asked again"
            assert "nothing to go on with" in talk.say("/resume")
            assert not COLOUR.search(talk.raw)

            held["Weathercock"] = 10_000.0  # a model that hangs keeps nobody
            talk.type("Who directed Weathercock?\r")
            talk.see("Hop 1: ")
            assert "is kept with 0 hops" in talk.interrupt()
            assert "Skarholt" in talk.say("/runs")
            said, status = talk.leave()
            assert "spent:" in said
            assert status == 0
    with MultiCube.open(kb) as opened:
        hanging, finished = opened.runs()
        assert (finished.status, finished.answer) == ("answered", "Skarholt")
        assert (hanging.status, hanging.hops) == ("running", ())


def test_a_dumb_terminal_without_colour_gets_plain_text(kb: Path, tmp_path: Path) -> None:
    with Talk(kb, tmp_path / "state", "--hops", prompted="> ", TERM="dumb", NO_COLOR="1") as talk:
        talk.type("Who directed Weathercock?\r")
        talk.see(r"confidence \d")
        talk.see(r"confidence \d")
        talk.see("> ")
        assert "Oriane Vaucel" in talk.raw
        assert "\x1b" not in talk.raw
        assert talk.leave("/quit\r")[1] == 0


def test_what_is_wrong_with_the_knowledge_base_is_said_before_a_prompt(tmp_path: Path) -> None:

    ended = piped(tmp_path / "none", tmp_path / "state", "")
    assert ended.returncode == 1
    assert "There is no knowledge base at" in ended.stderr
