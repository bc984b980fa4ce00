"""Reports by a language model rest on what it was shown; answers from them cite the findings that it names."""

from __future__ import annotations

from typing import Any

import pytest
from multicube.agent.engines.llm.errors import ReplyError
from multicube.agent.engines.llm.loop.reasoner import LlmReasoner
from multicube.agent.engines.llm.loop.reporter import LlmReporter
from multicube.agent.engines.llm.replies import schemas as replies
from multicube.cubes.core.records import Fact, Section, Span
from multicube.cubes.model.ontology import load_ontology
from multicube.cubes.smart.abstractions import Community
from multicube.cubes.smart.extracts import ExtractiveReporter
from multicube.cubes.smart.graph import EntityGraph, entity_graph
from multicube.graphs.records import Evidence, FindingRecord
from multicube.prompts import PromptLibrary

FOUND = FindingRecord(id="1.1.0/f1", title="Painters", text="Both were born in Brask.", sections=("s1", "s2"))
EVIDENCE = [Evidence(section_id="s1", document_id="d", record_id="r", title="Ann", text="Ann.", findings=(FOUND,))]


class Client:
    """Gives one reply, or fails, and keeps what it was asked."""

    label = "stub"

    def __init__(self, reply: Any) -> None:
        self._reply, self.asked = reply, list[str]()

    def ask(self, _stage: str, prompt: Any, _reply: type[Any]) -> Any:
        self.asked.append(str(prompt))
        if isinstance(self._reply, Exception):
            raise self._reply
        return self._reply


def community() -> tuple[EntityGraph, Community]:
    facts = [
        Fact(f"s{n}", "person", "born", name, "born in", "Brask", "place", Span(0, 1), Span(0, 4), 0.9)
        for n, name in enumerate(("Ann", "Bea"), 1)
    ]
    sections = {f.section_id: Section(f.section_id, "d", "r", 0, (f.subject,), "Told here.") for f in facts}
    graph = entity_graph(facts, sections, {"person": "name"})
    return graph, Community(graph, tuple(range(len(graph.entities))), graph.relations)


def report(reply: Any) -> tuple[Any, Client]:
    graph, asked = community()
    client = Client(reply)
    writer = LlmReporter(PromptLibrary.load(), client, ExtractiveReporter(graph))  # type: ignore[arg-type]
    return writer.report(asked), client


def test_a_finding_rests_on_the_sections_of_what_it_names() -> None:
    named = replies.Finding(summary="Born in Brask.", explanation="Both.", ids=["r1", "r2"])
    made_up = replies.Finding(summary="Rich.", explanation="No.", ids=["e99"])
    found, client = report(replies.Report(title="Brask", summary="Two people.", findings=[made_up, named]))
    assert [(f.id, f.text, set(f.sections)) for f in found.findings] == [("f1", "Born in Brask.", {"s1", "s2"})]
    assert "Bea" in client.asked[0]


@pytest.mark.parametrize(
    "reply", [ReplyError("no JSON"), replies.Report(title="x", summary="y", findings=[])]
)
def test_an_unusable_reply_leaves_the_counted_report(reply: Any) -> None:
    found, _ = report(reply)
    assert found.findings[0].text.startswith("Both persons have in common: born in: Brask")


def answer(reply: replies.ReportAnswer) -> Any:
    client: Any = Client(reply)
    return LlmReasoner(
        load_ontology("default"), PromptLibrary.load(), reason=client
    ).answer("What is common?", EVIDENCE)


def test_an_answer_names_the_findings_it_used() -> None:
    told = answer(replies.ReportAnswer(answer="Both are from Brask.", findings=["1.1.0/f1", "9.9.9/f1"]))
    assert (told.answers, told.findings) == (("Both are from Brask.",), (FOUND,))


def test_what_the_report_does_not_say_is_not_found() -> None:
    told = answer(replies.ReportAnswer(answer="Information not found in the report.", findings=[]))
    assert told.answers == ()


def test_overviews_are_routed_to_the_abstractions_where_there_are_some() -> None:
    client: Any = Client(replies.RouteReply(cubes=["OVERVIEW"]))
    ontology, library = load_ontology("default"), PromptLibrary.load()
    assert LlmReasoner(ontology, library, reason=client, overall=True).route("What is common?").tools == ("smart",)
    assert LlmReasoner(ontology, library, reason=client).route("What is common?").tools is None
