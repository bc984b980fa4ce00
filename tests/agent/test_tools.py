"""A knowledge base in other people's agents, chains and graphs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, TypedDict

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnablePassthrough
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from multicube import Filters, MultiCube, MultiCubeError
from multicube.agent import studio
from multicube.agent.app.lookup import LookupResult
from multicube.graphs.answer import build_answer_graph
from multicube.graphs.records import Citation, Evidence, Run
from multicube.graphs.state import CHECKPOINT_TYPES
from scriptedchat import ScriptedChat, calling

ROOT = Path(__file__).resolve().parents[2]
CHAIN = "Where was the director of the film The Salt Lantern born?"


def called(kb: MultiCube, tool: str, **args: Any) -> ToolMessage:
    """Call a tool as a model does."""
    tools = {each.name: each for each in (*kb.tools(), kb.as_tool())}
    reply = tools[tool].invoke({"type": "tool_call", "id": "1", "name": tool, "args": args})
    assert isinstance(reply, ToolMessage)
    return reply


def test_the_agent_is_one_tool_that_answers_with_citations(sample: MultiCube) -> None:
    reply = called(sample, "ask_documents", question=CHAIN)
    lines = reply.content.splitlines()
    assert lines[0] == "Skarholt"
    assert [line[:3] for line in lines if line.startswith("[")] == ["[1]", "[2]"]
    assert isinstance(reply.artifact, Run)
    assert sample.trace(reply.artifact.id) == reply.artifact


def test_it_answers_without_blocking_too(sample: MultiCube) -> None:
    tool = sample.as_tool(name="look_it_up", description="For questions about films.")
    call = {"type": "tool_call", "id": "1", "name": "look_it_up", "args": {"question": CHAIN, "max_hops": 1}}

    async def both() -> list[Any]:
        return await asyncio.gather(tool.ainvoke(call), tool.ainvoke(call))

    assert [len(reply.artifact.hops) for reply in asyncio.run(both())] == [1, 1]
    assert tool.description == "For questions about films."


def test_every_part_is_a_tool_with_typed_arguments(sample: MultiCube) -> None:
    tools = {tool.name: tool for tool in sample.tools(prefix="kb_")}
    assert {"kb_ask", "kb_search_passages", "kb_search_hiqa", "kb_search_cubes", "kb_cube_lookup", "kb_trace"} <= set(
        tools
    )
    assert {name for name in tools if name.startswith("kb_search_cube_")} == {
        f"kb_search_cube_{spec.id}" for spec in sample.kb.ontology.cubes
    }
    assert "kb_search_smart" not in tools  # its trees are not built
    assert tools["kb_ask"].tool_call_schema.model_json_schema()["properties"]["question"]["maxLength"] == 4000
    assert all(len(name) <= 64 and tool.description for name, tool in tools.items())


@pytest.mark.parametrize(
    ("tool", "query"),
    [
        ("search_passages", "Who directed The Salt Lantern?"),
        ("search_hiqa", "The Salt Lantern director"),
        ("search_cubes", "Who directed The Salt Lantern?"),
        ("search_cube_cultural_product", "Who directed The Salt Lantern?"),
    ],
)
def test_a_search_returns_text_for_the_model_and_evidence_for_the_program(
    sample: MultiCube, tool: str, query: str
) -> None:
    reply = called(sample, tool, query=query, limit=2)
    assert 0 < len(reply.artifact) <= 2
    first = reply.artifact[0]
    assert isinstance(first, Evidence)
    assert first.title == "The Salt Lantern"
    assert f"[{first.section_id}] The Salt Lantern: " in reply.content


@pytest.mark.parametrize(
    ("args", "kind", "word"),
    [
        ({}, "cubes", "person"),
        ({"cube": "person"}, "dimensions", "to_location"),
        ({"cube": "person", "dimension": "to_location"}, "labels", "born in"),
        ({"cube": "person", "dimension": "name", "label": "anselm torvik"}, "sections", "Anselm Torvik"),
        ({"label": "Anselm Torvik"}, "facts", "Skarholt"),
        ({"label": "Anselm Torvik", "cube": "person"}, "facts", "Skarholt"),
    ],
)
def test_the_cubes_are_looked_into_ever_deeper(sample: MultiCube, args: dict[str, str], kind: str, word: str) -> None:
    reply = called(sample, "cube_lookup", **args)
    assert isinstance(reply.artifact, LookupResult)
    assert word in "".join(str(row) for row in getattr(reply.artifact, kind))
    assert word in reply.content


def test_a_fact_that_is_looked_up_says_where_its_value_stands(sample: MultiCube) -> None:
    looked = called(sample, "cube_lookup", label="Anselm Torvik").artifact
    for fact in looked.facts:
        assert sample.kb.section(fact.section_id).text[fact.start : fact.end] == fact.value
    short = called(sample, "cube_lookup", label="Anselm Torvik", limit=2).artifact
    assert (len(short.facts), short.more) == (2, len(looked.facts) + looked.more - 2)


def test_a_run_is_explained(sample: MultiCube) -> None:
    run = sample.ask(CHAIN)
    reply = called(sample, "trace", run=run.id[:8])
    assert "Hop 2: Where was Anselm Torvik born?" in reply.content
    assert reply.artifact == run


@pytest.mark.parametrize(
    ("tool", "args", "words"),
    [
        ("ask", {"question": " ?! "}, "question is empty"),
        ("ask", {"question": "x" * 5000}, "question: String should have at most 4000"),
        ("ask", {"question": "Who?", "max_hops": 0}, "max_hops: "),
        ("ask", {"query": "Who?"}, "question: Field required"),
        ("search_passages", {"query": "..."}, "query is empty"),
        ("trace", {"run": "zzz"}, "There is no run 'zzz'."),
        ("cube_lookup", {"cube": "nothing"}, "no cube 'nothing'"),
        ("cube_lookup", {"cube": "person", "dimension": "x"}, "no dimension 'x'"),
        ("cube_lookup", {"dimension": "name"}, "of which cube"),
        ("cube_lookup", {"label": "Nobody Atall"}, "Nothing named 'Nobody Atall'"),
        ("trace", {"run": "zzz"}, "no run 'zzz'"),
    ],
)
def test_a_call_that_cannot_be_used_is_told_to_the_model(
    sample: MultiCube, tool: str, args: dict[str, Any], words: str
) -> None:
    reply = called(sample, tool, **args)
    assert reply.status == "error"
    assert words in reply.content
    assert len(str(reply.content).splitlines()) == 1


def test_tools_are_kept_to_the_documents_that_the_filters_allow(sample: MultiCube) -> None:
    nowhere = Filters(sources=("elsewhere/*",))
    tools = {tool.name: tool for tool in sample.tools(filters=nowhere)}
    for name, args in (("ask", {"question": CHAIN}), ("search_passages", {"query": "salt"})):
        assert "No document fits" in tools[name].invoke(args)


@pytest.mark.parametrize("saver", [None, InMemorySaver()], ids=["plain", "checkpointed"])
def test_a_langchain_agent_calls_the_tool_and_gets_a_cited_answer(sample: MultiCube, saver: Any) -> None:
    model = ScriptedChat(script=[calling("ask_documents", question=CHAIN), lambda m: AIMessage(m[-1].content)])
    agent = create_agent(model, [sample.as_tool()], checkpointer=saver)
    state = agent.invoke({"messages": [("user", CHAIN)]}, {"configurable": {"thread_id": "agent"}})
    tool, last = state["messages"][-2:]
    assert [tool["name"] if isinstance(tool, dict) else tool.name for tool in model.offered] == ["ask_documents"]
    assert last.content.startswith("Skarholt\n")
    assert "[2] Anselm Torvik: Born in Skarholt" in last.content
    assert sample.trace(tool.artifact.id).hops == tool.artifact.hops


def test_an_agent_of_many_tools_plans_its_own_way(sample: MultiCube) -> None:
    script = [
        calling("cube_lookup", cube="cultural_product", dimension="name", label="The Salt Lantern"),
        calling("search_cube_person", query="Where was Anselm Torvik born?"),
        lambda messages: AIMessage(messages[-1].artifact[0].text),
    ]
    agent = create_agent(ScriptedChat(script=script), sample.tools())
    state = asyncio.run(agent.ainvoke({"messages": [("user", CHAIN)]}))
    assert "Skarholt" in state["messages"][-1].content
    assert "directed by: Anselm Torvik" in state["messages"][2].content


# retrievers


@pytest.mark.parametrize("name", ["passages", "hybrid", "bm25", "dense", "hiqa", "cubes", "cube:cultural_product"])
def test_each_way_of_finding_sections_is_a_langchain_retriever(sample: MultiCube, name: str) -> None:
    found = sample.retriever(name, k=3).invoke("Who is the director of The Salt Lantern?")
    assert 0 < len(found) <= 3
    assert "The Salt Lantern" in [document.metadata["title"] for document in found]
    for document in found:
        meta = document.metadata
        section = sample.kb.section(meta["section_id"])
        assert (document.page_content, meta["path"]) == (section.text, list(section.path))
        assert [document.page_content[start:end] for start, end in meta["spans"]] == [meta["sentence"]]
        assert meta["score"] >= 0
    json.dumps([document.metadata for document in found])


def test_the_cells_that_made_a_hit_come_with_it(sample: MultiCube) -> None:
    found = sample.retriever("cubes").invoke("Who is the director of The Salt Lantern?")
    assert {match["label"] for match in found[0].metadata["matches"]} >= {"The Salt Lantern"}


@pytest.mark.parametrize(
    ("name", "k", "word"),
    [("nearest", 5, "hybrid"), ("smart", 5, "no retriever 'smart'"), ("person", 5, "cube:person"), ("bm25", 0, "0")],
)
def test_a_retriever_that_is_none_is_said(sample: MultiCube, name: str, k: int, word: str) -> None:
    with pytest.raises(MultiCubeError, match=word):
        sample.retriever(name, k=k)


def test_a_retriever_stands_in_a_chain(sample: MultiCube) -> None:
    prompt = ChatPromptTemplate.from_template("Context:\n{context}\nQuestion: {question}")
    model = ScriptedChat(script=[lambda messages: AIMessage(messages[0].content)] * 2)
    context = sample.retriever("hybrid", k=1) | (lambda found: "\n".join(d.page_content for d in found))
    chain = {"context": context, "question": RunnablePassthrough()} | prompt | model | StrOutputParser()
    question = "Who directed the film The Salt Lantern?"
    assert "It was directed by Anselm Torvik" in chain.invoke(question)
    assert "It was directed by Anselm Torvik" in asyncio.run(chain.ainvoke(question))


# the graph inside of another


@dataclass
class Theirs:
    """The context of somebody else's graph."""

    user: str


