"""A request as the server received it, with what a brain needs to know of it."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

__all__ = ["Exchange", "Mode", "ModelRequest", "tokens"]

Mode = Literal["json_schema", "schema_object", "tools", "json_mode", "text"]

_FENCE = re.compile(r"<<<(\w+) ([0-9a-f]+)\n.*?\n\2 \1>>>", re.DOTALL)
_TOKEN = re.compile(r"\w+|[^\w\s]")


def tokens(text: str) -> int:
    """Count tokens: words and marks, one each."""
    return len(_TOKEN.findall(text))


@dataclass(frozen=True, eq=False)
class ModelRequest:
    """One request. ``body`` is the decoded JSON; header names are in lower case."""

    number: int
    method: str
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    arrived: float

    @property
    def model(self) -> str:
        return str(self.body.get("model", ""))

    @property
    def messages(self) -> list[tuple[str, str]]:
        """Role and text of each message, in order."""
        return [(str(m.get("role")), _text(m.get("content"))) for m in self.body.get("messages", [])]

    def said(self, role: str) -> str:
        """What a role said, in all its messages."""
        return "\n\n".join(text for who, text in self.messages if who == role)

    @property
    def text(self) -> str:
        """The words of all messages."""
        return "\n\n".join(text for _, text in self.messages)

    @property
    def images(self) -> list[tuple[str, bytes]]:
        """Media type and content of each image shown, in order."""
        contents = (m.get("content") for m in self.body.get("messages", []))
        parts = (part for content in contents if isinstance(content, list) for part in content)
        urls = (part["image_url"]["url"] for part in parts if part.get("type") == "image_url")
        return [(head.removeprefix("data:"), base64.b64decode(data)) for head, data in map(_parted, urls)]

    @cached_property
    def mode(self) -> Mode:
        """How the reply's form is asked for."""
        if self.body.get("tools") and self.body.get("tool_choice") != "none":
            return "tools"
        asked = self.body.get("response_format") or {}
        form = asked.get("type", "text")
        if form == "json_object" and "schema" in asked:
            return "schema_object"
        return {"json_schema": "json_schema", "json_object": "json_mode"}.get(form, "text")  # type: ignore[return-value]

    @cached_property
    def tool(self) -> Mapping[str, Any] | None:
        """The function that is to be called: the forced one, or the first."""
        functions = [tool["function"] for tool in self.body.get("tools") or [] if tool.get("type") == "function"]
        choice = self.body.get("tool_choice")
        forced = choice.get("function", {}).get("name") if isinstance(choice, dict) else None
        return next((f for f in functions if forced in (None, f["name"])), None)

    @cached_property
    def schema(self) -> Mapping[str, Any] | None:
        """The JSON schema of the reply wanted: of the form, of the tool, or one written out in a message."""
        if self.mode == "json_schema":
            given: Mapping[str, Any] | None = self.body["response_format"]["json_schema"].get("schema")
            return given
        if self.mode == "schema_object":
            return dict(self.body["response_format"]["schema"])
        if self.mode == "tools" and self.tool:
            return dict(self.tool.get("parameters") or {})
        return next((found for found in _objects(_FENCE.sub("", self.text)) if "properties" in found), None)

    @cached_property
    def schema_name(self) -> str:
        """The name under which the reply's schema is given, or empty."""
        if self.mode == "json_schema":
            return str(self.body["response_format"]["json_schema"].get("name", ""))
        if self.mode == "tools" and self.tool:
            return str(self.tool["name"])
        return str((self.schema or {}).get("title", ""))

    @property
    def prompt_tokens(self) -> int:
        return sum(tokens(text) + 3 for _, text in self.messages)


@dataclass(frozen=True, eq=False)
class Exchange:
    """A request with what became of it: the status sent (0 where the connection was dropped) and the fault, if any."""

    request: ModelRequest
    status: int
    fault: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0


def _parted(url: str) -> tuple[str, str]:
    head, _, data = url.partition(";base64,")
    return head, data


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(str(part["text"]) for part in content if isinstance(part, dict) and "text" in part)
    return "" if content is None else str(content)


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects written out in a text, the outermost of each place."""
    decoder, at = json.JSONDecoder(), text.find("{")
    while at >= 0:
        try:
            found, end = decoder.raw_decode(text, at)
        except ValueError:
            end = at + 1
        else:
            if isinstance(found, dict):
                yield found
        at = text.find("{", end)
