"""Where the client libraries would send a copy of what is asked, because the person's environment says so."""

from __future__ import annotations

import os
from collections.abc import Mapping

__all__ = ["traced_to"]

_LANGSMITH = "https://api.smith.langchain.com"


def traced_to(env: Mapping[str, str] | None = None) -> str | None:
    """Return the address that gets a trace of every prompt and reply, or None.

    LangChain traces to LangSmith only where LANGSMITH_TRACING (or its older names) is "true"; nothing here turns
    that on. A caller that traces in its own code (`langsmith.traceable`) does so knowingly and is not seen here.
    """
    env = os.environ if env is None else env
    switches = ("LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2", "LANGSMITH_TRACING", "LANGCHAIN_TRACING")
    said = next((env[name].strip() for name in switches if env.get(name, "").strip()), "")
    if said != "true":
        return None
    return env.get("LANGSMITH_ENDPOINT") or env.get("LANGCHAIN_ENDPOINT") or _LANGSMITH
