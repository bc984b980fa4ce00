"""Each part of the embedded engine can be switched off, and without it the engine does without it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from multicube import MultiCube
from multicube.agent.engines.embedded.options import EngineOptions, Family
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


HARBOUR = {
    "boats.csv": "Boat,Harbour,Built,Crew\nSelvik,Orno,1911,9\nTarn Maid,Orno,1932,4\nGrey Auk,Pell,1905,12\n",
    "CHANGELOG.md": "# Changelog of vellmend\n\n## 2.4.0\n\n- Adds --rake.\n\n## 2.3.0\n\n- Adds --hoe.\n",
    "notes.txt": "The harbour at Orno\nThe clerk with the two geese is Ada Vell. Ada Vell was trained in Brenn.\n",
}  # fmt: skip


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A knowledge base of a table, a list of changes and a note."""
    folder = tmp_path_factory.mktemp("harbour")
    for name, text in HARBOUR.items():
        (folder / name).write_text(text, encoding="utf-8")
    MultiCube.build([folder / name for name in HARBOUR], folder / "kb").close()
    return folder / "kb"


@pytest.mark.parametrize(
    ("family", "question", "answer", "hops"),
    [
        ("facts", "What is the crew of the Grey Auk?", "12", 1),
        ("operators", "Which is older, the Selvik or the Tarn Maid?", "Selvik", 2),
        ("counting", "Which boat has the largest crew?", "Grey Auk", 1),
        ("rows", "How many boats are there in Orno?", "2", 1),
        ("releases", "In which version was --hoe added?", "2.3.0", 1),
    ],
)
def test_what_a_family_of_rules_answers_is_not_answered_so_without_it(
    harbour: Path, family: Family, question: str, answer: str, hops: int
) -> None:
    with MultiCube.open(harbour) as kb:
        run = kb.ask(question, save=False)
        assert (run.answer, len(run.hops)) == (answer, hops)
    with MultiCube.open(harbour, engine_options=EngineOptions(without=frozenset({family}))) as kb:
        other = kb.ask(question, save=False)
    assert (other.answer, other.confidence) != (run.answer, run.confidence)


def test_a_claim_that_no_section_of_its_thing_tells_is_read_in_the_others(harbour: Path) -> None:
    with MultiCube.open(harbour) as kb:
        assert kb.ask("Was Ada Vell trained in Brenn?", save=False).answer == "yes"
