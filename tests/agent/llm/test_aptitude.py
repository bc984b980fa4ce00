"""What `doctor` finds a model to be good at: which prompts it does better with, and whether it may overrule."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from modelserver import Fault, ModelRequest, ModelServer
from modelserver.competent import Competent
from modelserver.recognising import Recogniser
from multicube import MultiCube
from multicube.agent.cli import app
from multicube.agent.engines.llm import DeadlineError, ModelClient, ModelSpec
from multicube.agent.engines.llm.engine import ModelOptions
from multicube.agent.engines.llm.trial import try_out
from multicube.prompts import SIZES, PromptLibrary, Rendered
from typer.testing import CliRunner

SHORT = PromptLibrary.load(size="short")
LOOP = {"first_subquery", "next_subquery", "cube_router", "query_decomposition", "sub_answer", "final_answer"}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MULTICUBE_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


LOST: dict[str, Any] = {"RouteReply": {"cubes": []}, "SubAnswerReply": {"answers": [], "document": "", "quote": ""}}


def small(request: ModelRequest) -> Any:
    """A model that is lost in long prompts."""
    if Recogniser(SHORT).task(request).prompt:
        return Competent(SHORT)(request)
    return LOST.get(request.schema_name) or Competent()(request)


def doctor(server: ModelServer, *options: str) -> str:
    result = CliRunner().invoke(app, ["doctor", "--model", f"{server.url}#stand-in", *options])
    assert "Traceback" not in result.output
    return " ".join(result.stdout.split())


def test_every_prompt_of_the_loop_has_a_short_version_with_the_same_variables_and_fences() -> None:
    papers = PromptLibrary.load()
    changed = {name for name in SHORT if SHORT[name] != papers[name]}
    assert changed == LOOP
    for name in changed:
        ours, theirs = SHORT[name], papers[name]
        assert set(ours.variables) == set(theirs.variables)
        assert set(theirs.fenced) <= set(ours.fenced)
        assert ours.max_tokens <= theirs.max_tokens
        assert len(ours.user) < 1_000


def test_a_capable_model_keeps_the_papers_prompts_and_may_overrule(cache: Path) -> None:
    with ModelServer(Competent()) as server:
        found = doctor(server)
    assert "the papers' prompts are used" in found
    kept = json.loads((cache / "models.json").read_text("utf-8"))
    assert next(iter(kept.values()))["papers"] >= 8
    assert "may overrule the embedded engine" in found, found


def test_a_small_model_gets_short_prompts_from_then_on(sample_path: Path) -> None:
    with ModelServer(small) as server:
        found = doctor(server)
        assert "short prompts are used" in found
        server.requests.clear()
        with MultiCube.open(sample_path, model=ModelOptions(f"{server.url}#stand-in", cache=False)) as kb:
            kb.ask("Where was the director of the film The Salt Lantern born?", save=False)
        assert Recogniser(SHORT).task(server.chats[0]).prompt == "first_subquery"


@pytest.mark.parametrize("size", SIZES)
def test_a_person_chooses_the_size(sample_path: Path, size: str) -> None:
    library = PromptLibrary.load(size=size)
    with ModelServer(Competent(library)) as server:
        command = ["ask", "Who directed The Salt Lantern?", "--kb", str(sample_path), "--no-save", "--no-cache"]
        result = CliRunner().invoke(app, [*command, "--model", f"{server.url}#stand-in", "--prompts", size])
        assert result.exit_code == 0, result.output
        assert Recogniser(library).task(server.chats[0]).prompt == "first_subquery"


def test_a_model_that_always_agrees_may_not_overrule() -> None:
    agrees = {"right": True, "answer": "", "quote": "", "question": ""}
    with ModelServer(lambda r: agrees if r.schema_name == "Confirmation" else Competent()(r)) as server:
        found = doctor(server)
    assert re.search(r"2 of 5 proposals judged rightly: with --engine both it is asked only where", found)


def test_replies_that_cannot_be_used_count_as_wrong() -> None:
    spoilt = Fault.wrong_schema()
    with ModelServer(Competent(), faults=lambda r: None if r.schema_name == "Ready" else spoilt) as server:
        assert "0 of 10 replies right" in doctor(server)


def test_what_does_not_come_in_time_counts_as_wrong_and_short_prompts_come_first() -> None:
    class Slow(ModelClient):
        asked = 0

        def ask(self, stage: str, prompt: Rendered, reply: type[Any]) -> Any:
            self.asked += 1
            if self.asked > 10:
                raise DeadlineError("The time allowed ran out.")
            return super().ask(stage, prompt, reply)

    with ModelServer(Competent(SHORT)) as server:
        found = try_out(Slow(ModelSpec("stand-in", server.url)))
    assert (found.papers, found.judged, found.size) == (0, 0, "short")
    assert found.short


def test_a_quick_look_tries_nothing(cache: Path) -> None:
    with ModelServer(Competent()) as server:
        doctor(server, "--quick")
        assert not server.chats
    assert not (cache / "models.json").exists()


def test_short_prompts_are_listed_and_exported(tmp_path: Path) -> None:
    shown = CliRunner().invoke(app, ["prompts", "show", "cube_router", "--prompts", "short"])
    assert "in short for small models" in shown.stdout
    assert CliRunner().invoke(app, ["prompts", "export", str(tmp_path / "mine"), "--short"]).exit_code == 0
    assert PromptLibrary.load(tmp_path / "mine")["sub_answer"].user == SHORT["sub_answer"].user
