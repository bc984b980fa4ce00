"""The form of a typed reply: its JSON schema, and the strict reading of what a model wrote."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

__all__ = ["ReplySchema", "SchemaMismatchError"]

T = TypeVar("T", bound=BaseModel)

_THOUGHT = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_MOST_PROBLEMS = 5


class SchemaMismatchError(ValueError):
    """A reply is not in its form; says what is wrong in words that a model can act on.

    It never repeats what the reply says, which may come from a document.
    """


class ReplySchema(Generic[T]):
    """What a reply must look like: an object of a pydantic model."""

    def __init__(self, reply: type[T]) -> None:
        self.reply = reply

    @property
    def name(self) -> str:
        """The name under which the schema is sent."""
        return self.reply.__name__

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The JSON schema, with every field required and no other allowed, as endpoints that enforce it want it."""
        schema: dict[str, Any] = _closed(self.reply.model_json_schema())
        schema.setdefault("title", self.name)
        return schema

    @cached_property
    def strict(self) -> bool:
        """Whether the schema can be enforced: it has no object with free keys."""
        return not _has_free_keys(self.schema)

    @cached_property
    def described(self) -> str:
        """The form in words, for endpoints that cannot enforce it and for a second try."""
        return f"A JSON object that follows this JSON schema:\n\n{json.dumps(self.schema, ensure_ascii=False)}"

    @property
    def tool(self) -> dict[str, Any]:
        """The form as a function to be called."""
        does = " ".join((self.reply.__doc__ or "Give the reply.").split())
        function = {"name": self.name, "description": does, "parameters": self.schema}
        return {"type": "function", "function": function | ({"strict": True} if self.strict else {})}

    @property
    def response_format(self) -> dict[str, Any]:
        """The form as chat completions take it."""
        return {
            "type": "json_schema",
            "json_schema": {"name": self.name, "schema": self.schema, "strict": self.strict},
        }

    @property
    def schema_object(self) -> dict[str, Any]:
        """The form as servers on llama.cpp take it."""
        return {"type": "json_object", "schema": self.schema}

    def of(self, fields: Any) -> T:
        """Check what was decoded already; raises SchemaMismatchError."""
        if not isinstance(fields, dict):
            raise SchemaMismatchError("it is not a JSON object")
        try:
            return self.reply.model_validate(fields)
        except ValidationError as error:
            raise SchemaMismatchError(_problems(error)) from None

    def read(self, text: str) -> T:
        """Read the one object that a text holds, alone or among sentences; raises SchemaMismatchError.

        Broken JSON is not mended: guessing what a model meant is not reading what it said.
        """
        text = without_thoughts(text)
        if not text:
            raise SchemaMismatchError("it is empty")
        try:
            return self.of(json.loads(text))
        except ValueError as error:
            if isinstance(error, SchemaMismatchError):
                raise
        found = list(_objects(text))
        if not found:
            raise SchemaMismatchError("it holds no complete JSON object")
        fitting, problem = self._fitting(found)
        if not fitting:
            raise problem
        if any(other != fitting[0] for other in fitting[1:]):
            raise SchemaMismatchError("it holds more than one JSON object; reply with one")
        return fitting[0]

    def _fitting(self, objects: list[dict[str, Any]]) -> tuple[list[T], SchemaMismatchError]:
        fitting, problem = [], SchemaMismatchError("it holds no JSON object of this form")
        for fields in objects:
            try:
                fitting.append(self.of(fields))
            except SchemaMismatchError as error:
                problem = error
        return fitting, problem


def without_thoughts(text: str) -> str:
    """Return a reply without the reasoning that some models put before it between <think> marks."""
    return _THOUGHT.sub("", text, count=1).strip()


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects in a text, the outermost of each place."""
    decoder, at = json.JSONDecoder(), text.find("{")
    while at >= 0:
        try:
            found, end = decoder.raw_decode(text, at)
        except ValueError:
            end = at + 1
        else:
            yield found
        at = text.find("{", end)


def _closed(node: Any) -> Any:
    """Return a schema whose objects require all their fields and allow no others."""
    if isinstance(node, list):
        return [_closed(item) for item in node]
    if not isinstance(node, dict):
        return node
    kept: dict[str, Any] = {}
    for key, value in node.items():
        if key in ("properties", "$defs"):
            kept[key] = {name: _without_title(_closed(inner)) for name, inner in value.items()}
        elif key not in ("default", "examples"):
            kept[key] = _closed(value) if key not in ("enum", "const", "required") else value
    if kept.get("type") == "object" and "properties" in kept:
        kept["required"] = list(kept["properties"])
        kept["additionalProperties"] = False
    return {"$ref": kept["$ref"]} if "$ref" in kept else kept


def _without_title(schema: Any) -> Any:
    return {key: value for key, value in schema.items() if key != "title"} if isinstance(schema, dict) else schema


def _has_free_keys(node: Any) -> bool:
    if isinstance(node, list):
        return any(_has_free_keys(item) for item in node)
    if not isinstance(node, dict):
        return False
    if node.get("type") == "object" and node.get("additionalProperties") is not False:
        return True
    return any(_has_free_keys(value) for value in node.values())


def _problems(error: ValidationError) -> str:
    found = error.errors(include_input=False, include_url=False, include_context=False)
    said = [f"{'.'.join(map(str, problem['loc'])) or 'the object'}: {problem['msg']}" for problem in found]
    more = f", and {len(said) - _MOST_PROBLEMS} more" if len(said) > _MOST_PROBLEMS else ""
    return "; ".join(said[:_MOST_PROBLEMS]) + more
