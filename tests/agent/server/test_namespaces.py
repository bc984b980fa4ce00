"""Many knowledge bases behind one server: each token sees those that it has a right to, and no others."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from apiserver import CHAIN, sentence
from multicube import MultiCube
from multicube.agent.app.tokens import TokenFile
from multicube.agent.server.limits import Limits
from multicube.agent.server.namespaces import Namespaces, create_namespaces_app
from starlette.testclient import TestClient


@dataclass
class Many:
    """A server of a folder of knowledge bases, and the tokens of the folder."""

    folder: Path
    held: TokenFile
    client: TestClient

    def by(self, token: str) -> TestClient:
        self.client.headers["Authorization"] = f"Bearer {token}"
        return self.client


@pytest.fixture
def many(sample_path: Path, tmp_path: Path) -> Iterator[Many]:
    folder = tmp_path / "kbs"
    for name in ("sales", "law"):
        shutil.copytree(sample_path, folder / name)
    (folder / "notes").mkdir()  # a folder that holds none
    app = create_namespaces_app(Namespaces(folder, MultiCube.open, Limits()))
    with TestClient(app, base_url="http://127.0.0.1") as client:
        yield Many(folder, TokenFile(folder), client)


def test_each_is_asked_under_its_own_path(many: Many) -> None:
    assert [kb["name"] for kb in many.client.get("/kb").json()["kbs"]] == ["law", "sales"]
    run = many.client.post("/kb/sales/ask", json={"question": CHAIN}).json()
    assert run["answer"] == "Skarholt"
    assert many.client.get(f"/kb/sales/runs/{run['id']}").status_code == 200
    assert many.client.get(f"/kb/law/runs/{run['id']}").status_code == 404
    assert many.client.get("/kb/sales/health").json()["name"] == "sales"
    assert many.client.get("/kb/sales/").text.startswith("<!doctype html>")
    assert many.client.get("/kb/sales/openapi.json").json()["servers"] == [{"url": "/kb/sales"}]


@pytest.mark.parametrize("name", ["notes", "none", "..", ".hidden", "%2e%2e"])
def test_what_is_no_knowledge_base_is_not_found(many: Many, name: str) -> None:
    assert many.client.get(f"/kb/{name}/documents").status_code == 404


def test_a_token_opens_what_it_names_and_says_nothing_of_the_rest(many: Many) -> None:
    tokens = {name: many.held.add(name, rights) for name, rights in {
        "reader": ["sales=read"], "writer": ["read", "law=write"], "root": ["admin"],
    }.items()}  # fmt: skip
    assert many.client.get("/kb").status_code == 401
    reader = many.by(tokens["reader"])
    assert reader.get("/kb").json()["kbs"] == [{"name": "sales", "right": "read"}]
    assert reader.post("/kb/sales/ask", json={"question": CHAIN}).json()["answer"] == "Skarholt"
    there, nowhere = reader.get("/kb/law/documents"), reader.get("/kb/none/documents")
    assert (there.status_code, there.text.replace("law", "none")) == (404, nowhere.text)
    first = many.by(tokens["root"]).get("/kb/law/documents?limit=1").json()["documents"][0]["id"]
    writer = many.by(tokens["writer"])
    assert [kb["right"] for kb in writer.get("/kb").json()["kbs"]] == ["write", "read"]
    sentence(writer.delete(f"/kb/sales/documents/{first}"), 403, "may read here")
    assert writer.delete(f"/kb/law/documents/{first}").status_code == 204
    assert writer.get("/kb/sales/health").json()["documents"] == 64


def test_a_removed_token_counts_no_more(many: Many) -> None:
    kept, gone = many.held.add("kept", ["admin"]), many.held.add("gone", ["admin"])
    assert many.by(gone).get("/kb/law/documents").status_code == 200
    many.held.remove("gone")
    assert many.by(gone).get("/kb/law/documents").status_code == 401
    assert many.by(kept).get("/kb/law/documents").status_code == 200


def test_a_server_is_ready_without_a_token(many: Many) -> None:
    many.held.add("kept", ["read"])
    assert many.client.get("/ready").json() == {"status": "ready"}


def test_tokens_of_one_knowledge_base_are_not_those_of_the_folder(many: Many) -> None:
    TokenFile(many.folder / "law").add("own", ["read"])
    sentence(many.client.get("/kb/law/documents"), 503, "tokens of its own")
