"""Whether a server of models listens on this machine, where the ones that people run usually do."""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

from .transport.spec import servers

__all__ = ["listening_model"]

_USUAL = ("ollama", "llamacpp", "vllm", "lmstudio")
_CONNECT_S, _ANSWER_S = 0.05, 0.3
"""A port of this machine is open or not at once; who waits for an answer does not notice a third of a second."""
_MOST = 200_000


def listening_model(addresses: Mapping[str, str] | None = None) -> str:
    """Return the first model found, as `--model` takes it ("ollama:llama3.2"); "" where there is none.

    ``addresses`` are the servers to look for by their short names, the usual ones by default.
    """
    known = addresses if addresses is not None else {name: servers()[name] for name in _USUAL}
    for name, address in known.items():
        if found := _first_model(address):
            return f"{name}:{found}"
    return ""


def _first_model(address: str) -> str:
    """The first model that a server offers; "" where none listens, or something else does."""
    place = urlsplit(address)
    host, port = place.hostname or "127.0.0.1", place.port or 80
    with suppress(OSError, HTTPException, ValueError):
        with socket.create_connection((host, port), timeout=_CONNECT_S):
            pass
        connection = HTTPConnection(host, port, timeout=_ANSWER_S)
        try:
            connection.request("GET", f"{place.path}/models", headers={"Accept": "application/json"})
            answered = connection.getresponse()
            return _named(json.loads(answered.read(_MOST))) if answered.status == 200 else ""
        finally:
            connection.close()
    return ""


def _named(body: object) -> str:
    models = body.get("data") if isinstance(body, dict) else None
    first = models[0] if isinstance(models, list) and models else None
    name = first.get("id") if isinstance(first, dict) else None
    return name if isinstance(name, str) and name.isprintable() and len(name) <= 200 else ""
