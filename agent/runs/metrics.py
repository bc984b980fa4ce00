"""What is counted and timed of runs, as OpenTelemetry metrics, where the usual variables name a collector.

Times are in seconds. No text of a question, a document or a reply is in them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from ...cubes.core.errors import MultiCubeError
from ...graphs.records import Run
from .events import Event
from .otlp import collector, patience, resource

if TYPE_CHECKING:
    from opentelemetry.metrics import Histogram, Meter
    from opentelemetry.sdk.metrics import MeterProvider

    from ..engines.llm.transport.observers import Exchange
    from .graph_watcher import NodeRun, ToolRun

__all__ = ["RunMetrics", "request_answered", "turn_came", "watch_queue"]

# OpenTelemetry's own choice for seconds of requests, and for tokens, in its conventions.
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0, 30.0, 60.0, 120.0)
_TOKENS = tuple(float(4**n) for n in range(14))

Attributes = dict[str, str]


@cache
def _provider() -> MeterProvider:
    """Return what the program around us has set up, else one of our own, which sends in the background."""
    from opentelemetry import metrics
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader

    found = metrics.get_meter_provider()
    if isinstance(found, MeterProvider):
        return found
    exporter = OTLPMetricExporter(timeout=patience("metrics"))
    return MeterProvider([PeriodicExportingMetricReader(exporter)], resource=resource())


@dataclass(frozen=True, slots=True)
class _Instruments:
    """What is measured; the names of models and requests are those of OpenTelemetry's conventions."""

    question: Histogram
    node: Histogram
    exchange: Histogram
    tokens: Histogram
    request: Histogram
    waited: Histogram


@cache
def _instruments(provider: MeterProvider) -> _Instruments:
    meter = provider.get_meter("multicube")
    return _Instruments(
        question=_seconds(meter, "multicube.question.duration", "How long questions took."),
        node=_seconds(meter, "multicube.node.duration", "How long each visit of a node of the loop took."),
        exchange=_seconds(meter, "gen_ai.client.operation.duration", "How long a language model took to reply."),
        tokens=meter.create_histogram(
            "gen_ai.client.token.usage", "{token}", "Tokens read and written by language models.",
            explicit_bucket_boundaries_advisory=_TOKENS,
        ),
        request=_seconds(meter, "http.server.request.duration", "How long HTTP requests took."),
        waited=_seconds(meter, "multicube.queue.duration", "How long questions waited for their turn."),
    )  # fmt: skip


def _seconds(meter: Meter, name: str, what: str) -> Histogram:
    return meter.create_histogram(name, "s", what, explicit_bucket_boundaries_advisory=_SECONDS)


def _measured() -> _Instruments | None:
    """Return what to measure with; None where no collector is named, or its libraries do not work."""
    if collector(signal="metrics") is not None:
        with suppress(Exception):
            return _instruments(_provider())
    return None


class RunMetrics:
    """Counts and times one run."""

    def __init__(self, run: Run) -> None:
        self._instruments = _instruments(_provider())
        self._engine, self._began = run.engine, time.perf_counter()
        self._ended: Attributes = {"multicube.status": "paused"}  # nobody followed it to its end

    def take(self, event: Event) -> None:
        """Note how the run ended."""
        if event.run is not None:
            self._ended = {"multicube.status": event.run.status}

    def exchanged(self, made: Exchange) -> None:
        """Time an exchange with a language model, and count its tokens."""
        asked: Attributes = {
            "gen_ai.operation.name": "chat", "gen_ai.request.model": made.model, "multicube.stage": made.stage
        }  # fmt: skip
        self._instruments.exchange.record((made.ended - made.began) / 1e9, asked | _failure(made.error))
        tokens = made.answered[1]
        if tokens is not None:
            self._instruments.tokens.record(tokens.input, asked | {"gen_ai.token.type": "input"})
            self._instruments.tokens.record(tokens.output, asked | {"gen_ai.token.type": "output"})

    def looked_up(self, made: ToolRun) -> None:
        """Leave tools out: each is a node."""

    def visited(self, made: NodeRun) -> None:
        """Time a visit of a node."""
        seconds = (made.ended - made.began) / 1e9
        self._instruments.node.record(seconds, {"multicube.node": made.node} | _failure(made.error))

    def failed(self, error: BaseException) -> None:
        """Note what ended the run; one that was left, or that a cap stopped, is paused."""
        if isinstance(error, GeneratorExit | KeyboardInterrupt) or (isinstance(error, MultiCubeError) and error.pauses):
            return
        self._ended = {"multicube.status": "failed"} | _failure(type(error).__name__)

    def end(self) -> None:
        """Count and time the question."""
        seconds = time.perf_counter() - self._began
        self._instruments.question.record(seconds, {"multicube.engine": self._engine} | self._ended)


def _failure(error: str) -> Attributes:
    return {"error.type": error} if error else {}


def watch_queue(sizes: Callable[[], Mapping[str, int]]) -> None:
    """Ask a server's queue for its sizes, by state, whenever metrics are sent: nothing is counted in its way."""
    if collector(signal="metrics") is None:
        return
    with suppress(Exception):
        from opentelemetry.metrics import Observation

        _provider().get_meter("multicube").create_observable_up_down_counter(
            "multicube.queue.questions",
            [lambda _: [Observation(size, {"multicube.state": state}) for state, size in sizes().items()]],
            "{question}", "Questions that wait for their turn or are being answered.",
        )  # fmt: skip


def turn_came(seconds: float) -> None:
    """Note how long a question waited for its turn."""
    if (instruments := _measured()) is not None:
        instruments.waited.record(seconds)


def request_answered(method: str, route: str | None, status: int, seconds: float) -> None:
    """Time an HTTP request; ``route`` is the path with its parameters' names, None where no route took it."""
    if (instruments := _measured()) is None:
        return
    about: dict[str, Any] = {"http.request.method": method, "http.response.status_code": status}
    if route is not None:
        about["http.route"] = route
    instruments.request.record(seconds, about | _failure(str(status) if status >= 500 else ""))
