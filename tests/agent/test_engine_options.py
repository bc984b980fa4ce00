"""Each part of the embedded engine can be switched off, and without it the engine does without it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from multicube import MultiCube
from multicube.agent.engines.embedded.options import EngineOptions
from multicube.graphs.records import LoopSettings

Ask = Callable[[str, EngineOptions], str]


@pytest.fixture
def ask(sample_path: Path) -> Ask:
    def answer(question: str, options: EngineOptions) -> str:
        with MultiCube.open(sample_path, engine_options=options) as kb:
            return kb.ask(question, save=False).answer

    return answer


def test_without_chains_a_question_of_two_hops_has_no_plan(sample_path: Path) -> None:
    question = "Where was the director of the film The Salt Lantern born?"
    with MultiCube.open(sample_path) as kb:
        assert len(kb.ask(question, save=False).hops) == 2
    with MultiCube.open(sample_path, engine_options=EngineOptions(chains=False)) as kb:
        assert len(kb.ask(question, save=False).hops) == 1
        assert kb.ask("Who directed The Salt Lantern?", save=False).answer == "Anselm Torvik"


def test_without_backoff_a_name_must_be_written_as_the_corpus_does(ask: Ask) -> None:
    question = "Where was Dr. Anselm Torvik born?"
    assert ask(question, EngineOptions()) == "Skarholt"
    assert ask(question, EngineOptions(backoff=False, reader=False)) == ""


def test_an_answer_less_sure_than_asked_for_is_held_back(sample: MultiCube) -> None:
    question = "Where was the director of the film The Salt Lantern born?"
    sure = sample.ask(question, save=False)
    assert sample.ask(question, settings=LoopSettings(min_confidence=sure.confidence), save=False).answer == sure.answer
    held = sample.ask(question, settings=LoopSettings(min_confidence=1.0), save=False)
    assert (held.status, held.answer, held.citations) == ("abstained", "", ())
    assert "Held back: 'Skarholt'" in held.note
