"""A language model's router may choose the chapters of documents, where there are some."""

from __future__ import annotations

from typing import Any

import pytest
from multicube.agent.engines.llm.loop.reasoner import LlmReasoner
from multicube.agent.engines.llm.replies.schemas import RouteReply
from multicube.cubes.model.ontology import load_ontology
from multicube.prompts import PromptLibrary

ONTOLOGY = load_ontology("default")


class Client:
    """Replies with the same route to every prompt, and keeps what it was asked."""

    label = "stub"

    def __init__(self, *cubes: str) -> None:
        self._cubes = list(cubes)
        self.asked: list[str] = []

    def ask(self, _stage: str, prompt: Any, _reply: type[RouteReply]) -> RouteReply:
        self.asked.append(str(prompt))
        return RouteReply(cubes=self._cubes)


def route(client: Client, *, documents: bool = True) -> Any:
    reasoner = LlmReasoner(ONTOLOGY, PromptLibrary.load(), reason=client, documents=documents)  # type: ignore[arg-type]
    return reasoner.route("What is the supply voltage of the TPS2041B?")


def test_chapters_are_offered_only_where_there_are_some() -> None:
    client = Client()
    route(client, documents=False)
    route(client, documents=True)
    without, offered = client.asked
    assert "DOCUMENTS" not in without
    assert 'You need to return "DOCUMENTS" since the key information stands in the chapters of documents.' in offered
    assert 'or "DOCUMENTS"' in offered


@pytest.mark.parametrize(
    ("reply", "cubes", "tools"),
    [
        (["DOCUMENTS"], (), ("hiqa",)),
        (["documents", "PERSON"], ("person",), ("hiqa",)),
        (["PERSON"], ("person",), ()),
        (["NONE"], (), None),
    ],
)
def test_what_the_model_names_is_asked(reply: list[str], cubes: tuple[str, ...], tools: tuple[str, ...] | None) -> None:
    made = route(Client(*reply))
    assert made.cubes == cubes
    assert made.tools == tools


def test_a_name_that_was_not_offered_is_left_out() -> None:
    made = route(Client("DOCUMENTS"), documents=False)
    assert made.cubes == ()
    assert made.tools is None
