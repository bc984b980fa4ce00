"""The models that an endpoint offers, to help where a name is wrong."""

from __future__ import annotations

import difflib

from .spec import ModelSpec

__all__ = ["offered", "suggestion"]

_PATIENCE_S = 10.0
_SHOWN = 8


def offered(spec: ModelSpec) -> list[str]:
    """Return the names of an endpoint's models; none where it does not tell."""
    from openai import OpenAI, OpenAIError

    try:
        client = OpenAI(base_url=spec.endpoint, api_key=spec.bearer(), max_retries=0, timeout=_PATIENCE_S)
        return [model.id for model in client.models.list().data]
    except (OpenAIError, ValueError, TypeError, AttributeError):
        return []


def suggestion(name: str, names: list[str]) -> str:
    """Return what to say of the names there are, the one most like ``name`` first; "" where there is none."""
    if not names:
        return ""
    plain = {each.casefold(): each for each in names}
    near = difflib.get_close_matches(name.casefold(), plain, n=1, cutoff=0.4)
    first = f" Did you mean '{plain[near[0]]}'?" if near else ""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{first} It offers {', '.join(names[:_SHOWN])}{more}."
