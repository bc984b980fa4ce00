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
from modelserver.recognising import Recogniser, Task, records_of, steps_of
from multicube import MultiCube
from multicube.agent.engines.llm.engine import ModelOptions
from multicube.cubes.model.ontology import load_ontology
from multicube.evals.metrics.basic import exact_match
from multicube.graphs.records import Hop, Run
from multicube.prompts import PromptLibrary

SAMPLE = Path(__file__).resolve().parents[3] / "evals" / "sample"
QUESTIONS: list[dict[str, Any]] = [
    json.loads(line) for line in (SAMPLE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
]


SUPPOSED = ("hypothetical_answers", "hypothetical_statements", "question_intents")
"""What is asked besides: where the cubes cover a hop in part, and of what joins two things."""


class Ran:
    """What the sample's questions came to, each with the requests that it made."""

    def __init__(self, server: ModelServer, kb: MultiCube) -> None:
        self.sections = len(kb.kb.sections())
        self.ingest = self._prompts(server.chats)
        self.runs: dict[str, Run] = {}
        self.sent: dict[str, list[tuple[ModelRequest, Task]]] = {}
        for question in QUESTIONS:
            before = len(server.chats)
            self.runs[question["id"]] = kb.ask(question["question"], save=False)
            self.sent[question["id"]] = self._tasks(server.chats[before:])
        self.prompts = {id: [task.prompt for _, task in sent] for id, sent in self.sent.items()}
        self.paid = server.usage

    def _prompts(self, requests: list[ModelRequest]) -> list[str]:
        return [task.prompt for _, task in self._tasks(requests)]

    def _tasks(self, requests: list[ModelRequest]) -> list[tuple[ModelRequest, Task]]:
        """The prompts in the order in which they were sent, with what they carry."""
        recogniser = Recogniser()
        return [(request, task) for request in requests if (task := recogniser.task(request)).prompt]

    def steps(self) -> Iterator[tuple[Run, Hop | None, tuple[Hop, ...], ModelRequest, Task]]:
        """Each request with its run, the hop under way (None when all are done) and the hops before it."""
        for id, sent in self.sent.items():
            run, done = self.runs[id], 0
            for request, task in sent:
                done += task.prompt == "next_subquery"
                yield run, run.hops[done] if done < len(run.hops) else None, run.hops[:done], request, task


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


def _wrong(ran: Ran) -> list[tuple[str, str]]:
    wrong = []
    for question in QUESTIONS:
        answer = ran.runs[question["id"]].answer
        right = any(exact_match(answer, gold) for gold in question["answers"]) if question["answers"] else not answer
        if not right:
            wrong.append((question["id"], answer))
    return wrong


def test_most_questions_are_answered_right(ran: Ran) -> None:
    wrong = _wrong(ran)
    assert len(wrong) <= 5, wrong  # the stand-in reads no better than the span reader


@pytest.mark.xfail(strict=True, reason="the span reader, which stands in, finds a sea for a railway")
def test_none_without_an_answer_is_answered(ran: Ran) -> None:
    assert not [one for one in _wrong(ran) if int(one[0].removeprefix("q")) > 35]


def test_the_prompts_come_in_the_order_of_the_loop(ran: Ran) -> None:
    for question, prompts in ran.prompts.items():
        hops = len(ran.runs[question].hops)
        assert next(p for p in prompts if p not in SUPPOSED) == "first_subquery", question
        asked = [p for p in prompts if p not in ("query_decomposition", "sub_answer", *SUPPOSED)]
        assert asked[: 2 * hops + 1] == ["first_subquery", *["cube_router", "next_subquery"] * hops], question
        assert asked[2 * hops + 1 :] in ([], ["final_answer"]), question
        assert prompts.count("sub_answer") >= hops, question
        for before, after in pairwise(prompts):
            assert (before, after) not in (("sub_answer", "cube_router"), ("first_subquery", "sub_answer")), question


SCHEMAS = {
    "question_intents": "QuestionIntents",
    "hypothetical_answers": "Hypotheses",
    "hypothetical_statements": "Statements",
    "first_subquery": "Subquery",
    "next_subquery": "NextSubquery",
    "cube_router": "RouteReply",
    "query_decomposition": "Decomposition",
    "sub_answer": "SubAnswerReply",
    "final_answer": "",
}


def test_each_prompt_asks_for_its_form_and_says_how_long_it_may_be(ran: Ran) -> None:
    for _, _, _, request, task in ran.steps():
        assert request.schema_name == SCHEMAS[task.prompt]
        assert request.mode == ("json_schema" if SCHEMAS[task.prompt] else "text")
        assert request.body["max_tokens"] == PromptLibrary.load()[task.prompt].max_tokens
        assert request.body["stream"]  # which a server can stop writing when it is closed
        assert request.body["temperature"] == 0


def test_each_prompt_carries_the_question_and_the_answers_so_far(ran: Ran) -> None:
    for run, hop, before, _, task in ran.steps():
        if "original_query" in task.values:
            assert task["original_query"] == run.question
        if "intermediate_answers" in task.values:
            assert steps_of(task["intermediate_answers"]) == [(h.subquery, h.answers) for h in before]
        for asked in {"query", "question"} & set(task.values) if task.prompt != "question_intents" else ():
            assert hop is not None
            assert task[asked] == hop.subquery


def test_the_router_is_shown_every_cube_and_decomposition_the_dimensions_of_one(ran: Ran) -> None:
    cubes = load_ontology("default").cubes
    names = " or ".join(f'"{cube.id.upper()}"' for cube in cubes)
    dimensions = {cube.id: [dimension.id for dimension in cube.dimensions] for cube in cubes}
    for _, hop, _, _, task in ran.steps():
        if task.prompt == "cube_router":
            assert task["names"] == names
            assert task["cubes"].count("You need to return") == len(cubes)
        if task.prompt == "query_decomposition":
            shown = [line.split()[1] for line in task["dimensions"].splitlines()]
            assert hop is not None
            assert shown in [dimensions[cube] for cube in hop.cubes]


def test_documents_are_fenced_one_a_line_and_are_the_sections_found(ran: Ran) -> None:
    texts = {evidence.text for run in ran.runs.values() for hop in run.hops for evidence in hop.evidence}
    for _, _, _, request, task in ran.steps():
        if task.prompt != "sub_answer":
            continue
        assert "never follow" in request.said("system")
        records = records_of(task["documents"])
        assert [record["id"] for record in records] == [f"d{n}" for n in range(1, len(records) + 1)]
        assert 1 <= len(records) <= 5
        assert {record["text"] for record in records if record["text"] in texts}
        mark = request.text.partition("<<<documents ")[2][:12]
        assert mark not in task["documents"]


def test_what_the_answers_rest_on_is_quoted(ran: Ran) -> None:
    for run in ran.runs.values():
        assert bool(run.citations) == bool(run.answer)
        assert all(citation.sentence for citation in run.citations)


def test_what_was_spent_is_counted(ran: Ran) -> None:
    spent = [run.usage for run in ran.runs.values()]
    assert all(usage.requests > 0 and usage.input_tokens > usage.output_tokens > 0 for usage in spent)
    assert sum(usage.input_tokens for usage in spent) < ran.paid[0]
