"""The command line with a language model: what it says on stderr, what it costs, how it ends and goes on."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from modelserver import Fault, ModelServer
from modelserver.competent import Competent
from multicube.agent.cli import app
from multicube.prompts import PromptLibrary
from typer.testing import CliRunner, Result

CHAIN = "Where was the director of the film The Salt Lantern born?"
REQUESTS = 10  # a first subquery; route, decomposition, answer and next step of both hops; the final answer


@pytest.fixture(scope="module")
def model() -> Iterator[ModelServer]:
    with ModelServer(Competent()) as server:
        yield server


@pytest.fixture
def kb(sample_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> Path:
    """A copy of the sample's knowledge base; the model is configured in the environment."""
    path = Path(shutil.copytree(sample_path, tmp_path / "own"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MULTICUBE_KB", str(path))
    monkeypatch.setenv("MULTICUBE_MODEL", f"{model.url}#stand-in")
    model.requests.clear()
    return path


def invoke(*args: str | Path) -> Result:
    return CliRunner().invoke(app, [str(arg) for arg in args])


def run_of(result: Result) -> dict[str, Any]:
    return dict(json.loads(result.stdout))


def one_sentence(result: Result, status: int, *words: str) -> None:
    """The last line of stderr says what is wrong, and there is no traceback."""
    assert result.exit_code == status, result.output
    last = result.stderr.strip().splitlines()[-1]
    assert last.startswith("multicube: ")
    assert "Traceback" not in result.output
    for word in words:
        assert word in last


@pytest.mark.usefixtures("kb")
def test_it_says_which_model_thinks_and_what_it_cost(model: ModelServer) -> None:
    result = invoke("ask", CHAIN)
    assert result.stdout.startswith("Skarholt\n")
    assert f"engine: llm, {model.url}#stand-in reasons and reads" in result.stderr
    assert f"spent: {REQUESTS} requests, " in result.stderr
    assert "price unknown" in result.stderr
    assert len(model.chats) == REQUESTS
    again = invoke("ask", CHAIN)
    assert f"spent: nothing, {REQUESTS} replies from the cache" in again.stderr
    assert len(model.chats) == REQUESTS
    anew = invoke("ask", CHAIN, "--no-cache")
    assert f"spent: {REQUESTS} requests, " in anew.stderr


@pytest.mark.usefixtures("kb")
def test_the_embedded_engine_can_be_insisted_on(model: ModelServer) -> None:
    result = invoke("ask", CHAIN, "--engine", "embedded")
    assert result.stdout.startswith("Skarholt\n")
    assert "engine:" not in result.stderr
    assert "spent" not in result.stderr
    assert not model.chats


@pytest.mark.usefixtures("kb")
def test_each_kind_of_work_has_its_model_and_its_price(
    model: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text("stand-in: {input: 1, output: 2}\nreader: {input: 10, output: 20}\n", encoding="utf-8")
    monkeypatch.setenv("MULTICUBE_PRICES", str(prices))
    result = invoke("ask", CHAIN, "--read-model", f"{model.url}#reader", "--json")
    assert f"{model.url}#stand-in reasons, {model.url}#reader reads" in result.stderr
    asked = [request.model for request in model.chats]
    assert asked.count("reader") == 3  # two hops are read, and the final answer composed
    usage = run_of(result)["usage"]
    assert set(usage["stages"]) == {"reason", "route", "decompose", "answer", "final"}
    cost = {name: stage["cost_usd"] for name, stage in usage["stages"].items()}
    spent = usage["stages"]["answer"]
    assert cost["answer"] == pytest.approx((10 * spent["input_tokens"] + 20 * spent["output_tokens"]) / 1e6)
    assert usage["cost_usd"] == pytest.approx(sum(cost.values()))
    assert f"${usage['cost_usd']:.4f}" in result.stderr


@pytest.mark.usefixtures("kb")
def test_a_cap_pauses_the_run_and_it_goes_on_from_there(model: ModelServer) -> None:
    paused = invoke("ask", CHAIN, "--max-requests", "7")
    one_sentence(paused, 1, "cap on requests (7) is reached", "Raise the cap")
    assert paused.stdout == ""
    assert "is kept with 1 hop" in paused.stderr
    kept = run_of(invoke("trace", "latest", "--json"))
    assert (kept["status"], kept["stopped"], kept["usage"]["requests"]) == ("paused", "cap", 7)
    assert len(model.chats) == 7
    resumed = run_of(invoke("trace", kept["id"], "--resume", "--json"))
    assert (resumed["id"], resumed["answer"], resumed["status"]) == (kept["id"], "Skarholt", "answered")
    assert len(model.chats) == resumed["usage"]["requests"] == REQUESTS


@pytest.mark.usefixtures("kb")
@pytest.mark.parametrize(
    ("option", "words"),
    [
        (["--max-tokens", "1500"], "cap on tokens (1,500)"),
        (["--max-cost", "0.5"], "price is not known"),
    ],
)
def test_the_same_question_asked_again_pays_for_the_rest_only(
    model: ModelServer, option: list[str], words: str
) -> None:
    one_sentence(invoke("ask", CHAIN, *option), 1, words)
    before = len(model.chats)
    assert before < REQUESTS
    result = invoke("ask", CHAIN)
    assert result.stdout.startswith("Skarholt\n")
    assert len(model.chats) == REQUESTS
    assert (f"{before} replies from the cache" in result.stderr) == bool(before)


@pytest.mark.usefixtures("kb")
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (Fault.of_status(401), ["answered 401", "MULTICUBE_API_KEY"]),
        (Fault.of_status(404), ["answered 404", "doctor"]),
        (Fault.quota(), ["answered 429", "add credit"]),
    ],
)
def test_what_no_run_can_do_without_ends_it_in_one_sentence(model: ModelServer, fault: Fault, words: list[str]) -> None:
    model.fail(None, None, None, fault)
    result = invoke("ask", CHAIN)
    one_sentence(result, 1, *words)
    failed = run_of(invoke("trace", "latest", "--json"))
    assert (failed["status"], failed["stopped"]) == ("failed", "error")
    assert (failed["usage"]["requests"], failed["usage"]["failed"]) == (4, 1)
    assert failed["note"] in result.stderr
    mended = run_of(invoke("trace", "latest", "--resume", "--json"))
    assert (mended["answer"], mended["usage"]["requests"]) == ("Skarholt", REQUESTS + 1)


@pytest.mark.usefixtures("kb")
def test_replay_and_fork_ask_the_model_too(model: ModelServer) -> None:
    first = run_of(invoke("ask", CHAIN, "--json"))
    replayed = invoke("trace", "latest", "--replay")
    assert "spent: nothing" in replayed.stderr
    forked = run_of(invoke("trace", first["id"], "--fork", "1", "--answer", "Teodor Lasz", "--json"))
    assert (forked["answer"], forked["engine"]) == ("Dastra", f"llm/1 {model.url}#stand-in")


@pytest.mark.usefixtures("kb")
def test_a_run_of_one_engine_resumed_by_another_says_so(model: ModelServer) -> None:
    invoke("ask", CHAIN, "--max-requests", "7")
    resumed = run_of(invoke("trace", "latest", "--resume", "--engine", "embedded", "--json"))
    assert resumed["engine"].startswith(f"llm/1 {model.url}#stand-in, then embedded/")
    assert resumed["usage"]["requests"] == 7


@pytest.mark.usefixtures("kb")
def test_prompts_of_ones_own_are_sent(model: ModelServer, tmp_path: Path) -> None:
    own = tmp_path / "prompts"
    PromptLibrary.export(own)
    file = own / "first_subquery.yaml"
    file.write_text(file.read_text("utf-8").replace("Based on a query", "MINE: based on a query"), encoding="utf-8")
    invoke("ask", CHAIN, "--prompts", own, "--max-requests", "1")
    assert "MINE: based on a query" in model.chats[0].text


def test_a_document_is_ingested_by_the_model_within_a_cap(
    model: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    texts = {"Dune Song": "Ada Bell", "Red Kiln": "Bo Cray"}
    rows = [{"title": film, "text": f"{film} is a 1931 film directed by {who}."} for film, who in texts.items()]
    (tmp_path / "films.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    model.requests.clear()
    named = ["--kb", "kb", "--model", f"{model.url}#stand-in"]
    capped = invoke("ingest", "films.jsonl", *named, "--max-requests", "1")
    assert "cap on requests (1)" in capped.stderr
    done = invoke("ingest", "films.jsonl", *named)
    assert done.exit_code == 0, done.output
    assert f"engine: llm, {model.url}#stand-in extracts" in done.stderr
    assert len(model.chats) == 2
    assert invoke("ask", "Who directed Red Kiln?", *named).stdout.startswith("Bo Cray\n")


def test_the_doctor_asks_the_model_and_says_what_goes_where(kb: Path, model: ModelServer) -> None:
    checks = json.loads(invoke("doctor", "--json", "--kb", kb).stdout)
    found = {check["check"]: check for check in checks}
    about = found["model (reason, read, extract)"]
    assert about["state"] == "ok"
    assert "typed replies by JSON schema; tokens as the endpoint reports them; price unknown" in about["detail"]
    sent = [check["detail"] for check in checks if check["check"] == "sent"]
    assert [line.partition(":")[0] for line in sent] == [
        "ask, reasoning",
        "ask, routing and decomposing",
        "ask, hypothetical answers (--expand)",
        "ask, reading",
        "ask, final answer",
        "chat, follow-up questions",
        "ingest",
        "ingest --format-with-model",
        "ingest --describe-figures",
        "ontology design",
        "smart build",
    ]
    assert all(line.endswith(f"→ {model.url} (this machine)") for line in sent)
    assert {request.path for request in model.requests} == {"/v1/chat/completions"}


@pytest.mark.usefixtures("kb")
def test_the_doctor_says_what_is_wrong_with_a_model(model: ModelServer) -> None:
    model.fail(Fault.of_status(401))
    result = invoke("doctor", "--quick")
    assert result.exit_code == 0  # nothing is asked
    with ModelServer(Competent(), api_key="secret", features={"json_mode"}) as strict:
        refused = invoke("doctor", "--model", f"{strict.url}#other")
        assert refused.exit_code == 1
        assert "failed   model (reason, read, extract): " in refused.stdout
        assert "Set OPENAI_API_KEY (other endpoints: MULTICUBE_API_KEY)" in refused.stdout
        strict.api_key = None
        weak = invoke("doctor", "--model", f"{strict.url}#other")
        assert "typed replies in JSON mode (no JSON schema, no tools)" in weak.stdout


def test_a_trace_that_is_sent_elsewhere_is_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    result = invoke("doctor", "--quick", "--encoder", "openai:text-embedding-3-small")
    assert "warning  libraries: LANGSMITH_TRACING is on: a copy of every prompt" in result.stdout
    assert "https://api.smith.langchain.com" in result.stdout
    assert "sent: ingest, embedding: every section and label that is new or changed → https://api.openai.com/v1" in (
        result.stdout
    )


def test_without_a_model_nothing_is_sent() -> None:
    result = invoke("doctor", "--quick")
    assert "sent: nothing: no text leaves this machine at any step" in result.stdout
    assert "nothing else is sent anywhere" in result.stdout
