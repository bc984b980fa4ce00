"""What a reader may not read is in nothing that they are told, whatever the rights and whatever they ask for."""

from __future__ import annotations

import json
import logging
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from multicube import MultiCube
from multicube.agent.app.lookup import as_text, look_up
from multicube.agent.app.readers import Reader
from multicube.agent.app.search import find_sections, retrievers
from multicube.agent.app.tokens import TokenFile
from multicube.agent.server.app import create_app
from multicube.cubes.knowledge.permissions.rules import Permissions, keep_permissions
from starlette.testclient import TestClient

GROUPS = ("red", "blue", "green")
COUNTING = ("How many films were directed by Anselm Torvik?", "List all composers.", "Who are they, and who is not?")
NAME = re.compile(r"\b[A-Z]\w{3,}")


@dataclass
class World:
    """The sample behind tokens: one for each set of groups, and an administrator's."""

    kb: MultiCube
    app: Any
    tokens: dict[frozenset[str], str]
    admin: str
    portal: BlockingPortal

    def client(self, token: str) -> TestClient:
        client = TestClient(self.app, base_url="http://127.0.0.1", headers={"Authorization": f"Bearer {token}"})
        client.portal = self.portal  # one loop for all requests, where each would start its own
        return client


@pytest.fixture(scope="module")
def world(sample_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = shutil.copytree(sample_path, tmp_path_factory.mktemp("permitted") / "kb")
    held, sets = TokenFile(folder), [frozenset(c for n, c in enumerate(GROUPS) if bits >> n & 1) for bits in range(8)]
    tokens = {groups: held.add("-".join(["t", *sorted(groups)]), ["read"], groups) for groups in sets}
    admin = held.add("root", ["admin"])
    with MultiCube.open(folder) as kb, start_blocking_portal() as portal:
        app = create_app(kb, warm=False)
        yield World(kb, app, tokens, admin, portal)
        app.state.service.close()


@st.composite
def rights(draw: st.DrawFn) -> tuple[Permissions, frozenset[str]]:
    """Rules over records of the sample, single ones and tens of them, and the groups of who reads."""
    patterns = st.sampled_from([*(f"s{n:03d}" for n in range(1, 65)), *(f"s0{n}*" for n in range(7)), "*.jsonl", "s*1"])
    held = st.lists(st.sampled_from(GROUPS), unique=True, max_size=2)
    rules = draw(st.lists(st.tuples(patterns, held), min_size=1, max_size=12))
    said = {"others": draw(st.sampled_from(["everyone", "everyone", "nobody"])),
            "rules": [{"documents": pattern, "groups": groups} for pattern, groups in rules]}  # fmt: skip
    return Permissions.model_validate(said), frozenset(draw(held))


def forbidden(world: World, permissions: Permissions, groups: frozenset[str], questions: str) -> list[str]:
    """What may not be said: ids, runs of words and names that stand in documents which may not be read alone."""
    may_read, whole = permissions.reading(groups), world.kb.kb
    closed = [d for d in whole.documents() if not may_read(d.source, d.record_id)]
    ids = {s for d in closed for s in d.sections}
    texts = {True: "", False: questions}
    for section in whole.sections():
        texts[section.id in ids] += f" {section.title} {section.text} "
    ontology = whole.ontology.model_dump_json()
    names = {n for n in NAME.findall(texts[True]) if n.lower() not in f"{texts[False]} {ontology} {ABOUT}".lower()}
    words = texts[True].split()
    runs = {" ".join(words[n : n + 6]) for n in range(0, len(words) - 6, 3)}
    return [d.id for d in closed] + sorted(names) + [run for run in runs if run not in texts[False]]


ABOUT = "Where These That They This Which With When There After Before During Only Nothing Found Confidence"


def replies(client: TestClient, asked: list[str]) -> Iterator[str]:
    """Everything that the server says."""
    def told(method: str, path: str, **more: Any) -> httpx.Response:
        reply = client.request(method, path, **more)
        assert reply.status_code < 500, reply.text
        return reply

    runs: list[str] = []
    for question in asked:
        reply = told("POST", "/ask", json={"question": question, "conversation": runs[-1:]})
        yield reply.text
        runs.append(reply.json()["id"])
    yield told("POST", "/ask", json={"question": asked[0]}, headers={"Accept": "text/event-stream"}).text
    messages = [{"role": "user", "content": asked[0]}]
    yield told("POST", "/v1/chat/completions", json={"model": "multicube", "messages": messages}).text
    yield told("POST", f"/runs/{runs[0]}/fork", json={"hop": 1, "subquery": asked[-1]}).text
    for form in ("json", "mermaid", "html"):
        yield told("GET", f"/runs/{runs[0]}/export", params={"format": form}).text
    for path in ("/runs", "/documents?limit=500", "/graph", "/health", "/jobs", "/cubes"):
        yield told("GET", path).text
    for cube in told("GET", "/cubes").json()["cubes"]:
        for dimension in cube["dimensions"]:
            labels = told("GET", f"/cubes/{cube['id']}/dimensions/{dimension['id']}", params={"limit": 500})
            yield labels.text
            if dimension["labels"]:
                yield told("GET", f"/cubes/{cube['id']}/rollup", params={"by": dimension["id"]}).text
                first = {dimension["id"]: labels.json()["labels"][0]["label"]}
                yield told("GET", f"/cubes/{cube['id']}/cells", params=first).text


def looks(kb: MultiCube, question: str) -> Iterator[str]:
    """What the tools and the export say, which are not behind a route."""
    yield from (json.dumps(record) for record in kb.kb.export())
    for name in retrievers(kb):
        yield repr(find_sections(kb, name, question, 5, None))
    for cube in kb.kb.cubes:
        yield as_text(look_up(kb.kb, cube.spec.id, cube.spec.subject.id, None, limit=200))


@settings(
    max_examples=8, phases=(Phase.explicit, Phase.generate),  # no shrinking: every example asks many questions
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(said=rights(), data=st.data())
def test_nothing_says_what_may_not_be_read(
    world: World, sample_questions: list[dict[str, Any]], caplog: pytest.LogCaptureFixture, said: Any, data: Any
) -> None:
    permissions, groups = said
    keep_permissions(world.kb.kb.path, permissions)
    for run in world.kb.runs(500):
        world.kb.delete_run(run.id)  # one with these rights may have asked of what is closed, in an example before
    questions = st.sampled_from([q["question"] for q in sample_questions])
    asked = [data.draw(questions), data.draw(st.sampled_from(COUNTING)), data.draw(questions)]
    secret = forbidden(world, permissions, groups, " ".join(asked))
    client = world.client(world.tokens[groups])
    caplog.clear()
    with caplog.at_level(logging.INFO), caplog.at_level(logging.WARNING, "httpx2"):  # the client's own
        for reply in [*replies(client, asked), *looks(seen(world, groups), asked[0]), caplog.text]:
            assert [text for text in secret if text in reply] == []
    may_read = permissions.reading(groups)
    for document in world.kb.kb.documents():
        expected = 200 if may_read(document.source, document.record_id) else 404
        assert client.get(f"/documents/{document.id}").status_code == expected
        assert client.get(f"/sections/{document.sections[0]}").status_code == expected


def seen(world: World, groups: frozenset[str]) -> MultiCube:
    """The knowledge base as readers of these groups have it."""
    found: MultiCube = world.app.state.service.seen_by(Reader("tests", groups)).kb
    return found


def test_counts_are_of_what_may_be_read(world: World) -> None:
    rules = [{"documents": "s00*", "groups": ["red"]}]
    keep_permissions(world.kb.kb.path, Permissions.model_validate({"rules": rules}))
    public, red = world.client(world.tokens[frozenset()]), world.client(world.tokens[frozenset({"red"})])
    assert public.get("/health").json()["documents"] == 55
    assert red.get("/health").json()["documents"] == 64
    assert public.get("/documents").json()["total"] == 55
    cubes = [sum(cube["facts"] for cube in each.get("/cubes").json()["cubes"]) for each in (public, red)]
    assert cubes[0] < cubes[1]


def test_a_run_is_found_by_who_asked_for_it_and_by_administrators(world: World) -> None:
    keep_permissions(world.kb.kb.path, Permissions())
    red, blue = (world.client(world.tokens[frozenset({each})]) for each in ("red", "blue"))
    run = red.post("/ask", json={"question": "Who directed The Salt Lantern?"}).json()["id"]
    assert red.get(f"/runs/{run}").status_code == 200
    for method, path in (("GET", ""), ("GET", "/export"), ("POST", "/resume"), ("DELETE", "")):
        assert blue.request(method, f"/runs/{run}{path}").status_code == 404
    assert run not in blue.get("/runs?limit=500").text
    assert blue.post("/ask", json={"question": "And her?", "conversation": [run]}).status_code == 404
    assert world.client(world.admin).get(f"/runs/{run}").status_code == 200
    assert red.delete(f"/runs/{run}").status_code == 204


def test_a_run_of_other_rights_is_not_found_again(world: World) -> None:
    keep_permissions(world.kb.kb.path, Permissions())
    red = world.client(world.tokens[frozenset({"red"})])
    run = red.post("/ask", json={"question": "Who directed The Salt Lantern?"}).json()["id"]
    keep_permissions(world.kb.kb.path, Permissions.model_validate({"rules": [{"documents": "s001", "groups": []}]}))
    assert red.get(f"/runs/{run}").status_code == 404
    assert "Torvik" not in red.get("/runs?limit=500").text


def test_what_an_administrator_goes_on_with_is_the_readers_no_more(world: World) -> None:
    keep_permissions(world.kb.kb.path, Permissions())
    red = world.client(world.tokens[frozenset({"red"})])
    run = red.post("/ask", json={"question": "Who directed The Salt Lantern?"}).json()["id"]
    world.kb.run_store.save(world.kb.trace(run))
    assert red.get(f"/runs/{run}").status_code == 404


def test_who_sees_some_changes_nothing(world: World) -> None:
    keep_permissions(world.kb.kb.path, Permissions.model_validate({"rules": [{"documents": "s001", "groups": []}]}))
    held = TokenFile(world.kb.kb.path)
    writer, reader = world.client(held.add("writer", ["write"])), world.client(world.tokens[frozenset()])
    first = writer.get("/documents?limit=1").json()["documents"][0]["id"]
    files = {"files": ("a.md", b"# A\n\nText.")}
    for client in (writer, reader):
        assert client.delete(f"/documents/{first}").status_code == 403
        assert client.post("/documents", files=files).status_code == 403
        assert client.post("/documents/sample").status_code == 403
    assert reader.get("/jobs").status_code == 403
    held.remove("writer")
    assert writer.get("/documents").status_code == 401


def test_rules_that_cannot_be_read_let_nobody_read(world: World) -> None:
    (world.kb.kb.path / "permissions.yaml").write_text("rules: [{documents: x, gropus: [a]}]")
    reply = world.client(world.tokens[frozenset()]).get("/documents")
    assert reply.status_code == 503
    assert "permissions.yaml" in reply.json()["error"]["message"]
    assert world.client(world.admin).get("/documents").status_code == 200
    keep_permissions(world.kb.kb.path, Permissions())
