"""What a run's trace says of replies that could not be used, and how a killed run goes on."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from modelserver import Fault, ModelRequest, ModelServer
from modelserver.competent import Competent
from multicube import MultiCube
from multicube.agent.engines.llm.engine import ModelOptions
from multicube.agent.views import terminal as rendering
from multicube.graphs.records import Run

CHAIN = "Where was the director of the film The Salt Lantern born?"
REQUESTS = 10  # a first subquery; route, decomposition, answer and next step of both hops; the final answer
RUN = "from multicube.agent.cli import main; main()"


@pytest.fixture
def path(sample_path: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sample_path, tmp_path / "kb"))


@pytest.fixture
def asked(path: Path) -> Callable[..., Run]:
    """Ask the question of a model whose replies of one form cannot be used."""

    def ask(spoilt: str, fault: Fault) -> Run:
        server = ModelServer(Competent(), faults=lambda r: fault if r.schema_name == spoilt else None)
        with server, MultiCube.open(path, model=ModelOptions(f"{server.url}#stand-in")) as kb:
            run = kb.ask(CHAIN)
            assert kb.trace(run.id) == run
            return run

    return ask


def shown(run: Run) -> str:
    return "\n".join(line.plain for line in rendering.trace(run, plain=True))


UNUSABLE = [Fault.not_json(), Fault.wrong_schema(), Fault.empty(), Fault.truncated(), Fault.refusal()]


INSTEAD = "The embedded engine decided instead."


@pytest.mark.parametrize("fault", UNUSABLE[:2], ids=lambda fault: fault.name)
def test_without_a_route_the_embedded_engine_routes(asked: Callable[..., Run], fault: Fault) -> None:
    run = asked("RouteReply", fault)
    assert run.answer == "Skarholt"
    assert all(hop.cubes and hop.evidence for hop in run.hops)
    assert all("the router's reply could not be used" in hop.route_reason for hop in run.hops)
    assert all(INSTEAD in hop.route_reason for hop in run.hops)
    assert "the router's reply could not be used" in shown(run)
    assert run.usage.failed >= 2 * len(run.hops)  # each was asked for once more


@pytest.mark.parametrize("fault", UNUSABLE[2:4], ids=lambda fault: fault.name)
def test_without_a_decomposition_the_embedded_engine_decomposes(asked: Callable[..., Run], fault: Fault) -> None:
    run = asked("Decomposition", fault)
    assert run.answer == "Skarholt"
    for hop in run.hops:
        assert hop.components
        assert any("could not be decomposed: " in note and INSTEAD in note for note in hop.notes)
    assert "note:" in shown(run)


def test_a_sub_answer_that_cannot_be_used_is_read_by_the_embedded_engine(asked: Callable[..., Run]) -> None:
    run = asked("SubAnswerReply", Fault.refusal())
    assert run.answer == "Skarholt"
    assert any("the answer could not be read: " in note and INSTEAD in note for note in run.hops[0].notes)
    assert "declined" in shown(run)


def test_a_final_answer_that_cannot_be_had_is_composed_by_the_embedded_engine(asked: Callable[..., Run]) -> None:
    run = asked("", Fault.empty())
    assert (run.status, run.answer, len(run.hops)) == ("answered", "Skarholt", 2)
    assert run.note.startswith("The final answer could not be had: ")
    assert run.note.endswith(INSTEAD)


def test_a_next_step_that_cannot_be_had_is_decided_by_the_embedded_engine(asked: Callable[..., Run]) -> None:
    run = asked("NextSubquery", Fault.not_json())
    assert (run.stopped, run.answer, len(run.hops)) == ("sufficient", "Skarholt", 2)
    assert any("The next subquery could not be had: " in note and INSTEAD in note for note in run.hops[1].notes)
    assert INSTEAD in run.note  # so was that the hops suffice


def test_the_trace_says_what_each_stage_cost(path: Path) -> None:
    with ModelServer(Competent()) as server, MultiCube.open(path, model=f"{server.url}#stand-in") as kb:
        server.fail(None, Fault.not_json())
        run = kb.ask(CHAIN)
        assert f"Spent: {REQUESTS + 1} requests (1 failed), " in shown(run)
        assert [line.split(":")[0].strip() for line in shown(run).splitlines() if " tokens read" in line] == [
            "Spent", "reason", "route", "decompose", "answer", "final",
        ]  # fmt: skip
        again = kb.ask(CHAIN)
        assert f"Spent: nothing, {REQUESTS} replies from the cache" in shown(again)


class Holding:
    """Thinks well, and holds one request back until it is let go."""

    def __init__(self, number: int) -> None:
        self.number, self.came, self.go_on = number, threading.Event(), threading.Event()
        self._think = Competent()

    def __call__(self, request: ModelRequest) -> Any:
        if request.number == self.number:
            self.came.set()
            self.go_on.wait(120)
        return self._think(request)


def test_a_killed_run_goes_on_and_pays_for_nothing_twice(path: Path) -> None:
    brain = Holding(8)
    with ModelServer(brain) as server:
        model = f"{server.url}#stand-in"
        command = [sys.executable, "-c", RUN, "ask", CHAIN, "--kb", str(path), "--model", model]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ)) as process:
            assert brain.came.wait(120)
            process.send_signal(signal.SIGKILL)
        brain.go_on.set()
        with MultiCube.open(path, model=model) as kb:
            killed = kb.trace()
            assert (killed.status, len(killed.hops)) == ("running", 1)
            run = kb.resume()
            assert (run.id, run.status, run.answer) == (killed.id, "answered", "Skarholt")
            assert len(server.chats) == REQUESTS + 1  # the one that was under way came to nobody
