"""Runs as OpenTelemetry traces (OpenInference's conventions), where the usual variables name a collector."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

from ...graphs.records import Evidence, Hop, Run
from .events import Event
from .otlp import patience, resource

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span, Tracer

    from ..engines.llm.transport.observers import Exchange
    from .graph_watcher import NodeRun, ToolRun

__all__ = ["RunSpans"]

_MOST_DOCUMENTS = 20  # a span has room for 128 attributes
_HOP_FACTS = {"cubes", "tools", "route_reason", "status", "fallback", "confidence", "expanded", "notes"}
_REDACTED = "__REDACTED__"
_KIND = "openinference.span.kind"


def _tracer() -> Tracer:
    return _provider().get_tracer("multicube")


@cache
def _provider() -> TracerProvider:
    """Return what the program around us has set up, else one of our own, which sends in the background."""
    from opentelemetry import trace
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    found = trace.get_tracer_provider()
    if isinstance(found, TracerProvider):
        return found
    provider = TracerProvider(resource=resource())
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(timeout=patience("traces"))))
    return provider


class RunSpans:
    """The spans of one run: a chain for the run and each hop, a retriever's in each with its tools, the exchanges."""

    def __init__(self, run: Run) -> None:
        self._tracer = _tracer()
        self._run = self._start("multicube.ask", "CHAIN", None, run.question)
        self._run.set_attribute("multicube.run_id", run.id)
        self._hop: Span | None = None
        self._retrieval: Span | None = None
        self._retrieved = 0

    def take(self, event: Event) -> None:
        """Follow an event of the run."""
        with suppress(Exception):
            if event.kind == "subquery":
                self._hop = self._start(f"hop {event.hop}", "CHAIN", self._run, event.subquery)
            elif event.kind == "route":
                self._retrieval = self._start("retrieve", "RETRIEVER", self._hop or self._run, event.subquery)
            elif event.kind == "retrieved":
                self._retrieved = time.time_ns()
            elif event.kind == "answered" and event.record is not None:
                self._answered(event.record)
            elif event.run is not None:
                _finish(self._run, event.run.answer, _facts(event.run))

    def exchanged(self, made: Exchange) -> None:
        """Add the span of an exchange with a language model."""
        with suppress(Exception):
            span = self._start(f"llm {made.stage}", "LLM", self._hop or self._run, None, made.began)
            span.set_attributes(_exchange(made))
            self._end(span, made.ended, made.error)

    def looked_up(self, made: ToolRun) -> None:
        """Add the span of a tool: what it was asked, and what it said."""
        parent = self._retrieval if self._retrieval is not None and self._retrieval.is_recording() else self._hop
        span = self._start(f"tool {made.tool}", "TOOL", parent or self._run, made.asked, made.began)
        said = _shown(made.said, "OUTPUTS")
        span.set_attributes({"tool.name": made.tool, "output.value": said, "output.mime_type": "text/plain"})
        self._end(span, made.ended, made.error)

    def visited(self, made: NodeRun) -> None:
        """Leave nodes out: the hops and their tools are told of already."""

    def failed(self, error: BaseException) -> None:
        """Mark the run as one that an error ended; one that nobody follows any more is only ended."""
        from opentelemetry.trace import Status, StatusCode

        with suppress(Exception):
            if not isinstance(error, GeneratorExit):
                self._run.record_exception(error)
                self._run.set_status(Status(StatusCode.ERROR, str(error)))

    def end(self) -> None:
        """End what is still open."""
        for span in (self._retrieval, self._hop, self._run):
            if span is not None and span.is_recording():
                with suppress(Exception):
                    span.end()

    def _answered(self, hop: Hop) -> None:
        if self._retrieval is not None:
            self._retrieval.set_attributes(_documents(hop.evidence))
            self._end(self._retrieval, self._retrieved or None)
        if self._hop is not None:
            _finish(self._hop, hop.answer, hop.model_dump(mode="json", include=_HOP_FACTS))
            self._end(self._hop)
        self._hop, self._retrieval, self._retrieved = None, None, 0

    def _start(self, name: str, kind: str, parent: Span | None, said: str | None, began: int | None = None) -> Span:
        from opentelemetry.trace import set_span_in_context

        context = set_span_in_context(parent) if parent is not None else None
        span = self._tracer.start_span(name, context=context, start_time=began, attributes={_KIND: kind})
        if said is not None:
            span.set_attributes({"input.value": _shown(said, "INPUTS"), "input.mime_type": "text/plain"})
        return span

    def _end(self, span: Span, at: int | None = None, error: str = "") -> None:
        from opentelemetry.trace import Status, StatusCode

        span.set_status(Status(StatusCode.ERROR, error) if error else Status(StatusCode.OK))
        span.end(end_time=at)


def _finish(span: Span, said: str, facts: Mapping[str, Any]) -> None:
    """Say what came out of a run or a hop."""
    from opentelemetry.trace import Status, StatusCode

    span.set_attributes({"output.value": _shown(said, "OUTPUTS"), "output.mime_type": "text/plain"})
    span.set_attribute("metadata", json.dumps(facts, ensure_ascii=False, default=str))
    span.set_status(Status(StatusCode.OK))


def _facts(run: Run) -> dict[str, Any]:
    return {
        "run": run.id,
        "engine": run.engine,
        "status": run.status,
        "stopped": run.stopped,
        "note": run.note,
        "confidence": run.confidence,
        "hops": len(run.hops),
        "forked_from": run.forked_from,
    }


def _documents(found: tuple[Evidence, ...]) -> dict[str, Any]:
    """Return the sections that a hop found as OpenInference names the parts of documents."""
    attributes: dict[str, Any] = {}
    for place, each in enumerate(found[:_MOST_DOCUMENTS]):
        facts = {"title": each.title, "path": each.path, "source": each.source, "retriever": each.retriever}
        prefix = f"retrieval.documents.{place}.document"
        attributes[f"{prefix}.id"] = each.section_id
        attributes[f"{prefix}.content"] = _shown(each.text, "OUTPUTS")
        attributes[f"{prefix}.score"] = each.score
        attributes[f"{prefix}.metadata"] = json.dumps(facts, ensure_ascii=False)
    return attributes


def _exchange(made: Exchange) -> dict[str, Any]:
    """Return a request to a model and its reply as OpenInference names their parts."""
    attributes: dict[str, Any] = {"llm.model_name": made.model, "metadata": json.dumps({"stage": made.stage})}
    for place, (role, text) in enumerate(made.messages):
        shown = text if role != "image" else "(an image)"
        attributes[f"llm.input_messages.{place}.message.role"] = "user" if role == "image" else role
        attributes[f"llm.input_messages.{place}.message.content"] = _shown(shown, "INPUTS")
    reply, tokens = made.answered
    if not made.error:
        said = _shown(reply.said, "OUTPUTS")
        attributes["llm.output_messages.0.message.role"] = "assistant"
        attributes["llm.output_messages.0.message.content"] = attributes["output.value"] = said
    if tokens is not None:
        attributes["llm.token_count.prompt"] = tokens.input
        attributes["llm.token_count.completion"] = tokens.output
        attributes["llm.token_count.total"] = tokens.input + tokens.output
        attributes["llm.token_count.prompt_details.cache_read"] = tokens.cache_read
    return attributes


def _shown(text: str, side: str) -> str:
    """Return a text, or what stands for it where OPENINFERENCE_HIDE_INPUTS or _OUTPUTS asks to hide it."""
    return _REDACTED if os.environ.get(f"OPENINFERENCE_HIDE_{side}", "").strip().lower() == "true" else text
