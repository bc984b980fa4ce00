"""A collector on loopback that takes what OpenTelemetry and LangSmith send, as a person's would."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from multicube.agent.runs import metrics, spans
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

INGEST = {  # what LangSmith's server says of how it takes runs
    "use_multipart_endpoint": False,
    "size_limit": 100,
    "size_limit_bytes": 20_971_520,
    "scale_up_nthreads_limit": 16,
    "scale_up_qsize_trigger": 1000,
    "scale_down_nempty_trigger": 4,
}


@dataclass
class Collector:
    """Keeps what is posted to it, by path."""

    url: str = ""
    posted: list[tuple[str, bytes]] = field(default_factory=list)

    def spans(self) -> list[Any]:
        """The spans that came in, decoded."""
        found = []
        for body in self._bodies("/v1/traces"):
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                assert attributes(resource.resource)["service.name"] == "multicube"
                found += [span for scope in resource.scope_spans for span in scope.spans]
        return found

    def points(self) -> dict[str, list[tuple[dict[str, Any], Any]]]:
        """The latest points of each metric, each with its attributes."""
        found: dict[str, list[tuple[dict[str, Any], Any]]] = {}
        for body in self._bodies("/v1/metrics"):
            for resource in ExportMetricsServiceRequest.FromString(body).resource_metrics:
                assert attributes(resource.resource)["service.name"] == "multicube"
                assert attributes(resource.resource)["service.instance.id"]
                for metric in (each for scope in resource.scope_metrics for each in scope.metrics):
                    points = getattr(metric, metric.WhichOneof("data")).data_points
                    found[metric.name] = [(attributes(point), point) for point in points]
        return found

    def _bodies(self, path: str) -> list[bytes]:
        return [body for posted, body in self.posted if posted == path]


def attributes(of: Any) -> dict[str, Any]:
    """The attributes of a span, a point or a resource, as a mapping."""
    return {a.key: getattr(a.value, a.value.WhichOneof("value")) for a in of.attributes}


def flushed() -> None:
    """Wait until the spans and the counts so far are sent."""
    for signal in (spans, metrics):
        if signal._provider.cache_info().currsize:
            assert signal._provider().force_flush(30_000)


def forget() -> None:
    """Let the next run read the environment anew."""
    for signal in (spans, metrics):
        if signal._provider.cache_info().currsize:
            signal._provider().shutdown()
            signal._provider.cache_clear()


@contextmanager
def collecting() -> Iterator[Collector]:
    """Listen until the end of the block."""
    kept = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            kept.posted.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
            self._reply(202, b"{}")

        def do_GET(self) -> None:
            self._reply(200, json.dumps({"version": "1", "batch_ingest_config": INGEST}).encode())

        def _reply(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    kept.url = f"http://127.0.0.1:{server.server_port}"
    forget()
    try:
        yield kept
    finally:
        forget()
        server.shutdown()
        server.server_close()
