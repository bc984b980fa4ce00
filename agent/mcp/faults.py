"""Saying in a sentence what is wrong with the arguments of a tool, where the protocol's library shows a dump."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import ValidationError

__all__ = ["sentence", "unknown"]


def sentence(error: ToolError, tool: str, schema: Mapping[str, Any]) -> str | None:
    """Return what is wrong with a call's arguments; None where the error is about something else.

    ``schema`` is the tool's JSON schema, which describes each argument.
    """
    cause = error.__cause__
    if not isinstance(cause, ValidationError):
        return None
    described = schema.get("properties", {})
    return " ".join(dict.fromkeys(_fault(tool, dict(fault), described) for fault in cause.errors()))


def unknown(tool: str, arguments: Iterable[str], schema: Mapping[str, Any]) -> str:
    """Name the arguments that a tool does not have, and what may have been meant; "" where it has all."""
    known = list(schema.get("properties", {}))
    said = []
    for name in (one for one in arguments if schema and one not in known):
        near = get_close_matches(name, known, n=1)
        has = f"did you mean '{near[0]}'?" if near else f"it has {', '.join(known)}."
        said.append(f"'{tool}' has no argument '{name}'; {has}")
    return " ".join(said)


def _fault(tool: str, fault: Mapping[str, Any], described: Mapping[str, Any]) -> str:
    name = str(fault["loc"][0]) if fault["loc"] else ""
    said = _description(described.get(name, {}))
    if fault["type"] == "missing":
        return f"'{tool}' needs '{name}'{f': {said}' if said else '.'}"
    where = f"'{name}'" if name else "the arguments"
    return f"'{tool}' cannot use {where}: {str(fault['msg']).rstrip('.')}.{f' It is: {said}' if said else ''}"


def _description(argument: Mapping[str, Any]) -> str:
    """Return what an argument's schema says of it, as the end of a sentence."""
    forms: Sequence[Mapping[str, Any]] = [argument, *argument.get("anyOf", ())]
    said = next((str(form["description"]) for form in forms if form.get("description")), "")
    return said[:1].lower() + said[1:]