class Parent(TypedDict, total=False):
    """The state of somebody else's graph; it shares the question and the answer with ours."""

    question: str
    answer: str
    citations: list[Citation]
    said: str


def _supervised(kb: MultiCube, **compile: Any) -> Any:
    def say(state: Parent, runtime: Runtime[Theirs]) -> dict[str, str]:
        return {"said": f"{runtime.context.user}: {state['answer']} ({len(state['citations'])})"}

    graph = StateGraph(Parent, context_schema=Theirs)
    graph.add_node("documents", kb.graph)
    graph.add_node("say", say)
    graph.add_edge(START, "documents")
    graph.add_edge("documents", "say")
    graph.add_edge("say", END)
    return graph.compile(**compile)


@pytest.mark.filterwarnings("ignore")
def test_the_graph_is_a_node_of_a_graph_with_its_own_state_and_context(sample: MultiCube) -> None:
    parent = _supervised(sample, checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "1"}}
    state = parent.invoke({"question": CHAIN}, config, context=Theirs("Ann"))
    assert state["said"] == "Ann: Skarholt (2)"
    assert set(state) == {"question", "answer", "citations", "said"}
    assert parent.get_state(config).values["citations"] == state["citations"]
    again = asyncio.run(parent.ainvoke({"question": CHAIN}, {"configurable": {"thread_id": "2"}}, context=Theirs("Bo")))
    assert again["said"] == "Bo: Skarholt (2)"


