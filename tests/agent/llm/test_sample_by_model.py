"""The bundled sample from its documents to its answers with a model doing all the thinking, over real HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from modelserver import ModelRequest, ModelServer
from modelserver.competent import Competent
from modelserver.recognising import Recogniser
from multicube import MultiCube
from multicube.agent.llm.engine import ModelOptions
from multicube.evals.metrics import exact_match
from multicube.graphs.records import Run

SAMPLE = Path(__file__).resolve().parents[3] / "evals" / "sample"
QUESTIONS: list[dict[str, Any]] = [
    json.loads(line) for line in (SAMPLE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
]


class Ran:
    """What the sample's questions came to, each with the requests that it made."""

    def __init__(self, server: ModelServer, kb: MultiCube) -> None:
        self.sections = len(kb.kb.sections())
        self.ingest = self._prompts(server.chats)
        self.runs: dict[str, Run] = {}
        self.prompts: dict[str, list[str]] = {}
        for question in QUESTIONS:
            before = len(server.chats)
            self.runs[question["id"]] = kb.ask(question["question"], save=False)
            self.prompts[question["id"]] = self._prompts(server.chats[before:])
        self.paid = server.usage

    def _prompts(self, requests: list[ModelRequest]) -> list[str]:
        """The prompts in the order in which they were sent; an empty name is the preflight."""
        recogniser = Recogniser()
        return [task.prompt for task in map(recogniser.task, requests) if task.prompt]


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ran]:
    folder = tmp_path_factory.mktemp("by_model")
    path = folder / "kb"
    with pytest.MonkeyPatch.context() as patch, ModelServer(Competent()) as server:
        patch.setenv("MULTICUBE_CACHE_DIR", str(folder / "cache"))
        model = ModelOptions(f"{server.url}#stand-in", cache=False)  # or what two questions both ask is asked once
        MultiCube.build([SAMPLE / "corpus.jsonl"], path, model=model).close()
        with MultiCube.open(path, model=model) as kb:
            yield Ran(server, kb)


def test_each_section_is_read_once(ran: Ran) -> None:
    assert ran.ingest == ["section_extraction"] * ran.sections


def test_nearly_all_questions_are_answered_right_and_none_without_an_answer_is(ran: Ran) -> None:
    wrong = []
    for question in QUESTIONS:
        answer = ran.runs[question["id"]].answer
        right = any(exact_match(answer, gold) for gold in question["answers"]) if question["answers"] else not answer
        if not right:
            wrong.append((question["id"], answer))
    assert len(wrong) <= 1, wrong
    assert not [one for one in wrong if int(one[0].removeprefix("q")) > 35]


def test_the_prompts_come_in_the_order_of_the_loop(ran: Ran) -> None:
    for question, prompts in ran.prompts.items():
        hops = len(ran.runs[question].hops)
        assert prompts[0] == "first_subquery", question
        asked = [p for p in prompts if p not in ("query_decomposition", "sub_answer")]
        assert asked[: 2 * hops + 1] == ["first_subquery", *["cube_router", "next_subquery"] * hops], question
        assert asked[2 * hops + 1 :] in ([], ["final_answer"]), question
        assert prompts.count("sub_answer") >= hops, question
        for before, after in pairwise(prompts):
            assert (before, after) not in (("sub_answer", "cube_router"), ("first_subquery", "sub_answer")), question


def test_what_the_answers_rest_on_is_quoted(ran: Ran) -> None:
    for run in ran.runs.values():
        assert bool(run.citations) == bool(run.answer)
        assert all(citation.sentence for citation in run.citations)


def test_what_was_spent_is_counted(ran: Ran) -> None:
    spent = [run.usage for run in ran.runs.values()]
    assert all(usage.requests > 0 and usage.input_tokens > usage.output_tokens > 0 for usage in spent)
    assert sum(usage.input_tokens for usage in spent) < ran.paid[0]
