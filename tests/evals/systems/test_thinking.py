"""Baselines with a language model over real HTTP: it answers from itself, and thinks the queries of IRCoT."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from modelserver import ModelRequest, ModelServer
from modelserver.competent import Competent
from modelserver.recognising import Recogniser
from multicube import MultiCube
from multicube.agent.engines.llm.engine import ModelOptions
from multicube.cubes.core.encoding import Encoder
from multicube.evals.systems import System, make_systems

TWO_HOPS = "Where was the director of The Salt Lantern born?"
THOUGHT = "The Salt Lantern was directed by Anselm Torvik."


def brain(request: ModelRequest) -> object:
    task = Recogniser().task(request)
    if task.prompt == "closed_book":
        return {"answer": "Skarholt"}
    if task.prompt == "chain_of_thought":
        done = THOUGHT in task["thoughts"]
        return {"done": done, "sentence": "" if done else THOUGHT}
    return Competent()(request)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(brain) as running:
        yield running


@pytest.fixture
def thinking(kb: MultiCube, words_encoder: Encoder, server: ModelServer) -> Iterator[MultiCube]:
    model = ModelOptions(f"{server.url}#stand-in", cache=False)
    with MultiCube.open(kb.kb.path, encoder=words_encoder, model=model) as opened:
        yield opened


def _system(name: str, kb: MultiCube) -> System:
    (system,) = make_systems([name], kb)
    return system


def _asked(server: ModelServer) -> list[str]:
    return [Recogniser().task(request).prompt for request in server.chats]


def test_without_retrieval_a_model_answers_from_itself(thinking: MultiCube, server: ModelServer) -> None:
    run = _system("none", thinking).answer(TWO_HOPS)
    assert run.answer == "Skarholt"
    assert run.retrieved == run.citations == ()
    assert "closed_book" in _asked(server)
    assert "sub_answer" not in _asked(server)
    assert run.usage.requests == len([name for name in _asked(server) if name])


def test_ircot_retrieves_with_each_thought_until_it_is_done(thinking: MultiCube, server: ModelServer) -> None:
    run = _system("ircot", thinking).answer(TWO_HOPS)
    assert [hop.subquery for hop in run.hops] == [TWO_HOPS, THOUGHT, TWO_HOPS]
    assert _asked(server).count("chain_of_thought") == 2
    assert _asked(server).count("sub_answer") == 1
    assert run.usage.requests >= 3


def test_fewer_cubes_are_fewer_to_route_to(thinking: MultiCube, server: ModelServer, kb: MultiCube) -> None:
    run = _system("no-cube:person", thinking).answer(TWO_HOPS)
    routed = [request.text for request in server.chats if Recogniser().task(request).prompt == "cube_router"]
    assert routed
    assert not any('"PERSON"' in text for text in routed)
    assert not any("person" in hop.cubes for hop in run.hops)
    assert Path(kb.kb.path).is_dir()
