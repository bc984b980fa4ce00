"""Questions that a model makes of documents: what it is shown, and which of its replies are no questions."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import write_jsonl
from modelserver import ModelRequest, ModelServer
from multicube.evals.experiments.smart.command import questions
from multicube.evals.generators.facts.writing import read_questions

KINDS = {
    "river": "flows through a broad valley to the sea, and ships sail on its waters",
    "smith": "hammered iron and steel on an anvil, and sold swords and horseshoes",
    "bread": "is baked of rye flour, salt and yeast, and is eaten with butter and cheese",
}
CORPUS = [
    {"id": f"{kind}-{n}", "title": f"{kind.title()} {n}", "text": f"It was good: the {kind} of Tolm {text}."}
    for kind, text in KINDS.items()
    for n in range(3)
]
Edit = Callable[[dict[str, Any]], None]


def asking(edit: Edit = lambda reply: None) -> Callable[[ModelRequest], Any]:
    """A model that asks who the people shown are, from as many points of view as it is asked for."""

    def brain(request: ModelRequest) -> Any:
        if "perspectives" not in (request.schema or {}).get("properties", {}):
            return {"ready": True}
        shown = [json.loads(line) for line in request.text.splitlines() if line.startswith('{"id"')]
        number = int(request.text.split("its answer from ")[1].split()[0])
        phrases = [shown[0]["text"].split()[0], "Tolm", "good", "was"][:number]
        ids = [one["id"] for one in shown]
        said = [{"kind": "what", "phrase": phrase, "documents": ids} for phrase in phrases]
        reply = {"question": "Who are they?", "answer": f"They: {', '.join(phrases)}.", "perspectives": said}
        edit(reply)
        return reply

    return brain


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[Callable[[ModelRequest], Any]], ModelServer]:
    monkeypatch.setenv("MULTICUBE_CACHE_DIR", str(tmp_path / "known"))
    write_jsonl(tmp_path / "corpus.jsonl", CORPUS)

    def run(brain: Callable[[ModelRequest], Any]) -> ModelServer:
        with ModelServer(brain) as server:
            questions(tmp_path, tmp_path / "made", f"{server.url}#stand-in", count=5)
            return server

    return run


def test_like_documents_are_shown_together_and_one_to_four_perspectives_asked_for(
    make: Callable[..., ModelServer], tmp_path: Path
) -> None:
    make(asking())
    found = read_questions(tmp_path / "made")
    assert [question.count for question in found] == [1, 2, 3, 4, 1]
    for question in found:
        assert len(question.supporting) == 3
        assert len({id.split("-")[0] for id in question.supporting}) == 1, "rivers are most like rivers"
        assert len(question.perspectives) == question.count
        assert all(key in question.answers[0] for one in question.perspectives for key in one.keys)
    assert (tmp_path / "made" / "corpus.jsonl").read_bytes() == (tmp_path / "corpus.jsonl").read_bytes()


def _not_in_documents(reply: dict[str, Any]) -> None:
    reply["perspectives"][0]["phrase"] = "Zara"
    reply["answer"] += " Zara."


def _not_in_answer(reply: dict[str, Any]) -> None:
    reply["answer"] = "Nobody knows."


def _in_question(reply: dict[str, Any]) -> None:
    reply["question"] = f"Is it {reply['perspectives'][0]['phrase']}?"


def _without_a_document(reply: dict[str, Any]) -> None:
    for one in reply["perspectives"]:
        one["documents"] = ["d1", "d2"]


def _of_a_document_not_shown(reply: dict[str, Any]) -> None:
    reply["perspectives"][0]["documents"].append("d9")


@pytest.mark.parametrize(
    "edit", [_not_in_documents, _not_in_answer, _in_question, _without_a_document, _of_a_document_not_shown]
)
def test_what_the_documents_do_not_bear_out_is_no_question(
    make: Callable[..., ModelServer], tmp_path: Path, edit: Edit, capsys: pytest.CaptureFixture[str]
) -> None:
    server = make(asking(edit))
    assert server.chats
    assert read_questions(tmp_path / "made") == []
    assert "0 questions of 5" in capsys.readouterr().out
