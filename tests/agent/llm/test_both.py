"""Both engines together: the embedded one proposes, a model confirms or corrects, and the trace says who decided."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from modelserver import Fault, ModelRequest, ModelServer
from modelserver.competent import Competent
from multicube import MultiCube
from multicube.agent.cli import app
from multicube.agent.engines.llm.aptitude import Aptitude
from multicube.agent.engines.llm.engine import ModelOptions, aptitudes, identity_of
from multicube.agent.engines.llm.transport.spec import ModelSpec
from multicube.graphs.records import LoopSettings, Run
from typer.testing import CliRunner

CHAIN = "Where was the director of the film The Salt Lantern born?"
WROTE = {"right": False, "answer": "Lidia Fenn", "question": ""}
WROTE["quote"] = "It was directed by Anselm Torvik and stars Lidia Fenn, whom he had married the year before."

Say = Callable[[ModelRequest], Any]


@pytest.fixture
def path(sample_path: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sample_path, tmp_path / "kb"))


@pytest.fixture
def asked(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Run]]:
    """Ask with both engines; ``say`` is the model, which `doctor` may have found apt."""
    monkeypatch.setenv("MULTICUBE_CACHE_DIR", str(tmp_path / "cache"))
    servers: list[ModelServer] = []

    def ask(say: Any = None, question: str = CHAIN, apt: bool = False, **options: Any) -> Run:
        server = ModelServer(say or Competent(), **options)
        servers.append(server.__enter__())
        if apt:
            known = aptitudes(tmp_path / "cache")
            known.remember(identity_of(ModelSpec.parse(f"{server.url}#stand-in")), Aptitude(10, 8, 5))
        with MultiCube.open(path, model=ModelOptions(f"{server.url}#stand-in", engine="both")) as kb:
            run = kb.ask(question)
            assert kb.trace(run.id) == run
            return run

    ask.servers = servers  # type: ignore[attr-defined]
    yield ask
    for server in servers:
        server.close()


def replying(*fields: dict[str, Any]) -> Say:
    """A model that says these one after the other, the last of them for ever, and writes words where asked to."""
    left = list(fields)

    def say(request: ModelRequest) -> Any:
        if request.schema_name != "Confirmation":
            return Competent()(request)
        return left.pop(0) if len(left) > 1 else left[0]

    return say


RIGHT = {"right": True, "answer": "", "quote": "", "question": ""}
WRONG = {"right": False, "answer": "", "quote": "", "question": ""}


def notes(run: Run) -> str:
    return "\n".join(note for hop in run.hops for note in hop.notes)


def test_an_apt_model_confirms_each_step_in_one_call(asked: Any) -> None:
    run = asked(apt=True)
    assert run.answer == "Skarholt"
    assert run.usage.requests == len(run.hops) == 2
    assert all("confirms what the embedded engine proposed" in " ".join(hop.notes) for hop in run.hops)
    assert run.engine.startswith("both/")
    assert [request.schema_name for request in asked.servers[0].chats] == ["Confirmation"] * 2


def test_the_call_shows_the_question_the_step_the_proposal_and_its_sentence(asked: Any) -> None:
    asked(apt=True)
    first = asked.servers[0].chats[0].text
    for words in (CHAIN, "Anselm Torvik", "It was directed by Anselm Torvik and stars Lidia Fenn"):
        assert words in first


def test_an_apt_model_corrects_what_a_section_states(asked: Any) -> None:
    run = asked(replying(WROTE, RIGHT), apt=True)
    assert run.hops[0].answers == ("Lidia Fenn",)
    assert "corrects: the embedded engine proposed 'Anselm Torvik'" in notes(run)
    assert "Lidia Fenn" in run.hops[1].subquery


def test_a_model_that_is_not_known_to_be_apt_is_not_asked_about_what_is_sure(asked: Any) -> None:
    run = asked(replying(WROTE))
    assert run.answer == "Skarholt"
    assert not run.usage.requests
    assert "was not asked: the embedded engine is sure" in notes(run)


def test_what_no_section_states_corrects_nothing(asked: Any) -> None:
    invented = WROTE | {"answer": "Moby Dick", "quote": "It was directed by Moby Dick."}
    run = asked(replying(invented), apt=True)
    assert run.answer == "Skarholt"
    assert "no section states its answer" in notes(run)


def test_an_apt_model_may_ask_another_question_and_plans_the_rest(asked: Any) -> None:
    instead = WRONG | {"question": "Who stars in the film The Salt Lantern?"}
    run = asked(replying(instead, RIGHT), apt=True)
    assert run.hops[1].subquery == "Who stars in the film The Salt Lantern?"
    assert "asks another question for this step" in notes(run)
    assert "The model plans from here on." in notes(run)


def test_an_apt_model_may_reject_what_the_documents_do_not_say(asked: Any) -> None:
    run = asked(replying(WRONG), apt=True)
    assert "rejects 'Anselm Torvik'" in notes(run)


@pytest.mark.parametrize("fault", [Fault.not_json(), Fault.refusal(), Fault.truncated()], ids=lambda fault: fault.name)
def test_where_a_reply_cannot_be_used_the_proposal_stands(asked: Any, fault: Fault) -> None:
    run = asked(apt=True, faults=lambda request: fault)
    assert run.answer == "Skarholt"
    assert "So the proposal of the embedded engine stands" in notes(run)


def test_what_is_counted_over_cells_asks_no_model(asked: Any) -> None:
    run = asked(question="How many films did Anselm Torvik direct?")
    assert not run.usage.requests


def test_documents_are_read_by_the_embedded_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MULTICUBE_CACHE_DIR", str(tmp_path / "cache"))
    page = tmp_path / "page.md"
    page.write_text("The Tin Kettle is a 1951 drama film directed by Ines Calder.\n", encoding="utf-8")
    with ModelServer(Competent()) as server:
        command = ["ingest", str(page), "--kb", str(tmp_path / "kb"), "--engine", "both"]
        result = CliRunner().invoke(app, [*command, "--model", f"{server.url}#stand-in"])
        assert result.exit_code == 0, result.output
        assert "the embedded engine reads the documents" in result.stderr
        assert not server.chats


def test_the_command_line_says_which_engines_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MULTICUBE_CACHE_DIR", str(tmp_path / "cache"))
    with ModelServer(Competent()) as server:
        command = ["ask", CHAIN, "--kb", str(path), "--engine", "both", "--model", f"{server.url}#stand-in", "--json"]
        result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["answer"] == "Skarholt"
    assert "engine: both, the embedded engine proposes" in result.stderr


def test_the_doctor_says_that_no_document_goes_to_the_model_when_it_is_read() -> None:
    result = CliRunner().invoke(app, ["doctor", "--quick", "--engine", "both", "--model", "http://127.0.0.1:9/v1#one"])
    assert "both: the embedded engine proposes each step" in result.stdout
    assert "sent: ask, reading: " in result.stdout
    assert "sent: ingest: " not in result.stdout


def test_both_needs_a_model(path: Path) -> None:
    result = CliRunner().invoke(app, ["ask", CHAIN, "--kb", str(path), "--engine", "both"])
    assert result.exit_code == 2
    assert "--engine both needs a model" in result.stderr


def test_a_model_that_never_answers_leaves_time_to_answer_without_it(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MULTICUBE_CACHE_DIR", str(tmp_path / "cache"))
    with ModelServer(Competent(), faults=lambda request: Fault.hang()) as server:
        spec = ModelSpec.parse(f"{server.url}#stand-in")
        aptitudes(tmp_path / "cache").remember(identity_of(spec), Aptitude(10, 8, 5))
        with MultiCube.open(path, model=ModelOptions(spec, engine="both")) as kb:
            run = kb.ask(CHAIN, settings=LoopSettings(deadline_s=10), save=False)
    assert run.answer == "Skarholt"
