"""Questions asked side by side wait for the model side by side: nothing of ours makes one wait for another."""

from __future__ import annotations

import asyncio
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest
from modelserver import ModelRequest, ModelServer
from modelserver.scripted import Scripted
from multicube import MultiCube
from multicube.agent.engines.llm.engine import ModelOptions

SIDE_BY_SIDE = 10
PER_QUESTION = 14
"""A first subquery; route, decomposition, answer and next step of each of three hops; the final answer."""


class Together:
    """Answers only when as many requests as there are questions have come, each time."""

    def __init__(self) -> None:
        self._think = Scripted(hops=3)
        self._meeting: threading.Barrier | None = None

    def wait_for(self, parties: int) -> None:
        self._meeting = threading.Barrier(parties)

    def __call__(self, request: ModelRequest) -> Any:
        if self._meeting is not None:
            self._meeting.wait(timeout=120)
        return self._think(request)


@pytest.fixture
def path(sample_path: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sample_path, tmp_path / "kb"))


def test_ten_questions_are_ten_requests_at_once_at_every_step(path: Path) -> None:
    together = Together()
    with ModelServer(together) as server, MultiCube.open(path, model=f"{server.url}#stand-in") as kb:
        kb.ask("What is known of the first matter?")  # finds out what the endpoint can do, alone
        before = len(server.chats)
        together.wait_for(SIDE_BY_SIDE)
        questions = [f"What is known of matter {n}?" for n in range(SIDE_BY_SIDE)]
        runs = asyncio.run(kb.abatch(questions, concurrency=SIDE_BY_SIDE))
        assert server.most_at_once == SIDE_BY_SIDE
        assert len(server.chats) - before == PER_QUESTION * SIDE_BY_SIDE
        assert [run.question for run in runs] == questions
        assert {(run.answer, len(run.hops), run.usage.requests) for run in runs} == {("Skarholt", 3, PER_QUESTION)}
        assert len(kb.runs(50)) == SIDE_BY_SIDE + 1


def test_what_several_questions_ask_alike_is_paid_for_once(path: Path) -> None:
    with ModelServer(Scripted(hops=1)) as server, MultiCube.open(path, model=f"{server.url}#stand-in") as kb:
        kb.ask("What is known of the first matter?")
        before = kb.spent.requests
        runs = kb.batch(["What is known of this?"] * SIDE_BY_SIDE, concurrency=SIDE_BY_SIDE)
        each = 6
        assert kb.spent.requests - before == sum(run.usage.requests for run in runs) == each
        assert sum(run.usage.cached for run in runs) == each * (SIDE_BY_SIDE - 1)


def test_what_thinks_is_made_once_whichever_thread_asks_first(path: Path) -> None:
    with ModelServer(Scripted(hops=1)) as server:
        options = ModelOptions(f"{server.url}#stand-in")
        with MultiCube.open(path, model=options) as kb:
            kb.batch([f"What is known of matter {n}?" for n in range(SIDE_BY_SIDE)], concurrency=SIDE_BY_SIDE)
            assert kb.spent.requests == len(server.chats)
