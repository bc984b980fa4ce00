"""A context window that is too small: fewer sections are given, the best first, and the run goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from modelserver import Fault, ModelRequest, ModelServer
from modelserver.competent import Competent
from modelserver.recognising import Recogniser, records_of
from multicube import MultiCube
from multicube.agent.engines.llm.engine import ModelOptions
from multicube.prompts import PromptLibrary

LONG = " ".join(f"Line {n} tells of the harbour and of what was sold there." for n in range(30))


@pytest.fixture
def kb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Five sections about one film, the first of which says what is asked."""
    monkeypatch.setenv("MULTICUBE_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "pages"
    folder.mkdir()
    for n in range(5):
        text = f"The Tin Kettle is a 1951 drama film directed by Ines Calder.\n\n{LONG}" if not n else f"{n} {LONG}"
        (folder / f"page{n}.md").write_text(f"# The Tin Kettle {n or ''}\n\n{text}\n", encoding="utf-8")
    MultiCube.build([folder], tmp_path / "kb").close()
    return tmp_path / "kb"


def sections(requests: list[ModelRequest]) -> list[int]:
    """How long the sections were in each request for an answer."""
    tasks = [Recogniser(PromptLibrary.load()).task(request) for request in requests]
    read = [records_of(task["documents"]) for task in tasks if task.prompt == "sub_answer"]
    return [sum(len(section["text"]) for section in found) for found in read]


def ask(kb: Path, **options: Any) -> list[ModelRequest]:
    with ModelServer(Competent(), **options) as server:
        with MultiCube.open(kb, model=ModelOptions(f"{server.url}#stand-in")) as opened:
            run = opened.ask("Who directed The Tin Kettle?", save=False)
        assert run.answer == "Ines Calder", run
        return server.chats


def fault(limit: int, told: bool) -> Callable[[ModelRequest], Fault | None]:
    """A server with a window, which it may name."""
    said = Fault.context_length(limit) if told else Fault("status", 400, {}, _UNTOLD)
    return lambda request: said if request.prompt_tokens > limit else None


_UNTOLD = {"error": {"message": "the request exceeds the available context size", "code": "exceed_context_size_error"}}


@pytest.mark.parametrize("told", [True, False])
def test_sections_are_packed_to_what_fits(kb: Path, told: bool) -> None:
    given, whole = sections(ask(kb, faults=fault(450, told))), sections(ask(kb))
    assert given[-1] < whole[0]
    assert given[-1] > 100


def test_a_window_that_is_known_is_kept_to(kb: Path) -> None:
    """Only the first request is refused."""
    with ModelServer(Competent(), faults=fault(450, told=True)) as server:
        with MultiCube.open(kb, model=ModelOptions(f"{server.url}#stand-in", cache=False)) as opened:
            opened.ask("Who directed The Tin Kettle?", save=False)
            before = len(server.chats)
            opened.ask("Who directed The Tin Kettle?", save=False)
        again = sections(server.chats[before:])
    assert len(again) == 1


def test_a_window_with_no_room_for_any_section_leaves_the_step_to_the_embedded_engine(kb: Path) -> None:
    narrow = Fault("status", 400, {}, _UNTOLD)
    ask(kb, faults=lambda request: narrow if request.schema_name == "SubAnswerReply" else None)
