"""Where OpenTelemetry's usual variables send runs: traces and metrics, each by itself (OTLP, http/protobuf).

OTEL_EXPORTER_OTLP_ENDPOINT, or the signal's own OTEL_EXPORTER_OTLP_TRACES_ENDPOINT or _METRICS_ENDPOINT, switches it
on; OTEL_SDK_DISABLED, or OTEL_TRACES_EXPORTER=none and OTEL_METRICS_EXPORTER=none, switch it off.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from opentelemetry.sdk.resources import Resource

__all__ = ["Signal", "collector", "patience", "resource"]

Signal = Literal["traces", "metrics"]

_TIMEOUT_S = 3.0  # what the end of a process waits for a collector that does not answer


def collector(env: Mapping[str, str] | None = None, signal: Signal = "traces") -> str | None:
    """Return the address of the collector that a signal is sent to, or None."""
    env = os.environ if env is None else env
    off = env.get("OTEL_SDK_DISABLED", "").strip().lower() == "true"
    if off or env.get(f"OTEL_{signal.upper()}_EXPORTER", "") == "none":
        return None
    names = (f"OTEL_EXPORTER_OTLP_{signal.upper()}_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
    return next((env[name].strip() for name in names if env.get(name, "").strip()), None)


def patience(signal: Signal) -> float | None:
    """Return how many seconds a collector has to answer; None where the environment says it."""
    names = (f"OTEL_EXPORTER_OTLP_{signal.upper()}_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT")
    return None if any(os.environ.get(name) for name in names) else _TIMEOUT_S


def resource() -> Resource:
    """Say who sends: "multicube", each process an instance of its own, unless the environment says otherwise."""
    from opentelemetry.sdk.resources import Resource

    said = os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "")
    own = {} if "service.instance.id=" in said else {"service.instance.id": str(uuid.uuid4())}
    if not (os.environ.get("OTEL_SERVICE_NAME") or "service.name=" in said):
        own["service.name"] = "multicube"
    return Resource.create(own)
