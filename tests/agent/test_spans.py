"""Runs sent to a trace collector: OpenTelemetry with OpenInference's conventions, and LangSmith."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from collecting import Collector, attributes, collecting, flushed, forget
from modelserver import ModelServer
from modelserver.competent import Competent
from multicube import MultiCube, MultiCubeError
from multicube.agent.runs import spans
from multicube.agent.runs.otlp import collector

CHAIN = "Where was the director of the film The Salt Lantern born?"


@pytest.fixture
def collector_here() -> Iterator[Collector]:
    with collecting() as kept:
        yield kept


@pytest.fixture
def otlp(collector_here: Collector, monkeypatch: pytest.MonkeyPatch) -> Collector:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", f"{collector_here.url}/v1/traces")
    return collector_here


def kinds(found: list[Any]) -> list[tuple[str, str]]:
    return [(span.name, attributes(span)["openinference.span.kind"]) for span in found]


def test_a_run_is_a_chain_of_hops_that_retrieve(sample: MultiCube, otlp: Collector) -> None:
    run = sample.ask(CHAIN, save=False)
    flushed()
    found = sorted(otlp.spans(), key=lambda span: span.start_time_unix_nano)
    assert kinds(found) == [
        ("multicube.ask", "CHAIN"),
        ("hop 1", "CHAIN"),
        ("retrieve", "RETRIEVER"),
        ("tool cube_cultural_product", "TOOL"),
        ("hop 2", "CHAIN"),
        ("retrieve", "RETRIEVER"),
        ("tool cube_person", "TOOL"),
    ]
    whole, first, retrieval, tool, second, *_ = found
    assert whole.parent_span_id == b""
    assert first.parent_span_id == second.parent_span_id == whole.span_id
    assert retrieval.parent_span_id == first.span_id
    assert tool.parent_span_id == retrieval.span_id
    assert attributes(tool)["input.value"] == run.hops[0].subquery
    assert "The Salt Lantern" in attributes(tool)["output.value"]
    assert len({span.trace_id for span in found}) == 1
    assert all(0 < span.start_time_unix_nano <= span.end_time_unix_nano for span in found)
    assert all(span.end_time_unix_nano <= whole.end_time_unix_nano for span in found)
    asked = attributes(whole)
    assert (asked["input.value"], asked["output.value"]) == (CHAIN, "Skarholt")
    assert asked["multicube.run_id"] == json.loads(asked["metadata"])["run"] == run.id
    assert (attributes(first)["input.value"], attributes(first)["output.value"]) == (
        run.hops[0].subquery,
        "Anselm Torvik",
    )
    documents, evidence = attributes(retrieval), run.hops[0].evidence[0]
    assert documents["retrieval.documents.0.document.id"] == evidence.section_id
    assert documents["retrieval.documents.0.document.content"] == evidence.text
    assert json.loads(documents["retrieval.documents.0.document.metadata"])["title"] == "The Salt Lantern"


def test_each_exchange_with_a_model_is_a_span_with_its_tokens(
    sample: MultiCube, sample_path: Any, otlp: Collector
) -> None:
    with ModelServer(Competent()) as server, MultiCube.open(sample_path, model=f"{server.url}#stand-in") as kb:
        run = kb.ask(CHAIN, save=False)
    flushed()
    found = otlp.spans()
    by_id = {span.span_id: span.name for span in found}
    exchanges = [span for span in found if attributes(span)["openinference.span.kind"] == "LLM"]
    assert len(exchanges) == run.usage.requests > 0
    assert sum(attributes(s)["llm.token_count.prompt"] for s in exchanges) == run.usage.input_tokens
    assert sum(attributes(s)["llm.token_count.completion"] for s in exchanges) == run.usage.output_tokens
    answering = [s for s in exchanges if s.name == "llm answer"]
    assert [by_id[s.parent_span_id] for s in answering] == ["hop 1", "hop 2"]
    first = attributes(answering[0])
    assert first["llm.model_name"] == "stand-in"
    assert "It was directed by Anselm Torvik" in "".join(
        str(value) for key, value in first.items() if key.startswith("llm.input_messages.")
    )
    assert "Torvik" in first["llm.output_messages.0.message.content"]


def test_an_error_is_marked_and_still_the_callers(sample: MultiCube, otlp: Collector) -> None:
    def fail(*args: Any) -> None:
        raise MultiCubeError("The engine is broken.")

    sample.reasoner.route = fail  # type: ignore[method-assign]
    with pytest.raises(MultiCubeError, match="The engine is broken"):
        sample.ask(CHAIN, save=False)
    flushed()
    whole = next(span for span in otlp.spans() if span.name == "multicube.ask")
    assert (whole.status.code, whole.status.message) == (2, "The engine is broken.")


def test_a_run_that_nobody_follows_to_its_end_is_sent_too(sample: MultiCube, otlp: Collector) -> None:
    events = sample.stream(CHAIN, save=False)
    assert [next(events).kind for _ in range(2)] == ["started", "subquery"]
    events.close()  # type: ignore[attr-defined]
    flushed()
    assert {span.name for span in otlp.spans()} == {"multicube.ask", "hop 1"}


def test_spans_belong_to_what_the_caller_is_doing(sample: MultiCube, otlp: Collector) -> None:
    with spans._tracer().start_as_current_span("the caller's") as outer:
        sample.ask(CHAIN, save=False)
    flushed()
    whole = next(span for span in otlp.spans() if span.name == "multicube.ask")
    assert int.from_bytes(whole.parent_span_id, "big") == outer.get_span_context().span_id


def test_texts_are_hidden_where_the_environment_asks(
    sample: MultiCube, otlp: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENINFERENCE_HIDE_INPUTS", "true")
    monkeypatch.setenv("OPENINFERENCE_HIDE_OUTPUTS", "true")
    sample.ask(CHAIN, save=False)
    flushed()
    sent = [pair for span in otlp.spans() for pair in attributes(span).items()]
    assert {value for key, value in sent if key.endswith((".value", ".content"))} == {"__REDACTED__"}


def test_a_collector_that_is_not_there_costs_spans_and_nothing_else(
    sample: MultiCube, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    forget()
    assert sample.ask(CHAIN, save=False).answer == "Skarholt"
    forget()


@pytest.mark.parametrize(
    ("env", "address"),
    [
        ({}, None),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"}, "http://c:4318"),
        (
            {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://t/v1", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://c"},
             "http://t/v1"
        ),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": " "}, None),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c", "OTEL_SDK_DISABLED": "TRUE"}, None),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c", "OTEL_TRACES_EXPORTER": "none"}, None),
    ],
)
def test_the_usual_variables_switch_it(env: dict[str, str], address: str | None) -> None:
    assert collector(env) == address


# LangSmith


@pytest.fixture
def langsmith(collector_here: Collector, monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    """LangSmith's address is the collector's; its settings are read once in a process, so they are forgotten after."""
    from langsmith import run_trees, utils

    monkeypatch.setattr(run_trees, "_CLIENT", None)
    values = {"TRACING": "true", "ENDPOINT": collector_here.url, "API_KEY": "test-key", "PROJECT": "multicube-test"}
    for name, value in values.items():
        monkeypatch.setenv(f"LANGSMITH_{name}", value)
    utils.get_env_var.cache_clear()
    yield collector_here
    monkeypatch.undo()
    utils.get_env_var.cache_clear()


def _sent(kept: Collector, wanted: str) -> bytes:
    """Wait for LangSmith's background thread; return all that it has sent."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        body = b"".join(body for _, body in kept.posted)
        if wanted.encode() in body:
            return body
        time.sleep(0.05)
    raise AssertionError(f"{wanted} was not sent; paths: {[path for path, _ in kept.posted]}")


def test_langsmith_is_sent_every_node_of_the_graph(sample: MultiCube, langsmith: Collector) -> None:
    run = sample.ask(CHAIN, save=False)
    assert run.answer == "Skarholt"
    sent = _sent(langsmith, "finalize")
    for word in (b"multicube", b"reason", b"cube_cultural_product", b"The Salt Lantern"):
        assert word in sent
