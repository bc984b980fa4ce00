"""What leaves the machine: which texts go where at which step, and nothing else does."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ...cubes.store.postgres import database_url, place_of
from ..engines.encoders.factory import ENDPOINTS
from ..runs.otlp import collector

if TYPE_CHECKING:
    from ..engines.llm.engine import ModelOptions

__all__ = ["DataFlow", "flows", "libraries"]

_LOOPBACK = ("127.0.0.1", "::1", "localhost")
# step, what is sent, and to the model of which kind of work
_TO_MODELS = (
    ("ask, reasoning", "the question, the subqueries and their answers", "reason"),
    ("ask, routing and decomposing", "the subquery and the ontology's descriptions", "reason"),
    ("ask, hypothetical answers (--expand)", "the question or subquery", "reason"),
    ("ask, reading", "the subquery and the sections found for it", "read"),
    ("ask, final answer", "the question, the subqueries and their answers", "read"),
    ("chat, follow-up questions", "the question and the conversation: questions, subqueries, answers", "reason"),
    ("ingest", "every section that is new or changed, its headings, and the ontology", "extract"),
    ("ingest --format-with-model", "the text of new PDF, DOCX and HTML files", "extract"),
    ("ingest --describe-figures", "their images, with captions and the text around them", "extract"),
    ("ontology design", "the beginnings of the documents drawn, and the names and terms in them", "reason"),
    ("smart build", "the entities of the facts with a sentence each, and their relations", "extract"),
)
_BY_RULES = {
    "ask, routing and decomposing", "ask, hypothetical answers (--expand)", "chat, follow-up questions", "ingest",
}  # fmt: skip
"""Steps that the embedded engine takes alone where it proposes and a model confirms."""
_EMBEDDED_TEXTS = (
    ("ask, matching", "the subquery and the names in it"),
    ("ingest, embedding", "every section and label that is new or changed"),
    ("ontology design", "names, terms and nouns of the documents drawn"),
    ("smart build", "the entities' names with a sentence each, and the reports"),
)


@dataclass(frozen=True, slots=True)
class DataFlow:
    """Texts that are sent somewhere at a step."""

    step: str
    texts: str
    where: str

    def __str__(self) -> str:
        return f"{self.step}: {self.texts} → {self.where}"


def flows(model: ModelOptions | None, encoder: str | None) -> Iterator[DataFlow]:
    """Return what is sent with these models and this encoder; nothing with the embedded engine and a local encoder."""
    if model is not None:
        from ..engines.llm.transport.chat_transport import transport_to

        models = model.models()
        alone = _BY_RULES if model.engine == "both" else set()
        for step, texts, kind in (flow for flow in _TO_MODELS if flow[0] not in alone):
            yield DataFlow(step, texts, _place(transport_to(getattr(models, kind)).endpoint))
    endpoint = _embedding_endpoint(encoder)
    for step, texts in _EMBEDDED_TEXTS if endpoint else ():
        yield DataFlow(step, texts, _place(endpoint))
    if server := os.environ.get("MULTICUBE_CHROMA_URL", "").strip():
        yield DataFlow("ingest and ask", "vectors, with the labels and ids that they stand for", _place(server))
    if database := database_url():
        texts = "documents, facts and corrections, runs with their questions and answers, models' replies"
        yield DataFlow("ingest and ask", texts, _place(f"postgresql://{place_of(database)}"))


def libraries(model: ModelOptions | None, encoder: str | None) -> tuple[bool, str]:
    """Say what the libraries add of their own, and whether that is nothing to worry about."""
    from ..engines.llm.transport.telemetry import traced_to

    if traced := traced_to():
        told = "LANGSMITH_TRACING is on: a copy of every prompt, document and reply goes to"
        return False, f"{told} {traced}; unset it if that is not wanted"
    if collected := collector():
        told = "OTEL_EXPORTER_OTLP_ENDPOINT is set: questions, sections, answers, prompts and replies go to"
        return False, f"{told} {_place(collected)}; unset it if that is not wanted"
    quiet = "telemetry is off (LangChain's tracing, Chroma's)"
    if counted := collector(signal="metrics"):
        quiet += f"; counts and times of questions go to {_place(counted)}, as OTEL_EXPORTER_OTLP_METRICS_ENDPOINT says"
    if model is None and not _embedding_endpoint(encoder):
        return True, f"{quiet}; nothing else is sent anywhere"
    added = "the OpenAI client adds its version, the system and the Python version to each request (x-stainless-...)"
    return True, f"{quiet}; {added}"


def _embedding_endpoint(encoder: str | None) -> str:
    name = encoder or os.environ.get("MULTICUBE_ENCODER", "")
    if not name.startswith(ENDPOINTS):
        return ""
    from ..engines.encoders.endpoint import endpoint_of

    return endpoint_of(name)


def _place(address: str) -> str:
    """An address, and whether it is this machine after all."""
    return f"{address} (this machine)" if urlsplit(address).hostname in _LOOPBACK else address