def test_its_steps_are_seen_from_outside(sample: MultiCube) -> None:
    updates = _supervised(sample).stream(
        {"question": CHAIN}, context=Theirs("Ann"), stream_mode="updates", subgraphs=True
    )
    inner = [node for place, update in updates if place for node in update]
    assert inner.count("reason") == inner.count("answer") == 2
    assert inner[-1] == "finalize"


def test_the_graph_takes_our_context_and_a_deadline(sample: MultiCube) -> None:
    assert sample.graph.invoke({"question": CHAIN}, context=sample.context())["answer"] == "Skarholt"
    assert sample.graph.invoke({"question": CHAIN}, context=sample.context(0.0))["stopped"] == "deadline"


def test_what_goes_in_and_comes_out_has_a_schema(sample: MultiCube) -> None:
    assert set(sample.graph.get_input_jsonschema()["properties"]) == {"question", "settings", "filters"}
    assert {"answer", "citations", "hops", "note"} <= set(sample.graph.get_output_jsonschema()["properties"])


# LangGraph Server


@pytest.fixture
def served(sample_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The graph as a server makes it: by the path in langgraph.json."""
    monkeypatch.setenv("MULTICUBE_KB", str(sample_path))
    config = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))
    module, _, name = config["graphs"]["multicube"]["path"].partition(":")
    yield asyncio.run(getattr(import_module(module), name)())
    studio._graph.cache_clear()


def test_a_server_gets_a_graph_that_answers_json(served: Any) -> None:
    asked = {"question": CHAIN, "settings": {"max_hops": 1}}
    state = asyncio.run(served.ainvoke(asked, context={}))
    assert [hop.answer for hop in state["hops"]] == ["Anselm Torvik"]
    assert served.checkpointer is None
    for schema in (served.get_input_jsonschema(), served.get_output_jsonschema()):
        json.dumps(schema)
    assert served.get_context_jsonschema() is None


def strict(kb: MultiCube) -> Any:
    """The loop with a checkpointer that reads back our records and no others."""
    types = [(t.__module__, t.__qualname__) for t in CHECKPOINT_TYPES]
    saver = InMemorySaver(serde=JsonPlusSerializer(allowed_msgpack_modules=types))
    return build_answer_graph(kb.kb.ontology, default=kb.context, checkpointer=saver, served=True)


def test_a_thread_is_asked_one_question_after_another(sample: MultiCube) -> None:
    graph, thread = strict(sample), {"configurable": {"thread_id": "1"}}
    asked = [CHAIN, "Who wrote the score of The Salt Lantern?", "", CHAIN, CHAIN]
    found = [graph.invoke({"question": question}, thread) for question in asked]
    assert [state["answer"] for state in found] == ["Skarholt", "Teodor Lasz", "", "Skarholt", "Skarholt"]
    assert [len(state["hops"]) for state in found] == [2, 1, 0, 2, 2]
    assert found[-1]["citations"] == found[0]["citations"]


def test_a_question_after_one_that_was_broken_off_is_not_answered_with_its_hops(sample: MultiCube) -> None:
    graph, thread = strict(sample), {"configurable": {"thread_id": "1"}}
    for update in graph.stream({"question": CHAIN}, thread, stream_mode="updates"):
        if "check" in update:
            break
    assert graph.get_state(thread).values["hops"]
    state = graph.invoke({"question": "Who wrote the score of The Salt Lantern?"}, thread)
    assert (state["answer"], len(state["hops"])) == ("Teodor Lasz", 1)


def test_an_empty_question_ends_the_graph_at_once(served: Any) -> None:
    for asked in ({"question": " ? "}, {"settings": {}}):
        state = served.invoke(asked)
        assert (state["answer"], state["hops"]) == ("", [])


def test_a_server_without_a_knowledge_base_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(MultiCubeError, match="MULTICUBE_KB"):
        asyncio.run(studio.make_graph())
