"""A small real model through the whole product. It answers badly and slowly, which is what is tested: nothing breaks.

Run with `make model`, then `make test PYTEST="-m model"`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from modelserver.samples import VALUES
from multicube import MultiCube
from multicube.agent.engines.llm import ModelClient, ModelError, ModelSpec, TruncatedReplyError
from multicube.agent.engines.llm.engine import ModelOptions
from multicube.agent.engines.llm.replies.schemas import REPLIES
from multicube.graphs.records import LoopSettings, Run
from multicube.prompts import PromptLibrary, Rendered

from realmodel import NOT_INSTALLED, RealServer, is_installed
from realmodel.recording import FixedMode

pytestmark = [pytest.mark.model, pytest.mark.skipif(not is_installed(), reason=NOT_INSTALLED)]

CHAIN = "Where was the director of the film The Salt Lantern born?"
MAIN = [sys.executable, "-c", "from multicube.agent.cli import main; main()"]
HURRIED = LoopSettings(max_hops=2, deadline_s=60, expand="never")
SLACK_S = 10.0
"""How far beyond its deadline a run may end."""


@pytest.fixture(scope="module")
def server() -> Iterator[RealServer]:
    with RealServer() as server:
        yield server


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MULTICUBE_CACHE_DIR", str(tmp_path / "cache"))


def options(server: RealServer, **how: Any) -> ModelOptions:
    return ModelOptions(server.model, cache=False, **{"size": "short", **how})


def fits(run: Run) -> None:
    """The run ended as a run may end, in time, and wrote no more than its prompts allow."""
    assert run.status in ("answered", "abstained")
    assert run.ms / 1000 < run.settings.deadline_s + SLACK_S
    bounds = {name: prompt.max_tokens for name, prompt in PromptLibrary.load().items()}
    assert run.usage.output_tokens <= run.usage.requests * max(bounds.values())


@pytest.mark.parametrize("mode", ["schema_object", "tools", "text"])
def test_a_typed_reply_comes_or_is_refused_in_words(server: RealServer, mode: Any) -> None:
    client = ModelClient(ModelSpec("smollm2", server.url), modes=FixedMode(mode))
    prompt = PromptLibrary.load(size="short")["sub_answer"].fill(VALUES["sub_answer"])
    try:
        found: object = client.ask("answer", prompt, REPLIES["sub_answer"])
    except ModelError as error:
        found = str(error)
    assert isinstance(found, str | REPLIES["sub_answer"])
    assert client.ledger.total.output_tokens <= 2 * prompt.max_tokens


@pytest.mark.parametrize("engine", ["llm", "both"])
def test_a_question_is_asked_to_its_end(server: RealServer, sample_path: Path, engine: Any) -> None:
    with MultiCube.open(sample_path, model=options(server, engine=engine)) as kb:
        run = kb.ask(CHAIN, settings=HURRIED, save=False)
    fits(run)
    assert engine == "llm" or run.answer == "Skarholt"


def test_it_is_asked_about_what_the_embedded_engine_is_unsure_of(server: RealServer, sample_path: Path) -> None:
    question = "Which film school did the director of Weathercock attend?"
    with MultiCube.open(sample_path, model=options(server, engine="both")) as kb:
        run = kb.ask(question, settings=HURRIED, save=False)
    fits(run)
    assert run.usage.requests
    assert any(server.model in note for note in run.hops[-1].notes)


def test_words_are_shown_as_they_are_written(server: RealServer) -> None:
    pieces: list[str] = []
    client = ModelClient(ModelSpec("smollm2", server.url))
    prompt = PromptLibrary.load(size="short")["final_answer"].fill(VALUES["final_answer"])
    whole = client.text("final", prompt, pieces.append)
    assert len(pieces) > 1
    assert "".join(pieces).strip() == whole


def test_five_sections_are_read(server: RealServer, tmp_path: Path) -> None:
    records = [
        {"title": f"Film {n}", "text": f"Film {n} is a 195{n} film directed by Ines Calder."} for n in range(5)
    ]
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    with MultiCube.build([corpus], tmp_path / "kb", model=options(server)) as kb:
        report = kb.ingest_report
        assert report is not None
        assert report.sections == 5
        assert report.usage is not None
        assert report.usage.requests >= 5
        assert len(kb.kb.sections()) == 5


def test_a_request_that_is_given_up_frees_the_server(server: RealServer) -> None:
    """The next question is answered long before the first one would have been written to its end."""
    slow = ModelClient(ModelSpec("smollm2", server.url)).for_run(deadline=time.monotonic() + 3)
    endless = Rendered("endless", "1", "", "Write a long story about the keeper of a lighthouse.", max_tokens=3_000)
    with pytest.raises(ModelError):
        slow.text("report", endless)
    quick = Rendered("quick", "1", "", "Say yes.", max_tokens=5)
    client = ModelClient(ModelSpec("smollm2", server.url)).for_run(deadline=time.monotonic() + 60)
    with suppress(TruncatedReplyError):  # five tokens may not be enough for it, but it was heard
        client.text("report", quick)


def test_a_window_that_is_too_small_ends_in_words(sample_path: Path) -> None:
    with RealServer(window=512) as narrow, MultiCube.open(sample_path, model=options(narrow)) as kb:
        run = kb.ask(CHAIN, settings=HURRIED, save=False)
    fits(run)
    assert any("embedded engine decided instead" in f"{hop.notes} {hop.route_reason}" for hop in run.hops) or run.hops


def test_two_ask_at_once(server: RealServer, sample_path: Path) -> None:
    with MultiCube.open(sample_path, model=options(server)) as kb, ThreadPoolExecutor(2) as pool:
        questions = (CHAIN, "When did the director of the 1962 film The Paper Regatta die?")
        for run in pool.map(lambda question: kb.ask(question, settings=HURRIED, save=False), questions):
            fits(run)


def test_a_killed_run_goes_on(server: RealServer, tmp_path: Path) -> None:
    corpus = Path(__file__).parents[2] / "evals" / "sample" / "corpus.jsonl"
    path = tmp_path / "kb"
    MultiCube.build([corpus], path).close()
    named = ["--kb", str(path), "--model", server.model, "--prompts", "short"]
    asking = subprocess.Popen(
        [*MAIN, "ask", CHAIN, *named, "--deadline", "600"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    with MultiCube.open(path) as kb:
        while asking.poll() is None and not any(run.hops for run in kb.runs(1)):
            time.sleep(0.1)
        asking.kill()
        asking.wait()
        (killed,) = kb.runs(1)
    assert killed.status not in ("answered", "abstained")
    done = subprocess.run(
        [*MAIN, "trace", killed.id, "--resume", *named], capture_output=True, text=True, check=False, timeout=900
    )
    assert "Traceback" not in done.stderr
    assert done.returncode == 0, done.stderr
    with MultiCube.open(path) as kb:
        (ended,) = kb.runs(1)
    assert ended.status in ("answered", "abstained")
    assert ended.hops[0] == killed.hops[0]
