"""The tools over the Model Context Protocol, called by the library's own client."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import MCPError
from multicube import MultiCube
from multicube.agent.app.tokens import TokenFile
from multicube.agent.cli import app
from multicube.agent.mcp.http import http_app
from multicube.agent.mcp.results import AnswerResult
from multicube.agent.mcp.server import LazyKnowledgeBase, make_server
from multicube.graphs.records import Run, Usage
from starlette.testclient import TestClient
from typer.testing import CliRunner

RUN = "import sys; from multicube.agent.cli import main; sys.argv[0] = 'multicube'; main()"
CHAIN = "Where was the director of the film The Salt Lantern born?"
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


@pytest.fixture(scope="module")
def opened(sample_path: Path) -> Iterator[LazyKnowledgeBase]:
    """The sample, to be opened when it is needed."""
    kb = LazyKnowledgeBase(lambda: MultiCube.open(sample_path))
    yield kb
    kb.close()


def call(opened: LazyKnowledgeBase, tool: str, **arguments: Any) -> Any:
    async def once() -> Any:
        async with Client(make_server(opened)) as client:
            return await client.call_tool(tool, arguments)

    return asyncio.run(once())


def test_its_five_tools_say_what_they_take_and_give_and_that_they_change_nothing(opened: LazyKnowledgeBase) -> None:
    async def listed() -> Any:
        async with Client(make_server(opened)) as client:
            return (await client.list_tools()).tools, (await client.list_resource_templates()).resource_templates

    tools, templates = asyncio.run(listed())
    assert {tool.name for tool in tools} == {"ask", "search", "cube_lookup", "documents", "trace"}
    for tool in tools:
        assert tool.description
        assert tool.annotations.read_only_hint is True
        assert tool.annotations.open_world_hint is False
        assert tool.output_schema["type"] == "object"
        assert "context" not in tool.input_schema["properties"]
        assert all("description" in each for each in tool.input_schema["properties"].values())
    assert [template.uri_template for template in templates] == ["multicube://section/{id}"]


def test_a_question_is_answered_with_citations_whose_sections_can_be_read(opened: LazyKnowledgeBase) -> None:
    steps: list[tuple[float, str | None]] = []

    async def told(progress: float, total: float | None, message: str | None) -> None:
        steps.append((progress, message))

    async def session() -> Any:
        async with Client(make_server(opened)) as client:
            reply = await client.call_tool("ask", {"question": CHAIN}, progress_callback=told)
            cited = reply.structured_content["citations"]
            return reply, [(await client.read_resource(each["uri"])).contents[0] for each in cited]

    reply, sections = asyncio.run(session())
    answer = reply.structured_content
    assert (answer["answer"], answer["status"]) == ("Skarholt", "answered")
    assert [hop["answer"] for hop in answer["hops"]] == ["Anselm Torvik", "Skarholt"]
    assert reply.content[0].text.startswith("Skarholt\n\n[1] The Salt Lantern: ")
    for cited, section in zip(answer["citations"], sections, strict=True):
        assert section.mime_type == "text/markdown"
        assert section.text.startswith(f"# {cited['title']}\n")
        assert cited["sentence"] in section.text
    assert [number for number, _ in steps] == sorted({number for number, _ in steps})
    assert "Hop 1: Who is the director of The Salt Lantern?" in [message for _, message in steps]
    assert "Hop 2: Skarholt" in [message for _, message in steps]


@pytest.mark.parametrize(
    "arguments", [{}, {"retriever": "bm25"}, {"retriever": "cubes"}, {"cube": "cultural_product"}, {"sources": ["*"]}]
)
def test_sections_are_searched(opened: LazyKnowledgeBase, arguments: dict[str, Any]) -> None:
    reply = call(opened, "search", query="Who directed The Salt Lantern?", limit=2, **arguments)
    found = reply.structured_content["sections"]
    assert 0 < len(found) <= 2
    assert found[0]["title"] == "The Salt Lantern"
    assert found[0]["uri"] == f"multicube://section/{found[0]['section_id'].replace(':', '%3A')}"
    assert found[0]["sentence"] in found[0]["text"]


def test_the_cubes_are_looked_into(opened: LazyKnowledgeBase) -> None:
    facts = call(opened, "cube_lookup", label="Anselm Torvik").structured_content["facts"]
    assert {"born in"} <= {fact["relation"] for fact in facts}
    assert "person" in [c["id"] for c in call(opened, "cube_lookup").structured_content["cubes"]]


def test_an_answer_is_explained_and_earlier_ones_are_listed(sample: MultiCube, opened: LazyKnowledgeBase) -> None:
    run = sample.ask(CHAIN)
    reply = call(opened, "trace", run=run.id)
    assert "Hop 2: Where was Anselm Torvik born?" in reply.content[0].text
    assert Run.model_validate(reply.structured_content["run"]) == run
    listed = call(opened, "trace", search="salt lantern").structured_content["runs"]
    assert run.id in [each["id"] for each in listed]


def test_what_a_model_cost_is_told_where_one_was_asked(sample: MultiCube) -> None:
    run = sample.ask(CHAIN, save=False)
    assert AnswerResult.of(run).usage is None
    paid = run.model_copy(update={"usage": Usage(requests=2, input_tokens=90, output_tokens=7)})
    told = AnswerResult.of(paid).usage
    assert told is not None
    assert (told.input_tokens, told.output_tokens) == (90, 7)


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("ask", {"question": " ?! "}, "question is empty"),
        ("ask", {"question": "Who?", "sources": ["nowhere/*"]}, "No document fits the filters (source, metadata or "
         "dates). 'documents' lists them."),
        ("ask", {"question": "Who?", "max_hops": 0}, "'ask' cannot use 'max_hops': Input should be greater"),
        ("ask", {}, "'ask' needs 'question': one complete question, in natural language."),
        ("ask", {"question": "Who?", "source": ["a.md"]}, "'ask' has no argument 'source'; did you mean 'sources'?"),
        ("search", {}, "'search' needs 'query': what is looked for"),
        ("search", {"query": "x", "since": "yesterday"}, "since"),
        ("search", {"query": "x", "cube": "nothing"}, "no retriever 'cube:nothing'"),
        ("search", {"query": "x", "retriever": "smart"}, "not built"),
        ("cube_lookup", {"cube": "nothing"}, "no cube 'nothing'"),
        ("trace", {"run": "zzz"}, "no run 'zzz'. 'trace' with 'search' lists them."),
    ],
)
def test_a_call_that_cannot_be_used_is_said(
    opened: LazyKnowledgeBase, tool: str, arguments: dict[str, Any], words: str
) -> None:
    reply = call(opened, tool, **arguments)
    assert reply.is_error
    assert words in reply.content[0].text
    assert "\n" not in reply.content[0].text
    assert "multicube " not in reply.content[0].text  # whoever reads it has no shell


@pytest.mark.parametrize("id", ["nothing", "..%2F..%2Fetc%2Fpasswd", "%00"])
def test_a_section_that_is_not_there_is_said(opened: LazyKnowledgeBase, id: str) -> None:
    async def read() -> str:
        async with Client(make_server(opened)) as client:
            with pytest.raises(MCPError) as caught:
                await client.read_resource(f"multicube://section/{id}")
            return str(caught.value)

    assert len(asyncio.run(read()).splitlines()) == 1


def test_a_process_speaks_the_protocol_and_nothing_else_on_stdout(sample_path: Path) -> None:
    env = {**os.environ, "MULTICUBE_KB": str(sample_path)}
    server = StdioServerParameters(command=sys.executable, args=["-c", RUN, "mcp"], env=env)

    async def session() -> Any:
        async with Client(stdio_client(server), mode="legacy", read_timeout_seconds=300) as client:
            reply = await client.call_tool("ask", {"question": CHAIN})
            return client.server_info.name, reply

    name, reply = asyncio.run(session())
    assert name == "multicube"
    assert reply.structured_content["answer"] == "Skarholt"


@pytest.mark.parametrize(("options", "words"), [(["--kb", "nowhere"], "There is no knowledge base at "), ([], "--kb")])
def test_without_a_knowledge_base_every_tool_says_so(tmp_path: Path, options: list[str], words: str) -> None:
    env = {name: value for name, value in os.environ.items() if name != "MULTICUBE_KB"}
    server = StdioServerParameters(command=sys.executable, args=["-c", RUN, "mcp", *options], env=env, cwd=tmp_path)

    async def session() -> list[Any]:
        async with Client(stdio_client(server), mode="legacy", read_timeout_seconds=300) as client:
            calls = (("ask", {"question": CHAIN}), ("documents", {}), ("trace", {}))
            return [await client.call_tool(tool, arguments) for tool, arguments in calls]

    for reply in asyncio.run(session()):
        assert reply.is_error
        assert words in reply.content[0].text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--http", "--kb", "nowhere"], "nowhere"),
        (["--port", "1"], "add --http"),
        (["--http", "--host", "0.0.0.0", "--kb", "{kb}"], "demand a token"),
        (["--http", "--token", " ", "--kb", "{kb}"], "token is empty"),
    ],
)
def test_what_cannot_be_served_is_one_sentence(sample_path: Path, options: list[str], words: str) -> None:
    result = CliRunner().invoke(app, ["mcp", *(o.replace("{kb}", str(sample_path)) for o in options)])
    assert result.exit_code in (1, 2)
    assert result.stdout == ""
    assert words in result.stderr


# streamable HTTP


@pytest.fixture
def over_http(opened: LazyKnowledgeBase, request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a server in this process, demanding the token that the test's parameter names."""
    token = getattr(request, "param", None)
    served = http_app(make_server(opened), host="127.0.0.1", token=token)
    server = uvicorn.Server(uvicorn.Config(served, port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/mcp"
    server.should_exit = True
    thread.join()


def test_over_http_a_readers_token_opens_nothing(opened: LazyKnowledgeBase, tmp_path: Path) -> None:
    tokens = {right: TokenFile(tmp_path).add(right, [right]) for right in ("read", "admin")}
    served = TestClient(http_app(make_server(opened), host="127.0.0.1", token=None, folder=tmp_path))
    for right, status in (("read", 403), ("none", 401)):
        reply = served.post("/mcp", headers={"Authorization": f"Bearer {tokens.get(right)}"}, json={})
        assert reply.status_code == status
    with served:
        reply = served.post("/mcp", headers={"Authorization": f"Bearer {tokens['admin']}"}, json={})
        assert reply.status_code not in (401, 403)


def test_the_same_tools_answer_over_http(over_http: str) -> None:
    async def session() -> Any:
        async with Client(over_http, read_timeout_seconds=300) as client:
            return await client.call_tool("ask", {"question": CHAIN})

    assert asyncio.run(session()).structured_content["answer"] == "Skarholt"


def post(url: str, **headers: str) -> httpx.Response:
    accepted = {"Accept": "application/json, text/event-stream", **headers}
    return httpx.post(url, json=HELLO, headers=accepted, timeout=60)


def test_a_rebound_name_and_a_foreign_page_are_refused(over_http: str) -> None:
    assert post(over_http).status_code == 200
    assert post(over_http, Host="evil.example").status_code == 421
    assert post(over_http, Origin="https://evil.example").status_code == 403


@pytest.mark.parametrize("over_http", ["s3cret"], indirect=True)
def test_a_token_is_demanded_of_everyone(over_http: str) -> None:
    assert post(over_http).status_code == 401
    assert post(over_http, Authorization="Bearer wrong").status_code == 401
    assert post(over_http, Authorization="Bearer s3cret").status_code == 200


def test_the_greeting_is_answered_before_anything_heavy_is_loaded() -> None:
    """What is not imported when the server has greeted cannot have delayed it."""
    code = (
        "import asyncio, sys\n"
        "from multicube.agent.mcp.server import LazyKnowledgeBase, make_server\n"
        "server = make_server(LazyKnowledgeBase(lambda: None))\n"
        "heavy = ('torch', 'langgraph', 'chromadb', 'numpy', 'onnxruntime', 'fastapi', 'langchain_core')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300)
    assert shown.stdout.strip() == "[]"
