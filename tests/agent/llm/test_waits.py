"""What a person sees of a model that keeps them waiting: how long, and the best answer so far."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path
from typing import Any

import pytest
from modelserver import Fault, ModelRequest, ModelServer
from modelserver.competent import Competent
from multicube import LoopSettings, MultiCube
from multicube.agent.cli import app
from multicube.agent.cli.waits import WaitNotifier
from multicube.agent.engines.llm.engine import ModelOptions
from multicube.agent.engines.llm.transport.offered_models import suggestion
from multicube.agent.views import terminal as rendering
from typer.testing import CliRunner

CHAIN = "Where was the director of the film The Salt Lantern born?"


def test_a_log_hears_of_a_wait_now_and_then_and_a_terminal_all_the_time() -> None:
    log: list[str] = []
    shown: list[str] = []
    for tell in (WaitNotifier(log.append), WaitNotifier(log.append, shown.append)):
        for second in (1, 5, 12, 13, 29, 31, 0, 2, 11):  # the second wait begins anew
            tell(second)
    assert log == [f"waiting for the model, {second} s" for second in (12, 31, 11)]
    assert shown == [f"waiting for the model, {second} s" for second in (5, 12, 13, 29, 31, 11)]


@pytest.fixture
def path(sample_path: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sample_path, tmp_path / "kb"))


class Fading:
    """Thinks well until the second hop, and keeps its last requests waiting until it is closed."""

    def __init__(self) -> None:
        self.over = threading.Event()
        self._think = Competent()

    def __call__(self, request: ModelRequest) -> Any:
        if request.schema_name == "SubAnswerReply" and "Torvik" in request.said("user").split("Retrieved")[0]:
            self.over.wait(60)
        return self._think(request)


def test_at_the_deadline_what_is_known_is_shown(path: Path) -> None:
    """The embedded engine ends the hop that the deadline cut, and the run says what it is."""
    brain = Fading()
    with ModelServer(brain) as server, MultiCube.open(path, model=ModelOptions(f"{server.url}#stand-in")) as kb:
        kb.ask("Who directed the film The Salt Lantern?")  # the way to ask is found, and the engine is there
        run = kb.ask(CHAIN, settings=LoopSettings(deadline_s=3))
        brain.over.set()
    assert run.stopped == "deadline"
    assert run.hops[0].answers == ("Anselm Torvik",)
    said = "\n".join(line.plain for line in rendering.answer(run))
    assert run.answer == "Skarholt" or "Best answer so far: " in said
    assert "time" in said


def test_an_answer_in_hand_is_told_where_the_model_fails_later(path: Path) -> None:
    def fails(request: ModelRequest) -> Fault | None:
        return Fault.of_status(401) if request.schema_name == "NextSubquery" else None

    with ModelServer(Competent(), faults=fails) as server:
        told = CliRunner().invoke(app, ["ask", CHAIN, "--kb", str(path), "--model", f"{server.url}#stand-in"])
    assert told.exit_code == 1
    assert "Best answer so far: Anselm Torvik (to: " in told.stderr


def test_the_doctor_names_the_model_that_was_meant(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    with ModelServer(Competent(), models=["llama3.2:3b", "qwen2.5:0.5b"]) as server:
        told = CliRunner().invoke(app, ["doctor", "--model", f"{server.url}#lama3.2"])
    assert told.exit_code == 1
    assert "Did you mean 'llama3.2:3b'? It offers llama3.2:3b, qwen2.5:0.5b." in told.stdout


def test_many_models_are_not_all_named() -> None:
    assert suggestion("m3", [f"m{n}" for n in range(20)]).endswith("m6, m7 and 12 more.")
    assert suggestion("m3", []) == ""
